"""A Hilbert R-tree with the boxes of its points: NOT private, the rule of PSD's prototype."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, settle
from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.randomness.bits import Randomness, or_secure
from dpviz.core.spatial.boxes import FANOUT, box_row
from dpviz.core.spatial.geometry import Rectangles
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.spatial import locate
from dpviz.mechanisms.requests import check_points_request, points_apart
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree

LOWS, HIGHS = [0, 2], [1, 3]


@dataclass(frozen=True, slots=True)
class HilbertFromPoints:
    """A Hilbert R-tree whose rectangles are the bounding boxes of the points in them. NOT private.

    Cuts and counts are those of `tree`; the rectangles are read off the true points, so that they
    show where the outermost people are. The root keeps the declared box; a node without points is a
    rectangle without area at its parent's lower left corner.
    Guarantee: none; the cuts and counts alone would be those of HilbertTree.
    Raises: InvalidParameter if tree is no HilbertTree.
    Source: the authors' prototype of Cormode et al. 2012, §8.2.
    """

    tree: HilbertTree = field(default_factory=HilbertTree)

    name: ClassVar[str] = "HilbertFromPoints"

    def __post_init__(self) -> None:
        settle(self, tree=a(HilbertTree))

    @property
    def neighbours(self) -> Neighbours:
        """Those of the cuts and the counts."""
        return self.tree.neighbours

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return self.tree.parameters

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        self.tree.check(budget)

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """A private release of the tree, then rectangles from the points: marked non-private."""
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        points = points_apart(points, "HilbertFromPoints draws boxes around points")
        private = self.tree.release(points, budget, rng)
        boxes = _point_boxes(points, locate(private, points), private.level_count - 1)
        return replace(
            private,
            mechanism=self.name,
            geometry=Rectangles(points.box, boxes),
            non_private=("structure",),
        )


def _point_boxes(points: Points, leaf: IntArray, height: int) -> tuple[FloatArray, ...]:
    """Bounding boxes (4**l, 4) of every level; confidential."""
    levels = [_leaf_boxes(points, leaf, FANOUT**height)]
    for _ in range(height):
        below = levels[-1].reshape(-1, FANOUT, 4)
        above = np.empty((below.shape[0], 4))
        above[:, LOWS] = below[..., LOWS].min(axis=1)
        above[:, HIGHS] = below[..., HIGHS].max(axis=1)
        levels.append(above)
    return _filled(levels[::-1], points.box)


def _leaf_boxes(points: Points, leaf: IntArray, leaves: int) -> FloatArray:
    """Bounding boxes (leaves, 4) of the points by leaf: from ∞ to −∞ where there is none."""
    boxes = np.tile([np.inf, -np.inf, np.inf, -np.inf], (leaves, 1))
    if leaf.size:
        order = np.argsort(leaf, kind="stable")
        held, starts = np.unique(leaf[order], return_index=True)
        for column, values in ((0, points.x[order]), (2, points.y[order])):
            boxes[held, column] = np.minimum.reduceat(values, starts)
            boxes[held, column + 1] = np.maximum.reduceat(values, starts)
    return boxes


def _filled(levels: list[FloatArray], box: Box) -> tuple[FloatArray, ...]:
    """Empty nodes become their parent's lower left corner, the root the declared box."""
    filled = [box_row(box)[None]]
    for level in levels[1:]:
        corner = np.repeat(filled[-1], FANOUT, axis=0)[:, [0, 0, 2, 2]]
        filled.append(np.where(np.isfinite(level), level, corner))
    return tuple(filled)
