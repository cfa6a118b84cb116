"""Discrete Gaussian noise, exact: whole numbers k with probability ∝ e^{−k²/(2σ²)}.

Up to a scale of some hundreds it is looked up in a table (tables.py). Beyond, a discrete Laplace
number of scale t = ⌊σ⌋ + 1 is kept with probability e^{−(|y| − σ²/t)²/(2σ²)}, a coin whose exponent
is a fraction: rejection sampling, exact.
Source: Canonne, Kamath and Steinke 2020, Algorithm 3.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care, Enclosure, exp_between, tossed
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE, discrete_laplace_whole
from dpviz.core.randomness.symmetric_laws import Gaussian
from dpviz.core.randomness.tables import Whole, looked_up

LEAST_VARIANCE = 1e-280  # at tiny scales; above the true one, so that weights stay finite
SUMMED = 25.0  # up to this scale sums go over whole numbers; beyond, by Euler and Maclaurin
REACH = 40.0  # scales beyond which nothing is left in a double
WIDEST_TABLE = 768.0  # its weights are fewer than 2^13
AT_ONCE = 1 << 16  # draws worked on at once: they stay in fast memory


def discrete_gaussian(
    scale: float, size: tuple[int, ...], bits: Bits, care: Care = USUAL
) -> FloatArray:
    """Whole numbers k with probability ∝ e^{−k²/(2 scale²)}, exactly, for the double `scale`.

    Raises: InvalidBudget for a scale of 2^40 or more.
    """
    if not 0 < scale < LARGEST_SCALE:
        raise InvalidBudget(
            f"Whole-number noise has scales below 2^40, got {scale:g}. Choose continuous noise "
            "for teaching, or a larger budget."
        )
    drawn = np.empty(size)  # never reshaped: whoever gets it owns it
    flat = drawn.reshape(-1)
    for start in range(0, flat.size, AT_ONCE):
        part = flat[start : start + AT_ONCE]
        if scale <= WIDEST_TABLE:
            part[...] = looked_up(Gaussian(scale), part.size, bits, care)
        else:
            part[...] = _by_rejection(scale, part.size, bits, care)
    return drawn


def _by_rejection(scale: float, count: int, bits: Bits, care: Care) -> IntArray:
    wide = math.floor(scale) + 1
    variance = Fraction(scale) ** 2
    middle = variance / wide
    drawn = np.empty(count, dtype=np.int64)
    left = np.arange(count)
    while left.size:
        tried = discrete_laplace_whole(float(wide), left.size, bits)
        away = np.abs(tried).astype(np.float64)
        away -= float(middle)
        away /= scale
        away *= away
        away *= -0.5
        chance = np.exp(away, out=away)

        def exact(index: int, digits: int, tried: Whole = tried) -> Enclosure:
            apart = abs(int(tried[index])) - middle
            return exp_between(apart * apart / (2 * variance), digits)

        kept = tossed(chance, exact, bits, care)
        drawn[left[kept]] = tried[kept]
        left = left[~kept]
    return drawn


def discrete_gaussian_variance(scale: float) -> float:
    """Σ k² e^{−k²/(2σ²)} / Σ e^{−k²/(2σ²)}: below σ², and equal to it in doubles for σ ≥ 2."""
    if math.isinf(scale):
        return math.inf
    if scale >= 2:  # by Poisson summation they differ by e^{−2π²σ²} · 8π²σ² of it and less
        return scale * scale
    at = np.arange(1, math.ceil(REACH * max(scale, 0.1)) + 1, dtype=np.float64)
    with np.errstate(under="ignore", over="ignore", divide="ignore"):
        weight = 2 * np.exp(-((at / scale) ** 2) / 2)
    return max(LEAST_VARIANCE, float((weight * at**2).sum() / (1 + weight.sum())))


@lru_cache(maxsize=1024)  # public numbers only
def discrete_gaussian_within(scale: float, reach: int) -> float:
    """P(|k| ≤ reach) for a whole number reach ≥ 0."""
    if reach >= REACH * max(scale, 1.0):
        return 1.0
    if scale > SUMMED:
        return _within_by_integral(scale, reach)
    at = np.arange(1, math.ceil(REACH * max(scale, 1.0)) + 1, dtype=np.float64)
    with np.errstate(under="ignore", over="ignore"):
        weight = 2 * np.exp(-((at / scale) ** 2) / 2)
    inside, beyond = 1 + weight[:reach].sum(), weight[reach:].sum()
    return float(1 - beyond / (inside + beyond))


def _within_by_integral(scale: float, reach: int) -> float:
    """The midpoint rule of Euler and Maclaurin, off by less than 1e-12 from scale 25 on.

    A sum of f over whole numbers is the integral over ± (reach + ½), less the change of f' by 1/24,
    more that of f''' by 7/5760, less that of the fifth derivative by 31/967680; over all whole
    numbers it is σ √(2π) in doubles.
    """
    x = (reach + 0.5) / scale
    density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi) / scale
    # derivatives of odd order change by twice the one on the right
    first = -x * density / scale
    third = -(x**3 - 3 * x) * density / scale**3
    fifth = -(x**5 - 10 * x**3 + 15 * x) * density / scale**5
    corrections = -first / 12 + 7 * third / 2880 - 31 * fifth / 483840
    return math.erf(x / math.sqrt(2)) + corrections


def discrete_gaussian_simulated(
    scale: float, size: tuple[int, ...], rng: np.random.Generator
) -> FloatArray:
    """The same law up to rounding, in doubles, for simulations."""
    count, wide = math.prod(size), math.floor(scale) + 1
    drawn = np.empty(count)
    left = np.arange(count)
    while left.size:
        up, down = rng.standard_exponential((2, left.size))
        tried = np.floor(up * wide) - np.floor(down * wide)
        chance = np.exp(-(((np.abs(tried) - scale * scale / wide) / scale) ** 2) / 2)
        kept = rng.random(left.size) < chance
        drawn[left[kept]] = tried[kept]
        left = left[~kept]
    return drawn.reshape(size)
