"""Exact counts of one set of points in the cells of one release, found once. Confidential."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import Decomposition
from dpviz.counts.grid_index import Index
from dpviz.counts.spatial import count_leaves, locate


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class ExactCells:
    """The points in every cell of a release, and in any rectangle. Confidential.

    Shapes: levels[l] is (4**l,), root first; cells that are no tree have one level, (k,).
    """

    index: Index
    levels: tuple[FloatArray, ...]

    @classmethod
    def of(cls, release: Decomposition, index: Index) -> "ExactCells":
        """Every point is looked at once, points on a grid at the middles of their cells.

        These are in the right node of every structure that can be released from the grid.
        """
        if isinstance(release, Cells):
            return cls(index, (index.count(release.boxes).astype(np.float64),))
        points, weights = index.middles()
        leaves = locate(release, points)
        return cls(index, count_leaves(leaves, release.shape.height, weights))

    def inside(self, boxes: ArrayLike) -> FloatArray:
        """Points in rectangles (q, 4), (q,); index.exact says where a grid only estimates them."""
        return self.index.count(boxes).astype(np.float64)
