"""The averaging attack's bill against dp-accounting, and the odds against their formula."""

import math

import numpy as np
import pytest
from dp_accounting import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy import stats

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import bounded_range_to_zcdp, laplace_rho, zcdp_to_approx
from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.averaging import (
    BASIC,
    EXACT,
    OPTIMAL,
    ZCDP_LINE,
    ledger,
    optimal_epsilon,
    release_numbers,
    running_means,
)
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import gaussian_delta, gaussian_epsilon, gaussian_share_above
from dpviz.experiments.privacy.odds import odds_of
from dpviz.experiments.privacy.quantile_query import QuantileQuery

QUANTILE = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
LAPLACE, GAUSSIAN = CountQuery(3, Noise.LAPLACE), CountQuery(3, Noise.GAUSSIAN)


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
@pytest.mark.parametrize("k", [1, 2, 10, 100])
def test_optimal_composition_is_that_of_dp_accounting(epsilon, k):
    worst = pld.from_privacy_parameters(
        pld.common.DifferentialPrivacyParameters(epsilon, 0), value_discretization_interval=1e-4
    )
    expected = worst.self_compose(k).get_epsilon_for_delta(1e-6)
    found = optimal_epsilon(epsilon, k, 1e-6)
    assert found <= expected + 1e-9  # theirs is rounded up
    assert found == pytest.approx(expected, abs=2e-4 * math.sqrt(k) + 2e-4)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 7.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.3])
def test_the_gaussian_profile_is_that_of_dp_accounting(sigma, delta):
    epsilon = gaussian_epsilon(sigma, delta)
    assert epsilon == pytest.approx(max(0, get_epsilon_gaussian(sigma, delta)), abs=1e-6)
    assert gaussian_delta(sigma, epsilon) == pytest.approx(min(delta, gaussian_delta(sigma, 0)))
    assert gaussian_share_above(sigma, epsilon) > gaussian_delta(sigma, epsilon)


def test_the_gaussian_profile_is_the_hockey_stick_of_the_laws():
    at = np.linspace(-12, 13, 400_001)
    one, other = stats.norm.pdf(at, 1), stats.norm.pdf(at)
    beyond = one > math.exp(1.3) * other
    stick = np.trapezoid(np.maximum(one - math.exp(1.3) * other, 0), at)
    assert gaussian_delta(1.0, 1.3) == pytest.approx(stick, rel=1e-6)
    assert gaussian_share_above(1.0, 1.3) == pytest.approx(np.trapezoid(one * beyond, at), rel=1e-3)


def test_the_ledger_of_pure_epsilon():
    ks = release_numbers()
    assert (ks[0], ks[-1]) == (1, 1_000)
    lines = ledger(QUANTILE, PureDP(0.5), 1e-6, ks)
    np.testing.assert_allclose(lines[BASIC], 0.5 * ks)
    assert (lines[OPTIMAL] <= lines[BASIC]).all()
    # a quantile spends by bounded range, a count by its Laplace noise
    for query, rho in ((QUANTILE, bounded_range_to_zcdp(0.5).rho), (LAPLACE, laplace_rho(0.5))):
        lines = ledger(query, PureDP(0.5), 1e-6, np.array([40]))
        expected = zcdp_to_approx(ZCDP(40 * rho), 1e-6).epsilon
        assert lines[ZCDP_LINE][0] == pytest.approx(expected)
    for line in lines.values():
        assert np.isfinite(line).all()


@pytest.mark.parametrize("budget", [ZCDP(0.02), ApproxDP(0.5, 1e-6)])
def test_the_ledger_of_gaussian_noise(budget):
    ks = np.array([1, 9, 1_000])
    lines = ledger(GAUSSIAN, budget, 1e-6, ks)
    assert (BASIC in lines) == isinstance(budget, ApproxDP)
    expected = [get_epsilon_gaussian(GAUSSIAN.scale(budget) / math.sqrt(k), 1e-6) for k in ks]
    np.testing.assert_allclose(lines[EXACT], expected, rtol=1e-6)
    assert (lines[EXACT] <= lines[ZCDP_LINE] + 1e-9).all()


@pytest.mark.parametrize("budget", [PureDP(1e-6), PureDP(1e4), ZCDP(1e-8), ZCDP(50)])
@pytest.mark.parametrize("query", [QUANTILE, LAPLACE])
def test_the_ledger_is_finite_and_grows_at_the_extremes(query, budget):
    for line in ledger(query, budget, 1e-6, release_numbers()).values():
        assert np.isfinite(line).all()
        assert (np.diff(line) >= -1e-9 * line[1:]).all()


def test_the_error_of_a_mean_falls_with_the_root_of_k(rng):
    answers = np.stack([LAPLACE.noise.draw(2.0, (1_000,), rng) for _ in range(400)])
    means = np.stack([running_means(row) for row in answers])
    assert means[:, -1] == pytest.approx(answers.mean(axis=1))
    spread = means.std(axis=0)
    assert spread[999] / spread[9] == pytest.approx(0.1, rel=0.25)


def test_odds_are_those_of_the_formula():
    prior = np.array([0.0, 1e-9, 0.1, 0.5, 1.0])
    low, high = odds_of(PureDP(2.0), 0.5).posterior(prior)
    np.testing.assert_allclose(high, math.e**2 * prior / (1 - prior + math.e**2 * prior))
    np.testing.assert_allclose(low, math.e**-2 * prior / (1 - prior + math.e**-2 * prior))
    assert np.isfinite(odds_of(PureDP(1e4), 0.5).posterior(prior)).all()


@pytest.mark.parametrize("rho", [0.01, 1.0])
def test_odds_in_zcdp_hold_but_for_delta(rho):
    # Gaussian noise, the mechanism that zCDP is made for
    sigma, odds = math.sqrt(0.5 / rho), odds_of(ZCDP(rho), 1e-4)
    assert gaussian_share_above(sigma, odds.epsilon) <= odds.failure == 1e-4
    with pytest.raises(InvalidBudget):
        odds_of(ZCDP(rho), 1.5)


@pytest.mark.parametrize("sigma", [0.5, 2.0, 20.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_odds_in_approximate_dp_hold_but_for_twice_delta(sigma, epsilon):
    delta = gaussian_delta(sigma, epsilon)
    odds = odds_of(ApproxDP(epsilon, delta), 0.5)
    assert gaussian_share_above(sigma, odds.epsilon) <= odds.failure == min(1, 2 * delta)
