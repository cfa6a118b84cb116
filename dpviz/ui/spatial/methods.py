"""The methods that the Map page offers, and how a choice becomes a mechanism."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_boxes, workload_levels
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.protocol import PrivateMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.mechanisms.spatial.quadtree import QuadtreeSetting
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.ui.kit import memory, session

QUADTREES = {
    "quadtree, optimal": QuadtreeSetting.OPT,
    "quadtree, baseline": QuadtreeSetting.BASELINE,
    "quadtree, geometric": QuadtreeSetting.GEO,
    "quadtree, estimated": QuadtreeSetting.POST,
    "quadtree, workload": QuadtreeSetting.WORKLOAD,
}
METHODS = (
    *QUADTREES,
    "kd-tree",
    "kd-hybrid",
    "kd-noisymean",
    "Hilbert R-tree",
    "kd-cell",
    "uniform grid",
    "adaptive grid",
    "PrivTree",
    "kd-true (not private)",
    "kd-pure (not private)",
)
SPLIT_BY_MEDIANS = {"kd-tree", "kd-hybrid", "Hilbert R-tree"}  # by those that are chosen
RAW = {"quadtree, baseline", "quadtree, geometric"}  # read without the estimator
MEDIANS: dict[str, PrivateMedian] = {
    "exponential": ExponentialMedian(),
    "smooth sensitivity": SmoothMedian(),
    "noisy mean": NoisyMeanMedian(),
    "cell": CellMedian(),
    "exponential, 1 % sample": SampledMedian(ExponentialMedian()),
    "smooth, 1 % sample": SampledMedian(SmoothMedian()),
}


@dataclass(frozen=True, slots=True)
class MapChoice:
    """What is drawn and how it is read."""

    methods: tuple[str, ...]
    height: int
    median: str
    prune: float | None
    budget: Budget

    def mechanism(self, name: str, box: Box) -> SpatialMechanism:
        """A mechanism by its name in the list.

        Raises: InvalidParameter or UnsupportedBudget for choices that do not fit together.
        """
        relation, noise = session.neighbours(), _noise(self.budget)
        if name in QUADTREES:
            return self._quadtree(QUADTREES[name], box, relation, noise)
        median = MEDIANS[self.median]
        build: dict[str, Callable[[], SpatialMechanism]] = {
            "kd-tree": lambda: KdTree(self.height, median, noise=noise, neighbours=relation),
            "kd-hybrid": lambda: KdTree.hybrid(
                self.height, median=median, noise=noise, neighbours=relation
            ),
            "kd-noisymean": lambda: KdTree(
                self.height, NoisyMeanMedian(), noise=noise, neighbours=relation
            ),
            "Hilbert R-tree": lambda: HilbertTree(
                self.height, median=median, noise=noise, neighbours=relation
            ),
            "kd-cell": lambda: KdCell.of_size(
                box, box.x.width / 256, height=self.height, noise=noise, neighbours=relation
            ),
            "uniform grid": lambda: UniformGrid(noise=noise, neighbours=relation),
            "adaptive grid": lambda: AdaptiveGrid(noise=noise, neighbours=relation),
            "PrivTree": lambda: PrivTree(neighbours=relation),
            "kd-true (not private)": lambda: KdTrue(self.height, noise=noise, neighbours=relation),
            "kd-pure (not private)": lambda: KdPure(self.height),
        }
        return build[name]()

    def _quadtree(
        self, setting: QuadtreeSetting, box: Box, relation: Neighbours, noise: Noise
    ) -> SpatialMechanism:
        workload = None
        if setting is QuadtreeSetting.WORKLOAD:
            workload = memory.remembered(
                ("map workload", box, self.height, self.budget, noise),
                lambda: workload_levels(
                    box, self.height, workload_boxes(box), self.budget, noise=noise
                ),
            )
        return setting.mechanism(self.height, workload, noise=noise, neighbours=relation)


def workload_boxes(box: Box) -> np.ndarray:
    """Rectangles of the paper's three shapes anywhere in the box: a public workload."""
    rng = np.random.default_rng(2012)
    return np.concatenate([random_boxes(box, shape, 200, rng) for shape in paper_shapes(box)])


def _noise(budget: Budget) -> Noise:
    return Noise.LAPLACE if isinstance(budget, PureDP) else Noise.GAUSSIAN
