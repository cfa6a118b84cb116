"""Heads among fair coins: tossed where they are few, drawn around the half where they are many."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, exp, factorial, log

import numpy as np
import pytest

from dpviz.core.randomness import fair_coins
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import Care
from dpviz.core.randomness.fair_coins import (
    _exponents,
    chance_between,
    heads,
    log_factorial,
    thinned,
)
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities


def bits(rng):
    return SeededBits(rng)


def binomial(coins, chance=0.5):
    return np.array(
        [comb(coins, k) * chance**k * (1 - chance) ** (coins - k) for k in range(coins + 1)]
    )


@pytest.mark.parametrize("coins", [1, 2, 5])
def test_heads_are_those_of_fair_coins(coins, rng):
    found = np.bincount(heads(np.full(40_000, coins), bits(rng)), minlength=coins + 1)
    assert fits_probabilities(found, binomial(coins), comparisons=3)


@pytest.mark.parametrize("at_once", [1, 3, 1 << 17])
def test_every_coin_is_counted_once(at_once, monkeypatch):
    """With a source of nothing but ones all coins are heads, whatever the pieces."""

    class Ones:
        def words(self, count, dtype):
            return np.full(count, np.iinfo(dtype).max, dtype=dtype)

    monkeypatch.setattr(fair_coins, "WORDS_AT_ONCE", at_once)
    coins = np.array([1, 63, 64, 65, 128, 1000, 3, 64 * 7, 10_000, 2])
    np.testing.assert_array_equal(heads(coins, Ones()), coins)
    assert heads(np.empty(0, dtype=np.int64), Ones()).size == 0


@pytest.mark.few(2)
@pytest.mark.parametrize("coins", [10_001, 2**23 - 1, 2**23, 2**30 + 1, 2**52 + 1, 2**53])
def test_many_coins_have_the_right_spread(coins, rng):
    count = 20_000 if coins >= fair_coins.MANY else 2_000 if coins < 2**20 else 300
    found = (heads(np.full(count, coins), bits(rng)) - coins / 2) / np.sqrt(coins / 4)
    assert abs(found.mean()) < 6.5 / np.sqrt(count)
    assert abs(found.var() - 1) < 6.5 * np.sqrt(2 / count)


# as few coins as drawing around the half allows: σ = 2^k with 4^(k + 1) ≥ coins + 1
FEW = (1, 2, 3, 4, 7, 15, 16, 40)


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("care", [Care(), Care(5, 2.0**-4)], ids=["usual", "forced"])
@pytest.mark.parametrize("coins", FEW)
def test_draws_around_the_half_have_the_law_of_coins(coins, care, monkeypatch, rng):
    """The very code that serves 2^53 coins, on so few that every probability is seen."""
    monkeypatch.setattr(fair_coins, "MANY", 1)
    if coins < 7:  # the series of the double is for many coins; fractions decide for a few
        care = Care(care.bits, 2.0)
    count = 4_000 if care.margin > 0.01 else 30_000
    found = np.bincount(heads(np.full(count, coins), bits(rng), care), minlength=coins + 1)
    assert fits_probabilities(found, binomial(coins), comparisons=2 * len(FEW))


def test_a_proposal_that_is_always_kept_is_rejected(monkeypatch, rng):
    """The twin is the discrete Gaussian alone."""
    monkeypatch.setattr(fair_coins, "MANY", 1)
    monkeypatch.setattr(fair_coins, "_kept", lambda half, off, *_: np.abs(off) <= half)
    found = np.bincount(heads(np.full(60_000, 40), bits(rng)), minlength=41)
    at = np.arange(-20, 21)
    wrong = np.exp(-(at**2) / 2 / 4**2)
    assert can_tell_probabilities(60_000, wrong / wrong.sum(), binomial(40))
    assert not fits_probabilities(found, binomial(40))


@pytest.mark.parametrize("coins", [2**23, 2**23 + 2, 10**9, 2**40, 2**53 - 2, 2**53])
def test_a_double_is_as_near_to_each_chance_as_its_margin_says(coins):
    half = coins // 2
    k = (coins + 1).bit_length() - 1 >> 1
    assert 4**k < coins + 1 <= 4 ** (k + 1)
    for off in (0, 1, 2, 2**k // 2, 2**k, 3 * 2**k, 8 * 2**k, 10 * 2**k):
        low, high = chance_between(half, off, k, 40)
        assert 0 <= low <= high <= 1
        assert high - low < Fraction(1, 10**39)
        double = exp(-float(_exponents(np.array([half]), np.array([off]), k)[0]))
        assert abs(Fraction(double) - low) < Fraction(1, 2**42)


@pytest.mark.parametrize(("half", "off", "k"), [(5, 2, 1), (5, 5, 1), (700, 30, 5), (1500, 99, 5)])
def test_enclosures_hold_the_exact_chance(half, off, k):
    ratio = Fraction(comb(2 * half, half + off), comb(2 * half, half))
    with localcontext(prec=90):
        power = (Decimal(off * off) / 2 ** (2 * k + 1)).exp()
        exact = Fraction(power * Decimal(ratio.numerator) / Decimal(ratio.denominator))
    for digits in (5, 30, 60):
        low, high = chance_between(half, off, k, digits)
        assert low <= exact <= high
        assert high - low <= Fraction(3, 10**digits)


def test_stirling_s_series_is_the_logarithm_of_the_factorial():
    with localcontext(prec=120):
        exact = [Decimal(factorial(m)).ln() for m in (0, 1, 999, 1000, 2500)]
        found = [log_factorial(m, 60) for m in (0, 1, 999, 1000, 2500)]
        apart = [one - other for one, other in zip(exact, found, strict=True)]
        assert abs(float(apart[0]) - log(2 * np.pi) / 2) < 1e-15
        assert max(apart) - min(apart) < Decimal("1e-59")


def test_2_to_the_53_coins_take_no_longer_than_many(rng):
    asked = []

    class Counting(SeededBits):
        def words(self, count, dtype):
            asked.append(count)
            return super().words(count, dtype)

    heads(np.array([2**53]), Counting(rng))
    assert sum(asked) < 10_000  # words; tossed one by one they were 2^47
    assert heads(np.array([2**53, 3, 2**24]), SecureBits.fresh()).shape == (3,)


@by_rows("chance", [Fraction(1, 2), Fraction(3, 10), Fraction(1), Fraction(7, 8)])
@by_rows("count", [0, 1, 6])
def test_a_sample_keeps_each_record_with_its_chance(count, chance, rng):
    found = np.bincount(thinned(np.full(30_000, count), chance, bits(rng)), minlength=count + 1)
    assert fits_probabilities(found, binomial(count, float(chance)), comparisons=12)
    wrong = binomial(count, float(chance) * 0.9)
    assert count < 6 or not fits_probabilities(found, wrong)


@pytest.mark.law
def test_a_sample_of_very_many_has_the_right_spread(rng):
    found = thinned(np.full(1_000, 2**50), Fraction(1, 100), bits(rng))
    scaled = (found - 2**50 / 100) / np.sqrt(2**50 * 0.01 * 0.99)
    assert abs(scaled.mean()) < 6.5 / np.sqrt(1_000)
    assert abs(scaled.var() - 1) < 6.5 * np.sqrt(2 / 1_000)
