"""Records as points: each draws its own place in its cell from random bits."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.data import Column
from dpviz.core.errors import InvalidData
from dpviz.core.point_grid import MOST_RECORDS
from dpviz.core.randomness.bits import Bits


def spread_points(column: Column, bits: Bits) -> IntArray:
    """The records' points (n,), ascending: ties are spread evenly over their cells. Confidential.

    A map of single records given the bits, which do not depend on the data: budgets are unchanged.
    Raises: InvalidData for 2^31 records or more.
    """
    checked_records(column.n)
    points = spread(column.cells, column.grid.shift, bits)
    if (points[1:] < points[:-1]).any():
        points.sort()
    return points


def spread(cells: IntArray, shift: int, bits: Bits) -> IntArray:
    """A point of each cell, uniform over 2^shift of them, in the order given."""
    points: IntArray = (cells << shift) | _inside(cells.size, shift, bits)
    return points


def _inside(count: int, shift: int, bits: Bits) -> IntArray:
    """Uniform whole numbers of so many bits, from words no longer than needed."""
    if shift <= 8:
        drawn = bits.words(count, np.uint8).astype(np.int64)
    elif shift <= 16:
        drawn = bits.words(count, np.uint16).astype(np.int64)
    elif shift <= 32:
        drawn = bits.words(count, np.uint32).astype(np.int64)
    else:
        drawn = bits.words(count, np.uint64).view(np.int64)
    return drawn & ((1 << shift) - 1)


def checked_records(count: int) -> None:
    """Refuse more records than whole numbers of 62 bits can rank.

    Raises: InvalidData for 2^31 records or more.
    """
    if count > MOST_RECORDS:
        raise InvalidData(
            f"Quantiles and medians take fewer than 2^31 records, got {count:,}. Draw a sample, "
            "and declare that it is one."
        )
