"""Quadtree: noisy counts on a tree of midpoints, whose structure costs nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.card import EITHER_TOTAL, Card
from dpviz.core.checks import a, optional, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import Plane
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.geometry import Midpoints
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.on_grid import quadtree_counts
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.requests import check_fine_enough, check_points_request

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

    >>> release = dp.Quadtree(height=3).release(points, dp.PureDP(1))
    >>> [counts.size for counts in release.counts]
    [1, 4, 16, 64]

    Guarantee: Laplace and discrete Laplace noise: PureDP and ZCDP; Gaussian noise: ZCDP and
    ApproxDP; under either relation.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Cormode et al. 2012, §3.3 and §4.
    """

    height: int = 10
    levels: LevelBudget | None = None
    noise: Noise | None = None
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    records: int | None = None

    name: ClassVar[str] = "Quadtree"
    card: ClassVar[Card] = Card(
        key="Quadtree",
        title="Quadtree",
        words="quadtree",
        lead="Cuts every rectangle in four at its middle; only the counts cost budget.",
        promises=("pure", "zcdp", "approx"),
        price="leaves that are too small hold only noise",
        use="the first map to try",
        family="Maps",
        summary="Rectangles cut at their midpoints, four children each; nothing is spent on the "
        "structure. Named settings: baseline (even split, raw), geo (geometric, raw), post "
        "(even, least squares), opt (geometric, least squares), and the workload-optimal "
        "split.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP, "
        "(ε, δ) (Gaussian, discrete Gaussian)",
        neighbours=EITHER_TOTAL,
        cost="one pass over the points, then linear in the number of nodes",
        good_for="the first map to try; with opt and pruning it is hard to beat",
        watch_out="too tall hurts: the leaves then hold less than their noise",
        source="Cormode et al. 2012, §3.3 and §4",
        holds="exact",
    )

    def __post_init__(self) -> None:
        TreeShape(FANOUT, self.height)
        settle(self, height=whole(0, MAX_HEIGHT), levels=optional(a(LevelBudget)))
        settle_choices(self, root=Root, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        self._counter(self.levels or LevelBudget.uniform())

    def counter(self, budget: Budget) -> CountTree:
        """The tree of counts by itself: shares, scales and noise level by level."""
        return self._counter(self.levels or geometric_levels(budget), self.law(budget))

    def _counter(self, levels: LevelBudget, noise: Noise | None = None) -> CountTree:
        return CountTree(
            FANOUT, self.height, levels, noise, self.root, self.neighbours, self.records
        )

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values; levels None is the geometric split of the budget."""
        return plain_values(self)

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise.
        """
        self.counter(budget).check(budget)

    def tree_noise(self, budget: Budget) -> TreeNoise:
        """The law of the noise under a budget, before anything is drawn."""
        return self.counter(budget).tree_noise(budget)

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """Spend the budget once.

        Raises: InvalidData for a height above that of the grid that points are counted on.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        counter = self.counter(budget)
        height = counter.shape.height
        check_fine_enough(points, height, "A quadtree of height", "Choose a height of")
        exact = quadtree_counts(points, height)
        return SpatialRelease(
            mechanism=self.name,
            parameters={
                **self.parameters,
                "levels": counter.levels.to_dict(),
                "noise": counter.law(budget).value,
            },
            geometry=Midpoints(points.box),
            tree=counter.noisy_tree(exact, budget, rng),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )
