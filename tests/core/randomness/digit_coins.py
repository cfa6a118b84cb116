"""The slow twin: discrete Laplace noise, exact, by one coin for each binary digit.

A geometric variable with P(k) ∝ e^{−λk} has binary digits that are independent coins, since
e^{−λk} is the product of e^{−λ 2^i} over the digits of k that are 1; and the difference of two of
them is discrete Laplace. A coin compares 16 bits with its chance, and 64 more only on a tie.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import decided, exp_between

FIRST_BITS, NEXT_BITS = 16, 64
RARE = 64 * math.log(2)  # a coin of chance e^{−RARE} says that there is a further digit
AT_ONCE = 1 << 16  # draws whose digits are tossed together: they stay in fast memory
DIGITS = 60  # of the enclosures that chances are rounded from

Whole = NDArray[np.signedinteger[Any]]
KINDS = (np.int16, np.int32, np.int64)  # of which a difference of two numbers must not wrap


def discrete_laplace(scale: float, size: tuple[int, ...], bits: Bits) -> FloatArray:
    """Whole numbers k with probability ∝ e^{−|k|/scale}, exactly, for scales up to 2^40."""
    drawn = np.empty(math.prod(size))
    for start in range(0, drawn.size, AT_ONCE):
        part = drawn[start : start + AT_ONCE]
        part[...] = discrete_laplace_whole(scale, part.size, bits)
    return drawn.reshape(size)


def discrete_laplace_whole(scale: float, count: int, bits: Bits) -> Whole:
    """The same as whole numbers, (count,), of a type that is wide enough; for few draws at once."""
    both = _geometric(scale, 2 * count, bits)
    return both[:count] - both[count:]


@dataclass(frozen=True, slots=True)
class Digit:
    """The coin of one binary digit, or of "there are more digits": its chance cut to bits.

    The chance lies in [first + next·2^-64, … + 2^-64)·2^-16; exponent is the x that it is made of.
    """

    first: int
    next: int
    exponent: Fraction
    is_last: bool

    def exact(self, _: int, digits: int) -> tuple[Fraction, Fraction]:
        """The chance between two fractions: e^{−x}/(1 + e^{−x}), or e^{−x} for more digits."""
        low, high = exp_between(self.exponent, digits)
        return (low, high) if self.is_last else (low / (1 + low), high / (1 + high))


@lru_cache(maxsize=512)  # public scales only
def digit_coins(scale: float) -> tuple[Digit, ...]:
    """The coins of the digits of a geometric variable, lowest first, and that for more of them."""
    rate = 1 / Fraction(scale)
    count = max(0, math.ceil(math.log2(RARE * scale)))
    return tuple(_digit(rate * 2**place, place == count) for place in range(count + 1))


def _digit(exponent: Fraction, is_last: bool) -> Digit:
    digits = DIGITS
    while True:
        low, high = Digit(0, 0, exponent, is_last).exact(0, digits)
        cut = math.floor(low * 2 ** (FIRST_BITS + NEXT_BITS))
        if cut == math.floor(high * 2 ** (FIRST_BITS + NEXT_BITS)):
            first, following = divmod(cut, 1 << NEXT_BITS)
            return Digit(first, following, exponent, is_last)
        digits += DIGITS


def _geometric(scale: float, count: int, bits: Bits) -> Whole:
    """Whole numbers k ≥ 0 with probability ∝ e^{−k/scale}, (count,)."""
    coins = digit_coins(scale)
    drawn = _digits(coins[:-1], count, bits)
    going = np.flatnonzero(_toss(coins[-1], count, bits))
    if going.size:
        drawn = drawn.astype(np.int64)
    while going.size:  # what is left of k is geometric again, in units of 2^I
        drawn[going] += 1 << (len(coins) - 1)
        going = going[_toss(coins[-1], going.size, bits)]
    return drawn


def _digits(coins: tuple[Digit, ...], count: int, bits: Bits) -> Whole:
    """Whole numbers below 2^len(coins) made of tossed digits, (count,); narrow ones are quicker."""
    narrow = next(kind for kind in KINDS if len(coins) < 8 * kind().itemsize - 1)
    drawn: Whole = np.zeros(count, dtype=narrow)
    for start in range(0, len(coins), 8):
        byte = np.zeros(count, dtype=np.uint8)
        for place, coin in enumerate(coins[start : start + 8]):
            byte |= _toss(coin, count, bits).view(np.uint8) << np.uint8(place)
        part: Whole = byte.astype(narrow)
        part <<= narrow(start)
        drawn |= part
    return drawn


def _toss(coin: Digit, count: int, bits: Bits) -> BoolArray:
    """Coins with exactly this chance, (count,)."""
    words = bits.words(count, np.uint16)
    heads = words < coin.first
    tied = (words == coin.first).nonzero()[0]
    if tied.size:
        following = bits.words(tied.size, np.uint64)
        heads[tied] = following < np.uint64(coin.next)
        for at in tied[following == np.uint64(coin.next)]:
            drawn = (coin.first << NEXT_BITS) | coin.next
            heads[at] = decided(drawn, 0, coin.exact, bits, FIRST_BITS + NEXT_BITS)
    return heads
