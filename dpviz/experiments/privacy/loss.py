"""The laws of one mechanism's output on two neighbouring columns, and the log of their ratio."""

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise

POINTS = 300  # of a smooth curve on each side of its two centres
REACH = {Noise.LAPLACE: 8.0, Noise.DISCRETE_LAPLACE: 8.0, Noise.GAUSSIAN: 5.5}
REACH[Noise.DISCRETE_GAUSSIAN] = REACH[Noise.GAUSSIAN]
TAIL = 39.0  # scales beyond which no chance is left in a double
WIDE = 1e4  # scales beyond which a sum over whole numbers is long and tells nothing more


@dataclass(frozen=True, slots=True)
class Claim:
    """What a mechanism promises under a budget: |log ratio| ≤ ε, but for δ."""

    epsilon: float
    delta: float = 0.0


class Shape(StrEnum):
    """How a law is given: constant between edges, at points of a smooth curve, or at atoms."""

    STEPS = "steps"
    CURVE = "curve"
    ATOMS = "atoms"


@confidential("shape")
@dataclass(frozen=True, slots=True, eq=False)
class Loss:
    """Two laws in logs, and their log ratio, which is worked out without dividing the two.

    Shapes: log_one, log_other and log_ratio (d,); at is (d+1,) edges for STEPS, else (d,) points.
    """

    shape: Shape
    at: FloatArray
    log_one: FloatArray
    log_other: FloatArray
    log_ratio: FloatArray

    @property
    def largest(self) -> float:
        """The largest |log ratio| on the grid: over all outputs but for Gaussian noise."""
        return float(np.abs(self.log_ratio).max())


def noise_loss(noise: Noise, scale: float, one: float, other: float) -> Loss:
    """The laws of two counts under the same noise, wherever a visible share of outputs falls.

    Where atoms are too many to draw, at large scales, every so many-th stands for them.
    """
    reach = REACH[noise] * scale
    if noise.whole:
        shape, at = Shape.ATOMS, _atoms(min(one, other), max(one, other), max(reach, 3.0))
    else:
        around = np.arange(-POINTS, POINTS + 1) / POINTS * reach  # both peaks among them
        shape, at = Shape.CURVE, np.unique(np.concatenate((one + around, other + around)))
    if noise.gaussian:
        ratio = (one - other) / scale * ((at - one) + (at - other)) / scale / 2
    else:
        ratio = (np.abs(at - other) - np.abs(at - one)) / scale
    return Loss(
        shape, at, log_law(noise, scale, at - one), log_law(noise, scale, at - other), ratio
    )


def _atoms(low: float, high: float, reach: float) -> FloatArray:
    ends = math.floor(low - reach), math.ceil(high + reach)
    stride = max(1, (ends[1] - ends[0]) // (4 * POINTS))
    first = int(low) - (int(low) - ends[0]) // stride * stride  # keeps a centre, where it peaks
    return np.arange(first, ends[1] + 1, stride, dtype=np.float64)


def log_law(noise: Noise, scale: float, distance: FloatArray) -> FloatArray:
    """The log of a law at distances from its centre: of a chance for whole noise, of a density."""
    if noise is Noise.GAUSSIAN:
        return -((distance / scale) ** 2) / 2 - math.log(scale) - math.log(2 * math.pi) / 2
    if noise is Noise.DISCRETE_GAUSSIAN:
        return -((distance / scale) ** 2) / 2 + math.log(noise.within(scale, 0))
    falls = -np.abs(distance) / scale
    if noise is Noise.DISCRETE_LAPLACE:
        return falls + math.log(math.tanh(0.5 / scale))  # (1 − p)/(1 + p), p = e^(−1/scale)
    return falls - math.log(2) - math.log(scale)


def gaussian_delta(sigma: float, epsilon: float) -> float:
    """The smallest δ of (ε, δ)-DP for Gaussian noise of sigma times the sensitivity.

    Equals P(L > ε) − e^ε P'(L > ε), L being the log ratio, P and P' the two output laws.
    Source: Balle and Wang 2018, Theorem 8.
    """
    over = log_ndtr(0.5 / sigma - epsilon * sigma)
    under = epsilon + log_ndtr(-0.5 / sigma - epsilon * sigma)
    return float(np.exp(over) * -np.expm1(min(under - over, 0.0)))


def gaussian_share_above(sigma: float, epsilon: float) -> float:
    """How often the log ratio exceeds ε: P(L > ε), always more than the δ that goes with ε."""
    return float(np.exp(log_ndtr(0.5 / sigma - epsilon * sigma)))


def delta_of(noise: Noise, scale: float, epsilon: float) -> float:
    """The exact δ(ε) of a count with Gaussian noise, discrete or not, that changes by 1.

    Beyond a scale of 10^4 the discrete one is read as the continuous one: of a δ down to 1e-200
    they differ by less than a millionth there, and by less and less.
    """
    if noise is Noise.GAUSSIAN or scale > WIDE:
        return gaussian_delta(scale, epsilon)
    at = _beyond(scale, epsilon)
    loss = (1 - 2 * at) / (2 * scale * scale)
    return float((_chances(scale, at) * -np.expm1(np.minimum(epsilon - loss, 0.0))).sum())


def share_above_of(noise: Noise, scale: float, epsilon: float) -> float:
    """How often the loss of such a count exceeds ε: more than δ(ε)."""
    if noise is Noise.GAUSSIAN or scale > WIDE:
        return gaussian_share_above(scale, epsilon)
    return float(_chances(scale, _beyond(scale, epsilon)).sum())


def _beyond(scale: float, epsilon: float) -> FloatArray:
    """The whole k whose loss (1 − 2k)/(2σ²) against k − 1 exceeds ε, as far as a double tells."""
    most = math.ceil(0.5 - epsilon * scale * scale) - 1
    least = min(most, -math.ceil(TAIL * scale)) - math.ceil(scale) - 1
    return np.arange(least, most + 1, dtype=np.float64)


def _chances(scale: float, at: FloatArray) -> FloatArray:
    return np.asarray(np.exp(log_law(Noise.DISCRETE_GAUSSIAN, scale, at)))


@lru_cache(maxsize=256)  # public numbers only
def epsilon_of(noise: Noise, scale: float, delta: float) -> float:
    """The smallest ε of (ε, δ)-DP for such a count."""
    if noise is Noise.GAUSSIAN:
        return gaussian_epsilon(scale, delta)
    if delta_of(noise, scale, 0.0) <= delta:
        return 0.0
    rho = 0.5 / scale**2
    high = rho + 2 * math.sqrt(rho * -math.log(delta))  # zCDP's tail bound

    def excess(epsilon: float) -> float:
        return delta_of(noise, scale, epsilon) - delta

    found = float(brentq(excess, 0.0, high, xtol=1e-12 * max(1.0, high)))
    return found if excess(found) <= 0 else found + 1e-11 * max(1.0, high)


def gaussian_epsilon(sigma: float, delta: float) -> float:
    """The smallest ε of (ε, δ)-DP for Gaussian noise of sigma times the sensitivity."""
    if gaussian_delta(sigma, 0.0) <= delta:
        return 0.0
    rho = 0.5 / sigma**2
    high = rho + 2 * math.sqrt(rho * -math.log(delta))  # zCDP's tail bound

    def excess(epsilon: float) -> float:
        return gaussian_delta(sigma, epsilon) - delta

    return float(brentq(excess, 0.0, high, xtol=1e-12 * max(1.0, high)))
