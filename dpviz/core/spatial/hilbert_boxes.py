"""Bounding boxes of ranges of the Hilbert curve, exact, many at once.

Boxes are kept as (column, row, −column, −row) of their cells, so that a union is one minimum and ∞
stands for no cell. Single precision holds every coordinate up to order 24 exactly.

The rectangles of a Hilbert R-tree are functions of where its leaves end on the curve, nothing else.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.spatial.boxes import FANOUT, edges_at
from dpviz.core.spatial.hilbert import Piece, piece, pieces

Corners = NDArray[np.float32]
AT_ONCE = 1 << 14  # ranges worked on together, so that they stay in the cache


def range_corners(first: IntArray, last: IntArray, order: int) -> Corners:
    """The cells' bounding box of every range first … last, both included, on the curve.

    Returns (k, 4): column and row of the lowest cell, then those of the highest, negative.
    """
    boxes = np.empty((first.size, 4), dtype=np.float32)
    for start in range(0, first.size, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        boxes[part] = _boxes(first[part], last[part], order)
    return boxes


def _boxes(first: IntArray, last: IntArray, order: int) -> Corners:
    """Piece by piece down the curve: what lies behind the first place and before the last one.

    Where both ends are still in one piece nothing is; where they part, what is between them.
    """
    low, high = _End.of(first), _End.of(last)
    boxes = np.full((first.size, 4), np.inf, dtype=np.float32)
    together = np.ones(first.size, dtype=np.bool_)
    left = order
    for table in pieces(order):
        left -= table.levels
        reach, final = _reach(table.levels), int(left == 0)  # the last piece includes both ends
        begin, end = low.digit(table, left), high.digit(table, left)
        inner, outer = begin + (1 - final), end + final
        splits = np.flatnonzero(together & ((begin != end) | (left == 0)))
        if splits.size:
            middle = reach.between(low.state[splits], inner[splits], outer[splits])
            middle = _placed(middle, low.origin[splits], table.levels, left)
            boxes[splits] = np.minimum(boxes[splits], middle)
        if not together.all():
            after = reach.after(low.state, np.where(together, reach.size, inner))
            np.minimum(boxes, _placed(after, low.origin, table.levels, left), out=boxes)
            before = reach.before(high.state, np.where(together, 0, outer))
            np.minimum(boxes, _placed(before, high.origin, table.levels, left), out=boxes)
        together &= begin == end
        if left:
            low.enter(table, begin)
            high.enter(table, end)
    return boxes


@dataclass(eq=False)
class _End:
    """One end of every range, walked down the curve: its state and the origin of its piece."""

    places: IntArray
    state: IntArray
    origin: Corners

    @classmethod
    def of(cls, places: IntArray) -> "_End":
        return cls(places, np.zeros_like(places), np.zeros((places.size, 4), dtype=np.float32))

    def digit(self, table: Piece, left: int) -> IntArray:
        return np.asarray((self.places >> 2 * left) & (4**table.levels - 1))

    def enter(self, table: Piece, place: IntArray) -> None:
        at = (self.state << 2 * table.levels) | place
        self.origin *= np.float32(1 << table.levels)
        self.origin += _reach(table.levels).powers.take(at, axis=0)
        self.state = table.inner.ravel().take(at)


def _placed(found: Corners, origin: Corners, levels: int, left: int) -> Corners:
    """Boxes within a piece, moved to where the piece lies and measured in the finest cells."""
    found += origin * np.float32(1 << levels)
    found *= np.float32(1 << left)
    found[:, 2:] -= np.float32((1 << left) - 1)  # the far corner of a coarse cell
    return found


@dataclass(frozen=True, eq=False)
class _Reach:
    """Boxes of stretches of a piece of m places, in each of the four states.

    suffix and prefix (4·(m + 1), 4) are those from a place on and before it; powers
    (logs·4·m, 4) those of 2^log places from one on, for one log after the other; logs (m + 1,) the
    log of the longest such stretch within a length, 0 for no place.
    """

    size: int
    suffix: Corners
    prefix: Corners
    powers: Corners
    logs: IntArray

    def after(self, state: IntArray, place: IntArray) -> Corners:
        return self.suffix.take(state * (self.size + 1) + place, axis=0)

    def before(self, state: IntArray, place: IntArray) -> Corners:
        return self.prefix.take(state * (self.size + 1) + place, axis=0)

    def between(self, state: IntArray, begin: IntArray, end: IntArray) -> Corners:
        """Places begin … end − 1, none if they are not in order."""
        length = np.maximum(end - begin, 0)
        log, wide = self.logs.take(length), 4 * self.size
        start = np.minimum(state * self.size + begin, wide - 1)
        stop = np.maximum(state * self.size + end - (1 << log), 0)
        log *= wide
        found: Corners = self.powers.take(log + start, axis=0)
        np.minimum(found, self.powers.take(log + stop, axis=0), out=found)
        found[length == 0] = np.inf
        return found


@cache
def _reach(levels: int) -> _Reach:
    table, size = piece(levels), 4**levels
    cells = np.stack([table.column, table.row, -table.column, -table.row], axis=-1)
    corners = cells.astype(np.float32)
    none = np.full((4, 1, 4), np.inf, dtype=np.float32)
    suffix = np.minimum.accumulate(corners[:, ::-1], axis=1)[:, ::-1]
    prefix = np.minimum.accumulate(corners, axis=1)
    powers = [corners.reshape(-1, 4)]
    for log in range(2 * levels):  # rows near the end of a state run into the next; never asked
        powers.append(np.minimum(powers[-1], np.roll(powers[-1], -(1 << log), axis=0)))
    return _Reach(
        size,
        np.concatenate([suffix, none], axis=1).reshape(-1, 4),
        np.concatenate([none, prefix], axis=1).reshape(-1, 4),
        np.concatenate(powers),
        np.maximum(np.frexp(np.arange(size + 1.0))[1].astype(np.int64) - 1, 0),
    )


def curve_boxes(edges: IntArray, order: int, box: Box) -> tuple[FloatArray, ...]:
    """Rectangles of all levels, root first, (4**l, 4), from the ends of the leaves on the curve.

    A node's box is that of its children together, which is the bounding box of its range. A range
    without cells becomes the low corner of its parent's rectangle.
    """
    leaves = _leaf_boxes(edges, order)
    levels = [leaves]
    while levels[-1].shape[0] > 1:
        levels.append(_together(levels[-1]))
    levels = levels[::-1]
    for parents, children in pairwise(levels):
        empty = np.flatnonzero(children[:, 0] + children[:, 2] > 0)
        corner = parents[empty // FANOUT, :2]
        children[empty] = np.concatenate([corner, -corner], axis=1)
    return tuple(_in_units(corners, order, box) for corners in levels)


def _in_units(corners: Corners, order: int, box: Box) -> FloatArray:
    """Low and high of x, then of y, (k, 4), at the edges of cells; a level has few of all edges."""
    boxes, cells = np.empty(corners.shape), 1 << order
    for at, (side, place) in enumerate(((box.x, 0), (box.x, 2), (box.y, 1), (box.y, 3))):
        boxes[:, at] = edges_at(side, np.abs(corners[:, place]).astype(np.int64), cells)
    return boxes


def _together(children: Corners) -> Corners:
    """Unions of the four children of each node: two minima of whole levels, not one over rows."""
    pairs = np.minimum(children[0::2], children[1::2])
    return np.minimum(pairs[0::2], pairs[1::2])


def _leaf_boxes(edges: IntArray, order: int) -> Corners:
    """Column, row, −past column and −past row, so that unions are minima; ∞ without cells."""
    first, last = edges[:-1], edges[1:] - 1
    leaves = range_corners(np.minimum(first, np.maximum(last, 0)), np.maximum(last, 0), order)
    leaves[:, 2:] -= 1  # single precision holds all of them up to order 24
    leaves[last < first] = np.inf
    return leaves
