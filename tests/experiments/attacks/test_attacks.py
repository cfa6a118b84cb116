"""Attacks on exact statistics: what they prove is true, and the lessons' figures come out."""

from itertools import product

import numpy as np
import pytest

from dpviz.experiments.attacks.differencing import difference_of_averages
from dpviz.experiments.attacks.reconstruction import (
    NO,
    OPEN,
    YES,
    attack,
    exact_counts,
    groups_of,
    noisy_counts,
)
from dpviz.intake.samples import load_sample


@pytest.mark.parametrize(
    ("rounding", "estimate", "margin", "possible"),
    [
        (0.01, 61_299.96, 0.395, 1),
        (1, 61_314, 39.5, 1),
        (10, 61_470, 395, 8),
        (100, 62_300, 3_950, 79),
        (1_000, 90_000, 39_500, 791),
    ],
)
def test_two_averages_give_a_salary_away(rounding, estimate, margin, possible):
    (pay,) = load_sample("office")
    found = difference_of_averages(pay, 0, rounding, 100)
    assert found.estimate == pytest.approx(estimate)
    assert found.margin == pytest.approx(margin)
    assert found.low <= pay[0] <= found.high
    inside = [one for one in range(0, 500_000, 100) if found.low <= one <= found.high]
    assert len(inside) == possible == found.possible


def test_every_salary_of_the_office_falls_to_averages_with_two_decimals():
    (pay,) = load_sample("office")
    for person, salary in enumerate(pay):
        found = difference_of_averages(pay, person, 0.01, 100)
        assert found.possible == 1
        assert found.low <= salary <= found.high


@pytest.mark.parametrize("counts", [2, 4, 6, 8])
def test_what_equations_prove_is_what_all_solutions_between_share(counts):
    rng = np.random.default_rng(counts)
    groups, secrets = groups_of(7, counts, rng), rng.random(7) < 0.4
    found = attack(groups, exact_counts(groups, secrets))
    known = found.proved != OPEN
    assert (found.proved[known] == np.where(secrets, YES, NO)[known]).all()
    tried = np.array(list(product([False, True], repeat=7)))
    fitting = tried[(tried @ groups.T.astype(float) == exact_counts(groups, secrets)).all(axis=1)]
    certain = (fitting == fitting[0]).all(axis=0)
    assert not (known & ~certain).any()  # a lower bound: nothing is proved that is not certain


def test_noise_makes_equations_contradict_each_other():
    groups, secrets = groups_of(40, 40, np.random.default_rng(1)), np.arange(40) < 16
    counts = noisy_counts(groups, secrets, 1.0, np.random.default_rng(1))
    with pytest.raises(ValueError, match="No secrets"):
        attack(groups, counts)
