"""Exact counts of one set of points in the cells of one release, found once. Confidential."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import Decomposition
from dpviz.counts.point_index import PointIndex
from dpviz.counts.spatial import count_leaves, locate


@dataclass(frozen=True, slots=True, eq=False)
class ExactCells:
    """The points in every cell of a release, and in any rectangle. Confidential.

    Shapes: levels[l] is (4**l,), root first; cells that are no tree have one level, (k,).
    """

    index: PointIndex
    levels: tuple[FloatArray, ...]

    @classmethod
    def of(cls, release: Decomposition, index: PointIndex) -> ExactCells:
        """Every point is looked at once."""
        if isinstance(release, Cells):
            return cls(index, (index.count(release.boxes).astype(np.float64),))
        return cls(index, count_leaves(locate(release, index.points), release.shape.height))

    def inside(self, boxes: ArrayLike) -> FloatArray:
        """Points in rectangles (q, 4), (q,)."""
        return self.index.count(boxes).astype(np.float64)
