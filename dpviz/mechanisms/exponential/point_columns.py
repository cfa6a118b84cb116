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
    points = column.cells.copy()
    spread_inside(points, column.grid.shift, bits)
    put_in_order(points, column.grid.shift)
    return points


def spread_inside(cells: IntArray, shift: int, bits: Bits) -> None:
    """Turn cells into points in place: each uniform over the 2^shift points of its cell."""
    cells <<= shift
    if shift == 8:
        cells |= bits.words(cells.size, np.uint8)
    elif shift <= 16:
        cells |= bits.words(cells.size, np.uint16) & np.uint16((1 << shift) - 1)
    elif shift <= 32:
        cells |= bits.words(cells.size, np.uint32) & np.uint32((1 << shift) - 1)
    else:
        cells |= (bits.words(cells.size, np.uint64) >> np.uint64(64 - shift)).view(np.int64)


def put_in_order(points: IntArray, shift: int) -> None:
    """Sort points whose cells ascend: only those that share a cell with a neighbour can be moved.

    Cells ascend, so the points of all shared cells, sorted as one array, return to their places.
    """
    if not (points[1:] < points[:-1]).any():
        return
    shared = (points[1:] ^ points[:-1]) < (1 << shift)
    moved = np.zeros(points.size, dtype=np.bool_)
    moved[1:] = shared
    moved[:-1] |= shared
    at = np.flatnonzero(moved)
    if 2 * at.size < points.size:
        points[at] = np.sort(points[at])
    else:
        points.sort()


def checked_records(count: int) -> None:
    """Refuse more records than whole numbers of 62 bits can rank.

    Raises: InvalidData for 2^31 records or more.
    """
    if count > MOST_RECORDS:
        raise InvalidData(
            f"Quantiles and medians take fewer than 2^31 records, got {count:,}. Draw a sample, "
            "and declare that it is one."
        )
