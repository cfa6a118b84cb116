"""Exact ρ of Laplace and discrete Laplace noise, of pure ε and of bounded range, by brute force.

ρ is the largest D_α/α over all orders α; every divergence here is summed or integrated afresh.
"""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp

from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.conversions import (
    bounded_range_epsilon,
    bounded_range_to_zcdp,
    laplace_rho,
    laplace_shift,
    pure_epsilon,
    pure_to_zcdp,
    step_loss,
    step_rho,
)
from dpviz.core.randomness.noise import Noise
from tests.rows import by_rows

ORDERS = np.concatenate((1 + np.geomspace(1e-4, 1, 30), np.geomspace(2.5, 300, 30)))
SIZES = [1e-4, 1e-3, 0.03, 0.5, 1.0, 3.0, 12.0]
LARGE_AND_SMALL = [1e-300, 1e-30, 1e-9, 1e-3, 0.2, 1.0, 7.0, 1e4, 1e200]


def worst(log_p, log_q, log_weight):
    """The largest D_α(p‖q)/α of two densities on a grid."""
    divergences = [
        logsumexp(order * log_p + (1 - order) * log_q + log_weight) / (order - 1) / order
        for order in ORDERS
    ]
    return max(divergences)


def laplace_divergence(shift):
    """Three pieces in closed form: left of 0, between the centres, right of the shift."""
    found = []
    for order in ORDERS:
        between = (1 - 2 * order) * shift
        left, right = math.log(0.5) + (order - 1) * shift, math.log(0.5) - order * shift
        middle = math.log(0.5) + (order - 1) * shift + math.log(math.expm1(between) / between)
        middle += math.log(shift)
        found.append(logsumexp([left, right, middle]) / (order - 1) / order)
    return max(found)


@pytest.mark.parametrize("shift", SIZES)
def test_laplace_noise(shift):
    found = laplace_divergence(shift)
    assert found <= laplace_rho(shift) * (1 + 1e-6) + 1e-12
    assert found >= laplace_rho(shift) * (1 - 1e-3)
    assert laplace_rho(shift) <= shift**2 / 2
    for wrong in (0.8, 1.25):  # twins that claim the cost of other noise
        assert abs(laplace_rho(wrong * shift) / found - 1) > 0.1


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0, 30.0])
def test_discrete_laplace_noise(scale):
    at = np.arange(-int(40 * scale) - 60, int(40 * scale) + 61)
    log_p, log_q = (stats.dlaplace.logpmf(at - centre, 1 / scale) for centre in (0, 1))
    found = worst(log_p, log_q, 0.0)
    exact = Noise.DISCRETE_LAPLACE.rho(scale)
    assert exact == step_rho(1 / scale)
    assert exact * (1 - 1e-3) <= found <= exact * (1 + 1e-6)
    assert found > Noise.LAPLACE.rho(scale) * 1.001  # a unit step costs more than g


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 4.0])
def test_pure_epsilon_is_attained_by_randomised_response(epsilon):
    keep = math.log(1 / (1 + math.exp(-epsilon)))
    log_p, log_q = np.array([keep, keep - epsilon]), np.array([keep - epsilon, keep])
    exact = pure_to_zcdp(PureDP(epsilon)).rho
    found = worst(log_p, log_q, 0.0)
    assert exact * (1 - 1e-3) <= found <= exact * (1 + 1e-6)
    assert exact < epsilon**2 / 2


@pytest.mark.parametrize("epsilon", [0.005, 0.2, 1.0, 3.0, 8.0])
def test_bounded_range_by_the_worst_two_point_laws(epsilon):
    """A loss in [t − ε, t] whose e^{−loss} has mean 1 has the largest mean at its two ends."""
    ranges = np.linspace(0, epsilon, 4001)[1:-1]
    upper = np.exp(ranges)  # the loss t with probability chance, t − ε otherwise
    chance = (math.exp(epsilon) - upper) / (upper * math.expm1(epsilon)) * upper
    mean = chance * ranges + (1 - chance) * (ranges - epsilon)
    exact = bounded_range_to_zcdp(epsilon).rho
    assert exact == pytest.approx(np.abs(mean).max(), rel=1e-5)
    assert exact <= epsilon**2 / 8


@by_rows(
    ("cost", "inverse"),
    [
        (laplace_rho, laplace_shift),
        (step_rho, step_loss),
        (lambda epsilon: bounded_range_to_zcdp(epsilon).rho, bounded_range_epsilon),
        (lambda epsilon: pure_to_zcdp(PureDP(epsilon)).rho, pure_epsilon),
    ],
)
@by_rows("rho", LARGE_AND_SMALL)
def test_inverses_never_spend_more_and_hardly_less(cost, inverse, rho):
    found = inverse(rho)
    assert 0 < found < math.inf
    assert cost(found) <= rho
    assert cost(found) >= rho * (1 - 1e-8)


def test_the_series_meet_the_closed_forms():
    for shift in (0.999e-3, 1.001e-3):
        assert laplace_rho(shift) == pytest.approx(shift**2 / 2 - shift**3 / 6, rel=1e-6)
    for epsilon in (0.00999, 0.01001):
        rho = bounded_range_to_zcdp(epsilon).rho
        assert rho == pytest.approx(epsilon**2 / 8 - epsilon**4 / 576, rel=1e-7)


def test_the_gain_over_the_older_rules():
    """Scales over those of ε²/2 (bounded range: ε over √(8ρ)), and variances over Gaussian ones."""
    table = {
        0.001: (0.993, 1.000, 1.000, 1.970),
        0.01: (0.976, 0.999, 1.001, 1.907),
        0.1: (0.926, 0.992, 1.006, 1.713),
        0.5: (0.835, 0.958, 1.028, 1.393),
        1: (0.768, 0.916, 1.056, 1.180),
        2: (0.679, 0.834, 1.113, 0.921),
        5: (0.527, 0.625, 1.279, 0.556),
    }
    for rho, expected in table.items():
        older = 1 / math.sqrt(2 * rho)
        laplace = Noise.LAPLACE.scale_for_rho(rho)
        found = (
            laplace / older,
            Noise.DISCRETE_LAPLACE.scale_for_rho(rho) / older,
            bounded_range_epsilon(rho) / math.sqrt(8 * rho),
            Noise.LAPLACE.variance(laplace) / Noise.GAUSSIAN.variance(older),
        )
        assert found == pytest.approx(expected, abs=6e-4)


def test_one_laplace_count_beats_a_gaussian_one_above_a_rho_of_1634():
    for rho, wins in ((1.633, False), (1.635, True)):
        laplace = Noise.LAPLACE.variance(Noise.LAPLACE.scale_for_rho(rho))
        assert (laplace < Noise.GAUSSIAN.variance(Noise.GAUSSIAN.scale_for_rho(rho))) is wins
    assert ZCDP(1.634).rho == 1.634
