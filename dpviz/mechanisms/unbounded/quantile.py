"""One quantile of values that no bounds were declared for.

On a lattice the search is exact in the program, from random bits. Counts are whole and the target
is qn with q = a/D, so that everything lies on multiples of 1/D. With noise on them,
P(k) ∝ e^{−εk/D} for k = 0, 1, …, every shift of the proof is a whole number of steps, by a for the
threshold's q, by D for one record, and the price is that of exponential noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import (
    checked_flag,
    checked_runs,
    checked_share,
    checked_whole,
    number,
    optional,
    settle,
    whole_numbers,
)
from dpviz.core.choices import choice
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import MOST_COUNTED
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import Bits, Randomness, bits_of, kind_of, only_seeded, or_secure
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE, discrete_laplace
from dpviz.core.scalars.unbounded import UnboundedRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.whole_scales import rounded_up
from dpviz.mechanisms.requests import SIZES, checked_budget
from dpviz.mechanisms.unbounded.guesses import LARGEST, Guesses, Stretches, present
from dpviz.mechanisms.unbounded.price import (
    checked_quantile,
    even_epsilon,
    spendable,
    unbounded_cost,
)
from dpviz.mechanisms.unbounded.stops import Search, draw_stops, stop_law

LEAST_BASE, LARGEST_BASE = 1 + 1e-6, 1e6
UNITS = 1e-280, 1e280
LARGEST_END = 1e300
MOST_GUESSES = 1 << 22  # each takes noise of its own
MOST_PARTS = 10**6  # D


@dataclass(frozen=True, slots=True)
class UnboundedQuantile:
    """Guesses g_i = lower + unit (base^i − 1); the first one with enough records below is released.

    f_i counts the values below g_i, the target is T = qn, and the search stops at the first i with
    f_i + ν_i ≥ T + τ: one τ of mean 1/ε₁, a fresh ν_i of mean 1/ε₂, both exponential, ε₁ = ε₂.
    guesses is their number, None for all up to 10^300. unit is the first guess's distance from
    lower: the resolution, say. Values below lower count as below.

    overshoot γ lowers the target by ln(1/γ)/ε₁, so that the first guess with f_i ≥ qn is overshot
    with probability γ at most. For a maximum take q = 1 with it: without, guesses drift on beyond
    the last record, by k guesses with probability about 1/k.

    both_signs, with lower = 0, searches −x for 1 − q where the first search stops at guess 0, with
    the other half of the budget, which is paid whether it is used or not.

    >>> dp.UnboundedQuantile().release(range(1000), 0.9, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP, ZCDP and ApproxDP under either relation, whatever the number of guesses;
    exact in the program from random bits, by noise on a lattice, else up to rounding.
    Source: after Durfee 2023; one-sided noise and the price of a private n are this project's.
    """

    base: float = 1.001
    guesses: int | None = None
    lower: float = 0.0
    unit: float = 1.0
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    overshoot: float | None = None
    both_signs: bool = False

    cost = staticmethod(unbounded_cost)

    name: ClassVar[str] = "UnboundedQuantile"
    card: ClassVar[Card] = Card(
        key="UnboundedQuantile",
        title="Quantile without bounds",
        family="Quantiles",
        summary="Public guesses grow from a lower end, each a little larger than the one before. "
        "The first is released that has about $qn$ records below it: $f_i + \\nu_i \\ge qn + "
        "\\tau$, with exponential noise, one $\\tau$ and a fresh $\\nu_i$ for every guess.",
        guarantee="pure ε = max(qε₁ + ε₂, (1 − q)ε₁) under add/remove, ε₁ + ε₂ under replace one, "
        "however many guesses; ρ-zCDP, (ε, δ)",
        neighbours=BOTH,
        cost="one sort; then independent of $n$, and of the number of guesses",
        good_for="data whose range nobody can declare, and proposing bounds for another method",
        watch_out="the answer is a guess, and guesses lie a factor apart; for a maximum aim "
        "below, or the search drifts on beyond the last record",
        source="after Durfee 2023; price under add/remove by this project",
        label="Unbounded",
        words="quantile without bounds",
        lead="Guesses grow until about enough people lie below; the first such guess is released.",
        promises=("pure", "zcdp", "approx"),
        price="a few ranks over ε",
        use="data without known bounds",
        hue="teal dot square-open",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(
            self,
            base=number(LEAST_BASE, LARGEST_BASE),
            lower=number(-LARGEST_END, LARGEST_END),
            unit=number(*UNITS),
            neighbours=lambda value, name: choice(Neighbours, value, name),
            overshoot=optional(checked_share),
            both_signs=checked_flag,
        )
        most = int((LARGEST - max(math.log(self.unit), 0)) / math.log(self.base))
        guesses = most if self.guesses is None else self.guesses
        object.__setattr__(self, "guesses", checked_whole(guesses, "guesses", 1, most))
        if self.both_signs and self.lower != 0:
            raise InvalidParameter(
                f"lower must be 0 for a search on both signs, got {self.lower:g}. Shift the values "
                "by a public number, or leave out both_signs."
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return {
            "base": self.base,
            "guesses": self.grid.count,
            "lower": self.lower,
            "unit": self.unit,
            "overshoot": self.overshoot,
            "both_signs": self.both_signs,
        }

    @property
    def grid(self) -> Guesses:
        """The public guesses."""
        assert self.guesses is not None  # since __post_init__
        return Guesses(self.base, self.guesses, self.lower, self.unit)

    def check(self, budget: Budget, q: float) -> None:
        """Refuse anything but a budget and a quantile from 0 to 1."""
        checked_budget(budget)
        checked_quantile(q, "q")

    def epsilons(self, q: float, budget: Budget) -> tuple[float, ...]:
        """ε₁ = ε₂ of the search, and with both_signs that of the search on −x, which follows."""
        self.check(budget, q)
        q = float(q)
        quantiles = (q, 1 - q) if self.both_signs else (q,)
        share = spendable(budget, len(quantiles), q, self.neighbours)
        return tuple(even_epsilon(share, one, self.neighbours) for one in quantiles)

    @usual_floats
    def searches(self, values: ArrayLike, q: float, budget: Budget) -> tuple[Search, ...]:
        """The search, and with both_signs that on −x. Confidential."""
        given, epsilons, q = present(values), self.epsilons(q, budget), float(q)
        return tuple(
            Search(Stretches.of(sign * given, self.grid), self.target(part, given.size, e), e, e)
            for sign, part, e in zip((1, -1), (q, 1 - q), epsilons, strict=False)
        )

    def target(self, q: float, records: int, epsilon: float) -> float:
        """T, confidential: qn, less ln(1/γ)/ε₁ for an overshoot γ."""
        q = checked_quantile(q, "q")
        return q * checked_whole(records, "records", 0, MOST_COUNTED) - self.shift(epsilon)

    def shift(self, epsilon: float) -> float:
        """ln(1/γ)/ε₁ for an overshoot γ, else 0: public."""
        number(*SIZES)(epsilon, "epsilon")
        return 0.0 if self.overshoot is None else -math.log(self.overshoot) / float(epsilon)

    @usual_floats
    def draw_guesses(
        self, values: ArrayLike, q: float, budget: Budget, rng: np.random.Generator, runs: int
    ) -> IntArray:
        """The number of the guess that each run stops at, (runs,); `guesses` where none is.

        With both_signs the search on −x has negative numbers, and 0 stays 0.
        Raises: InvalidData for values that are not numbers in one dimension, InvalidBudget,
        InvalidParameter; NotExact for bits, which a study never takes.
        """
        seeded = only_seeded(rng, f"{self.card.title} with its continuous noise")
        runs = checked_runs(runs)
        stops = [draw_stops(one, seeded, runs) for one in self.searches(values, q, budget)]
        return np.where(stops[0] > 0, stops[0], -stops[1]) if self.both_signs else stops[0]

    def values_at(self, stops: ArrayLike) -> FloatArray:
        """The guesses of these numbers, elementwise; ∞ or −∞ where no guess was accepted."""
        given = whole_numbers(stops, "stops")
        found = self.grid.at(np.abs(given))
        return np.asarray(np.where(given < 0, -found, found))

    @usual_floats
    def law(self, values: ArrayLike, q: float, budget: Budget) -> FloatArray:
        """The probability of every stop, (guesses + 1,), the last that of none. Confidential.

        With both_signs: (2 guesses + 1,), from −guesses to guesses, as draw_guesses counts.
        Raises: as draw_guesses; TooMuchWork where what is declared may take more than MOST_WORK.
        """
        laws = [stop_law(one) for one in self.searches(values, q, budget)]
        if not self.both_signs:
            return laws[0]
        return np.concatenate((laws[0][0] * laws[1][::-1], laws[0][1:]))

    @usual_floats
    def release(
        self, values: ArrayLike, q: float, budget: Budget, rng: Randomness | None = None
    ) -> UnboundedRelease:
        """One private quantile: a guess, or that it lies beyond the last of them.

        With random bits it is exact in the program; with a generator it holds up to rounding.
        Raises: as draw_guesses; with bits InvalidParameter for more than 4 million guesses, or q
        with a denominator above a million.
        """
        rng = or_secure(rng)
        stop = self.stop(values, q, budget, rng)  # spends the budget
        value = float(self.values_at(stop))
        return UnboundedRelease(
            mechanism=self.name,
            parameters=self.parameters,
            quantile=float(q),
            stop=int(stop),
            value=value if math.isfinite(value) else None,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    @usual_floats
    def stop(self, values: ArrayLike, q: float, budget: Budget, rng: Randomness) -> int:
        """The number of the guess that one search stops at, as draw_guesses counts.

        Guarantee and errors: as release.
        """
        if isinstance(rng, np.random.Generator):
            return int(self.draw_guesses(values, q, budget, rng, 1)[0])
        bits, given, exact = bits_of(rng), present(values), as_written(q)
        searches = [  # all of them are checked before any noise is drawn
            lattice_search(Stretches.of(sign * given, self.grid), part, self.shift(e), e)
            for sign, part, e in zip(
                (1, -1), (exact, 1 - exact), self.epsilons(q, budget), strict=False
            )
        ]
        stops = [exact_stop(one, bits) for one in searches]
        return -stops[1] if self.both_signs and stops[0] == 0 else stops[0]

    def error_bound(
        self, q: float, budget: Budget, failure: float, up_to: float | None = None
    ) -> tuple[float, float]:
        """By how many records the first search misses its target: too early, and too late.

        Each bound fails with probability `failure` at most. Too early: the released guess has
        fewer than T − α records below, α = ln(k₀ ε₁/((ε₁ + ε₂) failure))/ε₂, where k₀ counts the
        guesses before the first with T below. It is confidential: all guesses stand in, or those
        up to a public value that the quantile does not exceed. Too late: the search goes on past
        the first guess with T + α below, α = ln(1/failure)/ε₁. T is qn, less an overshoot's shift.
        """
        failure = checked_share(failure, "failure")
        epsilon = self.epsilons(q, budget)[0]
        before = self.grid.count
        if up_to is not None:
            place = number(-LARGEST_END, LARGEST_END)(up_to, "up_to")
            before = max(1, int(self.grid.above(np.array([place]))[0]))
        early = max(0.0, math.log(before / (2 * failure)) / epsilon)
        return early, -math.log(failure) / epsilon


@confidential("parts", "epsilon")
@dataclass(frozen=True, slots=True)
class LatticeSearch:
    """One search: its confidential stretches and target T in parts of 1/D; public D and ε₁ = ε₂."""

    stretches: Stretches
    target: int
    parts: int
    epsilon: Fraction

    @property
    def scale(self) -> float:
        """D/ε as a double that is not below it: noise may be larger, never smaller."""
        return rounded_up(self.parts / self.epsilon)

    @property
    def missing(self) -> IntArray:
        """T − f at every guess, in parts, (guesses,), falling. Confidential."""
        below = np.repeat(self.stretches.below, self.stretches.length)
        return np.asarray(self.target - self.parts * below, dtype=np.int64)


def lattice_search(
    stretches: Stretches, q: Fraction, shift: float, epsilon: float
) -> LatticeSearch:
    """The search for T = qn − shift, shift rounded up to a part.

    Everything stays in whole numbers of 64 bits: D ≤ 10^6 parts of fewer than 9·10^12 records,
    which no array holds, and noise below 2^50.
    Raises: InvalidParameter for more than 4 million guesses or q with a denominator above a
    million; InvalidBudget for a tiny ε.
    """
    guesses = int(stretches.length.sum())
    if guesses > MOST_GUESSES:
        raise InvalidParameter(
            f"{guesses:,} guesses are too many for an exact search: each takes noise of its own. "
            f"Take a larger base, or at most {MOST_GUESSES:,} guesses."
        )
    if q.denominator > MOST_PARTS:
        raise InvalidParameter(
            f"q = {float(q):g} has the denominator {q.denominator:,}; an exact search takes up to "
            f"{MOST_PARTS:,}. Write q with fewer digits."
        )
    if q.denominator > LARGEST_SCALE * epsilon:
        raise InvalidBudget(
            f"For ε = {epsilon:g} of a search and q = {float(q):g} the noise is too large for "
            "exact draws. Choose a larger budget, or write q with fewer digits."
        )
    down = -(-Fraction(shift) * q.denominator // 1)
    target = q.numerator * stretches.records - int(down)
    return LatticeSearch(stretches, target, q.denominator, Fraction(epsilon))


def exact_stop(search: LatticeSearch, bits: Bits) -> int:
    """The number of the first guess with f + ν ≥ T + τ; that of all guesses where there is none.

    Noise is drawn for every guess, so that how much is drawn says nothing of where it stops.
    """
    missing = search.missing
    threshold = int(geometric(search.scale, 1, bits)[0])
    accepted = geometric(search.scale, missing.size, bits) >= missing + threshold
    return int(np.argmax(accepted)) if accepted.any() else missing.size


def geometric(scale: float, count: int, bits: Bits) -> IntArray:
    """Whole numbers k ≥ 0 with probability ∝ e^{−k/scale}, exactly, (count,).

    Discrete Laplace noise, given that it is not negative: half of it is drawn again, and again.
    """
    found = np.empty(count, dtype=np.int64)
    left = np.arange(count)
    while left.size:
        drawn = discrete_laplace(scale, (left.size,), bits)
        kept = drawn >= 0
        found[left[kept]] = drawn[kept]
        left = left[~kept]
    return found
