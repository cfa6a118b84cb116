"""The decompositions that PSD compares, by the names of its figures: how each is built and read."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz import catalogue
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
from dpviz.mechanisms.spatial.method import SpatialChoice, SpatialMethod
from dpviz.mechanisms.spatial.protocol import SpatialMechanism

KD_CELL, HILBERT = "kd-cell", "Hilbert-R"
QUADTREES = ("quad-baseline", "quad-geo", "quad-post", "quad-opt", "quad-workload")
KD_TREES = ("kd-pure", "kd-true", "kd-standard", "kd-hybrid", KD_CELL, "kd-noisymean")
BEST = ("quad-opt", KD_CELL, "kd-hybrid", HILBERT)
TIMED = ("quad-opt", "kd-hybrid", "kd-standard", KD_CELL, HILBERT)
MATCHED = ("quad-baseline", "kd-noisymean", "kd-standard")
PRUNED = 32.0  # m of §8.2; for the trees whose splits follow the points


@dataclass(frozen=True, slots=True)
class Method:
    """One decomposition of a figure: the paper's name of a row, a height, kd-cell's grid."""

    name: str
    height: int
    cells: tuple[int, int] = (2182, 1767)

    @property
    def row(self) -> SpatialMethod:
        """The catalogue's row of this name.

        Raises: KeyError for an unknown name.
        """
        return {row.paper: row for row in catalogue.SPATIAL}[self.name]

    def mechanism(
        self, box: Box, budget: Budget, workload: FloatArray | None = None
    ) -> SpatialMechanism:
        """What is released; workload (q, 4) are the rectangles that quad-workload is made for.

        Raises: InvalidParameter for quad-workload without them, KeyError for an unknown name.
        """
        split = None
        if self.row.for_workload and workload is not None:
            split = workload_levels(box, self.height, workload, budget)
        return self.row.build(SpatialChoice(box, self.height, workload=split, cells=self.cells))

    def leaves_only(self, box: Box) -> SpatialMechanism:
        """The same tree with all count budget at its leaves, as record matching wants it."""
        levels = LevelBudget.leaves_only()
        return self.row.build(SpatialChoice(box, self.height, levels=levels, cells=self.cells))

    def seconds(self, records: int) -> float:
        """About how long one release takes, with its reading and 1,800 answers."""
        return self.row.pace.seconds(self.height, records, self.cells)

    def reading(self, release: SpatialRelease | Cells) -> Readable:
        """Post-processed as in the paper: least squares, then pruning where splits follow points.

        quad-baseline and quad-geo are read raw, and so is kd-cell, which is no tree.
        """
        if isinstance(release, Cells) or not self.row.estimated:
            return release
        read = estimate(release)
        return prune(read, PRUNED) if self.row.follows_points else read


def answers(reading: Readable, boxes: FloatArray) -> FloatArray:
    """Counts of rectangles (q,), without the variances that no figure needs."""
    if isinstance(reading, SpatialEstimate):
        return estimated_counts(reading, boxes)
    return range_counts(reading, boxes)[0]
