"""The number of heads among fair coins, exactly, however many there are.

Few coins are tossed: the ones in random words are counted. Of n ≥ 2^23 coins N = ⌊n/2⌋ ± i are
heads with probability ∝ C(2N, N + i), and a discrete Gaussian i of variance σ² is kept with
probability e^{i²/(2σ²)} C(2N, N + i)/C(2N, N). For c = N + ½ the ratio of the binomials is
e^{−2 Σ artanh((j − ½)/c)}, j = 1 … |i|, hence at most e^{−i²/c}: with 2σ² ≥ c that is a chance.
"""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care, Enclosure, exp_between, tossed
from dpviz.core.randomness.discrete_gaussian import discrete_gaussian

WORDS_AT_ONCE = 1 << 17  # of 64 coins each
MANY = 1 << 23  # coins that are not tossed one by one any more
TERMS = (
    10  # of the series of a logarithm: the next is below 2^-50 wherever a chance is above 2^-100
)
TABLED = 1000  # factorials up to here are worked out


def heads(coins: IntArray, bits: Bits, care: Care = USUAL) -> IntArray:
    """The number of heads among fair coins, (q,): binomial with 1/2, exactly; coins 1 … 2^53."""
    many = coins >= MANY
    if not many.any():
        return _tossed(coins, bits)
    found = np.empty(coins.size, dtype=np.int64)
    found[~many] = _tossed(coins[~many], bits)
    found[many] = _around_the_half(coins[many], bits, care)
    return found


def thinned(counts: IntArray, chance: Fraction, bits: Bits) -> IntArray:
    """How many of so many records are kept, each by a coin of its own: binomial, exactly, (q,).

    A record is kept if its uniform number lies below the chance; digit after digit, half of those
    that agree with it so far differ in the next.
    """
    if chance == 1:
        return counts.copy()
    kept, left, rest = np.zeros_like(counts), counts.copy(), chance.numerator
    while rest and (some := np.flatnonzero(left)).size:
        ones = heads(left[some], bits)
        if (rest := 2 * rest) >= chance.denominator:
            rest -= chance.denominator
            kept[some] += left[some] - ones
            left[some] = ones
        else:
            left[some] -= ones
    return kept


def _tossed(coins: IntArray, bits: Bits) -> IntArray:
    """The heads of fewer than 2^23 coins each, in pieces that stay in fast memory."""
    found = np.zeros(coins.size, dtype=np.int64)
    size = (coins + 63) >> 6
    end = np.cumsum(size)
    start = 0
    while start < coins.size:
        taken = end[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(end, taken + WORDS_AT_ONCE, side="right")))
        words = bits.words(int(end[stop - 1] - taken), np.uint64)
        last = end[start:stop] - taken - 1
        words[last] >>= (-coins[start:stop] & 63).astype(np.uint64)
        ones = np.bitwise_count(words).astype(np.int64)
        found[start:stop] = np.add.reduceat(ones, last + 1 - size[start:stop])
        start = stop
    return found


def _around_the_half(coins: IntArray, bits: Bits, care: Care) -> IntArray:
    half = coins >> 1
    odd = bits.words(coins.size, np.uint8).astype(np.int64) & coins & 1  # the coin without a pair
    found = half + odd
    # 2σ² ≥ c for σ = 2^k with 4^(k + 1) ≥ 2N + 1: numbers of coins up to fourfold share a law
    power = (np.frexp(2 * half.astype(np.float64) + 1)[1] - 1) >> 1
    for k in np.unique(power).tolist():
        rows = np.flatnonzero(power == k)
        while rows.size:
            off = discrete_gaussian(2.0**k, (rows.size,), bits).astype(np.int64)
            kept = _kept(half[rows], off, k, bits, care)
            found[rows[kept]] += off[kept]
            rows = rows[~kept]
    return found


def _kept(half: IntArray, off: IntArray, k: int, bits: Bits, care: Care) -> BoolArray:
    """Which proposals are kept: none beyond the coins, the others with their chances."""
    kept = np.abs(off) <= half
    inside = np.flatnonzero(kept)

    def exact(index: int, digits: int) -> Enclosure:
        at = inside[index]
        return chance_between(int(half[at]), abs(int(off[at])), k, digits)

    chance = np.exp(-_exponents(half[inside], off[inside], k))
    kept[inside] = tossed(chance, exact, bits, care)
    return kept


def _exponents(half: IntArray, off: IntArray, k: int) -> FloatArray:
    """−ln of each chance: off by less than 2^-44 wherever the chance is not below 2^-100.

    2 Σ artanh((j − ½)/c) by the midpoint rule, 2c Σ_m x^{2m}/(2m(2m − 1)) − x²/(12c (1 − x²)) at
    x = i/c, whose next term is below c^-3; less i²/(2σ²), taken from its first term exactly.
    """
    coins = 2 * half + 1  # 2c
    square = off.astype(np.float64) ** 2
    first = square * ((4 ** (k + 1) - coins) / (coins * 2.0 ** (2 * k + 1)))
    x_square = square / (coins / 2.0) ** 2
    series = np.zeros(off.size)
    for m in range(TERMS, 1, -1):
        series = (series + 1 / (2 * m * (2 * m - 1))) * x_square
    found = first + coins * series * x_square - x_square / (6.0 * coins * (1 - x_square))
    return np.asarray(np.maximum(found, 0.0))


def chance_between(half: int, off: int, k: int, digits: int) -> Enclosure:
    """Bounds on e^{i²/2^(2k + 1)} C(2N, N + i)/C(2N, N), in decimals, for N = half and i = off."""
    with localcontext(prec=digits + 60, rounding=ROUND_HALF_EVEN):
        logs = [log_factorial(one, digits + 5) for one in (half, half + off, half - off)]
        exponent = logs[1] + logs[2] - 2 * logs[0]
        near = Fraction(exponent) - Fraction(off * off, 1 << (2 * k + 1))
    apart = Fraction(1, 10**digits)
    return (
        exp_between(near + apart, digits)[0],
        exp_between(max(near - apart, Fraction(0)), digits)[1],
    )


def log_factorial(number: int, digits: int) -> Decimal:
    """The logarithm of m! but for ½ ln 2π, which cancels, off by less than 10^−digits.

    Stirling's series: its error is less than the first term left out.
    """
    if number < TABLED:
        circle = 2 * _half_circle(digits + 30)
        return Decimal(factorial(number)).ln() - circle.ln() / 2
    m = Decimal(number)
    found = (m + Decimal("0.5")) * m.ln() - m
    for order in range(1, 2 * digits):
        over = _bernoulli(2 * order) / (2 * order * (2 * order - 1)) / number ** (2 * order - 1)
        if abs(over) < Fraction(1, 10 ** (digits + 2)):
            return found
        found += Decimal(over.numerator) / Decimal(over.denominator)
    raise AssertionError("Stirling's series of 1,000! and more has 2,700 digits.")


@lru_cache(maxsize=256)
def _bernoulli(order: int) -> Fraction:
    """The Bernoulli number B_order."""
    if order == 0:
        return Fraction(1)
    before = [comb(order + 1, lower) * _bernoulli(lower) for lower in range(order)]
    return -sum(before, Fraction(0)) / (order + 1)


@lru_cache(maxsize=16)
def _half_circle(digits: int) -> Decimal:
    """π by Machin's formula, to so many digits."""
    scale = 10 ** (digits + 10)

    def arctan_inverse(number: int) -> int:
        power, found, term = scale // number, 0, 0
        while power:
            found += (-1) ** term * (power // (2 * term + 1))
            power //= number * number
            term += 1
        return found

    whole: int = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return Decimal(whole) / Decimal(scale)
