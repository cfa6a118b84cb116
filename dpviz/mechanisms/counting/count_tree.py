"""CountTree: noisy counts on a complete tree of equal-width intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import EITHER_TOTAL, Card
from dpviz.core.checks import MOST_RECORDS, a, optional, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.levels import count_levels
from dpviz.mechanisms.counting.noisy_counts import add_noise, level_scales, noisy_levels
from dpviz.mechanisms.requests import check_column_request


@dataclass(frozen=True, slots=True)
class CountTree:
    """Noisy counts of fanout**height equal intervals and of their groups.

    records is N, declared from public knowledge, where the root is public; a column with another
    number of values is used with the declared N all the same.
    levels says how the released levels share the budget; a level without a share is left out, and
    the deepest one with a share is the leaf level of what is released.
    Without a noise it is drawn on whole numbers, exactly: discrete Laplace in ε, discrete Gaussian
    in ρ and (ε, δ). Continuous noise is a teaching choice, for seeds alone.

    >>> dp.CountTree(fanout=2, height=2).release(column, dp.PureDP(1), rng).counts[2]
    array([ 313., 1395., 3097., 1185.])

    Guarantee: Laplace noise, discrete or not: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP
    (continuous: the analytic Gaussian mechanism on the whole tree); under either relation.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Honaker 2019; Manohar 2014; Cormode et al. 2012, §4.
    """

    fanout: int = 2
    height: int = 10
    levels: LevelBudget = field(default_factory=LevelBudget.uniform)
    noise: Noise | None = None
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    records: int | None = None

    name: ClassVar[str] = "CountTree"
    card: ClassVar[Card] = Card(
        key="CountTree",
        title="Noisy count tree",
        words="noisy count tree",
        lead="Counts of nested intervals, each with noise; all levels share the budget.",
        promises=("pure", "zcdp", "approx"),
        price="each level gets a part of the budget",
        use="ranges, histograms and a CDF from one release",
        family="Trees",
        summary="Counts of nested equal-width intervals, $f^l$ of them on level $l$, each with "
        "noise of its own. One record changes one count a level, so the levels share the "
        "budget: evenly, geometrically, leaves only, by own weights, or as the workload "
        "wants it.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), "
        "(ε, δ) (Gaussian, discrete Gaussian)",
        neighbours=EITHER_TOTAL,
        cost="linear in the number of nodes, after one search for every leaf edge",
        good_for="range counts, histograms at several scales, a CDF, all from one release",
        watch_out="the tree cannot see finer than a leaf",
        source="Honaker 2019; Manohar 2014; Cormode et al. 2012, §4; Hay et al. 2010",
        holds="exact",
    )

    def __post_init__(self) -> None:
        shape = TreeShape(self.fanout, self.height)
        settle(self, fanout=whole(2, shape.fanout), height=whole(0, shape.height))
        settle(self, levels=a(LevelBudget))
        settle_choices(self, root=Root, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        if self.root is Root.SUM and self.height == 0:
            raise InvalidParameter(
                "A tree of height 0 is its root alone: with root='sum' nothing is released. "
                "Choose root='released', or a height of at least 1."
            )
        if self.root is Root.PUBLIC and self.neighbours is Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "A public N means replace-one neighbours: adding or removing a record changes N. "
                "Choose neighbours=REPLACE_ONE, or root='sum' or 'released'."
            )
        settle(self, records=optional(whole(0, MOST_RECORDS)))
        if self.records is not None and self.root is not Root.PUBLIC:
            raise InvalidParameter(
                f"records = {self.records} declares a public N, and the root is '{self.root}'. "
                "Choose root='public', or leave records out."
            )
        self.shares()

    @property
    def total(self) -> float | None:
        """The declared N where it is public, else None.

        Raises: InvalidParameter for a public root without a declared N.
        """
        if self.root is not Root.PUBLIC:
            return None
        if self.records is None:
            raise InvalidParameter(
                "A public N has to be declared, and none was. The number of values in the column "
                "is confidential, since a missing value moves it: give records=N from public "
                "knowledge, or choose root='sum' or 'released'."
            )
        return float(self.records)

    def shares(self) -> tuple[float, ...]:
        """Each level's share of the budget down to the deepest released one, root first."""
        if self.root is Root.PUBLIC and self.height == 0:
            return (0.0,)  # N alone: exact, and free
        shares = self.levels.shares(self.height, root=self.root is Root.RELEASED)
        deepest = max(level for level, share in enumerate(shares) if share > 0)
        return shares[: deepest + 1]

    @property
    def shape(self) -> TreeShape:
        """The shape of what is released: height is that of the deepest released level."""
        return TreeShape(self.fanout, len(self.shares()) - 1)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise,
        InvalidParameter for a public root without a declared N.
        """
        self.level_scales(budget)
        _ = self.total

    def level_scales(self, budget: Budget) -> tuple[float, ...]:
        """Noise scale of each level of shape, root first; ∞ where a level is not released."""
        return level_scales(self.law(budget), budget, self.shares(), self.neighbours)

    def tree_noise(self, budget: Budget) -> TreeNoise:
        """The law of the noise under a budget, before anything is drawn."""
        return TreeNoise(self.fanout, self.law(budget), self.level_scales(budget), self.root)

    @usual_floats
    def release(self, column: Column, budget: Budget, rng: Randomness | None = None) -> TreeRelease:
        """Spend the budget once."""
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        return TreeRelease(
            mechanism=self.name,
            parameters={**self.parameters, "noise": self.law(budget).value},
            tree=self.noisy_tree(count_levels(column, self.shape), budget, rng),
            bounds=column.bounds,
            resolution=column.resolution,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    def noisy_tree(
        self, exact: tuple[FloatArray, ...], budget: Budget, rng: Randomness
    ) -> NoisyTree:
        """Spend the budget once on exact counts, root first, of a tree of this shape."""
        scales = self.level_scales(budget)
        return NoisyTree(
            fanout=self.fanout,
            counts=noisy_levels(exact, self.law(budget), scales, rng),
            noise=self.law(budget),
            scales=scales,
            root=self.root,
            total=self.total,
        )

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> Levels:
        """Independent runs, counts (runs, nodes) a level; each spends the whole budget."""
        check_column_request(column, budget, rng, runs)
        exact = count_levels(column, self.shape)
        return self.noisy(exact, budget, rng, runs)

    def noisy(
        self, exact: tuple[FloatArray, ...], budget: Budget, rng: Randomness, runs: int
    ) -> Levels:
        """Runs on counts that were taken before by count_levels(column, shape)."""
        scales = self.level_scales(budget)
        return add_noise(exact, self.fanout, self.law(budget), scales, rng, runs=runs)
