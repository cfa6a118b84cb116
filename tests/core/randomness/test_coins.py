"""Uniform whole numbers, coins of exact chance, and bounds on e^−x (coins.py).

Coins with few bits and a wide margin are decided in fractions, and keep their law; the twin that
lets those few bits decide must be rejected.
"""

import decimal
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import USUAL, Care, below, decided, exp_between, tossed
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

KINDS = [False, True]


def bits(secure):
    return SecureBits(bytes(range(32))) if secure else SeededBits(np.random.default_rng(3))


class Scripted:
    """Bits that say given words, one array a call."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def words(self, count, dtype):
        words = np.asarray(self.answers.pop(0), dtype=dtype)
        assert words.shape == (count,)
        return words


class FirstScripted:
    """Bits that say given words at the first call, and those of a seed afterwards."""

    def __init__(self, first):
        self.sources = [Scripted(first), SeededBits(np.random.default_rng(4))]

    def words(self, count, dtype):
        source = self.sources.pop(0) if len(self.sources) > 1 else self.sources[0]
        return source.words(count, dtype)


@by_rows("secure", KINDS)
@by_rows("limit", [1, 2, 3, 5, 8, 100])
def test_numbers_below_a_limit_are_uniform(secure, limit):
    drawn = below(np.full(60_000, limit), bits(secure))
    counts = np.bincount(drawn, minlength=limit)
    assert counts.size == limit
    assert fits_probabilities(counts, np.full(limit, 1 / limit), comparisons=12)


@pytest.mark.parametrize("limit", [3, 5, 100])
def test_words_that_wrap_around_are_caught(limit):
    """The twin: what is too large is taken modulo the limit, not drawn anew."""
    mask = 2 ** (limit - 1).bit_length() - 1
    words = bits(False).words(60_000, np.uint64) & np.uint64(mask)
    counts = np.bincount((words % np.uint64(limit)).astype(int), minlength=limit)
    wrong = np.bincount(np.arange(mask + 1) % limit) / (mask + 1)
    right = np.full(limit, 1 / limit)
    assert can_tell_probabilities(60_000, right, wrong)
    assert not fits_probabilities(counts, right)


def test_each_limit_keeps_its_own_word_and_refuses_what_is_too_large():
    """Masks are those of limit − 1; only the refused draw again, in their places."""
    limits = np.array([1, 4, 5, 2**62, 6])
    first = [2**64 - 1, 7, 5, 2**63 + 11, 8 + 7]
    assert below(limits, Scripted(first, [4, 6], [8 + 1])).tolist() == [0, 3, 4, 11, 1]


def test_limits_up_to_2_to_the_62_do_not_wrap():
    limits = np.array([2**62, 2**62 - 1, 2**61 + 1, 1])
    for _ in range(50):
        drawn = below(limits, bits(True))
        assert all(0 <= int(k) < int(limit) for k, limit in zip(drawn, limits, strict=True))
    assert below(limits[:1], Scripted([2**64 - 1])).tolist() == [2**62 - 1]
    assert below(np.array([], dtype=np.int64), bits(True)).size == 0


CHANCES = [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(5, 7), Fraction(1, 1000)]
CASES = list(itertools.product((USUAL, Care(5, 2.0**-4), Care(8, 2.0**-4)), KINDS, CHANCES))


@by_rows(("care", "secure", "chance"), CASES)
def test_a_coin_has_its_chance_however_it_is_decided(care, secure, chance):
    size, asked = 6_000, []

    def exact(index, digits):
        asked.append(index)
        return chance, chance

    heads = np.count_nonzero(tossed(np.full(size, float(chance)), exact, bits(secure), care))
    law = [float(chance), 1 - float(chance)]
    assert fits_probabilities([heads, size - heads], law, comparisons=len(CASES))
    if care is USUAL:
        assert not asked or chance.denominator == 1  # 0 and 1 are not known to a double
    else:
        assert len(asked) > size / 50


def test_coins_decided_by_a_few_bits_are_caught():
    """The twin: 5 bits decide alone."""
    size, chance = 2_000_000, 1 / 3
    few = (bits(False).words(size, np.uint64) >> np.uint64(59)).astype(float) / 32
    heads = np.count_nonzero(few < chance)
    right, wrong = [chance, 1 - chance], [11 / 32, 21 / 32]
    assert can_tell_probabilities(size, right, wrong)
    assert not fits_probabilities([heads, size - heads], right)


def test_a_double_that_is_off_by_less_than_the_margin_decides_nothing_wrongly():
    """Every first word of 8 bits, with a chance that is too small, right and too large."""
    care = Care(8, 2.0**-4)
    words = np.arange(256)
    for chance, off in itertools.product(CHANCES, (-0.06, 0.0, 0.06)):
        given = FirstScripted(words.astype(np.uint64) << np.uint64(56))

        def exact(index, digits, chance=chance):
            return chance, chance

        heads = tossed(np.full(256, float(chance) + off), exact, given, care)
        surely = [Fraction(int(word) + 1, 256) <= chance for word in words]
        never = [Fraction(int(word), 256) >= chance for word in words]
        assert heads[surely].all()
        assert not heads[never].any()
        assert 256 - sum(surely) - sum(never) in {0, 1}  # the one word that more bits decide


def test_more_bits_and_digits_are_asked_for_until_the_enclosure_decides():
    third = Fraction(1, 3)
    digits_seen = []

    def exact(index, digits):
        digits_seen.append(digits)
        apart = Fraction(1, 10**digits)
        return third - apart, third + apart

    tied = math.floor(third * 2**64)  # 0101…: the same 64 bits after every even number of bits
    for last, heads in ((tied - 1, True), (tied + 1, False)):
        digits_seen.clear()
        words = Scripted([tied], [tied], [last])
        assert decided(math.floor(third * 2**8), 0, exact, words, 8) is heads
        assert not words.answers
        assert digits_seen == sorted(set(digits_seen))
        assert len(digits_seen) == 4


EXPONENTS = [
    Fraction(1, 10**30), Fraction(1, 3), Fraction(1), Fraction(355, 113), Fraction(60),
    Fraction(2**200 + 1, 2**197), Fraction(89), Fraction(10**9 + 7, 10**7),
]  # fmt: skip


@by_rows("exponent", EXPONENTS)
@by_rows("digits", [1, 30, 50, 110])
def test_bounds_enclose_the_exponential_closely(exponent, digits):
    """Against decimal at 400 digits, which is off by less than all these bounds are apart."""
    with decimal.localcontext(prec=400):
        top, bottom = decimal.Decimal(exponent.numerator), decimal.Decimal(exponent.denominator)
        right = Fraction((-(top / bottom)).exp())
    low, high = exp_between(exponent, digits)
    assert low < right < high
    assert high - low <= Fraction(1, 10**digits)
    if low > 0:
        assert high - low <= right / 10**digits


def test_bounds_at_the_ends():
    assert exp_between(Fraction(0), 30) == (1, 1)
    low, high = exp_between(Fraction(10**18), 30)  # at once: nothing is worked out
    assert (low, high) == (0, Fraction(1, 10**30))
