"""Discrete Laplace noise, exact: drawn from words of random bits, by tables (tables.py).

Floating-point Laplace noise can give away low bits of what it hides (Mironov 2012); this cannot.
The noise is the difference of two geometric variables with P(k) ∝ e^{−λk}. Their binary digits are
independent coins, since e^{−λk} is the product of e^{−λ 2^i} over the digits of k that are 1. So
noise too wide for one table is cut into groups of eight digits: what is above them is discrete
Laplace with rate 256 λ, and the difference of the two groups has a table of its own.
"""

import math

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.core.randomness.symmetric_laws import GROUP, Digits, Laplace
from dpviz.core.randomness.tables import Whole, looked_up

LEAST_VARIANCE = 1e-280  # at scales below 1/645; above the true one, so that weights stay finite
LARGEST_SCALE = 2.0**40  # beyond, doubles might not hold a count and its noise exactly
WIDEST_TABLE = 128.0  # beyond, two quick tables cost less than one where many words do not decide
AT_ONCE = 1 << 16  # draws worked on at once: they stay in fast memory
NARROW_GROUPS = 2  # with a number of 16 bits above them, they fit 32 bits


def discrete_laplace_variance(scale: float) -> float:
    """2p/(1 − p)² with p = e^{−1/scale}, as 1/(2 sinh²(1/(2 scale))), which never cancels."""
    if scale > 1e150:  # its square is beyond all doubles, or nearly
        return math.inf
    if 1 / scale > 645:
        return LEAST_VARIANCE
    return max(LEAST_VARIANCE, 0.5 / math.sinh(0.5 / scale) ** 2)


def discrete_laplace(
    scale: float, size: tuple[int, ...], bits: Bits, care: Care = USUAL
) -> FloatArray:
    """Whole numbers k with probability ∝ e^{−|k|/scale}, exactly, for the double `scale` itself.

    Raises: InvalidBudget for a scale above 2^40.
    Source: this project, after Canonne, Kamath and Steinke 2020.
    """
    if not 0 < scale <= LARGEST_SCALE:
        raise InvalidBudget(
            f"Whole-number noise has scales up to 2^40, got {scale:g}. Choose continuous noise "
            "for teaching, or a larger budget."
        )
    drawn = np.empty(size)  # never reshaped: whoever gets it owns it
    flat = drawn.reshape(-1)
    for start in range(0, flat.size, AT_ONCE):
        part = flat[start : start + AT_ONCE]
        part[...] = discrete_laplace_whole(scale, part.size, bits, care)
    return drawn


def discrete_laplace_whole(scale: float, count: int, bits: Bits, care: Care = USUAL) -> Whole:
    """The same as whole numbers, (count,), of a type that is wide enough; for few draws at once."""
    groups = []
    while scale > WIDEST_TABLE:
        groups.append(Digits(scale))
        scale /= GROUP  # exact
    drawn = looked_up(Laplace(scale), count, bits, care)
    if groups:
        narrow = len(groups) <= NARROW_GROUPS and drawn.dtype == np.int16
        drawn = drawn.astype(np.int32 if narrow else np.int64)
    for group in reversed(groups):
        drawn *= GROUP
        drawn += looked_up(group, count, bits, care)
    return drawn
