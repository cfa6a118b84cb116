from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from scipy import optimize

from dpviz.core.budgets import ApproxDP
from dpviz.mechanisms.exponential.composition import bounded_range_delta, bounded_range_epsilon_for
from tests.rows import by_rows, grid


def two_point(epsilon, t):
    """The extreme ε-bounded-range pair: outcomes (P, Q) with losses t and t − ε."""
    p = (math.exp(-t) - math.exp(-epsilon)) / (1 - math.exp(-epsilon))
    return [(p * math.exp(t), p), ((1 - p) * math.exp(t - epsilon), 1 - p)]


def hockey_stick(pairs, total):
    """Σ max(P − e^ε Q, 0) over the product of finite mechanisms, by enumeration."""
    delta = 0.0
    for outcome in itertools.product(*pairs):
        p = math.prod(x for x, _ in outcome)
        q = math.prod(y for _, y in outcome)
        delta += max(p - math.exp(total) * q, 0.0)
    return delta


def brute_force_delta(epsilon, k, total):
    """Maximise over k separate parameters t, from several starts."""

    def loss(ts):
        return -hockey_stick([two_point(epsilon, t) for t in np.clip(ts, 0, epsilon)], total)

    grid = [-loss([t] * k) for t in np.linspace(0, epsilon, 400)]
    best = max(grid)
    start = np.linspace(0, epsilon, 400)[int(np.argmax(grid))]
    starts = [[start] * k, *np.random.default_rng(k).uniform(0, epsilon, (4, k))]
    for at in starts:
        found = optimize.minimize(
            loss, at, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14}
        )
        best = max(best, -found.fun)
    return best


@pytest.mark.law
@grid(k=[1, 2, 3, 4], epsilon=[0.3, 1.0, 3.0], share=[0.05, 0.3, 0.7])
def test_delta_is_the_worst_product_of_two_point_mechanisms(k, epsilon, share):
    total = share * k * epsilon
    delta = bounded_range_delta(epsilon, k, total)
    assert delta == pytest.approx(brute_force_delta(epsilon, k, total), rel=1e-5)


@by_rows("epsilon", [1e-4, 0.5, 2.0, 50.0])
@by_rows("share", [0.01, 0.5, 0.99])
def test_one_mechanism_has_a_closed_form(epsilon, share):
    total = share * epsilon
    closed = -math.expm1((total - epsilon) / 2)
    closed *= closed / -math.expm1(-epsilon)
    assert bounded_range_delta(epsilon, 1, total) == pytest.approx(closed, rel=1e-9)


def test_no_bounded_range_mechanisms_exceed_it(rng):
    epsilon, k = 0.9, 3
    for _ in range(200):
        pairs = []
        for _ in range(k):
            q = rng.dirichlet(np.full(4, 0.5))
            tilt = np.exp(epsilon * rng.random(4))
            p = q * tilt / (q @ tilt)
            pairs.append(list(zip(p, q, strict=True)))
        for total in (0.2, 0.6, 1.5):
            assert hockey_stick(pairs, total) <= bounded_range_delta(epsilon, k, total) + 1e-12


def test_half_the_loss_of_pure_mechanisms():
    """A product of randomised responses, which are not ε-bounded-range, does exceed it."""
    epsilon, k, total = 1.0, 3, 1.0
    odds = math.exp(epsilon) / (1 + math.exp(epsilon))
    response = [(odds, 1 - odds), (1 - odds, odds)]
    assert hockey_stick([response] * k, total) > 1.2 * bounded_range_delta(epsilon, k, total)


def test_basic_composition_costs_no_delta():
    assert bounded_range_delta(0.25, 4, 1.0) == 0.0
    assert bounded_range_delta(0.1, 4, 1.0) == 0.0
    assert bounded_range_delta(0.2500001, 4, 1.0) > 0.0


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [1, 5, 120, 500])
@pytest.mark.parametrize("total", [1e-6, 1.0, 1e4])
def test_delta_grows_with_epsilon_and_stays_a_probability(k, total):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        factors = np.geomspace(1.0001, 1e4, 40)
        deltas = [bounded_range_delta(total / k * f, k, total) for f in factors]
    assert all(0 <= a <= b * (1 + 1e-9) for a, b in itertools.pairwise(deltas))
    assert deltas[-1] <= 1 + 1e-9
    assert all(np.isfinite(deltas))


@pytest.mark.law
@grid(k=[1, 2, 9, 120, 500], total=[1e-6, 0.1, 1.0, 1e4], delta=[1e-12, 1e-6, 0.01, 0.9])
def test_the_solution_is_on_the_safe_side_and_close(k, total, delta):
    epsilon = bounded_range_epsilon_for(ApproxDP(total, delta), k)
    assert epsilon >= total / k * (1 - 1e-12)
    assert bounded_range_delta(epsilon, k, total) <= delta
    assert bounded_range_delta(epsilon * (1 + 1e-6), k, total) > delta * (1 - 1e-3)


@by_rows("delta", [1e-30, 1e-300])
@by_rows("total", [1e-6, 1e4])
@by_rows("k", [1, 2, 500])
def test_a_delta_below_rounding_falls_back_to_basic_composition(delta, total, k):
    epsilon = bounded_range_epsilon_for(ApproxDP(total, delta), k)
    assert math.isfinite(epsilon)
    assert epsilon >= total / k * (1 - 1e-12)


def test_the_papers_setting_gains_over_basic_and_pure_composition():
    found = bounded_range_epsilon_for(ApproxDP(1.0, 1e-6), 120)
    assert found > 3 / 120
    assert bounded_range_epsilon_for(ApproxDP(1.0, 1e-9), 120) < found
