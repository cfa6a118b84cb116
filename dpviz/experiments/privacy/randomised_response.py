"""Answers that people randomise themselves: nobody has to be trusted, and each adds noise.

Every person sends one of k answers: the true one with chance e^ε/(e^ε + k − 1), else one of the
others, all equally likely. So ε holds of what is sent, whoever collects it.
Source: Warner 1965; Kairouz, Bonawitz and Ramage 2016.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from scipy.stats import binom

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.checks import checked_number, checked_share, checked_whole
from dpviz.core.errors import InvalidParameter

MOST = 1_000_000  # choices
EXACT = 1_000  # people up to whom reaches come from the exact law, beyond from the normal one


@dataclass(frozen=True, slots=True)
class RandomisedResponse:
    """How a person answers one of k choices, numbered from 0, under ε.

    Raises: InvalidParameter for fewer than two choices, or an ε that is not positive and finite.
    """

    choices: int
    epsilon: float

    def __post_init__(self) -> None:
        checked_whole(self.choices, "choices", 2, MOST)
        if not 0 < checked_number(self.epsilon, "epsilon") < math.inf:
            raise InvalidParameter(f"epsilon must be positive and finite, got {self.epsilon}.")

    @classmethod
    def coins(cls, choices: int = 2) -> "RandomisedResponse":
        """First coin heads: the truth; tails: any choice at random, the true one among them."""
        return cls(choices, math.log(choices + 1))

    @property
    def true(self) -> float:
        """The chance that a person sends the truth."""
        return 1 / (1 + (self.choices - 1) * math.exp(-self.epsilon))

    @property
    def other(self) -> float:
        """The chance of each other answer."""
        return math.exp(-self.epsilon) * self.true

    @property
    def told(self) -> float:
        """The share of people who send the truth by the first coin; the rest send any choice."""
        return -math.expm1(-self.epsilon) * self.true  # true − other, exact for a small ε too

    def release(self, answers: IntArray, rng: np.random.Generator) -> IntArray:
        """What people send; spends ε of each, and what is sent may leave their phones."""
        true = rng.random(answers.shape) < self.told
        any_choice = self.choices - 1 - np.floor(self.choices * rng.random(answers.shape))
        return np.where(true, answers, any_choice).astype(np.int64)

    def sums(self, count: int, people: int, rng: np.random.Generator, runs: int) -> IntArray:
        """How many of the people send a choice that is true of so many, in each run, (runs,)."""
        return np.asarray(
            rng.binomial(count, self.true, runs) + rng.binomial(people - count, self.other, runs)
        )

    def estimate(self, sent: FloatArray | IntArray, people: int) -> FloatArray:
        """Of how many people a choice is true, when so many sent it; unbiased, elementwise."""
        return np.asarray((sent - people * self.other) / self.told)

    def law(self, count: int, people: int) -> tuple[FloatArray, FloatArray]:
        """Every estimate of a choice that is true of so many, and its exact chance, (people + 1,).

        The number who send it is a sum of two binomials.
        """
        own = binom.pmf(np.arange(count + 1), count, self.true)
        others = binom.pmf(np.arange(people - count + 1), people - count, self.other)
        return self.estimate(np.arange(people + 1), people), np.convolve(own, others)

    def deviation(self, count: int, people: float) -> float:
        """The standard deviation of an estimate: √(n e^ε)/(e^ε − 1) for two choices."""
        spread = count * self.true * (1 - self.true) + (people - count) * self.other * (
            1 - self.other
        )
        return math.sqrt(spread) / self.told

    def reach(self, count: int, people: int, share: float) -> float:
        """The smallest t so that a share of the estimates is within t; normal beyond EXACT."""
        checked_share(share, "share")
        if people > EXACT:
            return self.deviation(count, people) * NormalDist().inv_cdf((1 + share) / 2)
        values, chances = self.law(count, people)
        off = np.abs(values - count).round(9)
        near = np.argsort(off, kind="stable")
        return float(off[near][np.searchsorted(np.cumsum(chances[near]), share)])
