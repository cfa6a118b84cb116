"""AppIndExp: every quantile by an exponential mechanism of its own on the whole column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_flag, checked_whole, settle
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.grid import as_written
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Bits, Randomness, bits_of, kind_of, only_seeded, or_secure
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.exponential.composition import bounded_range_epsilon_for
from dpviz.mechanisms.exponential.costs import draw_seconds, treatment_seconds
from dpviz.mechanisms.exponential.knobs import KNOBS
from dpviz.mechanisms.exponential.ladder import Problems
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.point_columns import spread_points
from dpviz.mechanisms.exponential.point_problems import PointProblems, quantile_units, sensitivity
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.safe_epsilons import (
    DOWN,
    bounded_range_part,
    epsilon_for_rho,
    part_of,
)
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import run_ladders
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import (
    asked,
    exponential_outputs,
    exponential_parameters,
    is_exact,
    quantile_release,
)
from dpviz.mechanisms.requests import MOST_QUANTILES, check_cost_request, checked_budget


@dataclass(frozen=True, slots=True)
class IndependentExp:
    """m exponential mechanisms, composed; the outputs are sorted (post-processing).

    >>> dp.IndependentExp().each_epsilon(dp.PureDP(1), 4)
    0.25
    >>> dp.IndependentExp().release(column, [0.5], dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP by basic composition (ε/m each), ApproxDP by the optimal composition of
    bounded-range mechanisms, ZCDP by bounded range (about √(8ρ/m)) or as printed (√(2ρ/m)); both
    relations. Exact in the program with Ties.SPREAD, where a release is a cell of the column's grid
    and round_to_grid changes nothing. release_many, in doubles, is for studies.
    Source: Gillenwater, Joseph and Kulesza 2021; Dong, Durfee and Rogers 2020.
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    rho_rule: RhoRule = RhoRule.BOUNDED_RANGE
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False

    name: ClassVar[str] = "IndependentExp"
    card: ClassVar[Card] = Card(
        key="IndependentExp",
        used=("{share} for each quantile",),
        miniature="rows",
        title="IndependentExp (AppIndExp)",
        lead="A choice of its own for every quantile; the answers are sorted afterwards.",
        promises=("pure", "zcdp", "approx"),
        price="budget divided by all m quantiles",
        use="one or two quantiles, or a yardstick",
        label="AppIndExp",
        words="one by one",
        way="drawn one by one",
        family="Quantiles",
        summary="An exponential mechanism of its own for every quantile, composed; the outputs are "
        "sorted afterwards.",
        guarantee="pure ε (ε/m each), (ε, δ) by optimal composition, ρ-zCDP",
        neighbours=BOTH,
        cost="$m$ draws, each independent of $n$",
        good_for="a baseline, and one or two quantiles",
        watch_out="the budget is divided by all quantiles, so error grows with $m$",
        source="Gillenwater, Joseph and Kulesza 2021; Dong, Durfee and Rogers 2020, Theorem 3",
        hue="pink",
        holds="exact",
    )
    knobs: ClassVar[tuple[Knob, ...]] = KNOBS

    def __post_init__(self) -> None:
        settle(self, round_to_grid=checked_flag)
        settle_choices(self, neighbours=Neighbours, rho_rule=RhoRule, ties=Ties)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return exponential_parameters(self)

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Refuse an invalid quantile set."""
        checked_budget(budget)
        QuantileSet.of(quantiles)

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once."""
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        if is_exact(self, rng):
            values = wanted.in_order_asked(self._on_points(column, wanted, budget, bits_of(rng)))
        else:
            seeded = only_seeded(rng, self.card.title)
            values = self.release_many(column, wanted, budget, seeded, 1)[0]
        return quantile_release(self, column, wanted, values, budget, randomness=kind_of(rng))

    def _on_points(
        self, column: Column, wanted: QuantileSet, budget: Budget, bits: Bits
    ) -> FloatArray:
        """The cells of one point for each quantile, in ascending order."""
        grid, records = column.grid, spread_points(column, bits)
        first, units = np.zeros(wanted.count, dtype=np.int64), quantile_units(wanted.distinct)
        eta = self.safe_etas(budget, wanted)
        problems = PointProblems(
            first, first + column.n, first, first + grid.points, units, eta, first
        )
        points = draw_points(records, problems, grid.points, bits)  # spends the budget
        return grid.printed(np.sort(points) >> grid.shift)

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
        bounds = exponential_bounds(column, self.ties)
        eta = self.etas(budget, wanted)
        drawn = []
        for climbs in run_ladders(column, self.ties, rng, runs, wanted.count):
            ladder, shape = climbs.ladder, (climbs.first.size, wanted.count)
            first = np.repeat(climbs.first, wanted.count)
            problems = Problems(
                first,
                np.repeat(climbs.last, wanted.count),
                np.full(first.size, bounds.low),
                np.full(first.size, bounds.high),
                ladder.rank(first) + np.tile(wanted.distinct * column.n, shape[0]),
                np.tile(eta, shape[0]),
            )
            drawn.append(sample(ladder, problems, rng)[0].reshape(shape))
        ordered = np.sort(np.concatenate(drawn), axis=1)
        return wanted.in_order_asked(exponential_outputs(self, ordered, column))

    def each_epsilon(self, budget: Budget, m: int) -> float:
        """ε', the bounded range that one of m mechanisms may have."""
        m = checked_whole(m, "m", 1, MOST_QUANTILES)
        checked_budget(budget)
        match budget:
            case PureDP(epsilon):
                return epsilon / m
            case ApproxDP():
                return bounded_range_epsilon_for(budget, m)
            case ZCDP():
                return self.rho_rule.epsilon(budget, m)

    def etas(self, budget: Budget, quantiles: QuantileSet) -> FloatArray:
        """η of each distinct quantile, (m,): ε'/(2Δ)."""
        q = QuantileSet.of(quantiles).distinct
        replaced = self.neighbours is Neighbours.REPLACE_ONE
        delta = np.ones_like(q) if replaced else np.maximum(q, 1 - q)
        return self.each_epsilon(budget, q.size) / (2 * delta)

    def safe_etas(self, budget: Budget, quantiles: QuantileSet) -> FloatArray:
        """As etas, of quantiles in units of 2^-30, and never rounded up: what a release takes."""
        checked_budget(budget)
        units = quantile_units(QuantileSet.of(quantiles).distinct)
        if self.neighbours is Neighbours.REPLACE_ONE:
            delta = np.ones(units.size)
        else:
            delta = sensitivity(units)
        return self._safe_epsilon(budget, units.size) / (2 * delta) * DOWN

    def _safe_epsilon(self, budget: Budget, m: int) -> float:
        match budget:
            case PureDP(epsilon):
                return part_of(epsilon, m)
            case ApproxDP():
                return bounded_range_part(budget, m)
            case ZCDP(rho):
                return epsilon_for_rho(as_written(rho), m, self.rho_rule)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        treated = treatment_seconds(n, m, runs, self.ties, resolution)
        return treated + draw_seconds(m, runs)
