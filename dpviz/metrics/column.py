"""What a column looks like before any mechanism: confidential."""

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column


def spacing(column: Column) -> float:
    """The declared spacing, or 1 where none is declared but all values inside are whole numbers.

    Columns of a picture across it would show a comb.
    """
    return column.resolution or _whole(column)


def _whole(column: Column) -> float:
    """1 if the lower bound and all values between the bounds are whole numbers, else 0."""
    low, high = column.bounds.low, column.bounds.high
    values = column.held
    inside = values[(values > low) & (values < high)]
    fits = column.bounds.width >= 2 and low == np.floor(low) and inside.size > 0
    return 1.0 if fits and (inside == np.floor(inside)).all() else 0.0


def tied_share(column: Column) -> float:
    """Share of the records that have another one's value; 0 for an empty column."""
    if column.n == 0:
        return 0.0
    _, up_to = column.steps
    counts = np.diff(up_to, prepend=0)
    return float(counts[counts > 1].sum() / column.n)


def farthest(one: Column, other: Column) -> float:
    """The largest vertical distance of two empirical CDFs, of columns that hold records."""
    values = np.union1d(one.steps[0], other.steps[0])
    shares = []
    for each in (one, other):
        at, up_to = each.steps
        below = np.searchsorted(at, values, side="right")
        shares.append(np.concatenate(([0], up_to))[below] / each.n)
    return float(np.abs(shares[0] - shares[1]).max())


def infinite_values(values: FloatArray) -> int:
    """How many raw values are infinite; clipping moves them to a bound like any other."""
    return int(np.isinf(values).sum())
