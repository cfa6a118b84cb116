"""Discrete Laplace noise, exact: drawn from whole random numbers, without floating point.

Floating-point Laplace noise can give away low bits of what it hides (Mironov 2012); this cannot.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.errors import InvalidBudget

LEAST_VARIANCE = 1e-280  # at scales below 1/645; above the true one, so that weights stay finite
LARGEST_SCALE = 2.0**40  # beyond, whole numbers of 63 bits do not hold the arithmetic
_BITS = 32


def discrete_laplace_variance(scale: float) -> float:
    """2p/(1 − p)² with p = e^{−1/scale}, as 1/(2 sinh²(1/(2 scale))), which never cancels."""
    if math.isinf(scale):
        return math.inf
    if 1 / scale > 645:
        return LEAST_VARIANCE
    return max(LEAST_VARIANCE, 0.5 / math.sinh(0.5 / scale) ** 2)


def discrete_laplace(scale: float, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    """Whole numbers k with probability ∝ e^{−|k|/scale}.

    1/scale is first rounded down to a ratio of whole numbers (to 2^-31 of itself, more coarsely
    only at scales above 2^20): never less noise than asked for. Everything after is exact.
    Raises: InvalidBudget for a scale above 2^40.
    Source: Canonne, Kamath and Steinke 2020, Algorithm 2, many draws at a time.
    """
    if scale > LARGEST_SCALE:
        raise InvalidBudget(
            f"Discrete Laplace noise of scale {scale:g} is beyond 2^40. Choose Laplace noise."
        )
    numerator, denominator = _ratio_below(1 / scale)
    total = math.prod(size)

    def candidates(count: int) -> IntArray:
        magnitude = _geometric(numerator, denominator, count, rng)
        negative = rng.integers(0, 2, count, dtype=np.int64).astype(bool)
        kept = ~(negative & (magnitude == 0))  # else 0 would come twice
        signed: IntArray = np.where(negative, -magnitude, magnitude)[kept]
        return signed

    return _filled(total, candidates).reshape(size).astype(np.float64)


def _ratio_below(epsilon: float) -> tuple[int, int]:
    """Whole numbers s, t with s/t just below ε, t ≤ 2^52."""
    shift = min(52, max(0, _BITS - math.frexp(epsilon)[1]))
    return min(int(math.ldexp(epsilon, shift)), 2**62), 1 << shift


def _filled(total: int, candidates: Callable[[int], IntArray]) -> IntArray:
    """The first `total` accepted candidates; how many to try is only a matter of speed."""
    parts: list[IntArray] = []
    missing = total
    while missing > 0:
        found = candidates(missing + 16)[:missing]
        parts.append(found)
        missing -= found.size
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _geometric(numerator: int, denominator: int, count: int, rng: np.random.Generator) -> IntArray:
    """⌊X · t/s⌋ for X geometric in steps of 1/t: P(k) ∝ e^{−k s/t}, k = 0, 1, …; shape (count,)."""

    def fractions(tried: int) -> IntArray:
        steps = rng.integers(0, denominator, 2 * tried, dtype=np.int64)
        return steps[_exponential_coin(steps, denominator, rng)]

    whole = np.zeros(count, dtype=np.int64)
    going = np.arange(count)
    while going.size:  # whole units of e^{-1}: about one more round for each doubling of count
        ones = np.ones(going.size, dtype=np.int64)
        going = going[_exponential_coin(ones, 1, rng)]
        whole[going] += 1
    return (_filled(count, fractions) + denominator * whole) // numerator


def _exponential_coin(
    numerators: IntArray, denominator: int, rng: np.random.Generator
) -> BoolArray:
    """True with probability e^{−u/t}, elementwise, 0 ≤ u ≤ t (von Neumann 1951).

    Toss coins of probability u/(t k), k = 1, 2, …, until one fails; the first failure at an odd k
    means True. rng.integers is unbiased, so the answer is exact.
    """
    answer = np.zeros(numerators.size, dtype=bool)
    going, left, k = np.arange(numerators.size), numerators, 1
    while going.size:
        goes_on = rng.integers(0, denominator * k, going.size, dtype=np.int64) < left
        if k % 2:
            answer[going[~goes_on]] = True
        going, left, k = going[goes_on], left[goes_on], k + 1
    return answer
