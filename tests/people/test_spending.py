"""What releases add up to, against slow twins: decimals, and laws composed by their outcomes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from dp_accounting import NeighboringRelation, dp_event
from dp_accounting.pld import PLDAccountant

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.conversions import pure_to_zcdp, zcdp_to_approx
from dpviz.core.errors import InvalidBudget
from dpviz.people.spending import LEAST_DELTA, SHARES, Loss, added, tight_epsilon
from tests.rows import by_rows


def test_steps_are_those_of_group_privacy():
    assert Loss.of(PureDP(0.1), 2) == Loss(Fraction(1, 5))
    assert Loss.of(ZCDP(0.1), 2) == Loss(rho=Fraction(2, 5))
    found = Loss.of(ApproxDP(0.5, 1e-6), 2)
    assert found.epsilon == 1
    exact = Fraction(1, 10**6) * (1 + Fraction(math.exp(0.5)))
    assert exact <= found.delta <= exact * (1 + Fraction(1, 10**14))
    assert Loss.of(ApproxDP(0.5, 1e-6)) == Loss(Fraction(1, 2), Fraction(1, 10**6))


def test_losses_add_each_for_itself():
    one = Loss.of(PureDP(0.1)) + Loss.of(ApproxDP(0.2, 1e-6)) + Loss.of(ZCDP(0.3)) * 3
    assert one == Loss(Fraction(3, 10), Fraction(1, 10**6), Fraction(9, 10))
    wide = Loss(Fraction(1), Fraction(0), Fraction(3)).widest(Loss(Fraction(2), Fraction(1)))
    assert wide == Loss(Fraction(2), Fraction(1), Fraction(3))
    assert not Loss()


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 20.0])
def test_an_epsilon_costs_what_randomised_response_does(epsilon):
    """ρ ≥ D_α/α at every order of two outcomes; the bound is met as α goes to 1."""
    found = float(Loss.of(PureDP(epsilon)).in_rho.rho)
    assert found == pytest.approx(pure_to_zcdp(PureDP(epsilon)).rho, rel=1e-11)
    assert found >= pure_to_zcdp(PureDP(epsilon)).rho
    high = 1 / (1 + math.exp(-epsilon))
    near = 1.0001
    low_part = (1 - high) * math.exp(near * -epsilon - -epsilon)  # P^α Q^(1−α), without overflow
    high_part = high * math.exp((near - 1) * epsilon)
    divergence = math.log(high_part + low_part) / (near - 1)
    assert divergence / near <= found * (1 + 1e-9)
    assert divergence / near >= found * (1 - 1e-2)


def test_a_delta_has_no_price_in_rho():
    with pytest.raises(InvalidBudget, match="no price in ρ"):
        _ = Loss.of(ApproxDP(1, 1e-6)).in_rho


def worst_delta(pairs, epsilon):
    """δ of canonical pairs composed outcome by outcome: each says 0, 1, or for sure which is true.

    Source: Kairouz, Oh and Viswanath 2015: these four outcomes stand for every (ε, δ)-mechanism.
    """
    total = 0.0
    options = []
    for own, delta in pairs:
        high = (1 - delta) * math.exp(own) / (1 + math.exp(own))
        low = (1 - delta) / (1 + math.exp(own))
        options.append([(delta, 0.0), (high, low), (low, high), (0.0, delta)])
    for outcome in itertools.product(*options):
        p, q = (math.prod(one[at] for one in outcome) for at in (0, 1))
        total += max(p - math.exp(epsilon) * q, 0.0)
    return total


@pytest.mark.law
@by_rows(
    "budgets",
    [
        [PureDP(0.1)] * 7,
        [PureDP(0.1), PureDP(0.5), PureDP(1.3)],
        [ApproxDP(0.2, 1e-3)] * 4,
        [ApproxDP(0.2, 1e-3), PureDP(0.7), ApproxDP(0.05, 2e-4), PureDP(0.7)],
    ],
)
@by_rows("delta", [0.005, 0.02, 0.1])
def test_plans_are_composed_tightly_and_never_too_low(budgets, delta):
    """Twin: a thousandth of ε less is not kept."""
    pairs = [(one.epsilon, getattr(one, "delta", 0.0)) for one in budgets]
    found = tight_epsilon([Loss.of(one) for one in budgets], delta)
    assert worst_delta(pairs, found) <= delta * (1 + 1e-9)
    assert found <= sum(one for one, _ in pairs) * (1 + 1e-12)
    if 0 < found < sum(one for one, _ in pairs) * 0.999:
        assert worst_delta(pairs, found - 0.002) > delta


@pytest.mark.law
def test_what_is_spent_in_rho_is_converted_with_a_part_of_delta():
    losses = [Loss.of(ZCDP(0.02))] * 5
    alone = tight_epsilon(losses, 1e-6)
    assert alone == pytest.approx(zcdp_to_approx(ZCDP(0.1), 1e-6).epsilon, rel=1e-9)
    assert alone >= zcdp_to_approx(ZCDP(0.1), 1e-6).epsilon
    mixed = [*losses, *([Loss.of(PureDP(0.1))] * 60)]
    found = tight_epsilon(mixed, 1e-6)
    in_rho = added(one.in_rho for one in mixed).rho
    assert found <= zcdp_to_approx(ZCDP(float(in_rho)), 1e-6).epsilon * (1 + 1e-9)
    assert found < alone + 6.0  # basic composition
    assert found > tight_epsilon(losses, 1e-6)
    assert found > tight_epsilon(mixed[5:], 1e-6)


def test_no_room_for_its_own_delta_is_infinite():
    assert tight_epsilon([Loss.of(ApproxDP(1, 1e-6))] * 2, 1.9e-6) == math.inf
    assert tight_epsilon([Loss.of(ApproxDP(1, 1e-6)), Loss.of(ZCDP(1))], 1e-6) == math.inf
    assert tight_epsilon([Loss.of(ApproxDP(1, 1e-6))] * 2, 2e-6) <= 2 * (1 + 1e-12)


def test_below_the_least_delta_composition_is_basic():
    assert tight_epsilon([Loss.of(PureDP(0.1))] * 100, 1e-12) == pytest.approx(10)
    assert tight_epsilon([Loss.of(PureDP(0.1))] * 100, 1e-6) < 5


@pytest.mark.parametrize("delta", [1e-11, 1e-6])
def test_rho_is_converted_with_what_others_leave_of_delta(delta):
    """By basic composition where δ is too small for distributions, else by the best of parts."""
    own = 0.8 * delta
    room = delta - own
    found = tight_epsilon([Loss.of(ZCDP(0.1)), Loss.of(ApproxDP(0.5, own))], delta)
    basic = 0.5 + zcdp_to_approx(ZCDP(0.1), room).epsilon
    if delta < LEAST_DELTA:
        assert found == pytest.approx(basic, rel=1e-9)
        assert found >= basic * (1 - 1e-9)
        return
    slow = basic
    for share in SHARES:
        part = (zcdp_to_approx(ZCDP(0.1), share * room).epsilon, share * room)
        low, high = 0.0, basic
        while high - low > 1e-6:
            middle = (low + high) / 2
            kept = worst_delta([(0.5, own), part], middle) <= delta
            low, high = (low, middle) if kept else (middle, high)
        slow = min(slow, high)
    assert slow - 1e-6 <= found <= slow + 1e-3


@pytest.mark.parametrize("epsilon", [99.0, 101.0, 1e4, 1e6])
def test_large_budgets_add_up(epsilon):
    found = tight_epsilon([Loss.of(PureDP(epsilon))] * 3, 1e-6)
    assert 3 * epsilon - 50 <= found <= 3 * epsilon * (1 + 1e-12)
    mixed = [Loss.of(ZCDP(epsilon)), Loss.of(PureDP(epsilon))]
    assert epsilon < tight_epsilon(mixed, 1e-6) < math.inf


@by_rows(
    ("epsilon", "releases", "delta"),
    [(0.1, 30, 1e-6), (0.1, 100, 1e-6), (0.5, 10, 1e-5), (1.0, 4, 1e-3), (2.0, 3, 1e-9)],
)
def test_totals_are_those_of_the_accountant_of_dp_accounting(epsilon, releases, delta):
    """Its grid is coarser, 1e-4 a release, so that it rounds up more. One release fewer is less."""
    oracle = PLDAccountant(NeighboringRelation.REPLACE_ONE)
    for _ in range(releases):
        oracle.compose(dp_event.RandomizedResponseDpEvent(2 / (1 + math.exp(epsilon)), 2))
    wanted = oracle.get_epsilon(delta)
    found = tight_epsilon([Loss.of(PureDP(epsilon))] * releases, delta)
    assert wanted - 1e-4 * releases - 1e-9 <= found <= wanted + 1e-9
    fewer = tight_epsilon([Loss.of(PureDP(epsilon))] * (releases - 1), delta)
    assert fewer < wanted - 1e-4 * releases  # the wrong twin
