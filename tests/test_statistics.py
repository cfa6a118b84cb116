from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import special, stats

from tests.statistics import (
    can_tell,
    can_tell_probabilities,
    clopper_pearson,
    epsilon_lower_bound,
    fits,
    fits_probabilities,
    mean_is,
)

SIZE = 100_000


def test_a_sample_fits_its_own_law_and_not_a_rescaled_one(rng):
    sample = rng.laplace(scale=2.0, size=SIZE)
    assert fits(sample, stats.laplace(scale=2.0))
    for scale in (1.6, 2.5):
        assert can_tell(SIZE, stats.laplace(scale=scale), stats.laplace(scale=2.0))
        assert not fits(sample, stats.laplace(scale=scale))


def test_a_small_sample_is_declared_unable_to_tell(rng):
    right, wrong = stats.norm(), stats.norm(loc=0.1)
    assert not can_tell(500, right, wrong)
    assert can_tell(100_000, right, wrong)
    assert not fits(rng.normal(0.1, size=100_000), right)


def test_one_value_and_many_comparisons_are_edges_that_hold():
    assert fits([0.5], stats.uniform())
    assert not fits(np.full(SIZE, 0.5), stats.uniform())
    shifted = (np.arange(SIZE) + 0.5) / SIZE + 0.0105
    assert not fits(shifted, stats.uniform())
    assert fits(shifted, stats.uniform(), comparisons=10**6)


@pytest.mark.law
@pytest.mark.parametrize("n", [10, 200])
def test_false_alarms_are_as_rare_as_stated(rng, n):
    repeats, stated = 2000, 0.05
    samples = rng.random((repeats, n))
    uniform = stats.uniform()
    alarms = sum(not fits(sample, uniform, stated) for sample in samples)
    counts = rng.multinomial(n, [0.1, 0.2, 0.3, 0.4], size=repeats)
    false = sum(not fits_probabilities(row, [0.1, 0.2, 0.3, 0.4], stated) for row in counts)
    most = stats.binom(repeats, stated).isf(1e-9)
    assert alarms <= most
    assert false <= most
    assert alarms > 0  # Massart's constant is sharp, so a threshold never reached would be a bug


def test_the_entropy_bound_holds_by_enumeration():
    n, p = 12, np.array([0.5, 0.3, 0.2])
    outcomes = [c for c in itertools.product(range(n + 1), repeat=3) if sum(c) == n]
    mass = stats.multinomial(n, p).pmf(outcomes)
    for stated in (0.5, 0.1, 0.01, 1e-4):
        rejected = [not fits_probabilities(c, p, stated) for c in outcomes]
        assert mass[np.array(rejected)].sum() <= stated


def test_counts_fit_their_own_probabilities_and_not_tilted_ones(rng):
    right = special.softmax(-0.1 * np.arange(60))
    wrong = special.softmax(-0.11 * np.arange(60))
    counts = rng.multinomial(SIZE, right)
    assert fits_probabilities(counts, right)
    assert can_tell_probabilities(SIZE, wrong, right)
    assert not fits_probabilities(counts, wrong)
    assert not can_tell_probabilities(2_000, wrong, right)
    assert can_tell_probabilities(100, [1.0, 0.0], [0.5, 0.5])


def test_an_impossible_cell_and_a_single_cell():
    assert not fits_probabilities([1, 99], [0.0, 1.0])
    assert fits_probabilities([0, 100], [0.0, 1.0])
    assert fits_probabilities([7], [1.0])
    with pytest.raises(ValueError, match="sum to 1"):
        fits_probabilities([1, 1], [0.5, 0.6])


def test_rare_cells_are_pooled_and_still_noticed():
    right = np.array([0.999, *np.full(10, 1e-4)])
    assert fits_probabilities([9990, 10, *np.zeros(9)], right)
    assert not fits_probabilities([9900, 100, *np.zeros(9)], right)


def test_the_mean_is_told_from_a_shifted_one(rng):
    sample = rng.laplace(loc=3.0, size=SIZE)
    assert mean_is(sample, 3.0)
    assert not mean_is(sample, 3.1)  # 0.1 is twenty standard errors
    assert mean_is(np.full(1000, 2.0), 2.0)
    assert not mean_is(np.full(1000, 2.0), 2.001)
    with pytest.raises(ValueError, match="at least 1,000"):
        mean_is([1.0, 2.0], 1.5)


@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 0.5, 0.999, 1.0])
def test_clopper_pearson_covers_by_enumeration(p):
    trials, confidence = 30, 0.95
    mass = stats.binom(trials, p).pmf(np.arange(trials + 1))
    intervals = [clopper_pearson(hits, trials, confidence) for hits in range(trials + 1)]
    covered = np.array([low <= p <= high for low, high in intervals])
    assert mass[covered].sum() >= confidence - 1e-12


def test_the_audit_catches_epsilon_spent_twice(rng):
    trials, epsilon = 100_000, 1.0
    honest = special.expit(epsilon)
    broken = special.expit(2 * epsilon)
    a, b = rng.binomial(trials, [honest, 1 - honest])
    assert 0.9 < epsilon_lower_bound(int(a), int(b), trials) <= epsilon
    a, b = rng.binomial(trials, [broken, 1 - broken])
    found = epsilon_lower_bound(int(a), int(b), trials)
    assert epsilon < found <= 2 * epsilon
    assert epsilon_lower_bound(int(b), int(a), trials) == found


def test_the_audit_subtracts_delta_and_never_goes_below_zero():
    assert epsilon_lower_bound(0, 0, 1000) == 0.0
    assert epsilon_lower_bound(500, 500, 1000) == 0.0
    certain = epsilon_lower_bound(1000, 0, 1000)
    assert 0 < epsilon_lower_bound(1000, 0, 1000, delta=0.5) < certain
    assert epsilon_lower_bound(1000, 0, 1000, delta=1.0) == 0.0
    assert math.isfinite(certain)
