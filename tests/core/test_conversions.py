from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent
from dp_accounting.rdp import RdpAccountant
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.conversions import (
    approx_to_zcdp,
    bounded_range_epsilon,
    bounded_range_to_zcdp,
    pure_to_zcdp,
    zcdp_to_approx,
)
from dpviz.core.errors import InvalidBudget
from tests.rows import by_rows

RHOS = [1e-6, 1e-3, 0.01, 0.5, 1, 10, 1e3]
DELTAS = [1e-12, 1e-6, 1e-3, 0.1]


def dense_twin(rho: float, delta: float) -> float:
    """The same bound minimised over a dense list of orders."""
    above = np.exp(np.linspace(-20, 40, 200_001))
    order = 1 + above
    bound = rho * order + np.log(above / order) - (math.log(delta) + np.log(order)) / above
    return max(float(bound.min()), 0.0)


@pytest.mark.law
@by_rows("rho", RHOS)
@by_rows("delta", DELTAS)
def test_the_minimiser_finds_the_least_of_a_dense_grid(rho, delta):
    ours = zcdp_to_approx(ZCDP(rho), delta).epsilon
    assert ours == pytest.approx(dense_twin(rho, delta), rel=1e-6, abs=1e-9)


@by_rows("rho", RHOS)
@by_rows("delta", DELTAS)
def test_an_accountant_s_grid_of_orders_is_never_tighter(rho, delta):
    # a Gaussian of this noise is exactly ρ-zCDP, so both convert the same Rényi curve
    accountant = RdpAccountant()
    accountant.compose(GaussianDpEvent(1 / math.sqrt(2 * rho)))
    theirs = accountant.get_epsilon(delta)
    assert zcdp_to_approx(ZCDP(rho), delta).epsilon <= theirs * (1 + 1e-9) + 1e-12


def test_the_known_value_at_a_small_rho():
    assert zcdp_to_approx(ZCDP(1e-3), 1e-6).epsilon == pytest.approx(0.183, abs=5e-4)


def test_the_bound_is_valid_for_the_gaussian_and_close_to_its_exact_curve():
    # the exact δ(ε) of a Gaussian (Balle and Wang 2018) may never exceed the δ we convert to
    for rho in (0.01, 0.5, 5):
        epsilon = zcdp_to_approx(ZCDP(rho), 1e-6).epsilon
        mu = math.sqrt(2 * rho)
        assert gaussian_delta(epsilon, mu) <= 1e-6
        assert gaussian_delta(0.8 * epsilon, mu) > 1e-6


def gaussian_delta(epsilon: float, mu: float) -> float:
    def upper(x: float) -> float:
        return math.erfc(x / math.sqrt(2)) / 2

    return upper(epsilon / mu - mu / 2) - math.exp(epsilon) * upper(epsilon / mu + mu / 2)


@pytest.mark.law
@given(st.floats(1e-4, 1e3), st.sampled_from(DELTAS))
def test_there_and_back_spends_no_more_and_hardly_less(epsilon, delta):
    rho = approx_to_zcdp(ApproxDP(epsilon, delta)).rho
    assert zcdp_to_approx(ZCDP(rho), delta).epsilon <= epsilon
    assert zcdp_to_approx(ZCDP(rho * (1 + 1e-6)), delta).epsilon > epsilon


@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("delta", [1e-300, 1e-6, 0.5, 0.999])
def test_extreme_budgets_convert(epsilon, delta):
    rho = approx_to_zcdp(ApproxDP(epsilon, delta)).rho
    assert 0 < rho < math.inf
    assert zcdp_to_approx(ZCDP(rho), delta).epsilon <= epsilon
    assert 0 < zcdp_to_approx(ZCDP(epsilon), delta).epsilon < math.inf


def test_more_delta_buys_less_epsilon_and_more_rho_costs_more():
    by_delta = [zcdp_to_approx(ZCDP(0.5), delta).epsilon for delta in DELTAS]
    assert by_delta == sorted(by_delta, reverse=True)
    by_rho = [zcdp_to_approx(ZCDP(rho), 1e-6).epsilon for rho in RHOS]
    assert by_rho == sorted(by_rho)


def test_the_closed_conversions():
    assert pure_to_zcdp(PureDP(2)) == ZCDP(2 * math.tanh(1))
    assert bounded_range_to_zcdp(2).rho == pytest.approx(
        math.log(math.expm1(2) / 2) - 1 + 2 / math.expm1(2), rel=1e-14
    )
    for rho in RHOS:
        assert bounded_range_to_zcdp(bounded_range_epsilon(rho)).rho == pytest.approx(rho)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_senseless_parameters_are_refused(value):
    with pytest.raises(InvalidBudget, match="ε must be"):
        bounded_range_to_zcdp(value)
    with pytest.raises(InvalidBudget, match="ρ must be"):
        bounded_range_epsilon(value)
    with pytest.raises(InvalidBudget, match="δ must be"):
        zcdp_to_approx(ZCDP(1), value)
