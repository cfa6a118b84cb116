"""Growing a tree of fanout 4 over points: x is split first, then y in each half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import Plane
from dpviz.core.spatial.boxes import FANOUT
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.spatial.point_groups import PointGroups

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
