"""Hilbert R-tree: a private binary tree on the points' places along a Hilbert curve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import a, checked_share, optional, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.geometry import HilbertCut
from dpviz.core.spatial.hilbert import MAX_ORDER
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.on_grid import curve_places
from dpviz.counts.spatial import level_sums
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups, PrivateMedian, a_median
from dpviz.mechanisms.requests import check_fine_enough, check_points_request
from dpviz.mechanisms.spatial.median_budget import Division, divide
from dpviz.mechanisms.spatial.quadtree import MAX_HEIGHT, geometric_levels


@dataclass(frozen=True, slots=True)
class HilbertTree:
    """Medians of Hilbert places, two binary levels to one of fanout 4, and noisy counts.

    median_share of the budget goes to the 2 · height median steps of a path, uniformly, the rest to
    the counts by levels (None: PSD's geometric split). Medians are drawn among the cells of the
    curve, whole numbers, and a cut is the lower end of one. A node's rectangle
    is the bounding box of its range on the curve, never of its points; siblings may overlap.

    >>> dp.HilbertTree(height=3).release(points, dp.ZCDP(0.1)).spent
    ZCDP(rho=0.1)

    Guarantee: that of the medians and of the noise: PureDP and ZCDP by default.
    Raises: InvalidParameter for a height, order or share outside its range.
    Source: Cormode et al. 2012, §3.3 and §8.2; Kamel and Faloutsos 1994.
    """

    height: int = 8
    order: int = 18
    median: PrivateMedian = field(default_factory=ExponentialMedian)
    median_share: float = 0.3
    levels: LevelBudget | None = None
    noise: Noise | None = None
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    records: int | None = None

    name: ClassVar[str] = "HilbertTree"
    card: ClassVar[Card] = Card(
        key="HilbertTree",
        title="Hilbert R-tree",
        words="Hilbert R-tree",
        lead="Threads the map on one curve and cuts the curve at private medians.",
        promises=("pure", "zcdp", "approx"),
        price="a part of the budget; rectangles overlap",
        use="clusters of any shape",
        family="Maps",
        summary="Points become places on a Hilbert curve of order 18; private medians cut the "
        "curve. A node's rectangle is the bounding box of its range on the curve, never of "
        "its points.",
        guarantee="as the medians and the noise",
        neighbours=BOTH,
        cost="about two seconds at a million and a half points",
        good_for="clusters of any shape",
        watch_out="rectangles of siblings overlap",
        source="Cormode et al. 2012, §3.3 and §8.2; Kamel and Faloutsos 1994",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(
            self,
            height=whole(0, MAX_HEIGHT),
            order=whole(1, MAX_ORDER),
            median=a_median,
            median_share=checked_share,
            levels=optional(a(LevelBudget)),
        )
        settle_choices(self, root=Root, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        counter = self._counter(self.levels or LevelBudget.uniform())
        if not counter.height <= min(self.order, MAX_HEIGHT):
            raise InvalidParameter(
                f"A Hilbert R-tree of height {self.height} needs a curve of at least that order "
                f"and at most {MAX_HEIGHT} levels, got order {self.order}."
            )

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

    def division(self, budget: Budget) -> tuple[Division, CountTree]:
        """What each median step and the counts may spend, and the tree of the counts."""
        height = self._counter(self.levels or LevelBudget.uniform()).shape.height
        division = divide(
            budget,
            share=self.median_share,
            steps=2 * height,
            medians_take_delta=self.median.takes_delta,
            noise=self.law(budget),
        )
        return division, self._counter(
            self.levels or geometric_levels(division.counts), self.law(budget)
        )

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        division, counter = self.division(budget)
        counter.check(division.counts)
        if division.step is not None:
            self.median.check(division.step, self.neighbours)

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """Spend the budget once: medians level by level, then counts.

        Raises: InvalidData for an order above the height of the grid that points are counted on.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        check_fine_enough(points, self.order, "A Hilbert curve of order", "Choose an order of")
        self.check(budget)
        division, counter = self.division(budget)
        edges, counts = self._cut(points, division, rng)
        exact = level_sums(counts.astype(np.float64))
        steps = () if division.step is None else (division.step,) * division.steps
        return SpatialRelease(
            mechanism=self.name,
            parameters={
                **self.parameters,
                "levels": counter.levels.to_dict(),
                "noise": counter.law(budget).value,
            },
            geometry=HilbertCut(points.box, edges.astype(np.float64), self.order),
            tree=counter.noisy_tree(exact, division.counts, rng),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
            structure=StructureBudget(
                self.median_share if steps else 0.0, counter.shape.height, steps
            ),
        )

    def _cut(self, points: Plane, division: Division, rng: Randomness) -> tuple[IntArray, IntArray]:
        """Ends of the leaves on the curve (4**h + 1,), and the points in each: confidential."""
        places, weights = curve_places(points, self.order)
        edges, starts = np.array([0, 4**self.order]), np.array([0, places.size])
        axis = Bounds(0.0, float(4**self.order))

        def nodes() -> Groups:
            low, high = edges[:-1].astype(np.float64), edges[1:].astype(np.float64)
            return Groups(places, starts, low, high, axis, cells=4**self.order, weights=weights)

        for _ in range(division.steps):
            assert division.step is not None
            median = self.median.draw(nodes(), division.step, self.neighbours, rng)
            at = np.rint(median).astype(np.int64)  # a place below `at` lies in a cell below it
            edges, starts = _merged(edges, at), _merged(starts, np.searchsorted(places, at))
        return edges, nodes().sizes


def _merged(ends: IntArray, between: IntArray) -> IntArray:
    merged = np.empty(ends.size + between.size, dtype=np.int64)
    merged[::2], merged[1::2] = ends, between
    return merged
