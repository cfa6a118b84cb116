"""Counts in many rectangles of points that are themselves counted on a grid. Confidential."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.data.points import Points
from dpviz.core.spatial.boxes import checked_boxes, grid_edges
from dpviz.counts.point_index import PointIndex, within


@confidential()
@dataclass(frozen=True, eq=False)
class GridIndex:
    """Counts on a grid, summed once: what a PointIndex answers, as far as a grid can tell.

    Shapes: running (side + 1, side + 1) are the points up to each corner of the cells.
    """

    points: GridCounts
    running: IntArray

    @classmethod
    def of(cls, grid: GridCounts) -> "GridIndex":
        """Look at every cell once."""
        running = np.zeros((grid.side + 1, grid.side + 1), dtype=np.int64)
        np.cumsum(grid.counts, axis=0, out=running[1:, 1:])
        np.cumsum(running[1:, 1:], axis=1, out=running[1:, 1:])
        return cls(grid, running)

    def count(self, boxes: ArrayLike) -> FloatArray:
        """Points with x_low ≤ x < x_high and y_low ≤ y < y_high, (q,); the box's far sides belong.

        Exact for rectangles whose sides lie on the grid's edges (see exact). Of others each cell
        that a side cuts counts by the share of its area inside: an estimate.
        Raises: InvalidParameter for low > high or a side that is not finite.
        """
        rows = checked_boxes(boxes)
        left, right = (self._along(rows[:, at], self.points.box.x) for at in (0, 1))
        low, high = (self._along(rows[:, at], self.points.box.y) for at in (2, 3))
        above = self._up_to(right, high) - self._up_to(left, high)
        below = self._up_to(right, low) - self._up_to(left, low)
        return np.maximum(above - below, 0.0)

    def exact(self, boxes: ArrayLike) -> BoolArray:
        """Whether the count of a rectangle is exact, not an estimate, (q,); it depends on no data.

        Raises: as count.
        """
        rows, box = checked_boxes(boxes), self.points.box
        side = self.points.side
        return _on_edges(rows[:, :2], box.x, side) & _on_edges(rows[:, 2:], box.y, side)

    def middles(self) -> tuple[Points, IntArray]:
        """The points of a grid for a tree that is to find them: middles of cells, and counts."""
        return self.points.held

    def _along(self, values: FloatArray, axis: Bounds) -> tuple[IntArray, FloatArray]:
        """The cell that each side cuts, and how far through it."""
        edges = grid_edges(axis, self.points.side)
        inside = np.clip(values, axis.low, axis.high)
        cell = np.searchsorted(edges, inside, side="right") - 1
        cell = np.minimum(cell, self.points.side - 1)
        width = edges[cell + 1] - edges[cell]
        share = np.ones(values.size)  # of a cell without width, at the far side of a narrow box
        np.divide(inside - edges[cell], width, out=share, where=width > 0)
        return cell, share

    def _up_to(self, x: tuple[IntArray, FloatArray], y: tuple[IntArray, FloatArray]) -> FloatArray:
        """The running counts between four corners; a share of 0 or 1 keeps whole numbers exact."""
        (column, right), (row, up) = x, y
        table = self.running
        lower = (1 - right) * table[column, row] + right * table[column + 1, row]
        upper = (1 - right) * table[column, row + 1] + right * table[column + 1, row + 1]
        return (1 - up) * lower + up * upper


Index = PointIndex | GridIndex


def index_of(points: Plane) -> Index:
    """The index that counts points, or counts on a grid, in rectangles."""
    return GridIndex.of(points) if isinstance(points, GridCounts) else PointIndex.of(points)


def count_once(points: Plane, box: FloatArray) -> float:
    """How many lie in one rectangle (4,), as an index counts: points are looked through."""
    if isinstance(points, GridCounts):
        return float(GridIndex.of(points).count(box[None])[0])
    low_x, high_x, low_y, high_y = box
    inside = within(points.x, low_x, high_x, points.box.x)
    return float((inside & within(points.y, low_y, high_y, points.box.y)).sum())


def _on_edges(sides: FloatArray, axis: Bounds, cells: int) -> BoolArray:
    """Whether both ends of each interval (q, 2) lie on edges, or outside the axis.

    An interval that begins at the far end may hold points that lie on it: no cell tells.
    """
    edges = grid_edges(axis, cells)
    at = np.minimum(np.searchsorted(edges, sides), cells)
    known = (edges[at] == sides) | (sides < axis.low) | (sides > axis.high)
    return np.asarray(known.all(axis=1) & (sides[:, 0] != axis.high))
