"""AQ around any mechanism for a single quantile."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_flag, settle
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.exponential.costs import draw_seconds, treatment_seconds
from dpviz.mechanisms.exponential.ties import Ties, declared_outputs, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import (
    VALUES_AT_ONCE,
    Climbs,
    run_ladders,
    treated_ladders,
)
from dpviz.mechanisms.quantiles.around.exponential import ExponentialQuantile
from dpviz.mechanisms.quantiles.around.protocol import (
    Parts,
    Share,
    SingleQuantile,
    a_single_quantile,
)
from dpviz.mechanisms.quantiles.descent import Run, cut, started
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.recursion import Plan, plan
from dpviz.mechanisms.quantiles.releasing import asked, quantile_release
from dpviz.mechanisms.requests import check_cost_request, checked_budget

READ_SECONDS = 1e-7  # a record and a level, for a mechanism that reads all of them


@dataclass(frozen=True, slots=True)
class QuantilesAround:
    """The recursion of AQ with any mechanism for a single quantile in each step.

    The levels share the budget equally; the parts of a level are disjoint. With the exponential
    mechanism, the default, its runs are those of ApproximateQuantiles.release_many, seed for seed.
    Computed in floating point: for studies and teaching, with seeds alone.
    Guarantee: that of the single mechanism, for the whole budget, under either relation.
    Source: Kaplan, Schnapp and Stemmer 2021, §1.1.1 and Algorithm 1 with Lemma 3.1.
    """

    single: SingleQuantile = field(default_factory=ExponentialQuantile)
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False

    name: ClassVar[str] = "QuantilesAround"
    card: ClassVar[Card] = Card(
        key="QuantilesAround",
        title="AQ around any mechanism",
        family="Quantiles",
        summary="The recursion of ApproximateQuantiles with another mechanism in each step: noisy "
        "binary search or smooth sensitivity in place of the exponential mechanism.",
        guarantee="that of the single mechanism",
        neighbours=BOTH,
        cost="$m$ draws of the single mechanism",
        good_for="comparing single mechanisms",
        watch_out="smooth sensitivity takes (ε, δ) alone and wants many records in every part",
        source="Kaplan, Schnapp and Stemmer 2021, §1.1.1",
    )

    def __post_init__(self) -> None:
        settle(self, single=a_single_quantile, round_to_grid=checked_flag)
        settle_choices(self, neighbours=Neighbours, ties=Ties)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return {
            "single": self.single.name,
            **self.single.parameters,
            "ties": self.ties.value,
            "round_to_grid": self.round_to_grid,
        }

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Refuse an invalid quantile set, and a budget that the single mechanism cannot spend."""
        checked_budget(budget)
        QuantileSet.of(quantiles)
        self.single.check(budget)

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once; the recursion's public part goes with the release."""
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        run = self.trace(column, wanted, budget, only_seeded(rng, self.card.title))
        values = wanted.in_order_asked(self._outputs(run.values[0, 1:-1], column))
        public = run.public_part(column.resolution)
        return quantile_release(self, column, wanted, values, budget, public)

    @usual_floats
    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget."""
        wanted = asked(column, quantiles, budget, rng, runs)
        values = [run.values[:, 1:-1] for run in self.trace_many(column, wanted, budget, rng, runs)]
        return wanted.in_order_asked(self._outputs(np.concatenate(values), column))

    @usual_floats
    def trace(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: np.random.Generator
    ) -> Run:
        """The run that release makes with the same rng, sub-problems included: confidential."""
        return next(self.trace_many(column, quantiles, budget, rng, 1))

    @usual_floats
    def trace_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> Iterator[Run]:
        """Independent runs in pieces, sub-problems included: confidential."""
        wanted = asked(column, quantiles, budget, rng, runs)
        self.check(budget, wanted)
        if self.single.reads_all and column.counted:
            raise InvalidData(
                f"{self.card.title} around {self.single.name} reads every record apart, and this "
                "column was made of counts. Choose ApproximateQuantiles."
            )
        steps = plan(wanted)
        for climbs in self._ladders(column, rng, runs, wanted.count):
            yield self._descend(column, climbs, steps, budget, rng)

    def _ladders(
        self, column: Column, rng: np.random.Generator, runs: int, m: int
    ) -> Iterator[Climbs]:
        if not self.single.reads_all:
            yield from run_ladders(column, self.ties, rng, runs, m)
            return
        at_once = max(1, VALUES_AT_ONCE // max(column.n, 1))
        for climbs in treated_ladders(column, self.ties, rng, runs):
            for done in range(0, climbs.first.size, at_once):
                part = slice(done, done + at_once)
                yield Climbs(climbs.ladder, climbs.first[part], climbs.last[part])

    def _descend(
        self, column: Column, climbs: Climbs, steps: Plan, budget: Budget, rng: np.random.Generator
    ) -> Run:
        run = started(climbs, exponential_bounds(column, self.ties), steps)
        for depth, nodes in enumerate(steps.levels):
            parts = Parts.of(run, depth)
            share = Share(budget, len(steps.levels), depth, self.neighbours)
            drawn, interval = self.single.draw(parts, share, rng)  # spends the level's share
            cut(run, nodes, parts.problems, drawn, interval)
        return run

    def _outputs(self, drawn: FloatArray, column: Column) -> FloatArray:
        if self.ties is Ties.SPREAD:
            return column.grid.rounded(drawn)
        bounds = exponential_bounds(column, self.ties)
        return declared_outputs(drawn, column, self.round_to_grid, bounds)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        treated = treatment_seconds(n, m, runs, self.ties, resolution)
        levels = QuantileSet.of(np.arange(1, m + 1) / (m + 1)).levels
        read = READ_SECONDS * n * levels * runs if self.single.reads_all else 0.0
        return treated + read + draw_seconds(m, runs)
