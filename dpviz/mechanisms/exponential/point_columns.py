"""Records as points: each draws its own place in its cell from random bits."""

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Bits
from dpviz.mechanisms.exponential.lazy_points import LazyPoints, Records
from dpviz.mechanisms.exponential.occupied_cells import HeldCells

LONG = 1 << 19  # records from which they are spread only where a draw looks


def spread_points(column: Column, bits: Bits) -> Records:
    """The records' points (n,), ascending: ties are spread evenly over their cells. Confidential.

    A map of single records given the bits, which do not depend on the data: budgets are unchanged.
    Which way they are drawn depends on how many there are, their law and what is drawn from it do
    not.
    """
    if column.n >= LONG:
        return LazyPoints(HeldCells(column), column.grid.shift, bits)
    points = np.left_shift(column.cells, column.grid.shift)
    spread_inside(points, column.grid.shift, bits)
    put_in_order(points, column.crowded)
    return points


def spread_inside(first: IntArray, shift: int, bits: Bits) -> None:
    """Turn the first points of cells, in place, each into one uniform over its 2^shift points."""
    if shift == 8:
        first |= bits.words(first.size, np.uint8)
    elif shift <= 16:
        first |= bits.words(first.size, np.uint16) & np.uint16((1 << shift) - 1)
    elif shift <= 32:
        first |= bits.words(first.size, np.uint32) & np.uint32((1 << shift) - 1)
    else:
        first |= (bits.words(first.size, np.uint64) >> np.uint64(64 - shift)).view(np.int64)


def put_in_order(points: IntArray, crowded: IntArray | None) -> None:
    """Sort points whose cells ascend: only those in crowded cells can be moved, None is most.

    Cells ascend, so the points of all crowded cells, sorted as one array, return to their places.
    """
    if crowded is None:
        points.sort()
    elif crowded.size:
        points[crowded] = np.sort(points[crowded])
