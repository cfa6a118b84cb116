"""How far noise takes an answer from the truth on average, when the answer is shifted as well."""

from __future__ import annotations

import math

import numpy as np

from dpviz.core.randomness.discrete_gaussian import REACH, SUMMED
from dpviz.core.randomness.noise import Noise


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
