"""Which doubles a floating-point sampler can return at all: the test of Mironov 2012, made exact.

A double that one data set can give and its neighbour cannot tells the two apart with certainty,
whatever ε the real-number law has. Nothing here draws anything.
"""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.data.column import Column

UNIT = 2.0**-53  # step of a uniform double of NumPy
# Where neighbouring candidates lie an eighth of a unit in the last place apart or less, the one
# that is nearest rounds to the output; else at most four on each side can, and the estimate of
# where they lie is wrong by less than two.
AROUND = 8


def laplace_reaches(outputs: FloatArray, centre: float, scale: float) -> BoolArray:
    """Whether centre + rng.laplace(0, scale) can round to each output, elementwise.

    NumPy takes the logarithm of 2u below a uniform double u of ½ and of 2 − u − u from there on,
    and so does this, around the u that an output would need. A logarithm that is wrong by a unit
    in the last place is allowed for, so that "cannot" holds with every C library that is as good.
    Shapes: outputs and result (r,). Units: those of centre.
    Source: Mironov 2012, §4, for the sampler of NumPy's Generator.laplace.
    """
    noise = outputs - centre
    above = noise > 0
    share = np.exp(-np.abs(noise) / scale) / 2
    near = np.rint(np.where(above, 1 - share, share) / UNIT)
    reached = outputs == centre  # u = ½
    for step in range(-AROUND, AROUND + 1):
        uniform = (near + step) * UNIT
        inside = (uniform > 0) & (uniform < 1) & ((uniform >= 0.5) == above)
        drawn = np.where(inside, uniform, 0.5)
        log = np.log(np.where(above, 2.0 - drawn - drawn, drawn + drawn))
        for value in (log, np.nextafter(log, -np.inf), np.nextafter(log, 0.0)):
            moved = scale * value
            reached |= inside & (np.where(above, centre - moved, centre + moved) == outputs)
    return np.asarray(reached)


def uniform_reaches(outputs: FloatArray, low: FloatArray, high: FloatArray) -> BoolArray:
    """Whether low + (high − low) · u can round to each output, u a uniform double of NumPy.

    Exact: products and sums of doubles are the same on every machine. What rounds beyond high is
    put on high, so that high counts as reached.
    Shapes: outputs, low, high and result (r,). An interval of no width reaches its end alone.
    Source: after Mironov 2012, for a value drawn inside an interval.
    """
    width = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.where(width > 0, np.rint((outputs - low) / width / UNIT), 0.0)
    reached = outputs == high  # where a sum that rounds beyond it is put
    for step in range(-AROUND, AROUND + 1):
        candidate = near + step
        inside = (candidate >= 0) & (candidate < 1 / UNIT)
        reached |= inside & (low + width * (candidate * UNIT) == outputs)
    return np.asarray(reached)


def whole_reaches(outputs: FloatArray) -> BoolArray:
    """Whether a count with noise on all whole numbers can be each output, whatever the count is."""
    return np.asarray(outputs == np.rint(outputs))


def grid_reaches(outputs: FloatArray, column: Column) -> BoolArray:
    """Whether an exact quantile can be each output: it can be every cell of the public grid."""
    grid = column.grid
    cell = grid.cell(outputs)  # the double that stands for a cell may lie a rounding below it
    near = [np.clip(cell + step, 0, grid.cells - 1) for step in (-1, 0, 1)]
    return np.asarray(np.any([grid.printed(one) == outputs for one in near], axis=0))
