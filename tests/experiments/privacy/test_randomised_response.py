"""Answers that people randomise themselves, against every outcome written out."""

import math
from itertools import product

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.experiments.privacy.randomised_response import RandomisedResponse
from tests.statistics import can_tell_probabilities, fits_probabilities

SETTINGS = [(2, math.log(3)), (2, 0.1), (3, 1.0), (5, 2.0)]


def outcomes(choices, epsilon, answers):
    """Every list of answers that may be sent, and its chance, one person after the other."""
    weight = math.exp(epsilon)
    chance = {True: weight / (weight + choices - 1), False: 1 / (weight + choices - 1)}
    for sent in product(range(choices), repeat=len(answers)):
        yield sent, math.prod(chance[a == b] for a, b in zip(answers, sent, strict=True))


@pytest.mark.parametrize(("choices", "epsilon"), SETTINGS)
def test_no_answer_is_more_than_e_to_the_epsilon_times_likelier(choices, epsilon):
    law = RandomisedResponse(choices, epsilon)
    assert law.true / law.other == pytest.approx(math.exp(epsilon))
    assert law.true + (choices - 1) * law.other == pytest.approx(1)
    assert law.told == pytest.approx(law.true - law.other)


@pytest.mark.parametrize(("choices", "epsilon"), SETTINGS)
def test_the_law_is_that_of_every_outcome_written_out(choices, epsilon):
    answers = [0, 1, 1, 0, 1]
    law = RandomisedResponse(choices, epsilon)
    values, chances = law.law(3, 5)
    brute = dict.fromkeys(range(6), 0.0)
    for sent, chance in outcomes(choices, epsilon, answers):
        brute[sent.count(1)] += chance
    assert chances == pytest.approx(list(brute.values()))
    assert values == pytest.approx([
        (sent - 5 / (math.exp(epsilon) + choices - 1))
        / ((math.exp(epsilon) - 1) / (math.exp(epsilon) + choices - 1))
        for sent in brute
    ])  # fmt: skip
    assert values @ chances == pytest.approx(3)  # unbiased
    assert (values - 3) ** 2 @ chances == pytest.approx(law.deviation(3, 5) ** 2)
    for share in (0.3, 0.6, 0.95):
        within = [t for t in sorted(abs(values - 3))
                  if sum(c for v, c in zip(values, chances, strict=True)
                         if abs(v - 3) <= t + 1e-9) >= share]  # fmt: skip
        assert law.reach(3, 5, share) == pytest.approx(within[0])


@pytest.mark.parametrize("epsilon", [0.01, 0.5, math.log(3), 3.0])
def test_two_choices_have_a_short_formula_whatever_is_true(epsilon):
    for count in (0, 100, 400):
        closed = math.sqrt(400 * math.exp(epsilon)) / (math.exp(epsilon) - 1)
        assert RandomisedResponse(2, epsilon).deviation(count, 400) == pytest.approx(closed)


def test_two_coins():
    assert RandomisedResponse.coins().epsilon == pytest.approx(math.log(3))
    assert RandomisedResponse.coins().true == pytest.approx(3 / 4)
    assert RandomisedResponse.coins(4).true == pytest.approx(1 / 2 + 1 / 8)


def test_what_is_sent_follows_the_law():
    """40,000 phones, 40,000 sums: each fits its law, and not that of another ε."""
    law, wrong, n = RandomisedResponse(3, 1.0), RandomisedResponse(3, 1.4), 40_000
    sent = law.release(np.full(n, 2), np.random.default_rng(1))
    counts = np.bincount(sent, minlength=3)
    right, other = ([one.other, one.other, one.true] for one in (law, wrong))
    assert fits_probabilities(counts, right)
    assert not fits_probabilities(counts, other)
    sums = np.bincount(law.sums(4, 10, np.random.default_rng(2), n), minlength=11)
    right, other = (one.law(4, 10)[1] for one in (law, wrong))
    assert can_tell_probabilities(n, right, other)
    assert fits_probabilities(sums, right)
    assert not fits_probabilities(sums, other)


def test_many_people_have_a_normal_law():
    coins = RandomisedResponse.coins()
    assert coins.reach(1_600, 4_000, 0.95) == pytest.approx(1.959964 * math.sqrt(3_000), rel=1e-6)
    values, chances = coins.law(1_600, 4_000)
    far = coins.reach(1_600, 4_000, 0.95)
    assert chances[np.abs(values - 1_600) <= far].sum() == pytest.approx(0.95, abs=0.005)


@pytest.mark.parametrize("setting", [(1, 1.0), (2, 0.0), (2, math.inf), (2, math.nan), (2.0, 1.0)])
def test_what_protects_nobody_is_refused(setting):
    with pytest.raises(InvalidParameter):
        RandomisedResponse(*setting)
