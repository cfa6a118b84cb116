"""kd-trees with private medians: kd-standard, kd-hybrid with any switch level, kd-noisymean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import a, checked_share, checked_whole, optional, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import Plane
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.geometry import Rectangles
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups, PrivateMedian, a_median
from dpviz.mechanisms.requests import check_points_request
from dpviz.mechanisms.spatial.grown_tree import GrownTree, grow
from dpviz.mechanisms.spatial.median_budget import Division, divide
from dpviz.mechanisms.spatial.quadtree import MAX_HEIGHT, geometric_levels


@dataclass(frozen=True, slots=True)
class KdTree:
    """A tree of fanout 4 whose upper levels are split at private medians, x first, then y.

    private_levels of them (all by default) are; below the switch, splits are midpoints, and 0 is a
    quadtree. median_share of the budget goes to the 2 · private_levels median steps of a path,
    uniformly; the rest goes to the counts by levels (None is the geometric split). Nodes of a
    level are disjoint, so a level costs what one node costs; splits are public once drawn, so
    later ones may depend on them.

    >>> dp.KdTree(height=3).release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: as the medians and the noise: PureDP and ZCDP for Laplace noise, ZCDP for Gaussian
    noise, ApproxDP for smooth-sensitivity medians or Gaussian noise; under either relation.
    Raises: InvalidParameter for a height above 11, a share outside (0, 1), a switch level outside
    0 … height, or medians that do not cover the neighbours.
    Source: Cormode et al. 2012, §6; Inan et al. 2010 (median=NoisyMeanMedian()).
    """

    height: int = 8
    median: PrivateMedian = field(default_factory=ExponentialMedian)
    private_levels: int | None = None
    median_share: float = 0.3
    levels: LevelBudget | None = None
    noise: Noise | None = None
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    records: int | None = None

    name: ClassVar[str] = "KdTree"
    card: ClassVar[Card] = Card(
        key="KdTree",
        title="kd-tree and kd-hybrid",
        words="kd-tree and hybrid",
        lead="Cuts at private medians, so that cells hold about equally many people.",
        promises=("pure", "zcdp", "approx"),
        price="30 % of the budget goes to the cuts",
        use="people in a small part of the map",
        family="Maps",
        summary="Split x, then y in each half, at private medians; the hybrid takes medians on the "
        "upper levels and midpoints below. 30 % of the budget goes to the medians by "
        "default.",
        guarantee="pure ε, ρ-zCDP, (ε, δ): as the chosen medians and noise",
        neighbours=BOTH,
        cost="about a second at a million and a half points",
        good_for="data that fills a small part of the box",
        watch_out="the budget for medians is missing at the counts",
        source="Cormode et al. 2012, §6; Inan et al. 2010 (noisy mean)",
        holds="exact",
    )

    def __post_init__(self) -> None:
        TreeShape(FANOUT, self.height)
        settle(
            self,
            height=whole(0, MAX_HEIGHT),
            median=a_median,
            median_share=checked_share,
            levels=optional(a(LevelBudget)),
        )
        settle(self, private_levels=optional(whole(0, self.height)))
        settle_choices(self, root=Root, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        self._counter(self.levels or LevelBudget.uniform())  # refuses what it refuses

    @classmethod
    def hybrid(cls, height: int = 8, switch: int | None = None, **others: Any) -> KdTree:
        """kd-hybrid: medians on the first switch levels, half of them by default."""
        half = checked_whole(height, "height", 0, MAX_HEIGHT) // 2
        return cls(height, private_levels=half if switch is None else switch, **others)

    def counter(self, budget: Budget) -> CountTree:
        """The tree of counts by itself, given the counts' part of a budget (see division)."""
        return self._counter(self.levels or geometric_levels(budget), self.law(budget))

    def _counter(self, levels: LevelBudget, noise: Noise | None = None) -> CountTree:
        return CountTree(
            FANOUT, self.height, levels, noise, self.root, self.neighbours, self.records
        )

    @property
    def shape(self) -> TreeShape:
        """Fanout and height of what is released: the deepest released level is the leaf level."""
        return self._counter(self.levels or LevelBudget.uniform()).shape

    @property
    def upper_levels(self) -> int:
        """How many of the released levels are split at private medians."""
        wanted = self.height if self.private_levels is None else self.private_levels
        return min(wanted, self.shape.height)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self) | {"private_levels": self.upper_levels}

    def division(self, budget: Budget) -> Division:
        """What each median step and all counts together may spend."""
        return divide(
            budget,
            share=self.median_share,
            steps=2 * self.upper_levels,
            medians_take_delta=self.median.takes_delta,
            noise=self.law(budget),
        )

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        division = self.division(budget)
        self.counter(division.counts).check(division.counts)
        if division.step is not None:
            self.median.check(division.step, self.neighbours)

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """Spend the budget once: medians level by level, then counts.

        Points that are counted on a grid are moved to the middles of its cells, and the release is
        about the moved points: its law is that of points.points(), however many there are.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        self.check(budget)
        division = self.division(budget)
        grown = self.grow(points, division, rng)
        counter = self.counter(division.counts)
        steps = () if division.step is None else (division.step,) * division.steps
        return SpatialRelease(
            mechanism=self.name,
            parameters={
                **self.parameters,
                "levels": counter.levels.to_dict(),
                "noise": counter.law(budget).value,
            },
            geometry=Rectangles(points.box, grown.boxes),
            tree=counter.noisy_tree(grown.counts, division.counts, rng),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
            structure=StructureBudget(
                self.median_share if steps else 0.0, self.upper_levels if steps else 0, steps
            ),
        )

    def grow(self, points: Plane, division: Division, rng: Randomness) -> GrownTree:
        """Draw the splits, spending the median steps; the exact counts are confidential."""

        def private(groups: Groups) -> FloatArray:
            assert division.step is not None
            return self.median.draw(groups, division.step, self.neighbours, rng)

        return grow(
            points,
            self.shape.height,
            private,
            upper_levels=self.upper_levels,
            ordered=self.median.needs_order,
        )
