"""JointExp: all quantiles from one draw of the exponential mechanism.

Whether it runs is decided by public things alone: a refusal must not tell the number of records.
Its work hangs on n and on the gaps between records. What is refused is reckoned for a declared
number of records without wild gaps; what is accepted is finished in bounded memory, whatever the
column holds, so that no refusal and no lack of memory says anything of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_flag, checked_whole, settle, whole
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import TooMuchWork, UnsupportedBudget
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.exponential.composition import bounded_range_epsilon_for
from dpviz.mechanisms.exponential.knobs import KNOBS
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, is_randomised, untied_values
from dpviz.mechanisms.quantiles.joint_exp.block_sampler import sample_intervals_in_blocks
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables
from dpviz.mechanisms.quantiles.joint_exp.near import check_counts, first_reach, near_problem
from dpviz.mechanisms.quantiles.joint_exp.near_runs import values_near
from dpviz.mechanisms.quantiles.joint_exp.sampler import sample_intervals, values_inside
from dpviz.mechanisms.quantiles.joint_exp.scaled import fits, tables_of
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import (
    asked,
    exponential_outputs,
    exponential_parameters,
    quantile_release,
)
from dpviz.mechanisms.requests import check_cost_request, checked_budget

WHOLE = 60_000_000  # entries of a table that is kept whole; longer ones are made in blocks
TOGETHER = 1_000_000  # entries of a run's table beyond which runs are drawn one after the other
RECORDS = 1_000_000  # the column that work is reckoned for, unless another number is declared
LARGEST = 60_000_000  # entries of one table
MOST = 500  # quantiles: a step down to a shorter run takes longer the more there are
GAPS = 100.0  # intervals around a target may be this much shorter than evenly spread ones
SHARPEST = 1e15  # of c: beyond, differences of ranks times c are no longer what they are
SECONDS = 2.5e-7  # for each entry


@dataclass(frozen=True, slots=True)
class JointExp:
    """One draw of all m quantiles by how many records lie between them.

    Utility: −Σ_j |records between quantiles j−1 and j − n (q_j − q_{j−1})|, j = 1..m+1.

    >>> dp.JointExp(round_to_grid=True).release(column, [0.25, 0.75], dp.PureDP(1), rng).values
    array([45., 72.])

    Guarantee: PureDP (ε), ZCDP (ε about √(8ρ) by bounded range; rho_rule PAPER: √(2ρ)) and
    ApproxDP (the largest ε for which one ε-bounded-range mechanism is (ε, δ)-DP), under either
    relation.
    Tuples left out of the sum weigh at most τ = 2^-59 of the whole (2^-60 outside the windows and
    2^-60 in dropped runs). A sampler within total variation τ of its law costs δ + (1 + e^ε) τ in
    place of δ: 6.5e-18 more at ε = 1, 3.8e-14 at ε = 10. Pure ε and ρ pay it too, so they hold up
    to that.
    Whether it runs depends on m, the budget, the relation and records alone; records is
    declared, and a column that has more is drawn all the same, only slower.
    Source: Gillenwater, Joseph and Kulesza 2021, sampled in logarithms; Dong, Durfee and Rogers
    2020, Theorem 3; Cesar and Rogers 2021.
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    rho_rule: RhoRule = RhoRule.BOUNDED_RANGE
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False
    records: int = RECORDS

    name: ClassVar[str] = "JointExp"
    card: ClassVar[Card] = Card(
        key="JointExp",
        used=("{all} in one draw",),
        miniature="joined",
        title="JointExp",
        lead="One choice among all sorted lists of values, scored by the counts between them.",
        promises=("pure", "zcdp", "approx"),
        price="time grows with m and the ranks that matter",
        use="few quantiles, up to about five",
        words="all at once",
        way="drawn all at once",
        family="Quantiles",
        summary="One exponential mechanism over all $m$-tuples of quantiles at once, scored by how "
        "far the counts between neighbouring quantiles are from what they should be.",
        guarantee="pure ε, ρ-zCDP by bounded range, (ε, δ) as one bounded-range mechanism",
        neighbours=BOTH,
        cost="$O(m \\cdot$ window of ranks that can matter$)$, exact, in logarithms",
        good_for="a few quantiles (up to about five), where it is often the most accurate",
        watch_out="for many quantiles of few records its error grows past the other methods",
        source="Gillenwater, Joseph and Kulesza 2021",
        hue="amber",
    )
    knobs: ClassVar[tuple[Knob, ...]] = KNOBS

    def __post_init__(self) -> None:
        settle(self, round_to_grid=checked_flag, records=whole(1, 2**62))
        settle_choices(self, neighbours=Neighbours, rho_rule=RhoRule, ties=Ties)

    @property
    def parameters(self) -> Parameters:
        """All parameters of the law as plain values."""
        return exponential_parameters(self)

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Every notion is supported; a quantile set or too much work can be refused.

        Raises: InvalidQuantiles, as QuantileSet.of; TooMuchWork, by public things alone;
        UnsupportedBudget for one beyond what doubles hold, about ε = 10^15.
        """
        checked_budget(budget)
        wanted = QuantileSet.of(quantiles)
        check_work(wanted.count, self.sharpness(budget, wanted), self.records, str(budget))

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once.

        Cost: the certified windows hold about 2R intervals each, R ∝ m/ε, whatever n; a small ε on
        a large column makes them long (m = 120, ε = .1, n = 10^6: .8 s and 130 MB). Tied values of
        a long column are spread inside the windows alone.

        Raises: InvalidQuantiles and TooMuchWork, as check; InvalidParameter for secure bits: the
        tables are floating point.
        """
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        seeded = only_seeded(rng, self.card.title)
        values = self.release_many(column, wanted, budget, seeded, 1)[0]
        return quantile_release(self, column, wanted, values, budget)

    @usual_floats
    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget.

        Raises: InvalidQuantiles and TooMuchWork, as check.
        """
        wanted = asked(column, quantiles, budget, rng, runs)
        self.check(budget, wanted)
        drawn = np.empty((runs, wanted.count))
        # jittered ties give every run other intervals, hence tables of its own; an untreated
        # column has one set of tables for all runs
        together = 1 if is_randomised(column, self.ties) else runs
        problem, windows, near = self._first(column, wanted, budget, rng)
        drawn[:together] = _values(problem, windows, rng, together)
        if near and runs > 1 and windows.size <= TOGETHER and fits(problem, windows):
            bounds = exponential_bounds(column, self.ties)
            drawn[1:] = values_near(near, bounds, problem, wanted.distinct, rng, runs - 1, _values)
            together = runs
        for row in range(together, runs):
            drawn[row] = _values(*self._first(column, wanted, budget, rng)[:2], rng)[0]
        return wanted.in_order_asked(exponential_outputs(self, drawn, column))

    @usual_floats
    def release_alike(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
        alike: int,
    ) -> FloatArray:
        """As release_many, but so many runs in a row are drawn from one spread of tied values.

        Each has the law of a release, at a fraction of the work; those of one spread hang together.
        Raises: InvalidQuantiles and TooMuchWork, as check; InvalidParameter for alike below 1.
        """
        wanted = asked(column, quantiles, budget, rng, runs)
        self.check(budget, wanted)
        alike = checked_whole(alike, "alike", 1, 10**7)
        together = alike if is_randomised(column, self.ties) else runs
        drawn = [
            _values(*self._first(column, wanted, budget, rng)[:2], rng, min(together, runs - begin))
            for begin in range(0, runs, together)
        ]
        return wanted.in_order_asked(exponential_outputs(self, np.concatenate(drawn), column))

    @usual_floats
    def tables(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: np.random.Generator
    ) -> Tables:
        """The weights of one treatment of the column, whole. Confidential."""
        wanted = asked(column, quantiles, budget, rng)
        return tables_of(*self._first(column, wanted, budget, rng)[:2])

    def _first(
        self, column: Column, wanted: QuantileSet, budget: Budget, rng: np.random.Generator
    ) -> tuple[JointProblem, Windows, SpreadGroups | None]:
        """The intervals of one treatment; its groups too if only those needed were spread."""
        bounds = exponential_bounds(column, self.ties)
        c = self.sharpness(budget, wanted)
        spread = self.ties is Ties.SPREAD and is_randomised(column, self.ties)
        check_counts(column.counted and spread, wanted.count, c, str(budget))
        groups = SpreadGroups.of(column) if spread else None
        near = groups and near_problem(groups, bounds, wanted.distinct, c, rng)
        if near:
            return *near, groups
        if is_randomised(column, self.ties):
            values = untied_values(column, self.ties, rng)
            problem = JointProblem.of(values, bounds, wanted.distinct, c)
        else:
            problem = JointProblem.of_steps(*column.steps, bounds, wanted.distinct, c)
        return problem, Windows.certified(problem), None

    def sensitivity(self, quantiles: Quantiles) -> float:
        """Δ of the utility: 2 under replace-one, 2 (1 − the least gap, ends too) otherwise."""
        if self.neighbours is Neighbours.REPLACE_ONE:
            return 2.0
        gaps = np.diff(QuantileSet.of(quantiles).distinct, prepend=0.0, append=1.0)
        return 2 * (1 - float(gaps.min()))

    def epsilon(self, budget: Budget) -> float:
        """The ε of the one exponential mechanism that the budget pays for."""
        checked_budget(budget)
        if isinstance(budget, PureDP):
            return budget.epsilon
        if isinstance(budget, ZCDP):
            return self.rho_rule.epsilon(budget, 1)
        return bounded_range_epsilon_for(budget, 1)

    def sharpness(self, budget: Budget, quantiles: Quantiles) -> float:
        """C = ε/(2Δ), by which the density falls with the utility."""
        return self.epsilon(budget) / (2 * self.sensitivity(quantiles))

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds: a table for each treatment of ties.

        On a long column that is spread only near the targets, all runs are drawn together.
        """
        check_cost_request(n, m, budget, runs, resolution)
        if self.ties is Ties.SPREAD and resolution > 0:
            c = self.sharpness(budget, uniform_quantiles(m))
            if first_reach(n, m, c) is not None:
                entries = (110 + 37 * m) * m / _table_size(budget)
                return 5e-4 + (8e-5 + min(8e-8 + 3e-12 * entries, 6e-7) * entries) * runs
        treated = self.ties is Ties.JITTER or (self.ties is Ties.SPREAD and resolution > 0)
        window = min(n, (100 + 6 * m) * math.sqrt(n / 1000) / _table_size(budget))
        table = 5e-4 + m * (2e-4 + 1.05e-7 * window)
        return (table * runs + 7e-8 * n if treated else table) + 6e-6 * m * runs


def _table_size(budget: Budget) -> float:
    """The ε that decides how many ranks a table needs."""
    return math.sqrt(2 * budget.rho) if isinstance(budget, ZCDP) else budget.epsilon


def _values(
    problem: JointProblem, windows: Windows, rng: np.random.Generator, runs: int = 1
) -> FloatArray:
    """Independent draws (runs, m) from the tables of one treatment."""
    if windows.size <= WHOLE:
        places = sample_intervals(tables_of(problem, windows), rng, runs)
    else:
        places = sample_intervals_in_blocks(problem, windows, rng, runs)
    return values_inside(problem, places, rng)


def table_entries(m: int, c: float, records: int) -> float:
    """Entries of one table of m even quantiles on so many records: an upper estimate.

    It rises with records; with n as records it also holds for n records without wild gaps.
    """
    volume = math.log(GAPS) + 1 + math.log(max(1.0, records * c / m))
    reach = (CUT + m * volume) / c if c > 0 else math.inf  # both sides: 2R
    return m * min(records + 1.0, reach + 1.0)


def check_work(m: int, c: float, records: int, asked: str) -> None:
    """Refuse what would take too long on a column of the declared number of records.

    Raises: TooMuchWork with an estimate; it depends on m, c and the declaration alone;
    UnsupportedBudget for one whose weights no doubles hold.
    """
    if c > SHARPEST:
        raise UnsupportedBudget(
            f"JointExp works out its weights in doubles, which hold those of budgets up to about "
            f"ε = {SHARPEST:g}, got {asked}. Choose ApproximateQuantiles, or spend less."
        )
    entries = table_entries(m, c, records)
    if entries <= LARGEST and m <= MOST:
        return
    raise TooMuchWork(
        f"JointExp would fill tables of {entries:,.0f} entries for {m:,} quantiles at {asked}, "
        f"about {max(entries * SECONDS, 1):,.0f} seconds on a column of {records:,} records; its "
        f"limits are {LARGEST:,} entries and {MOST} quantiles, whatever the column holds. Ask for "
        "fewer quantiles, spend more, declare fewer records (records=N), or choose "
        "ApproximateQuantiles."
    )
