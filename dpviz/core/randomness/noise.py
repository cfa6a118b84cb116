"""The laws of the noise on a count, and how each is drawn."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.checks import checked_number, checked_rng, checked_whole, found
from dpviz.core.choices import Choice, choice
from dpviz.core.conversions import laplace_rho, laplace_shift, step_loss, step_rho
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness, bits_of, only_seeded
from dpviz.core.randomness.discrete_gaussian import (
    discrete_gaussian,
    discrete_gaussian_simulated,
    discrete_gaussian_variance,
    discrete_gaussian_within,
)
from dpviz.core.randomness.discrete_laplace import discrete_laplace, discrete_laplace_variance

LEAST = 1e-150  # of a scale whose square is above 0
WIDEST = 1e300  # of a scale whose noise is a double
SMOOTH = 1e100  # from this scale on whole numbers are as good as all
PRICES = 1e-140, 1e140  # in ρ, as budgets of mechanisms
MOST_DRAWN = 1 << 40
FARTHEST = 2.0**52  # a whole number that may be too far by 1


class Noise(Choice):
    """The law of the noise on a node's count.

    Its scale is b for Laplace noise (density ∝ e^{−|x|/b}) and for discrete Laplace noise
    (probability ∝ p^{|k|} on whole numbers, p = e^{−1/b}), the standard deviation for Gaussian, and
    σ of the discrete one (probability ∝ e^{−k²/(2σ²)} on whole numbers). Noise on whole numbers is
    drawn exactly, so that its promise holds of the program; continuous noise is for teaching.

    >>> dp.Noise.DISCRETE_LAPLACE.reach(scale=10, share=0.95)
    30
    """

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"
    DISCRETE_LAPLACE = "discrete-laplace"
    DISCRETE_GAUSSIAN = "discrete-gaussian"

    @classmethod
    def for_budget(cls, budget: Budget) -> Noise:
        """The noise on counts for a budget: discrete Laplace in ε, discrete Gaussian else."""
        return cls.DISCRETE_LAPLACE if isinstance(budget, PureDP) else cls.DISCRETE_GAUSSIAN

    @classmethod
    def continuous_for(cls, budget: Budget) -> Noise:
        """The noise on numbers that need not be whole: Laplace in ε, Gaussian in ρ and (ε, δ)."""
        return cls.LAPLACE if isinstance(budget, PureDP) else cls.GAUSSIAN

    @classmethod
    def or_none(cls, value: str | None, name: str) -> Noise | None:
        """The rule that a value is a noise, names one, or is None for that of the budget.

        Raises: InvalidParameter for anything else.
        """
        return None if value is None else choice(cls, value, name)

    @classmethod
    def chosen(cls, noise: Noise | None, budget: Budget) -> Noise:
        """The noise that was asked for, or for None that of the budget."""
        return cls.for_budget(budget) if noise is None else noise

    @property
    def whole(self) -> bool:
        """Whether it is on whole numbers, drawn exactly."""
        return self in {Noise.DISCRETE_LAPLACE, Noise.DISCRETE_GAUSSIAN}

    @property
    def gaussian(self) -> bool:
        """Whether it is Gaussian, discrete or not: it gives ρ and (ε, δ), never pure ε."""
        return self in {Noise.GAUSSIAN, Noise.DISCRETE_GAUSSIAN}

    def variance(self, scale: float) -> float:
        """Records², exact for each law; 0 for scale 0, ∞ for that of a level left out."""
        scale = _a_scale(scale)
        if scale == 0:
            return 0.0
        if self is Noise.DISCRETE_LAPLACE:
            return discrete_laplace_variance(scale)
        if self is Noise.DISCRETE_GAUSSIAN:
            return discrete_gaussian_variance(scale)
        squared = scale * scale  # ∞ beyond 1.3e154
        return 2 * squared if self is Noise.LAPLACE else squared

    def rho(self, scale: float) -> float:
        """ρ that one count pays when it changes by 1, exact for each law; ∞ for scale 0."""
        scale = _a_scale(scale)
        if scale < LEAST:
            return math.inf
        if self.gaussian:
            return 1 / (2 * scale * scale)
        return (laplace_rho if self is Noise.LAPLACE else step_rho)(1 / scale)

    def scale_for_rho(self, rho: float) -> float:
        """The smallest scale at which a count that changes by 1 costs at most ρ."""
        rho = checked_number(rho, "rho")
        if not PRICES[0] <= rho <= PRICES[1]:
            raise InvalidParameter(f"rho must lie in 1e-140 … 1e140, got {rho}.")
        if self.gaussian:
            return math.sqrt(1 / (2 * rho))
        return 1 / (laplace_shift if self is Noise.LAPLACE else step_loss)(rho)

    def gain_in_rho(self, rho: float) -> float:
        """The scale that ρ buys over that of the older rule, ρ = ½ (change/scale)²; at most 1."""
        return self.scale_for_rho(rho) * math.sqrt(2 * rho)  # which checks ρ first

    def within(self, scale: float, reach: float) -> float:
        """P(|noise| ≤ reach), exact for each law; 1 for scale 0, 0 for scale ∞."""
        scale, reach = _a_scale(scale), checked_number(reach, "reach")
        if not reach >= 0:  # NaN too
            return 0.0
        if scale == 0 or math.isinf(reach):
            return 1.0
        if self is Noise.GAUSSIAN or (self.gaussian and scale > SMOOTH):
            return math.erf(reach / scale / math.sqrt(2))
        if self is Noise.LAPLACE:
            return -math.expm1(-reach / scale)
        if self is Noise.DISCRETE_GAUSSIAN:
            return discrete_gaussian_within(scale, math.floor(reach))
        whole, p = math.floor(reach), math.exp(-1 / scale)
        # 1 − 2p^(k+1)/(1 + p), in parts that do not cancel at large scales
        return -(math.expm1(-(whole + 1) / scale) + p * math.expm1(-whole / scale)) / (1 + p)

    def reach(self, scale: float, share: float) -> float:
        """The smallest t with P(|noise| ≤ t) ≥ share, for a share in [0, 1).

        A whole number for noise on whole numbers; else up to rounding.
        Raises: InvalidParameter for any other share.
        """
        scale, share = _a_scale(scale), checked_number(share, "share")
        if not 0 <= share < 1:
            raise InvalidParameter(f"share must lie in [0, 1), got {found(share)}.")
        if share == 0 or scale == 0 or math.isinf(scale):
            return 0.0 if share == 0 or scale == 0 else math.inf
        if self is Noise.LAPLACE:
            return -scale * math.log1p(-share)
        normal = scale * NormalDist().inv_cdf((1 + share) / 2)
        if self is Noise.GAUSSIAN:
            return normal
        beyond = (1 - share) * (1 + math.exp(-1 / scale)) / 2
        about = normal if self is Noise.DISCRETE_GAUSSIAN else -scale * math.log(beyond) - 1
        return self._whole_reach(scale, share, about)

    def _whole_reach(self, scale: float, share: float, about: float) -> float:
        """The smallest whole number that suffices, from one that is about right."""
        whole = max(0.0, math.ceil(about))
        if whole > FARTHEST:
            return whole
        while whole > 0 and self.within(scale, whole - 1) >= share:
            whole -= 1
        while self.within(scale, whole) < share:
            whole += 1
        return whole

    def draw(self, scale: float, size: tuple[int, ...], rng: Randomness) -> FloatArray:
        """Noise for a release; that on whole numbers comes from random bits alone, exactly.

        Raises: InvalidParameter for continuous noise with secure bits: it holds up to rounding.
        """
        scale, size = _finite(scale), _a_size(size)
        if self is Noise.DISCRETE_LAPLACE:
            return discrete_laplace(scale, size, bits_of(rng))
        if self is Noise.DISCRETE_GAUSSIAN:
            return discrete_gaussian(scale, size, bits_of(rng))
        seeded = only_seeded(rng, f"Continuous {self.value.capitalize()} noise")
        if self is Noise.LAPLACE:
            return seeded.laplace(0.0, scale, size)
        return seeded.normal(0.0, scale, size)

    def simulate(self, scale: float, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Noise of the same law for simulations, up to rounding, several times as fast.

        Nothing is hidden behind it, so its last bits tell nobody anything: a difference of two
        exponentials is Laplace, and of two of them rounded down is discrete Laplace.
        """
        scale, size, rng = _finite(scale), _a_size(size), checked_rng(rng)
        if scale < LEAST:
            return np.zeros(size)
        if self is Noise.DISCRETE_GAUSSIAN:
            return discrete_gaussian_simulated(scale, size, rng)
        if self is Noise.GAUSSIAN:
            return rng.normal(0.0, scale, size)
        noise = rng.standard_exponential(size)
        noise *= scale
        other = rng.standard_exponential(size)
        other *= scale
        if self is Noise.DISCRETE_LAPLACE:
            np.floor(noise, out=noise)
            np.floor(other, out=other)
        noise -= other
        return noise


def _a_scale(value: Any) -> float:
    given = checked_number(value, "scale")
    if given >= 0:  # ∞ is that of a level left out
        return given + 0.0  # no −0
    raise InvalidParameter(f"scale must be 0 or more, got {given}.")


def _finite(value: Any) -> float:
    scale = _a_scale(value)
    if scale > WIDEST:
        raise InvalidParameter(f"scale must be at most {WIDEST:g} to draw noise, got {scale}.")
    return scale


def _a_size(value: Any) -> tuple[int, ...]:
    """The rule that a value is the shape of an array."""
    if not isinstance(value, tuple):
        raise InvalidParameter(f"size must be a tuple such as (3,), got {found(value)}.")
    size = tuple(checked_whole(one, "size", 0, MOST_DRAWN) for one in value)
    checked_whole(math.prod(size), "size", 0, MOST_DRAWN)
    return size
