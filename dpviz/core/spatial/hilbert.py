"""The Hilbert curve: cells of a 2^order × 2^order grid in an order where neighbours stay close.

A curve is one of four shapes (states) on each quarter of the quarter above it. Tables give the
place of every cell within a piece of six levels at once, so order 18 takes three look-ups.
Orders up to 24 fit the whole numbers that doubles hold exactly.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.errors import InvalidParameter

MAX_ORDER = 24
PIECE = 6

# in each state: the quarters (2·right + upper) in the order of the curve, and the states within.
# State 0 starts in the lower left corner and ends in the lower right one.
_QUARTERS = np.array([[0, 1, 3, 2], [0, 2, 3, 1], [3, 2, 0, 1], [3, 1, 0, 2]])
_WITHIN = np.array([[1, 0, 0, 3], [0, 1, 1, 2], [3, 2, 2, 1], [2, 3, 3, 0]])


@dataclass(frozen=True, eq=False)
class Piece:
    """A curve of a few levels in each of the four states.

    Shapes: column, row and inner (4, 4**levels) by place along the curve, inner being the state
    within the cell; place (4, 4**levels) by column · 2**levels + row.
    """

    levels: int
    column: IntArray
    row: IntArray
    inner: IntArray
    place: IntArray


@cache
def piece(levels: int) -> Piece:
    """The tables for a number of levels, made once."""
    state = np.arange(4)[:, None]
    column, row = np.zeros((4, 1), dtype=np.int64), np.zeros((4, 1), dtype=np.int64)
    for _ in range(levels):
        quarter = _QUARTERS[state]
        column = (2 * column[..., None] + quarter // 2).reshape(4, -1)
        row = (2 * row[..., None] + quarter % 2).reshape(4, -1)
        state = _WITHIN[state].reshape(4, -1)
    place = np.empty_like(column)
    np.put_along_axis(place, (column << levels) | row, np.arange(column.shape[1])[None], axis=1)
    return Piece(levels, column, row, state, place)


def pieces(order: int) -> list[Piece]:
    """The tables that make up a curve, coarsest first.

    Raises: InvalidParameter for an order outside 1 … 24.
    """
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= MAX_ORDER:
        raise InvalidParameter(f"A Hilbert curve has an order from 1 to {MAX_ORDER}, got {order}.")
    first = order % PIECE
    return [piece(first)] * (first > 0) + [piece(PIECE)] * (order // PIECE)


def hilbert_index(column: IntArray, row: IntArray, order: int) -> IntArray:
    """Place along the curve, 0 … 4**order − 1, of cells given by column and row, elementwise."""
    index, state = np.zeros_like(column), np.zeros_like(column)
    left = order
    for table in pieces(order):
        left -= table.levels
        mask = (1 << table.levels) - 1
        cell = (((column >> left) & mask) << table.levels) | ((row >> left) & mask)
        place = table.place.ravel()[(state << 2 * table.levels) | cell]
        state = table.inner.ravel()[(state << 2 * table.levels) | place]
        index = (index << 2 * table.levels) | place
    return index
