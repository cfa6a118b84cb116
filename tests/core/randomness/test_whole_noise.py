"""Noise on whole numbers (discrete_laplace.py, discrete_gaussian.py), and its slow twin by coins.

Laws are compared with probabilities worked out anew; twins with a wrong scale, a wrong σ² and coins
of too few bits must be rejected.
"""

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import Care
from dpviz.core.randomness.discrete_gaussian import (
    _by_rejection,
    discrete_gaussian,
    discrete_gaussian_simulated,
    discrete_gaussian_variance,
)
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE, discrete_laplace
from tests.core.randomness import digit_coins as coins
from tests.core.randomness.digit_coins import FIRST_BITS, Digit, digit_coins
from tests.core.randomness.test_noise import gaussian_probabilities, histogram, probabilities
from tests.statistics import can_tell_probabilities, fits_probabilities, mean_is

RATES = [0.3, 1.0, 2.5, 21.0, 2100.0, LARGEST_SCALE]


class Scripted:
    """Bits that say given words, one array a call, and know how many calls there were."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def words(self, count, dtype):
        self.asked.append((count, np.dtype(dtype)))
        words = np.asarray(self.answers.pop(0), dtype=dtype)
        assert words.shape == (count,)
        return words


def chance_of(coin: Digit) -> Fraction:
    """The chance of a coin to 120 digits, by decimal."""
    with decimal.localcontext(prec=120):
        x = decimal.Decimal(coin.exponent.numerator) / decimal.Decimal(coin.exponent.denominator)
        power = (-x).exp()
        return Fraction(power if coin.is_last else power / (1 + power))


@pytest.mark.parametrize("scale", RATES)
def test_every_first_word_of_every_coin_is_read_right(scale):
    """All 2^16 words, with what follows below, at and above the rest of the chance."""
    words = np.arange(1 << FIRST_BITS)
    for coin in digit_coins(scale):
        chance = chance_of(coin)
        assert coin.first == math.floor(chance * 2**16)
        rest = math.floor((chance * 2**16 - coin.first) * 2**64)
        assert coin.next == rest
        for following in {max(rest - 1, 0), min(rest + 1, 2**64 - 1)} - {rest}:
            heads = coins._toss(coin, words.size, Scripted(words, [following]))
            assert heads[: coin.first].all()
            assert not heads[coin.first + 1 :].any()
            drawn = Fraction(coin.first * 2**64 + following, 2**80)
            assert heads[coin.first] == (drawn < chance)


@pytest.mark.parametrize("scale", RATES)
def test_a_tie_of_80_bits_is_decided_by_decimal(scale):
    for coin in digit_coins(scale):
        chance = chance_of(coin)
        third = math.floor((chance * 2**80 - math.floor(chance * 2**80)) * 2**64)
        for last in (max(third - 1, 0), min(third + 1, 2**64 - 1)):
            if last == third:
                continue
            bits = Scripted([coin.first], [coin.next], [last])
            assert coins._toss(coin, 1, bits)[0] == (last < third)
            assert not bits.answers


@pytest.mark.parametrize("scale", RATES)
def test_digits_are_coins_with_the_chance_of_a_geometric_variable(scale):
    """Digit i is 1 with chance e^{−x}/(1+e^{−x}), x = 2^i/scale; the rest lies below 2^-64."""
    digits = digit_coins(scale)
    for place, coin in enumerate(digits[:-1]):
        assert coin.exponent == Fraction(2**place) / Fraction(scale)
        assert float(chance_of(coin)) == pytest.approx(1 / (1 + math.exp(coin.exponent)), rel=1e-12)
    assert chance_of(digits[-1]) <= Fraction(1, 2**63)
    assert digits[-1].is_last
    assert len(digits) <= 47


def test_a_further_digit_is_memoryless(monkeypatch):
    """With few digits, "there are more" decides often, and the law stays the same."""
    monkeypatch.setattr(coins, "RARE", 0.5)
    coins.digit_coins.cache_clear()
    try:
        sample = coins.discrete_laplace(3.3, (200_000,), SeededBits(np.random.default_rng(5)))
    finally:
        coins.digit_coins.cache_clear()
    assert fits_probabilities(histogram(sample, 60), probabilities(3.3, 60))


@pytest.mark.law
@pytest.mark.parametrize("scale", [1 / 3, 2.0, 21.0])
@pytest.mark.parametrize("secure", [False, True])
def test_the_law_of_discrete_laplace(scale, secure):
    bits = SecureBits(bytes(32)) if secure else SeededBits(np.random.default_rng(6))
    size, reach = 4_000_000, math.ceil(30 * scale)
    counts = histogram(discrete_laplace(scale, (size,), bits), reach)
    right = probabilities(scale, reach)
    assert fits_probabilities(counts, right, comparisons=6)
    wrong = probabilities(1.25 * scale, reach)
    assert can_tell_probabilities(size, wrong, right, comparisons=6)
    assert not fits_probabilities(counts, wrong, comparisons=6)


@pytest.mark.law
def test_coins_of_eight_bits_are_caught(monkeypatch):
    """The twin: first words of 8 bits, and a tie is tails."""

    def short(coin, count, bits):
        return bits.words(count, np.uint16) >> 8 < coin.first >> 8

    monkeypatch.setattr(coins, "_toss", short)
    size, reach = 4_000_000, 630
    sample = coins.discrete_laplace(21.0, (size,), SeededBits(np.random.default_rng(7)))
    assert not fits_probabilities(histogram(sample, reach), probabilities(21.0, reach))


@pytest.mark.law
@pytest.mark.parametrize("variance", [0.25, 20.0, 400.0])
@pytest.mark.parametrize("draw", [discrete_gaussian, discrete_gaussian_simulated])
def test_the_law_of_the_discrete_gaussian(variance, draw):
    rng = np.random.default_rng(8)
    given = SeededBits(rng) if draw is discrete_gaussian else rng
    size, scale = 2_000_000, math.sqrt(variance)
    reach = math.ceil(12 * scale)
    sample = draw(scale, (size,), given)
    counts = histogram(sample, reach)
    right = gaussian_probabilities(scale, reach)
    assert fits_probabilities(counts, right, comparisons=6)
    squares, exact = sample**2, discrete_gaussian_variance(scale)
    assert mean_is(squares, exact, comparisons=6)
    assert not mean_is(squares, discrete_gaussian_variance(scale * math.sqrt(1.01)), comparisons=6)
    wider = gaussian_probabilities(1.25 * scale, reach)
    assert can_tell_probabilities(size, wider, right, comparisons=6)
    assert not fits_probabilities(counts, wider, comparisons=6)


@pytest.mark.parametrize("scale", [0.5, math.sqrt(20)])
def test_the_law_of_the_discrete_gaussian_from_secure_bits(scale):
    size, reach = 1_000_000, math.ceil(12 * scale)
    counts = histogram(discrete_gaussian(scale, (size,), SecureBits(bytes(32))), reach)
    right = gaussian_probabilities(scale, reach)
    assert fits_probabilities(counts, right, comparisons=2)
    wrong = gaussian_probabilities(1.25 * scale, reach)
    assert can_tell_probabilities(size, right, wrong)
    assert not fits_probabilities(counts, wrong)


@pytest.mark.parametrize("scale", [0.5, 4.5])
def test_forced_to_decide_in_fractions_the_law_stays(scale):
    """Words of 8 bits and a margin of 2^-4 leave many coins to decimal."""
    bits = SeededBits(np.random.default_rng(9))
    reach = math.ceil(12 * scale)
    sample = discrete_gaussian(scale, (20_000,), bits, Care(8, 2.0**-4))
    assert fits_probabilities(histogram(sample, reach), gaussian_probabilities(scale, reach))


@pytest.mark.law
@pytest.mark.parametrize("scale", [0.5, 4.5])
def test_rejection_forced_to_decide_in_fractions_keeps_the_law(scale):
    """What wide scales take, at scales where each number is seen; with usual care as well."""
    bits, reach = SeededBits(np.random.default_rng(19)), math.ceil(12 * scale)
    right = gaussian_probabilities(scale, reach)
    wrong = gaussian_probabilities(1.25 * scale, reach)
    for size, care in ((10_000, Care(8, 2.0**-4)), (100_000, Care())):
        counts = histogram(_by_rejection(scale, size, bits, care), reach)
        assert fits_probabilities(counts, right, comparisons=4)
        assert can_tell_probabilities(size, wrong, right)
        assert not fits_probabilities(counts, wrong)


def test_the_largest_scales_do_not_wrap():
    """Noise stays a whole number that a double holds with a count of 2^31 exactly."""
    bits = SeededBits(np.random.default_rng(10))
    almost = np.nextafter(LARGEST_SCALE, 0)
    for sample in (
        discrete_laplace(LARGEST_SCALE, (100_000,), bits),
        discrete_gaussian(almost, (100_000,), bits),
    ):
        assert (sample == np.rint(sample)).all()
        assert np.abs(sample).max() < 2.0**47
        count = 2**31 - 1
        assert [int(count + k) for k in sample[:1000]] == [count + int(k) for k in sample[:1000]]


def test_all_digits_set_do_not_wrap():
    """The largest number that the digits can say; a thousand further steps would still fit."""

    class Zeros:
        def words(self, count, dtype):
            return np.zeros(count, dtype=dtype)

    digits = digit_coins(LARGEST_SCALE)
    drawn = coins._digits(digits[:-1], 3, Zeros())
    assert drawn.tolist() == [2 ** (len(digits) - 1) - 1] * 3
    assert 2 ** (len(digits) + 10) < 2**62
