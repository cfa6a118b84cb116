"""How far noise takes an answer from the truth on average, when the answer is shifted as well."""

from __future__ import annotations

import math

from dpviz.core.randomness.noise import Noise


def expected_size(noise: Noise, scale: float, shift: float = 0.0) -> float:
    """E|shift + noise|, exact for each law, in the units of scale and shift.

    Laplace: |s| + b e^{−|s|/b}; Gaussian: the mean of a folded normal; discrete Laplace, with
    p = e^{−1/b} and whole s: |s| + 2 p^{|s|+1}/(1 − p²), and linear between whole numbers.
    """
    size = abs(shift)
    if scale == 0:
        return size
    if noise is Noise.LAPLACE:
        return size + scale * math.exp(-size / scale)
    if noise is Noise.GAUSSIAN:
        reach = size / scale
        density = scale * math.sqrt(2 / math.pi) * math.exp(-(reach**2) / 2)
        return density + size * math.erf(reach / math.sqrt(2))
    below = math.floor(size)
    rest = size - below
    return (1 - rest) * _discrete(below, scale) + rest * _discrete(below + 1, scale)


def _discrete(size: int, scale: float) -> float:
    beyond = 2 * math.exp(-(size + 1) / scale) / -math.expm1(-2 / scale)
    return size + beyond
