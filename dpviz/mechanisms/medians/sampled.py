"""Private medians of small random samples: faster, with a larger ε on fewer points."""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import Card
from dpviz.core.checks import number, settle
from dpviz.core.errors import InvalidBudget, InvalidParameter, UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import Bits, Randomness, bits_of
from dpviz.core.randomness.coins import below
from dpviz.core.randomness.fair_coins import thinned
from dpviz.mechanisms.exponential.safe_epsilons import LARGE, safe_root
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Cost, Groups, PrivateMedian, a_median, check_step

LEAST_RATE = 1e-6


@dataclass(frozen=True, slots=True)
class SampledMedian:
    """Another median on a Poisson sample of rate p, drawn afresh for every median.

    A step of ε lets the median spend ln(1 + (e^ε − 1)/p) on its sample, and δ/p: ε = ln(1 + p(e^ε'
    − 1)) is exact, where PSD's Theorem 7, 2p e^ε', is loose and useless at small ε. Every step
    must draw a new sample: one sample shared by a path would not amplify its later steps.

    >>> dp.KdTree(3, dp.SampledMedian()).release(points, dp.PureDP(1), rng).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP or ApproxDP as the median; add/remove neighbours only; no zCDP.
    Raises: InvalidParameter for a rate outside 1e-6 … 1, or a sampled median of a sampled one.
    Source: Cormode et al. 2012, §7; Balle, Barthe and Gaboardi 2018, Theorem 8.
    """

    median: PrivateMedian = field(default_factory=ExponentialMedian)
    rate: float = 0.01

    needs_order: ClassVar[bool] = False  # sorting the sample is enough

    def __post_init__(self) -> None:
        settle(self, median=a_median, rate=number(LEAST_RATE, 1))
        if isinstance(self.median, SampledMedian):
            raise InvalidParameter("A sample of a sample is one sample: multiply the rates.")

    card: ClassVar[Card] = Card(
        key="SampledMedian",
        title="Median of a sample",
        words="on a sample",
        lead="Another private median, on a fresh sample of 1 % for every cut.",
        promises=("pure", "approx"),
        price="a sample of its own for every cut",
        use="speed, with very many people",
        label="on a sample",
        family="Maps",
        summary="Another private median on a fresh 1 % sample for every node, amplified exactly: "
        "$\\varepsilon = \\ln(1 + p(e^{\\varepsilon'} - 1))$.",
        guarantee="ε, and (ε, δ) around smooth sensitivity; no ρ",
        neighbours="add/remove one record",
        cost="1 % of the inner median's",
        good_for="speed, and many records",
        watch_out="every median needs a sample of its own",
        source="Cormode et al. 2012, §7; Balle, Barthe and Gaboardi 2018",
        holds="exact where the median inside is",
    )

    @property
    def name(self) -> str:
        """The inner method's name, marked."""
        return f"{self.median.name}, sampled"

    @property
    def takes_delta(self) -> bool:
        """As the inner method."""
        return self.median.takes_delta

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name, "rate": self.rate, "median": self.median.parameters}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse ρ, replace-one neighbours, and a δ of at least the rate."""
        self.median.check(self.inner(budget, neighbours), neighbours)

    def inner(self, budget: Budget, neighbours: Neighbours) -> Budget:
        """What the median may spend on its sample."""
        check_step(budget, neighbours)
        if neighbours is not Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "Sampling amplifies privacy for added or removed records only. Choose "
                "neighbours=ADD_REMOVE, or the same median without sampling."
            )
        match budget:
            case PureDP(epsilon):
                return PureDP(_safely_before(epsilon, self.rate))
            case ApproxDP(epsilon, delta):
                if delta >= self.rate:
                    raise InvalidBudget(
                        f"A step's δ = {delta:g} must be below the sampling rate {self.rate:g}."
                    )
                return ApproxDP(_safely_before(epsilon, self.rate), delta / self.rate)
            case _:
                raise UnsupportedBudget(
                    "Sampling gives no zCDP guarantee. Choose a budget in ε, or the same median "
                    "without sampling."
                )

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """ln(1 + p(e^ε' − 1)) and p δ' of what the inner median takes."""
        inside = self.median.cost(self.inner(budget, neighbours), neighbours)
        return Cost(amplified(inside.epsilon, self.rate), self.rate * inside.delta)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,), each of a sample of its own: nodes are disjoint, steps draw anew."""
        allowed, bits = self.inner(budget, neighbours), bits_of(rng)
        if groups.weights is not None:
            kept = thinned(groups.weights, chance(self.rate), bits)
            groups, chosen = replace(groups, weights=kept), np.flatnonzero(kept)
        else:
            chosen = poisson_sample(groups.values.size, self.rate, bits)
        sample = groups.take(chosen, np.searchsorted(chosen, groups.starts))
        return self.median.draw(sample, allowed, neighbours, rng)


def amplified(epsilon: float, rate: float) -> float:
    """ln(1 + p(e^ε − 1)): what ε costs on a Poisson sample of rate p."""
    if epsilon < 1:
        return math.log1p(rate * math.expm1(epsilon))
    unsampled = math.log1p(-rate) if rate < 1 else -math.inf
    return float(np.logaddexp(unsampled, math.log(rate) + epsilon))  # e^ε would overflow


def _before(epsilon: float, rate: float) -> float:
    """The inverse of amplified, ln(1 + (e^ε − 1)/p)."""
    log_odds = epsilon + math.log(-math.expm1(-epsilon)) - math.log(rate)
    return float(np.logaddexp(0.0, log_odds))


def _safely_before(epsilon: float, rate: float) -> float:
    """_before, moved to the safe side until it costs at most ε as it is written."""
    written, part = as_written(epsilon), chance(rate)
    return safe_root(_before(epsilon, rate), lambda inside: _price(inside, part) <= written)


def _price(epsilon: float, rate: Fraction) -> Fraction:
    """Not below ln(1 + p(e^ε − 1)), in decimals; e^ε is not worked out beyond ε = 1,000."""
    digits = 60 + 2 * max(0, -math.floor(math.log10(epsilon)))
    with decimal.localcontext(prec=digits, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        part = Decimal(rate.numerator) / Decimal(rate.denominator)
        exact = Decimal(epsilon)
        found = exact + part.ln()  # 1 + p(e^ε − 1) < p e^ε (1 + 1e-300) for a large ε
        if epsilon <= LARGE:
            found = (1 + part * (exact.exp() - 1)).ln()
        return Fraction(found) + Fraction(1, 10 ** (digits - 10))


def chance(rate: float) -> Fraction:
    """A rate as it is written; one of more than 62 bits is rounded down to a multiple of 2^-60."""
    written = as_written(rate)
    if written.denominator <= 1 << 62:
        return written
    return Fraction(math.floor(written * (1 << 60)), 1 << 60)


def poisson_sample(n: int, rate: float, bits: Bits) -> IntArray:
    """Ascending indices of 0..n−1, each there with probability rate by an exact coin of its own.

    A coin compares 16 bits with ⌊2^16 p⌋, and where they are equal it is tossed again with what
    is left of p, as a fraction.
    """
    exact = chance(rate)
    if exact == 1:
        return np.arange(n)
    whole, left = divmod(exact * (1 << 16), 1)
    words = bits.words(n, np.uint16)
    taken = words < whole
    tied = np.flatnonzero(words == whole)
    again = below(np.full(tied.size, left.denominator), bits) < left.numerator
    taken[tied[again]] = True
    return np.flatnonzero(taken)
