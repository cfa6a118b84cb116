"""The decompositions that PSD compares, by the names of its figures: how each is built and read."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial.boxes import Readable, estimated_counts, range_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.experiments.planning.spatial_queries import workload_levels
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.mechanisms.spatial.quadtree import Quadtree, QuadtreeSetting

QUADTREES = tuple(setting.value for setting in QuadtreeSetting)
KD_CELL, HILBERT = "kd-cell", "Hilbert-R"
KD_TREES = ("kd-pure", "kd-true", "kd-standard", "kd-hybrid", KD_CELL, "kd-noisymean")
BEST = (QuadtreeSetting.OPT.value, KD_CELL, "kd-hybrid", HILBERT)
TIMED = ("quad-opt", "kd-hybrid", "kd-standard", KD_CELL, HILBERT)
MATCHED = ("quad-baseline", "kd-noisymean", "kd-standard")
PRUNED = 32.0  # m of §8.2; for the trees whose splits follow the points


@dataclass(frozen=True, slots=True)
class Method:
    """One decomposition of a figure: a name from the lists above, a height, kd-cell's grid."""

    name: str
    height: int
    cells: tuple[int, int] = (2182, 1767)

    def mechanism(
        self, box: Box, budget: Budget, workload: FloatArray | None = None
    ) -> SpatialMechanism:
        """What is released; workload (q, 4) are the rectangles that quad-workload is made for.

        Raises: ValueError for quad-workload without them, KeyError for an unknown name.
        """
        if self.name in QUADTREES:
            setting, split = QuadtreeSetting(self.name), None
            if setting is QuadtreeSetting.WORKLOAD and workload is not None:
                split = workload_levels(box, self.height, workload, budget)
            return setting.mechanism(self.height, split)
        return self._following_points(None)

    def leaves_only(self) -> SpatialMechanism:
        """The same tree with all count budget at its leaves, as record matching wants it."""
        if self.name in QUADTREES:
            return Quadtree(self.height, LevelBudget.leaves_only())
        return self._following_points(LevelBudget.leaves_only())

    def _following_points(self, levels: LevelBudget | None) -> SpatialMechanism:
        built: dict[str, SpatialMechanism] = {
            "kd-pure": KdPure(self.height),
            "kd-true": KdTrue(self.height, levels),
            "kd-standard": KdTree(self.height, levels=levels),
            "kd-hybrid": KdTree.hybrid(self.height, levels=levels),
            "kd-noisymean": KdTree(self.height, NoisyMeanMedian(), levels=levels),
            KD_CELL: KdCell(self.height, self.cells),
            HILBERT: HilbertTree(self.height, levels=levels),
        }
        return built[self.name]

    def reading(self, release: SpatialRelease | Cells) -> Readable:
        """Post-processed as in the paper: least squares, then pruning where splits follow points.

        quad-baseline and quad-geo are read raw, and so is kd-cell, which is no tree.
        """
        if isinstance(release, Cells):
            return release
        if self.name in QUADTREES:
            return estimate(release) if QuadtreeSetting(self.name).estimated else release
        return prune(estimate(release), PRUNED)


def answers(reading: Readable, boxes: FloatArray) -> FloatArray:
    """Counts of rectangles (q,), without the variances that no figure needs."""
    if isinstance(reading, SpatialEstimate):
        return estimated_counts(reading, boxes)
    return range_counts(reading, boxes)[0]
