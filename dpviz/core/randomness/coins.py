"""Whole numbers and coins of exact chance, from random words.

A coin of chance P compares a uniform number with P. The number is its first bits, and more of
them only where those leave open on which side it lies: a double decides only when a bound on its
error says that exact arithmetic would decide the same, else whole numbers do.
"""

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.randomness.bits import Bits

Enclosure = tuple[Fraction, Fraction]  # below and above the exact number, or equal to it
FIRST_DIGITS = 30  # decimal digits of the first enclosure
MORE_BITS = 64


@dataclass(frozen=True, slots=True)
class Care:
    """How many bits a double is compared with, and the largest error that it may have.

    Only tests take others than USUAL: few bits and a wide margin make whole numbers decide often,
    and the law must stay the same.
    """

    bits: int = 53
    margin: float = 2.0**-40


USUAL = Care()


def below(limits: IntArray, bits: Bits) -> IntArray:
    """Uniform whole numbers k with 0 ≤ k < limit, elementwise, for limits from 1 to 2^62.

    Words are cut to the bits of limit − 1 and drawn anew while they are too large: exact.
    """
    last = np.asarray(limits, dtype=np.int64) - 1
    mask = _ones(last)
    drawn = np.empty(last.shape, dtype=np.int64)
    left = np.arange(last.size)
    while left.size:
        tried = (bits.words(left.size, np.uint64) & mask[left].astype(np.uint64)).astype(np.int64)
        drawn[left] = tried
        left = left[tried > last[left]]
    return drawn


def _ones(last: IntArray) -> IntArray:
    """The smallest 2^k − 1 that is at least `last`, elementwise."""
    mask = last.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    return mask


def tossed(
    chance: FloatArray, exact: Callable[[int, int], Enclosure], bits: Bits, care: Care = USUAL
) -> BoolArray:
    """One coin for each chance (k,): True with the exact probability that `chance` approximates.

    exact(i, digits) encloses the exact chance of coin i, the closer the more digits it is asked
    for; it is called for the few coins that a double cannot decide, and its enclosures must close
    on the chance. care.margin bounds the errors of `chance`.
    """
    words = bits.words(chance.size, np.uint64) >> np.uint64(64 - care.bits)
    number = words.astype(np.float64)
    number *= 2.0**-care.bits
    tails = number >= chance + care.margin
    number += 2.0**-care.bits
    heads = number <= chance - care.margin
    for index in np.flatnonzero(heads == tails):  # neither
        heads[index] = decided(int(words[index]), int(index), exact, bits, care.bits)
    return heads


def decided(
    drawn: int, index: int, exact: Callable[[int, int], Enclosure], bits: Bits, known: int
) -> bool:
    """Whether a number whose first `known` bits are `drawn` lies below the exact chance."""
    digits = FIRST_DIGITS
    while True:
        low, high = exact(index, digits)
        if Fraction(drawn + 1, 1 << known) <= low:
            return True
        if Fraction(drawn, 1 << known) >= high:
            return False
        drawn = (drawn << MORE_BITS) | int(bits.words(1, np.uint64)[0])
        known, digits = known + MORE_BITS, digits + 20


def exp_between(exponent: Fraction, digits: int) -> Enclosure:
    """Bounds on e^−exponent for a rational exponent ≥ 0, apart by about 10^−digits of it or less.

    decimal's exp is correctly rounded, so its neighbours enclose it. Where e^−exponent lies below
    10^−digits, it is enclosed by 0 and that: nothing is worked out for exponents like 10^18.
    """
    if exponent == 0:
        return Fraction(1), Fraction(1)
    if exponent > 3 * digits:  # e^−3 < 1/10
        return Fraction(0), Fraction(1, 10**digits)
    with decimal.localcontext(
        prec=digits + 10, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX
    ) as context:
        top, bottom = decimal.Decimal(exponent.numerator), decimal.Decimal(exponent.denominator)
        context.rounding = decimal.ROUND_CEILING
        largest = top / bottom
        context.rounding = decimal.ROUND_FLOOR
        smallest = top / bottom
        low = (-largest).exp().next_minus()
        high = (-smallest).exp().next_plus()
    return Fraction(low), Fraction(high)
