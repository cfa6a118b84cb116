"""JointExp: all quantiles from one draw of the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_flag, settle
from dpviz.core.choices import settle_choices
from dpviz.core.data import Column
from dpviz.core.errors import TooMuchWork
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.mechanisms.exponential.composition import bounded_range_epsilon_for
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import (
    Ties,
    declared_outputs,
    exponential_bounds,
    is_randomised,
    untied_values,
)
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables, forward
from dpviz.mechanisms.quantiles.joint_exp.near import near_problem
from dpviz.mechanisms.quantiles.joint_exp.sampler import sample
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import asked, exponential_parameters, quantile_release
from dpviz.mechanisms.requests import checked_budget

LARGEST = 60_000_000  # entries of one weight table; two of them are kept


@dataclass(frozen=True, slots=True)
class JointExp:
    """One draw of all m quantiles by how many records lie between them.

    Utility: −Σ_j |records between quantiles j−1 and j − n (q_j − q_{j−1})|, j = 1..m+1.
    Guarantee: PureDP (ε), ZCDP (ε about √(8ρ) by bounded range; rho_rule PAPER: √(2ρ)) and
    ApproxDP (the largest ε for which one ε-bounded-range mechanism is (ε, δ)-DP), under either
    relation.
    Tuples left out of the sum weigh at most 2^-59 of the whole, which adds at most (1 + e^ε) 2^-59
    to δ: also where the notion itself has none, so pure ε holds up to that.
    Source: Gillenwater, Joseph and Kulesza 2021, sampled in logarithms; Dong, Durfee and Rogers
    2020, Theorem 3; Cesar and Rogers 2021.
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    rho_rule: RhoRule = RhoRule.BOUNDED_RANGE
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False

    name: ClassVar[str] = "JointExp"
    card: ClassVar[Card] = Card(
        key="JointExp",
        title="JointExp",
        family="Quantiles",
        summary="One exponential mechanism over all $m$-tuples of quantiles at once, scored by how "
        "far the counts between neighbouring quantiles are from what they should be.",
        guarantee="pure ε, ρ-zCDP by bounded range, (ε, δ) as one bounded-range mechanism",
        neighbours=BOTH,
        cost="$O(m \\cdot$ window of ranks that can matter$)$, exact, in logarithms",
        good_for="a few quantiles (up to about five), where it is often the most accurate",
        watch_out="for many quantiles of few records its error grows past the other methods",
        source="Gillenwater, Joseph and Kulesza 2021",
        hue="vermilion",
    )

    def __post_init__(self) -> None:
        settle(self, round_to_grid=checked_flag)
        settle_choices(self, neighbours=Neighbours, rho_rule=RhoRule, ties=Ties)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return exponential_parameters(self)

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Every notion is supported; only the quantile set can be refused."""
        checked_budget(budget)
        QuantileSet.of(quantiles)

    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: np.random.Generator
    ) -> QuantileRelease:
        """Spend the budget once.

        Cost: the certified windows hold about 2R intervals each, R ∝ m/ε, whatever n; a small ε on
        a large column makes them long (m = 120, ε = .1, n = 10^6: .8 s and 130 MB). Tied values of
        a long column are spread inside the windows alone.

        Raises: InvalidQuantiles, as QuantileSet.of; TooMuchWork for windows past LARGEST. Their
        length hangs on the column, so a refusal says something of it that no budget paid for.
        """
        wanted = asked(column, quantiles, budget, rng)
        values = self.release_many(column, wanted, budget, rng, 1)[0]
        return quantile_release(self, column, wanted, values, budget)

    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget.

        Raises: InvalidQuantiles, as QuantileSet.of.
        """
        wanted = asked(column, quantiles, budget, rng, runs)
        drawn = np.empty((runs, wanted.count))
        for rows, tables in self._treated(column, wanted, budget, rng, runs):
            drawn[rows] = sample(tables, rng, rows.stop - rows.start)
        return wanted.in_order_asked(self._outputs(drawn, column))

    def tables(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: np.random.Generator
    ) -> Tables:
        """The weights of one treatment of the column. Confidential."""
        wanted = asked(column, quantiles, budget, rng)
        problem, windows = self._windowed(column, wanted, budget, rng)
        if windows.size > LARGEST:
            raise TooMuchWork(
                f"JointExp would need more than a gigabyte for {wanted.count} quantiles at "
                f"{budget} on a column this long. Ask for fewer quantiles, spend more, or choose "
                "ApproximateQuantiles."
            )
        return forward(problem, windows)

    def _windowed(
        self, column: Column, wanted: QuantileSet, budget: Budget, rng: np.random.Generator
    ) -> tuple[JointProblem, Windows]:
        """The intervals of one treatment, of a long spread column only those that are needed."""
        bounds = exponential_bounds(column, self.ties)
        c = self.epsilon(budget) / (2 * self.sensitivity(wanted))
        spread = self.ties is Ties.SPREAD and is_randomised(column, self.ties)
        groups = SpreadGroups.of(column) if spread else None
        near = groups and near_problem(groups, bounds, wanted.distinct, c, rng)
        if near:
            return near
        values = untied_values(column, self.ties, rng)
        problem = JointProblem.of(values, bounds, wanted.distinct, c)
        return problem, Windows.certified(problem)

    def _treated(
        self,
        column: Column,
        wanted: QuantileSet,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> Iterator[tuple[slice, Tables]]:
        # jittered ties give every run other intervals, hence tables of its own; an untreated
        # column has one set of tables for all runs
        together = 1 if is_randomised(column, self.ties) else max(runs, 1)
        for begin in range(0, runs, together):
            yield slice(begin, begin + together), self.tables(column, wanted, budget, rng)

    def sensitivity(self, quantiles: Quantiles) -> float:
        """Δ of the utility: 2 under replace-one, 2 (1 − the least gap, ends too) otherwise."""
        if self.neighbours is Neighbours.REPLACE_ONE:
            return 2.0
        gaps = np.diff(QuantileSet.of(quantiles).distinct, prepend=0.0, append=1.0)
        return 2 * (1 - float(gaps.min()))

    def epsilon(self, budget: Budget) -> float:
        """The ε of the one exponential mechanism that the budget pays for."""
        if isinstance(budget, PureDP):
            return budget.epsilon
        if isinstance(budget, ZCDP):
            return self.rho_rule.epsilon(budget, 1)
        return bounded_range_epsilon_for(budget, 1)

    def _outputs(self, drawn: FloatArray, column: Column) -> FloatArray:
        bounds = exponential_bounds(column, self.ties)
        return declared_outputs(drawn, column, self.round_to_grid, bounds)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds: a table for each treatment of ties."""
        treated = self.ties is Ties.JITTER or (self.ties is Ties.SPREAD and resolution > 0)
        window = min(n, (100 + 6 * m) * math.sqrt(n / 1000) / _table_size(budget))
        table = 5e-4 + m * (2e-4 + 1.05e-7 * window)
        return (table * runs + 7e-8 * n if treated else table) + 6e-6 * m * runs


def _table_size(budget: Budget) -> float:
    """The ε that decides how many ranks a table needs."""
    return math.sqrt(2 * budget.rho) if isinstance(budget, ZCDP) else budget.epsilon
