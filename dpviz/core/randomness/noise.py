"""The laws of the noise on a count, and how each is drawn."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.checks import found
from dpviz.core.choices import Choice
from dpviz.core.conversions import laplace_rho, laplace_shift, step_loss, step_rho
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.discrete_laplace import discrete_laplace, discrete_laplace_variance


class Noise(Choice):
    """The law of the noise on a node's count.

    Its scale is b for Laplace noise (density ∝ e^{−|x|/b}) and for discrete Laplace noise
    (probability ∝ p^{|k|} on whole numbers, p = e^{−1/b}), the standard deviation for Gaussian.
    """

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"
    DISCRETE_LAPLACE = "discrete-laplace"

    @classmethod
    def for_budget(cls, budget: Budget) -> Noise:
        """The noise that suits a budget: Laplace in pure ε, Gaussian in ρ and in (ε, δ)."""
        return cls.LAPLACE if isinstance(budget, PureDP) else cls.GAUSSIAN

    def variance(self, scale: float) -> float:
        """Records², exact for each law; 0 for scale 0, ∞ for that of a level left out."""
        if scale == 0:
            return 0.0
        if self is Noise.DISCRETE_LAPLACE:
            return discrete_laplace_variance(scale)
        return 2 * scale**2 if self is Noise.LAPLACE else scale**2

    def rho(self, scale: float) -> float:
        """ρ that one count pays when it changes by 1, exact for each law."""
        if self is Noise.GAUSSIAN:
            return 1 / (2 * scale**2)
        return (laplace_rho if self is Noise.LAPLACE else step_rho)(1 / scale)

    def scale_for_rho(self, rho: float) -> float:
        """The smallest scale at which a count that changes by 1 costs at most ρ."""
        if self is Noise.GAUSSIAN:
            return math.sqrt(1 / (2 * rho))
        return 1 / (laplace_shift if self is Noise.LAPLACE else step_loss)(rho)

    def gain_in_rho(self, rho: float) -> float:
        """The scale that ρ buys over that of the older rule, ρ = ½ (change/scale)²; at most 1."""
        return self.scale_for_rho(rho) * math.sqrt(2 * rho)

    def within(self, scale: float, reach: float) -> float:
        """P(|noise| ≤ reach), exact for each law; 1 for scale 0, 0 for scale ∞."""
        if not reach >= 0:  # NaN too
            return 0.0
        if scale == 0 or math.isinf(reach):
            return 1.0
        if self is Noise.GAUSSIAN:
            return math.erf(reach / scale / math.sqrt(2))
        if self is Noise.LAPLACE:
            return -math.expm1(-reach / scale)
        whole, p = math.floor(reach), math.exp(-1 / scale)
        # 1 − 2p^(k+1)/(1 + p), in parts that do not cancel at large scales
        return -(math.expm1(-(whole + 1) / scale) + p * math.expm1(-whole / scale)) / (1 + p)

    def reach(self, scale: float, share: float) -> float:
        """The smallest t with P(|noise| ≤ t) ≥ share, for a share in [0, 1).

        A whole number for discrete Laplace noise; else up to rounding.
        Raises: InvalidParameter for any other share.
        """
        if not 0 <= share < 1:
            raise InvalidParameter(f"share must lie in [0, 1), got {found(share)}.")
        if share == 0 or scale == 0:
            return 0.0
        if math.isinf(scale):
            return math.inf
        if self is Noise.GAUSSIAN:
            return scale * NormalDist().inv_cdf((1 + share) / 2)
        if self is Noise.LAPLACE:
            return -scale * math.log1p(-share)
        beyond = (1 - share) * (1 + math.exp(-1 / scale)) / 2
        whole = max(0.0, math.ceil(-scale * math.log(beyond) - 1))
        if whole > 0 and self.within(scale, whole - 1) >= share:  # the logarithm was rounded up
            return whole - 1
        return whole if self.within(scale, whole) >= share else whole + 1

    def draw(self, scale: float, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Noise for a release; discrete Laplace noise comes from whole random bits alone."""
        if self is Noise.LAPLACE:
            return rng.laplace(0.0, scale, size)
        if self is Noise.GAUSSIAN:
            return rng.normal(0.0, scale, size)
        return discrete_laplace(scale, size, rng)

    def simulate(self, scale: float, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Noise of the same law for simulations, up to rounding, several times as fast.

        Nothing is hidden behind it, so its last bits tell nobody anything: a difference of two
        exponentials is Laplace, and of two of them rounded down is discrete Laplace.
        """
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
