"""Local randomisers: the privacy of a report by enumeration, and the exact law of their sums."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import exp_between
from dpviz.mechanisms.local.randomisers import Response, Unary, randomiser
from tests.statistics import can_tell_probabilities, fits_probabilities

EPSILONS = ["0.0001", "0.3", "1", "2.5", "12"]
TRUTHS = np.array([3, 0, 2])


def response_law(law, truth):
    """The chance of each report of one person, from its words."""
    other = law.any / law.choices
    return {i: other + (1 - law.any) * (i == truth) for i in range(law.choices)}


def unary_law(law, truth):
    """The chance of each row of bits of one person."""
    found = {}
    for row in product((0, 1), repeat=law.choices):
        chance = Fraction(1)
        for i, bit in enumerate(row):
            one = Fraction(1, 2) if i == truth else law.lie
            chance *= one if bit else 1 - one
        found[row] = chance
    return found


def largest_ratio(law, of):
    laws = [of(law, truth) for truth in range(law.choices)]
    assert all(sum(one.values()) == 1 for one in laws)
    return max(one[out] / other[out] for one in laws for other in laws for out in one)


CASES = [(Response, response_law, k) for k in (2, 3, 7)]
CASES += [(Unary, unary_law, k) for k in (2, 3, 5)]


@pytest.mark.parametrize(("kind", "of", "choices"), CASES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_report_is_likelier_than_the_promise_and_all_of_it_is_used(kind, of, choices, epsilon):
    exact = Fraction(epsilon)
    below, above = exp_between(exact, 60)
    ratio = largest_ratio(kind.under(exact, choices), of)
    assert ratio <= 1 / above  # not above e^ε
    assert ratio >= (1 - Fraction(1, 10**12)) / below


@pytest.mark.parametrize(("kind", "of", "choices"), CASES)
def test_a_chance_that_is_too_small_breaks_the_promise(kind, of, choices):
    right = kind.under(Fraction(1), choices)
    name = "any" if kind is Response else "lie"
    wrong = kind(choices, getattr(right, name) - Fraction(1, 1 << 50))
    assert largest_ratio(wrong, of) > 1 / exp_between(Fraction(1), 60)[0]


def sums_law(law, of, truths):
    """The chance of every vector of sums of single reports, by convolution person by person."""
    found = {(0,) * law.choices: 1.0}
    for choice, many in enumerate(truths.tolist()):
        for _ in range(many):
            new: dict[tuple[int, ...], float] = {}
            for sums, chance in found.items():
                for out, p in of(law, choice).items():
                    bits = out if isinstance(out, tuple) else np.eye(law.choices, dtype=int)[out]
                    key = tuple((np.array(sums) + np.array(bits)).tolist())
                    new[key] = new.get(key, 0.0) + chance * float(p)
            found = new
    return found


@pytest.mark.law
@pytest.mark.parametrize(("kind", "of"), [(Response, response_law), (Unary, unary_law)])
def test_sums_follow_the_law_of_single_reports_and_another_is_rejected(kind, of):
    """4,000 draws; 1e-9 for all."""
    law, wrong = kind.under(Fraction(1), 3), kind.under(Fraction(3, 2), 3)
    bits, runs = SeededBits(np.random.default_rng(4)), 4_000
    drawn = [tuple(law.reports(TRUTHS, bits).tolist()) for _ in range(runs)]
    chances = sums_law(law, of, TRUTHS)
    outcomes = list(chances)
    place = {one: i for i, one in enumerate(outcomes)}
    counts = np.bincount([place[one] for one in drawn], minlength=len(outcomes))
    other = sums_law(wrong, of, TRUTHS)
    right = list(chances.values())
    assert fits_probabilities(counts, right)
    assert can_tell_probabilities(runs, right, [other[one] for one in outcomes])


@pytest.mark.few(4)
@pytest.mark.parametrize(("kind", "of"), [(Response, response_law), (Unary, unary_law)])
@pytest.mark.parametrize("epsilon", EPSILONS[1:])
def test_estimates_are_unbiased_and_their_variance_is_that_of_the_law(kind, of, epsilon):
    law = kind.under(Fraction(epsilon), 3)
    truths = np.array([2, 2, 2])  # even
    chances = sums_law(law, of, truths)
    p = np.array(list(chances.values()))
    estimates = np.array([law.estimates(np.array(sums), 6) for sums in chances])
    np.testing.assert_allclose(p @ estimates, truths, rtol=1e-8, atol=1e-8)
    for weights in ([1.0, -1.0, 0.0], [2.0, -1.0, -1.0]):
        told = estimates @ weights
        variance = p @ told**2 - (p @ told) ** 2
        assert variance == pytest.approx(6 * law.variance * np.sum(np.square(weights)), rel=1e-6)
    uneven = np.array([1, 0, 5])
    skewed = sums_law(law, of, uneven)
    mean = sum(c * law.estimates(np.array(s), 6) for s, c in skewed.items())
    np.testing.assert_allclose(mean, uneven, rtol=1e-7, atol=1e-7)


def test_the_one_that_errs_less_is_taken():
    assert isinstance(randomiser(Fraction(1), 5), Response)
    assert isinstance(randomiser(Fraction(1), 40), Unary)
    assert isinstance(randomiser(Fraction(1), 5, "unary"), Unary)
    assert isinstance(randomiser(Fraction(1), 40, "response"), Response)
    for epsilon in (0.1, 1.0, 3.0):  # a bit of a count errs by √(n e^ε)/(e^ε − 1)
        one = Response.under(Fraction(epsilon), 2)
        closed = math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2
        assert one.variance * 2 / 4 == pytest.approx(closed)  # of ½ (first − second)


def test_many_reports_come_from_secure_bits_too():
    truths = np.array([1_500_000, 700_000, 0])
    for law in (Response.under(Fraction(1), 3), Unary.under(Fraction(1), 3)):
        found = law.estimates(law.reports(truths, SecureBits.fresh()), int(truths.sum()))
        assert np.abs(found - truths).max() < 7 * math.sqrt(truths.sum() * 3 * law.variance)
