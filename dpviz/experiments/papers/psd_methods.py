"""The decompositions that PSD compares, by the names of its figures: how each is built and read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial.boxes import Readable, estimated_counts, range_counts
from dpviz.estimators.spatial.cell_ranges import gridded_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.experiments.planning.spatial_queries import workload_levels
from dpviz.mechanisms.spatial.hilbert_reference import HilbertFromPoints
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.method import SpatialChoice, SpatialMethod
from dpviz.mechanisms.spatial.protocol import SpatialMechanism

KD_CELL, HILBERT = "kd-cell", "Hilbert-R"
QUADTREES = ("quad-baseline", "quad-geo", "quad-post", "quad-opt", "quad-workload")
KD_TREES = ("kd-pure", "kd-true", "kd-standard", "kd-hybrid", KD_CELL, "kd-noisymean")
BEST = ("quad-opt", KD_CELL, "kd-hybrid", HILBERT)
TIMED = ("quad-opt", "kd-hybrid", "kd-standard", KD_CELL, HILBERT)
MATCHED = ("quad-baseline", "kd-noisymean", "kd-standard")
PRUNED = 32.0  # m of §8.2
# a line of the paper's name is set as the authors' prototype sets it; a further one is not, and why
PAPER, FURTHER = "paper", "further"
_WHOLE = "not pruned, not stopped"
FURTHERS: Mapping[str, str] = {
    **dict.fromkeys(QUADTREES, _WHOLE),
    KD_CELL: "negative cells kept, our test of evenness",
    HILBERT: "boxes from the points, not private",
}


@dataclass(frozen=True, slots=True)
class Method:
    """One decomposition of a figure: the paper's name of a row, a height, kd-cell's grid.

    variant is PAPER, or FURTHER for the line that FURTHERS describes.
    """

    name: str
    height: int
    cells: tuple[int, int] = (2182, 1767)
    variant: str = PAPER

    @property
    def row(self) -> SpatialMethod:
        """The catalogue's row of this name.

        Raises: KeyError for an unknown name.
        """
        return {row.paper: row for row in catalogue.SPATIAL}[self.name]

    @property
    def private(self) -> bool:
        """Whether all that a release holds is private."""
        return self.row.private and (self.name, self.variant) != (HILBERT, FURTHER)

    @property
    def released(self) -> "Method":
        """The line whose release this line reads; a line that draws for itself names itself.

        A whole quadtree and its pruned or stopped reading are post-processing of one release.
        """
        return replace(self, variant=PAPER) if self.name in QUADTREES else self

    def mechanism(
        self, box: Box, budget: Budget, workload: FloatArray | None = None
    ) -> SpatialMechanism:
        """What is released; workload (q, 4) are the rectangles that quad-workload is made for.

        Raises: InvalidParameter for quad-workload without them, KeyError for an unknown name.
        """
        if self.variant == FURTHER and self.name == HILBERT:
            return HilbertFromPoints(HilbertTree(self.height, noise=Noise.LAPLACE))
        split = None
        if self.row.for_workload and workload is not None:
            split = workload_levels(box, self.height, workload, budget, noise=Noise.LAPLACE)
        tested = self.variant == FURTHER
        choice = SpatialChoice(box, self.height, workload=split, cells=self.cells, tested=tested)
        return self.row.build(replace(choice, noise=Noise.LAPLACE))

    def leaves_only(self, box: Box) -> SpatialMechanism:
        """The same tree with all count budget at its leaves, as record matching wants it."""
        levels = LevelBudget.leaves_only()
        choice = SpatialChoice(box, self.height, levels=levels, cells=self.cells)
        return self.row.build(replace(choice, noise=Noise.LAPLACE))

    def seconds(self, records: int) -> float:
        """About how long one release takes, with its reading and 1,800 answers."""
        return self.row.pace.seconds(self.height, records, self.cells)

    def reading(self, release: SpatialRelease | Cells) -> Readable:
        """Post-processed as the authors do: least squares and pruning at 32.

        quad-baseline and quad-geo are read raw and stopped at 32; kd-cell, which is no tree, is
        read as it is, and so are quadtrees of a further line but for least squares.
        """
        if isinstance(release, Cells):
            return release
        whole = self.variant == FURTHER and self.name in QUADTREES
        if not self.row.estimated:
            return release if whole else stopped(release, PRUNED)
        read = estimate(release)
        return read if whole else prune(read, PRUNED)


def stopped(release: SpatialRelease, threshold: float) -> SpatialRelease:
    """A tree that ends at every node whose own noisy count is below the threshold.

    Nothing is estimated: what lies below such a node is read as its area's share of the node. The
    counts of the result say so; its noise scales are those of the whole tree, so that variances of
    answers mean nothing. Post-processing: which nodes go on follows from noisy counts alone.
    """
    levels = release.levels
    read = prune(SpatialEstimate(release, levels), threshold)
    counts = tuple(np.asarray(level) for level in read.levels.counts)
    return replace(release, tree=replace(release.tree, counts=counts))


def answers(reading: Readable, boxes: FloatArray) -> FloatArray:
    """Counts of rectangles (q,), without the variances that no figure needs."""
    if isinstance(reading, Cells) and "cells" in reading.parameters:  # kd-cell's leaves lie on it
        columns, rows = reading.parameters["cells"]
        return gridded_counts(reading, (columns, rows), boxes)
    if isinstance(reading, SpatialEstimate):
        return estimated_counts(reading, boxes)
    return range_counts(reading, boxes)[0]
