"""Private medians of small random samples: faster, with a larger ε on fewer points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.card import Card
from dpviz.core.checks import number, settle
from dpviz.core.errors import InvalidBudget, InvalidParameter, UnsupportedBudget
from dpviz.core.neighbours import Neighbours
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Cost, Groups, PrivateMedian, a_median, check_step

LEAST_RATE = 1e-6


@dataclass(frozen=True, slots=True)
class SampledMedian:
    """Another median on a Poisson sample of rate p, drawn afresh for every median.

    A step of ε lets the median spend ln(1 + (e^ε − 1)/p) on its sample, and δ/p: ε = ln(1 + p(e^ε'
    − 1)) is exact, where PSD's Theorem 7, 2p e^ε', is loose and useless at small ε. Every step
    must draw a new sample: one sample shared by a path would not amplify its later steps.
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
        check_step(budget, neighbours)
        self.median.check(self.inner(budget, neighbours), neighbours)

    def inner(self, budget: Budget, neighbours: Neighbours) -> Budget:
        """What the median may spend on its sample."""
        if neighbours is not Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "Sampling amplifies privacy for added or removed records only. Choose "
                "neighbours=ADD_REMOVE, or the same median without sampling."
            )
        match budget:
            case PureDP(epsilon):
                return PureDP(_before(epsilon, self.rate))
            case ApproxDP(epsilon, delta):
                if delta >= self.rate:
                    raise InvalidBudget(
                        f"A step's δ = {delta:g} must be below the sampling rate {self.rate:g}."
                    )
                return ApproxDP(_before(epsilon, self.rate), delta / self.rate)
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
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: np.random.Generator
    ) -> FloatArray:
        """Medians (p,), each of a sample of its own: nodes are disjoint, steps draw anew."""
        allowed = self.inner(budget, neighbours)
        chosen = poisson_sample(groups.values.size, self.rate, rng)
        starts = np.searchsorted(chosen, groups.starts)
        sample = Groups(
            groups.values[chosen], starts, groups.low, groups.high, groups.axis, groups.ordered
        )
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


def poisson_sample(n: int, rate: float, rng: np.random.Generator) -> IntArray:
    """Ascending indices of 0..n−1, each there with probability rate, in time O(n · rate)."""
    if rate == 1:
        return np.arange(n)
    parts, reached = [], -1
    while reached < n:
        expected = (n - reached) * rate
        gaps = rng.geometric(rate, int(expected + 4 * math.sqrt(expected)) + 8)
        parts.append(reached + np.cumsum(gaps))
        reached = int(parts[-1][-1])
    indices = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    return indices[: np.searchsorted(indices, n)]
