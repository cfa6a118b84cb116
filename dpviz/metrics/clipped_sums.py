"""The exact error of a noisy clipped mean: what clipping cuts off, and what noise adds.

How far noise takes an answer that is shifted as well is a mean over the noise.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.core.randomness.discrete_gaussian import REACH, SUMMED
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.sums.noisy_mean import NoisyMean


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class ClippingError:
    """Mean errors for several upper bounds, in the column's units. Confidential.

    Shapes: all (bounds,). cut is what clipping takes from the mean, noise what the noise alone
    would be off by on average, error what both are.
    """

    upper: FloatArray
    cut: FloatArray
    noise: FloatArray
    error: FloatArray

    @property
    def best(self) -> int:
        """Which of the bounds has the least error."""
        return int(np.argmin(self.error))


def clipping_error(
    values: FloatArray, low: float, upper: FloatArray, mechanism: NoisyMean, budget: Budget
) -> ClippingError:
    """E|noisy clipped mean − mean of the values as they are|, for each upper bound.

    Shapes: values (n,) without NaN, upper (bounds,). Exact: no draw is made. The mean is over the
    mechanism's public number of records.
    """
    ends = [Bounds(low, float(one)) for one in upper]
    scales = np.array([mechanism.total.scale(one, budget) for one in ends]) / mechanism.records
    ordered = np.sort(values)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    above = np.searchsorted(ordered, upper, side="right")
    below = int(np.searchsorted(ordered, low))
    clipped = sums[above] - sums[below] + low * below + upper * (ordered.size - above)
    cut = (clipped - sums[-1]) / mechanism.records
    law = mechanism.total.law(budget)
    noise = np.array([expected_size(law, scale) for scale in scales])
    pairs = zip(scales.tolist(), cut.tolist(), strict=True)
    error = np.array([expected_size(law, scale, shift) for scale, shift in pairs])
    return ClippingError(np.asarray(upper, dtype=float), np.abs(cut), noise, error)


def expected_size(noise: Noise, scale: float, shift: float = 0.0) -> float:
    """E|shift + noise|, exact for each law, in the units of scale and shift.

    Laplace: |s| + b e^{−|s|/b}; Gaussian: the mean of a folded normal. On whole numbers it is
    linear between whole s; there discrete Laplace, with p = e^{−1/b}: |s| + 2 p^{|s|+1}/(1 − p²).
    """
    size = abs(shift)
    if scale == 0:
        return size
    if noise is Noise.LAPLACE:
        return size + scale * math.exp(-size / scale)
    if noise is Noise.GAUSSIAN:
        return _folded(size, scale)
    whole = _discrete_gaussian if noise is Noise.DISCRETE_GAUSSIAN else _discrete
    below = math.floor(size)
    rest = size - below
    return (1 - rest) * whole(below, scale) + rest * whole(below + 1, scale)


def _folded(size: float, scale: float) -> float:
    reach = size / scale
    density = scale * math.sqrt(2 / math.pi) * math.exp(-(reach**2) / 2)
    return density + size * math.erf(reach / math.sqrt(2))


def _discrete_gaussian(size: int, scale: float) -> float:
    """By a sum up to scale 25, beyond by Euler and Maclaurin, whose kink lies at a whole number."""
    if scale > SUMMED:
        density = math.exp(-((size / scale) ** 2) / 2) / (scale * math.sqrt(2 * math.pi))
        bend = density * ((size / scale) ** 2 - 1) / scale**2
        return _folded(size, scale) - density / 6 + bend / 120
    at = np.arange(1, math.ceil(REACH * max(scale, 1.0)) + 1, dtype=np.float64)
    with np.errstate(under="ignore", over="ignore"):
        weight = 2 * np.exp(-((at / scale) ** 2) / 2)
    beyond = np.maximum(at - size, 0.0)
    return size + float((weight * beyond).sum() / (1 + weight.sum()))


def _discrete(size: int, scale: float) -> float:
    beyond = 2 * math.exp(-(size + 1) / scale) / -math.expm1(-2 / scale)
    return size + beyond
