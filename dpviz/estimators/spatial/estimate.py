"""Better counts on a tree of rectangles: post-processing, costs no budget."""

from dataclasses import dataclass

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.checks import wanted
from dpviz.core.errors import InvalidParameter
from dpviz.core.releases import Columns, DrawsItself
from dpviz.core.spatial.boxes import sides_of
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.holds_tree import node_columns
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import efficient_levels


@dataclass(frozen=True, eq=False)
class SpatialEstimate(DrawsItself):
    """Consistent counts (children sum to their parent) on the rectangles of a release.

    levels holds counts and variances of all nodes, root first. kept[l] (4**l,) marks the nodes that
    pruning left, None if it never ran; a dropped node holds its area's share of what is above it.
    """

    release: SpatialRelease
    levels: Levels
    kept: tuple[BoolArray, ...] | None = None

    def _origin(self) -> SpatialRelease:
        return self.release

    def _columns(self) -> Columns:
        return node_columns(self.levels, lambda one: sides_of(self.level_boxes(one)), self.kept)

    @property
    def pruned(self) -> bool:
        """Whether some nodes were dropped."""
        return self.kept is not None

    @property
    def level_count(self) -> int:
        """Levels from the root to the leaves, h + 1."""
        return self.levels.height + 1

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4)."""
        return self.release.level_boxes(level)

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4)."""
        return self.release.node_boxes(level, nodes)

    def is_leaf(self, level: int) -> BoolArray | None:
        """Kept nodes of a level without kept children, (4**level,); None where all have some."""
        if self.kept is None or level == self.levels.height:
            return None
        leaf: BoolArray = self.kept[level] & ~self.kept[level + 1][::4]
        return leaf


def estimate(release: SpatialRelease) -> SpatialEstimate:
    """Minimum-variance unbiased counts of every node, with their variances.

    Exact counts (marked non-private) are taken as they are. Units: records, records².
    Guarantee: post-processing; spends nothing. Raises: InvalidParameter if the leaves are unknown.
    Source: Cormode et al. 2012, §5; Honaker 2019.
    """
    wanted(SpatialRelease, release, "release")
    if all(scale == 0 for scale in release.scales):
        return SpatialEstimate(release, release.levels)
    levels = efficient_levels(release.levels, release.total)
    if not (levels.variances[-1] < float("inf")).all():
        raise InvalidParameter("The leaves are not released. Take a tree of smaller height.")
    return SpatialEstimate(release, levels)
