"""Exact counts of points in many rectangles. Confidential."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.points import Points
from dpviz.core.spatial.boxes import checked_boxes

CELLS = 512  # on each side of the grid
AT_ONCE = 1 << 22  # points looked at together
BOXES = 1 << 17  # rectangles


@confidential()
@dataclass(frozen=True, eq=False)
class PointIndex:
    """Points sorted into a grid, so that rectangles are counted without looking at every point.

    Shapes: x, y (n,) in the order of their cells; before (512² + 1,) the points before each cell,
    columns of cells one after the other; running (513, 513) the points up to each corner.
    """

    points: Points
    x: FloatArray
    y: FloatArray
    before: IntArray
    running: IntArray

    @classmethod
    def of(cls, points: Points) -> "PointIndex":
        """Sort once, in O(n log n)."""
        cell = _place(points.x, points.box.x) * CELLS + _place(points.y, points.box.y)
        order = np.argsort(cell.astype(np.int32), kind="stable")
        counts = np.bincount(cell, minlength=CELLS * CELLS)
        running = np.zeros((CELLS + 1, CELLS + 1), dtype=np.int64)
        running[1:, 1:] = counts.reshape(CELLS, CELLS).cumsum(axis=0).cumsum(axis=1)
        before = np.concatenate([[0], np.cumsum(counts)])
        return cls(points, points.x[order], points.y[order], before, running)

    def count(self, boxes: ArrayLike) -> IntArray:
        """Points with x_low ≤ x < x_high and y_low ≤ y < y_high, (q,); the box's far sides belong.

        Exact: cells inside a rectangle come from running counts, those on its border are looked
        through. Raises: InvalidParameter for rectangles that are none.
        """
        rows = checked_boxes(boxes)
        parts = [self._count(rows[at : at + BOXES]) for at in range(0, rows.shape[0], BOXES)]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    def _count(self, rows: FloatArray) -> IntArray:
        box = self.points.box
        x = _place(rows[:, 0], box.x), _place(rows[:, 1], box.x)
        y = _place(rows[:, 2], box.y), _place(rows[:, 3], box.y)
        hollow = (x[1] > x[0] + 1) & (y[1] > y[0] + 1)  # some cells are surely inside
        table = self.running
        inside = table[x[1], y[1]] - table[x[0] + 1, y[1]]
        inside = inside - table[x[1], y[0] + 1] + table[x[0] + 1, y[0] + 1]
        return np.where(hollow, inside, 0) + self._border(rows, x, y, hollow)

    def exact(self, boxes: ArrayLike) -> BoolArray:
        """Whether the count of a rectangle is exact, (q,): every one. Raises: as count."""
        return np.ones(checked_boxes(boxes).shape[0], dtype=bool)

    def middles(self) -> tuple[Points, None]:
        """The points for a tree that is to find them, and that each counts once."""
        return self.points, None

    def _border(
        self,
        rows: FloatArray,
        x: tuple[IntArray, IntArray],
        y: tuple[IntArray, IntArray],
        hollow: BoolArray,
    ) -> IntArray:
        """Points of the border cells that are inside; cells of one column are one stretch."""
        query, column = ranges(x[0], x[1] + 1)
        low, high = y[0][query], y[1][query]
        whole = ~hollow[query] | (column == x[0][query]) | (column == x[1][query])
        top = ~whole  # such a column has its lowest and its highest cell on the border
        query = np.concatenate([query, query[top]])
        column = np.concatenate([column, column[top]])
        start = np.concatenate([low, high[top]])
        stop = np.concatenate([np.where(whole, high, low), high[top]])
        first, last = self.before[column * CELLS + start], self.before[column * CELLS + stop + 1]
        return self._looked_through(rows, query, first, last)

    def _looked_through(
        self, rows: FloatArray, query: IntArray, first: IntArray, last: IntArray
    ) -> IntArray:
        counts = np.zeros(rows.shape[0], dtype=np.int64)
        done = np.cumsum(last - first)
        cuts = np.searchsorted(done, np.arange(AT_ONCE, int(done[-1:].sum()), AT_ONCE))
        for part in np.split(np.arange(query.size), cuts):
            stretch, at = ranges(first[part], last[part])
            asked = query[part][stretch]
            inside = within(self.x[at], rows[asked, 0], rows[asked, 1], self.points.box.x)
            inside &= within(self.y[at], rows[asked, 2], rows[asked, 3], self.points.box.y)
            counts += np.bincount(asked[inside], minlength=counts.size)
        return counts


def ranges(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """All numbers of all ranges [first, last), and the range that each belongs to."""
    sizes = last - first
    owner = np.repeat(np.arange(first.size), sizes)
    offset = np.arange(owner.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return owner, first[owner] + offset


def _place(values: FloatArray, side: Bounds) -> IntArray:
    scaled = (np.clip(values, side.low, side.high) - side.low) * (CELLS / side.width)
    return np.minimum(scaled.astype(np.int64), CELLS - 1)


def within(
    values: FloatArray, low: FloatArray | float, high: FloatArray | float, side: Bounds
) -> BoolArray:
    """Whether values lie in [low, high); the far end of a side belongs."""
    return (values >= low) & ((values < high) | (high >= side.high))
