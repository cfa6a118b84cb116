"""Quadtree: noisy counts on a tree of midpoints, whose structure costs nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.choices import settle_choices
from dpviz.core.data import Points
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.counts.spatial import count_leaves, quadtree_leaves
from dpviz.mechanisms.counting.count_tree import CountTree

MAX_HEIGHT = 11


def geometric_levels(budget: Budget) -> LevelBudget:
    """PSD's split for trees of rectangles, growing towards the leaves.

    A query uses at most c · 2^l nodes of level l. Minimising Σ 2^l σ_l² gives ε_l ∝ 2^{l/3} when
    variances fall with ε², and ρ_l ∝ 2^{l/2} when they fall with ρ (zCDP and Gaussian noise).
    Source: Cormode et al. 2012, Lemma 3; the ratio in ρ: this project.
    """
    return LevelBudget.geometric(2 ** (1 / 3) if isinstance(budget, PureDP) else math.sqrt(2))


@dataclass(frozen=True, slots=True)
class Quadtree:
    """Noisy counts of 4**height equal rectangles and of their groups of four.

    levels says how the levels share the budget; None is PSD's geometric split in the budget's own
    unit. The structure is public: nothing but counts is paid for.
    Guarantee: Laplace and discrete Laplace noise: PureDP and ZCDP; Gaussian noise: ZCDP and
    ApproxDP; under either relation.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Cormode et al. 2012, §3.3 and §4.
    """

    height: int = 10
    levels: LevelBudget | None = None
    noise: Noise = Noise.LAPLACE
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "Quadtree"

    def __post_init__(self) -> None:
        settle_choices(self, root=Root, noise=Noise, neighbours=Neighbours)
        self._counter(self.levels or LevelBudget.uniform())

    def counter(self, budget: Budget) -> CountTree:
        """The tree of counts by itself: shares, scales and noise level by level."""
        return self._counter(self.levels or geometric_levels(budget))

    def _counter(self, levels: LevelBudget) -> CountTree:
        return CountTree(FANOUT, self.height, levels, self.noise, self.root, self.neighbours)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values; levels None is the geometric split of the budget."""
        return {
            "height": self.height,
            "levels": None if self.levels is None else self.levels.to_dict(),
            "noise": self.noise.value,
            "root": self.root.value,
        }

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise.
        """
        self.counter(budget).check(budget)

    def tree_noise(self, budget: Budget) -> TreeNoise:
        """The law of the noise under a budget, before anything is drawn."""
        return self.counter(budget).tree_noise(budget)

    def release(self, points: Points, budget: Budget, rng: np.random.Generator) -> SpatialRelease:
        """Spend the budget once."""
        counter = self.counter(budget)
        height = counter.shape.height
        exact = count_leaves(quadtree_leaves(points, height), height)
        noisy = counter.noisy(exact, budget, rng, runs=1)
        return SpatialRelease(
            mechanism=self.name,
            parameters={**self.parameters, "levels": counter.levels.to_dict()},
            box=points.box,
            counts=tuple(_single(level) for level in noisy.counts),
            noise=self.noise,
            scales=counter.level_scales(budget),
            root=self.root,
            total=float(points.n) if self.root is Root.PUBLIC else None,
            neighbours=self.neighbours,
            spent=budget,
        )


def _single(runs: FloatArray) -> FloatArray:
    return frozen(runs[0].copy())


class QuadtreeSetting(StrEnum):
    """PSD's four named settings, and the split that is best for a given workload."""

    BASELINE = "quad-baseline"
    GEO = "quad-geo"
    POST = "quad-post"
    OPT = "quad-opt"
    WORKLOAD = "quad-workload"

    @property
    def estimated(self) -> bool:
        """Whether answers are read after the efficient estimator, not from the raw counts."""
        return self not in {QuadtreeSetting.BASELINE, QuadtreeSetting.GEO}

    def mechanism(
        self,
        height: int,
        workload: LevelBudget | None = None,
        *,
        noise: Noise = Noise.LAPLACE,
        root: Root = Root.RELEASED,
        neighbours: Neighbours = Neighbours.ADD_REMOVE,
    ) -> Quadtree:
        """The quadtree of this setting; workload is the split WORKLOAD was optimised to.

        Raises: ValueError if WORKLOAD is asked for without its split.
        """
        uniform = self in {QuadtreeSetting.BASELINE, QuadtreeSetting.POST}
        levels = LevelBudget.uniform() if uniform else None
        if self is QuadtreeSetting.WORKLOAD:
            if workload is None:
                raise ValueError("A workload-optimal quadtree needs its split of the budget.")
            levels = workload
        return Quadtree(height, levels, noise, root, neighbours)
