"""Symmetric laws on whole numbers: P(k) ∝ weight(|k|), in doubles and between fractions.

A law says its weights twice: as doubles, from which tables are made, and enclosed by fractions as
closely as is asked, which decide what those doubles leave open.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.coins import Enclosure, exp_between

LAST_EXPONENT = 45.0  # of the last weight in doubles: e^−45 < 2^-64
GROUP = 256  # numbers that a group of binary digits can say


class Law(Hashable, Protocol):
    """A law whose weights fall with |k|."""

    def weights(self) -> FloatArray:
        """Weights of 0, 1, …, at least two, each off by at most 2^-41 of itself.

        Those left out are together less than 2^-60 of all weights.
        """

    def last(self, digits: int, /) -> int:
        """A number beyond which about 10^−digits of the law is left, or nothing."""

    def weight(self, k: int, digits: int, /) -> Enclosure:
        """The weight of a whole number k ≥ 0, the closer the more digits."""

    def rest(self, k: int, digits: int, /) -> Fraction:
        """At least the sum of the weights of all numbers above k."""


@dataclass(frozen=True, slots=True)
class Laplace:
    """Weights e^{−k/scale}."""

    scale: float

    def weights(self) -> FloatArray:
        """Beyond, 2 e^−45 and less is left: T_j = 2 e^{−j/scale}/(1 + e^{−1/scale})."""
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(-_upto(LAST_EXPONENT * self.scale) / self.scale)

    def last(self, digits: int) -> int:
        """Where the exponent is at least 2.5 digits."""
        return math.ceil(2.5 * digits * self.scale)

    def weight(self, k: int, digits: int) -> Enclosure:
        """Between fractions."""
        return exp_between(k / Fraction(self.scale), digits)

    def rest(self, k: int, digits: int) -> Fraction:
        """A geometric series: 1/(1 − e^{−x}) ≤ 1 + 1/x."""
        return self.weight(k + 1, digits)[1] * (1 + Fraction(self.scale))


@dataclass(frozen=True, slots=True)
class Gaussian:
    """Weights e^{−k²/(2 scale²)}."""

    scale: float

    def weights(self) -> FloatArray:
        """Beyond, 2.2 e^−45 and less is left: `rest` over all weights, at least 1 and 2.5 scale."""
        with np.errstate(over="ignore", under="ignore"):
            away = _upto(math.sqrt(2 * LAST_EXPONENT) * self.scale) / self.scale
            return np.exp(-0.5 * (away * away))

    def last(self, digits: int) -> int:
        """Where the exponent is at least 2.5 digits."""
        return math.ceil(math.sqrt(5 * digits) * self.scale)

    def weight(self, k: int, digits: int) -> Enclosure:
        """Between fractions."""
        return exp_between(k * k / (2 * Fraction(self.scale) ** 2), digits)

    def rest(self, k: int, digits: int) -> Fraction:
        """Each further weight is at most e^{−x} of the one before, x = (2k + 3)/(2 scale²)."""
        series = 1 + 2 * Fraction(self.scale) ** 2 / (2 * k + 3)
        return self.weight(k + 1, digits)[1] * series


@dataclass(frozen=True, slots=True)
class Digits:
    """The difference of two numbers below 256 with P(j) ∝ e^{−j/scale}.

    Σ e^{−(j + j + k)/scale} over 0 ≤ j < 256 − k is e^{−k/scale} − e^{−(512 − k)/scale}, but for a
    factor that all k share.
    """

    scale: float

    def weights(self) -> FloatArray:
        """As a product, which does not cancel at large scales."""
        k = _upto(GROUP - 1)
        return np.exp(-k / self.scale) * -np.expm1((2 * k - 2 * GROUP) / self.scale)

    def last(self, _: int) -> int:
        """The largest number."""
        return GROUP - 1

    def weight(self, k: int, digits: int) -> Enclosure:
        """Between fractions."""
        near = exp_between(k / Fraction(self.scale), digits)
        far = exp_between((2 * GROUP - k) / Fraction(self.scale), digits)
        return max(Fraction(0), near[0] - far[1]), near[1] - far[0]

    def rest(self, _k: int, _digits: int) -> Fraction:
        """No number lies beyond."""
        return Fraction(0)


def _upto(last: float) -> FloatArray:
    """0, 1, …, up to the first whole number that is at least `last` and 1."""
    return np.arange(max(1, math.ceil(last)) + 1, dtype=np.float64)
