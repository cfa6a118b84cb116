"""Records that come in batches, as the data that they are together: few are held one by one."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import MOST_SIDE, GridCounts
from dpviz.core.data.points import Points
from dpviz.counts.spatial import grid_cell

Run = tuple[FloatArray, IntArray]  # distinct values, ascending, and how many records have each


class ColumnBatches:
    """The Column of all batches: that of their values together, for every release from it.

    A batch whose values repeat is held as distinct values with their counts, another as it is, so
    that no record takes more room than a double.
    """

    def __init__(self, bounds: Bounds, resolution: float = 0.0) -> None:
        self._empty = Column.from_values([], bounds, resolution)
        self._runs: list[Run] = []
        self._single: list[FloatArray] = []
        self._clipped = self._dropped = 0

    def add(self, values: FloatArray) -> None:
        """Take a batch (n,) with its records' numbers, NaN where there is none."""
        batch = Column.from_values(values, self._empty.bounds, self._empty.resolution)
        self._clipped, self._dropped = self._clipped + batch.clipped, self._dropped + batch.dropped
        distinct, up_to = batch.steps
        if 2 * distinct.size >= batch.n:  # of nobody, too
            self._single.append(batch.values)
            return
        self._runs.append((distinct, np.diff(up_to, prepend=0)))
        # runs that grow by doubling: each record is merged a few times, however many batches come
        while len(self._runs) > 1 and self._runs[-2][0].size <= 2 * self._runs[-1][0].size:
            self._runs.append(_merged(self._runs.pop(), self._runs.pop()))

    def data(self) -> Column:
        """The column of all batches so far; they are let go of."""
        held, counts = _joined(self._single), None
        held.sort()
        while self._runs:
            run = self._runs.pop()
            if counts is None and held.size:
                held, counts = _run(held)
            held, counts = run if counts is None else _merged((held, counts), run)
        return Column(
            frozen(held),
            self._empty.bounds,
            self._empty.resolution,
            self._clipped,
            self._dropped,
            None if counts is None else frozen(counts),
        )


class PointBatches:
    """The points of all batches, as counts of a map's cells, or as they are if cells are too many.

    Cells are those of a quadtree of the declared height, which asks for nothing else.
    """

    def __init__(self, box: Box, height: int) -> None:
        self._box, self._side = box, 1 << height
        self._cells = np.zeros(self._side**2 if self._side <= MOST_SIDE else 0, dtype=np.int64)
        self._apart: list[Points] = []
        self._clipped = self._dropped = 0

    def add(self, x: FloatArray, y: FloatArray) -> None:
        """Take a batch (n,) of points, NaN where a coordinate is missing."""
        points = Points.from_xy(x, y, self._box)
        if not self._cells.size:
            self._apart.append(points)
            return
        column, row = (
            grid_cell(points.x, self._box.x, self._side),
            grid_cell(points.y, self._box.y, self._side),
        )
        np.add.at(self._cells, column * self._side + row, 1)
        self._clipped, self._dropped = (
            self._clipped + points.clipped,
            self._dropped + points.dropped,
        )

    def data(self) -> GridCounts | Points:
        """The points of all batches so far."""
        if self._cells.size:
            return GridCounts.from_flat(
                self._box, self._side, self._cells, self._clipped, self._dropped
            )
        return Points(
            frozen(_joined([one.x for one in self._apart])),
            frozen(_joined([one.y for one in self._apart])),
            self._box,
            sum(one.clipped for one in self._apart),
            sum(one.dropped for one in self._apart),
        )


def _joined(parts: list[FloatArray]) -> FloatArray:
    """One array of all parts, each let go of as soon as it is copied."""
    joined = np.empty(sum(part.size for part in parts))
    end = joined.size
    while parts:
        part = parts.pop()
        joined[end - part.size : end] = part
        end -= part.size
    return joined


def _merged(one: Run, other: Run) -> Run:
    """Both runs as one."""
    values = np.concatenate((one[0], other[0]))
    order = np.argsort(values, kind="stable")  # quick where both parts ascend
    return _run(values[order], np.concatenate((one[1], other[1]))[order])


def _run(ascending: FloatArray, counts: IntArray | None = None) -> Run:
    """The distinct ones of ascending values, and the sums of their counts, or one for each."""
    last = np.flatnonzero(np.append(ascending[1:] != ascending[:-1], True))
    up_to = last + 1 if counts is None else np.cumsum(counts)[last]
    return ascending[last], np.diff(up_to, prepend=0)
