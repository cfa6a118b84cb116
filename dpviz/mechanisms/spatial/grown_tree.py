"""Growing a tree of fanout 4 over points: x is split first, then y in each half.

The points are arranged node after node while the tree grows over them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import Plane, held_apart
from dpviz.core.ragged import offsets
from dpviz.core.spatial.boxes import FANOUT, box_row
from dpviz.mechanisms.medians.protocol import Groups

Splitter = Callable[[Groups], FloatArray]


@confidential()
@dataclass(frozen=True, eq=False)
class GrownTree:
    """Rectangles (4**l, 4) and exact counts (4**l,) of every level, root first.

    The counts are confidential; the rectangles are as private as the splitters that drew them.
    """

    boxes: tuple[FloatArray, ...]
    counts: tuple[FloatArray, ...]


def grow(
    points: Plane, height: int, split: Splitter, *, upper_levels: int, ordered: bool
) -> GrownTree:
    """Split the upper levels (two steps each) by split, the levels below at midpoints.

    ordered says whether split wants values ascending within nodes.
    """
    groups = PointGroups.of(points, ordered=ordered and upper_levels > 0)
    boxes = [groups.boxes]
    for level in range(height):
        if level == upper_levels:
            groups = groups.loosened()
        for axis in (0, 1):
            splitter = split if level < upper_levels else midpoints
            groups = groups.split(axis, splitter(groups.along(axis)))
        boxes.append(groups.boxes)
    return GrownTree(tuple(boxes), _sums(groups.sizes.astype(np.float64), height))


def midpoints(groups: Groups) -> FloatArray:
    """The middles of the nodes' ranges: public, and free."""
    return groups.low + (groups.high - groups.low) / 2


def _sums(leaves: FloatArray, height: int) -> tuple[FloatArray, ...]:
    levels = [leaves]
    for _ in range(height):
        levels.append(levels[-1].reshape(-1, FANOUT).sum(axis=1))
    return tuple(levels[::-1])


@confidential("box")
@dataclass(frozen=True, eq=False)
class PointGroups:
    """The points of the nodes of one level, and the nodes' rectangles. Points are confidential.

    Shapes: by_x and by_y hold x and y of all points (2, n), node after node as starts (p + 1,)
    says; by_x ascends in x within a node, by_y in y. A loose arrangement has no order within
    nodes, and one copy of the points serves as both. boxes is (p, 4), as in core.spatial_boxes.
    Of points that are counted on a grid, many stand for each: how many is a third row, (3, n).
    """

    by_x: FloatArray
    by_y: FloatArray
    starts: IntArray
    boxes: FloatArray
    box: Box

    @classmethod
    def of(cls, points: Plane, *, ordered: bool) -> "PointGroups":
        """All points in one node; sorting by both coordinates costs O(n log n), once.

        Points that are counted on a grid lie in the middles of its cells; their law is the same
        whether they are held one by one, which is done for few, or together.
        """
        middles, weights = held_apart(points)
        others = () if weights is None else (weights.astype(np.float64),)
        loose = np.stack((middles.x, middles.y, *others))
        starts, boxes = np.array([0, middles.n]), box_row(points.box)[None, :]
        if not ordered:
            return cls(loose, loose, starts, boxes, points.box)
        by_x = loose.take(np.argsort(middles.x), axis=1)
        return cls(by_x, loose.take(np.argsort(middles.y), axis=1), starts, boxes, points.box)

    @property
    def ordered(self) -> bool:
        """Whether points ascend within nodes."""
        return self.by_x is not self.by_y

    @property
    def held(self) -> IntArray:
        """What is held of each node, (p,): points, or places of several."""
        return np.diff(self.starts)

    @property
    def sizes(self) -> IntArray:
        """Points of each node, (p,)."""
        return self.along(0).sizes

    def loosened(self) -> "PointGroups":
        """The same nodes without an order inside, which halves the work of a split."""
        return PointGroups(self.by_x, self.by_x, self.starts, self.boxes, self.box)

    def along(self, axis: int) -> Groups:
        """One coordinate of the points: 0 for x, 1 for y."""
        bounds = (self.box.x, self.box.y)[axis]
        rows = (self.by_x, self.by_y)[axis]
        weights = rows[2].astype(np.int64) if len(rows) > 2 else None
        low, high = self.boxes[:, 2 * axis], self.boxes[:, 2 * axis + 1]
        return Groups(rows[axis], self.starts, low, high, bounds, self.ordered, weights=weights)

    def split(self, axis: int, at: FloatArray) -> "PointGroups":
        """Twice as many nodes: node i becomes 2i (coordinate < at[i]) and 2i + 1 (≥ at[i])."""
        other = (self.by_y, self.by_x)[axis]  # the arrangement that the split tears apart
        low = other[axis] < np.repeat(at, self.held)
        running = offsets(low)
        lows = running[self.starts[1:]] - running[self.starts[:-1]]
        sizes = np.stack((lows, self.held - lows), axis=1).ravel()
        torn = other.take(_stable_partition(low, sizes), axis=1)
        kept = (self.by_x, self.by_y)[axis] if self.ordered else torn  # lows lie first already
        by_x, by_y = (kept, torn) if axis == 0 else (torn, kept)
        return PointGroups(by_x, by_y, offsets(sizes), _halves(self.boxes, axis, at), self.box)


def _stable_partition(low: BoolArray, sizes: IntArray) -> IntArray:
    """The order that puts every node's low points before its others, keeping both in order."""
    slots = np.repeat(np.tile([True, False], sizes.size // 2), sizes)
    order = np.empty(low.size, dtype=np.int64)
    order[slots] = np.flatnonzero(low)
    order[~slots] = np.flatnonzero(~low)
    return order


def _halves(boxes: FloatArray, axis: int, at: FloatArray) -> FloatArray:
    halves = np.repeat(boxes, 2, axis=0)
    halves[::2, 2 * axis + 1] = at
    halves[1::2, 2 * axis] = at
    return halves
