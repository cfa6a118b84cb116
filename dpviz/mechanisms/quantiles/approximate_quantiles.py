"""ApproximateQuantiles: the middle quantile first, then each half of the data on its own side.

On points, for a release, the recursion is exact and goes level by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_flag, checked_whole, settle
from dpviz.core.choices import settle_choices
from dpviz.core.confidential import confidential
from dpviz.core.conversions import approx_to_zcdp
from dpviz.core.data.column import Column
from dpviz.core.grid import as_written
from dpviz.core.knobs import Knob
from dpviz.core.point_grid import PointGrid
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Bits, Randomness, bits_of, kind_of, only_seeded, or_secure
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.core.releases import Parameters, QuantileRelease, Recursion
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.exponential.costs import draw_seconds, treatment_seconds
from dpviz.mechanisms.exponential.knobs import KNOBS
from dpviz.mechanisms.exponential.ladder import Ladder
from dpviz.mechanisms.exponential.lazy_points import Records, outline, records_below
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_columns import spread_points
from dpviz.mechanisms.exponential.point_problems import PointProblems, quantile_units, sensitivity
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.safe_epsilons import DOWN, epsilon_for_rho, part_of, rho_for
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import (
    Climbs,
    near_target,
    run_ladders,
    treated_ladders,
)
from dpviz.mechanisms.quantiles.descent import Run, descend
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.recursion import Plan, plan
from dpviz.mechanisms.quantiles.releasing import (
    asked,
    exponential_outputs,
    exponential_parameters,
    is_exact,
    quantile_release,
)
from dpviz.mechanisms.requests import check_cost_request, checked_budget


@dataclass(frozen=True, slots=True)
class ApproximateQuantiles:
    """AQ: L = ⌊log2 m⌋ + 1 levels of exponential mechanisms on disjoint parts of the column.

    >>> dp.ApproximateQuantiles().release(column, [0.25, 0.5, 0.75], dp.PureDP(1), rng).values
    array([45., 59., 72.])

    Guarantee: PureDP (ε/L a level), ZCDP (about √(8ρ/L) by bounded range; rho_rule PAPER: √(2ρ/L))
    and ApproxDP (the better of pure ε and the largest ρ that converts), under either relation;
    exact in the program with Ties.SPREAD, where a release is a cell of the column's grid and
    round_to_grid changes nothing. release_many, in doubles, is for studies.
    Source: Kaplan, Schnapp and Stemmer 2021, Algorithm 1; Cesar and Rogers 2021.
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    rho_rule: RhoRule = RhoRule.BOUNDED_RANGE
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False

    name: ClassVar[str] = "ApproximateQuantiles"
    card: ClassVar[Card] = Card(
        key="ApproximateQuantiles",
        miniature="steps",
        title="ApproximateQuantiles (AQ)",
        lead="Draws the median, cuts there, and asks each half for its own middle.",
        promises=("pure", "zcdp", "approx"),
        price="budget shared by about log₂ m steps",
        use="from about four quantiles on",
        label="AQ",
        words="recursive halving",
        way="by recursive halving",
        family="Quantiles",
        summary="Draws the middle quantile by an exponential mechanism, splits the column there, "
        "and goes on in both halves. A record takes part once a level, so the budget is "
        "shared by $L = \\lfloor \\log_2 m \\rfloor + 1$ levels, not by $m$ quantiles.",
        guarantee="pure ε, ρ-zCDP (bounded range, or the paper's split), (ε, δ)",
        neighbours=BOTH,
        cost="about $m$ draws, each independent of $n$ once the column is sorted",
        good_for="many quantiles at once; the default choice from about four quantiles on",
        watch_out="an early error moves the targets below it; heavy ties need a resolution",
        source="Kaplan, Schnapp and Stemmer 2021, Algorithm 1; zCDP by Cesar and Rogers 2021",
        hue="blue",
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
        """Spend the budget once; the recursion's public part goes with the release."""
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        if is_exact(self, rng):
            exact = self._on_points(column, wanted, budget, rng)
            values, public = exact.printed, exact.public_part()
        else:
            run = self.trace(column, wanted, budget, rng)
            values = exponential_outputs(self, run.values[0, 1:-1], column)
            public = run.public_part(column.resolution)
        return quantile_release(
            self, column, wanted, wanted.in_order_asked(values), budget, public, kind_of(rng)
        )

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
        steps = plan(wanted)
        ladders = run_ladders(column, self.ties, rng, runs, wanted.count)
        if wanted.distinct.size == 1:
            target, eta = (
                float(wanted.distinct[0]) * column.n,
                float(self.etas(budget, steps)[0][0]),
            )
            ladders = near_target(column, self.ties, rng, runs, target, eta) or ladders
        values = [
            self._descend(column, climbs, steps, budget, rng).values[:, 1:-1] for climbs in ladders
        ]
        drawn = exponential_outputs(self, np.concatenate(values), column)
        return wanted.in_order_asked(drawn)

    @usual_floats
    def trace(self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness) -> Run:
        """The run that release makes with the same rng, sub-problems included: confidential."""
        wanted = asked(column, quantiles, budget, rng)
        if is_exact(self, rng):
            return self._on_points(column, wanted, budget, rng).in_units()
        seeded = only_seeded(rng, self.card.title)
        climbs = next(treated_ladders(column, self.ties, seeded, 1))
        return self._descend(column, climbs, plan(wanted), budget, seeded)

    def _on_points(
        self, column: Column, wanted: QuantileSet, budget: Budget, rng: Randomness
    ) -> PointRun:
        bits, steps = bits_of(rng), plan(wanted)
        records = spread_points(column, bits)
        etas = self.safe_etas(budget, steps)
        return descend_on_points(column.grid, records, steps, etas, bits)

    def _descend(
        self, column: Column, climbs: Climbs, steps: Plan, budget: Budget, rng: np.random.Generator
    ) -> Run:
        bounds = exponential_bounds(column, self.ties)
        etas = self.etas(budget, steps)
        return descend(climbs, bounds, steps, etas, rng)

    def level_epsilon(self, budget: Budget, levels: int) -> float:
        """ε', what one of the levels spends: it is ε'-DP and ε'-bounded-range (add/remove)."""
        levels = checked_whole(levels, "levels", 1, 64)
        checked_budget(budget)
        match budget:
            case PureDP(epsilon):
                return epsilon / levels
            case ZCDP():
                return self.rho_rule.epsilon(budget, levels)
            case ApproxDP(epsilon, _):
                return max(epsilon / levels, _converted(budget, levels))

    def etas(self, budget: Budget, steps: Plan) -> tuple[FloatArray, ...]:
        """η of every node, one array a level.

        Add/remove changes the distance of a node from its target by at most Δ = max(q', 1 − q').
        Replacing one record touches two nodes of a level, or one node whose size stays (then the
        distance moves by at most 1); the root is always of the second kind.
        """
        levels = len(steps.levels)
        return tuple(
            self.level_etas(budget, levels, depth, nodes.normalised)
            for depth, nodes in enumerate(steps.levels)
        )

    def level_etas(
        self, budget: Budget, levels: int, depth: int, normalised: FloatArray
    ) -> FloatArray:
        """η of the nodes of one of the levels (the root's depth is 0), elementwise."""
        alone = self.level_epsilon(budget, levels)
        delta = np.maximum(normalised, 1 - normalised)
        if self.neighbours is Neighbours.ADD_REMOVE:
            return np.asarray(alone / (2 * delta))
        if depth == 0:
            return np.full_like(delta, alone / 2)
        paired = self._paired_epsilon(budget, levels) / (2 * delta)
        return np.minimum(alone / 2, paired)

    def safe_etas(self, budget: Budget, steps: Plan) -> tuple[FloatArray, ...]:
        """As etas, of quantiles in units of 2^-30, and never rounded up: what a release takes.

        The levels add up to the budget as it is written.
        """
        alone, paired = self._safe_epsilons(budget, len(steps.levels))
        etas = []
        for depth, nodes in enumerate(steps.levels):
            twice = 2 * sensitivity(quantile_units(nodes.normalised))
            if self.neighbours is Neighbours.ADD_REMOVE:
                etas.append(alone / twice * DOWN)
            elif depth == 0:
                etas.append(np.full_like(twice, alone / 2))
            else:
                etas.append(np.minimum(alone / 2, paired / twice * DOWN))
        return tuple(etas)

    def _safe_epsilons(self, budget: Budget, levels: int) -> tuple[float, float]:
        """ε' of the only node of a level that changes, and of each of two that do."""
        match budget:
            case PureDP(epsilon):
                return part_of(epsilon, levels), part_of(epsilon, 2 * levels)
            case ZCDP():
                rho, rule = as_written(budget.rho), self.rho_rule
                return epsilon_for_rho(rho, levels, rule), epsilon_for_rho(rho, 2 * levels, rule)
            case ApproxDP(epsilon, _):
                pure, rho = part_of(epsilon, levels), rho_for(budget)
                converted = epsilon_for_rho(rho, levels, RhoRule.BOUNDED_RANGE)
                if pure >= converted:
                    return pure, part_of(epsilon, 2 * levels)
                return converted, epsilon_for_rho(rho, 2 * levels, RhoRule.BOUNDED_RANGE)

    def _paired_epsilon(self, budget: Budget, levels: int) -> float:
        """ε' of each of two nodes that share what a level may spend: ε adds, and so does ρ."""
        match budget:
            case PureDP(epsilon):
                return epsilon / (2 * levels)
            case ZCDP():
                return self.rho_rule.epsilon(budget, 2 * levels)
            case ApproxDP(epsilon, _):
                if epsilon / levels >= _converted(budget, levels):
                    return epsilon / (2 * levels)
                return _converted(budget, 2 * levels)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        treated = treatment_seconds(n, m, runs, self.ties, resolution)
        return treated + draw_seconds(m, runs)


@lru_cache(maxsize=256)  # public parameters only
def _converted(budget: ApproxDP, levels: int) -> float:
    return RhoRule.BOUNDED_RANGE.epsilon(approx_to_zcdp(budget), levels)


@confidential("grid")
@dataclass(frozen=True, eq=False)
class PointRun:
    """What one run of the recursion drew, and on which records: confidential but for its cells.

    Shapes: records (n,), ascending; values (m + 2,), points, with −1 and the number of points at
    the ends. One hidden spread of the records serves all levels.
    """

    grid: PointGrid
    records: Records
    plan: Plan
    etas: tuple[FloatArray, ...]
    values: IntArray

    def problems(self, level: int) -> PointProblems:
        """The sub-problems of one level: points and records strictly between two values."""
        nodes = self.plan.levels[level]
        low, high = self.values[nodes.left] + 1, self.values[nodes.right]
        first, last = records_below(self.records, np.stack((low, high)))
        last = np.maximum(first, last)
        units = quantile_units(nodes.normalised)
        return PointProblems(first, last, low, high, units, self.etas[level], np.zeros_like(low))

    @property
    def printed(self) -> FloatArray:
        """The number of each value's cell, (m,): all that leaves."""
        return self.grid.printed(self.values[1:-1] >> self.grid.shift)

    def public_part(self) -> Recursion:
        """Ranges, normalised quantiles and values: functions of the printed values."""
        reach = self.grid.reach
        return self.plan.public_part(np.concatenate(([reach.low], self.printed, [reach.high])))

    def in_units(self) -> Run:
        """The same run in the column's units, up to rounding: for teaching views. Confidential.

        Of more records than can be held apart those of a cell stand in a few even steps.
        """
        reach = self.grid.reach
        values = self.grid.middle(self.values)
        values[0], values[-1] = reach.low, reach.high
        points, ranks = outline(self.records)
        ladder = Ladder(self.grid.middle(points), ranks)
        above = np.searchsorted(points, self.values, side="right")
        below = np.searchsorted(points, self.values, side="left")
        return Run(ladder, self.plan, self.etas, values[None], above[None], below[None])


def descend_on_points(
    grid: PointGrid,
    records: Records,
    steps: Plan,
    etas: tuple[FloatArray, ...],
    bits: Bits,
    care: Care = USUAL,
) -> PointRun:
    """Draw every quantile; each level spends its share once.

    A record below the value goes left, one above it right, one that equals it to neither side.
    """
    values = np.empty(steps.m + 2, dtype=np.int64)
    values[0], values[-1] = -1, grid.points
    run = PointRun(grid, records, steps, etas, values)
    for depth, nodes in enumerate(steps.levels):
        drawn = draw_points(records, run.problems(depth), grid.points, bits, care)
        values[nodes.position] = drawn  # spends the level's budget
    return run
