"""The account of a visit adds budgets up, pays nothing twice, and converts nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP, compose
from dpviz.experiments.planning.smallest_epsilon import RANGE, crossing, most_tried
from dpviz.ui.kit.account.ledger import Account, Cost, Entry, Total


def paid(*costs):
    account = Account()
    for number, cost in enumerate(costs):
        assert account.pay(b"%d" % number, [cost])
    return account


def test_nothing_is_paid_at_first():
    assert Account().total == Total()
    assert str(Account().total) == "nothing"
    assert Account().lines() == []


def test_the_same_release_is_paid_once_and_another_again():
    account = Account()
    cost = Cost("AQ", PureDP(0.1))
    assert account.pay(b"one", [cost])
    assert not account.pay(b"one", [cost])
    assert account.total == Total(epsilon=0.1)
    assert account.pay(b"two", [cost])
    assert account.entries == (
        Entry(b"one", "AQ", PureDP(0.1), 1),
        Entry(b"two", "AQ", PureDP(0.1), 1),
    )
    assert account.lines() == [Cost("AQ", PureDP(0.1), 2)]
    assert account.total == Total(epsilon=0.2)


def test_more_of_the_same_is_paid_up_to_the_larger_number():
    account = Account()
    account.pay(b"one", [Cost("AQ", PureDP(1), 5)])
    assert account.pay(b"one", [Cost("AQ", PureDP(1), 8)])
    assert not account.pay(b"one", [Cost("AQ", PureDP(1), 2)])
    assert account.total.epsilon == 8


def test_equal_costs_of_one_release_add_up():
    account = Account()
    account.pay(b"one", [Cost("both", PureDP(1), 3), Cost("both", PureDP(1), 4)])
    assert account.total.epsilon == 7


def test_every_run_pays():
    assert paid(Cost("averaging", PureDP(0.1), 1_000)).total.epsilon == pytest.approx(100)


def test_epsilon_and_delta_add_up():
    total = paid(Cost("a", ApproxDP(0.5, 1e-6), 3), Cost("b", PureDP(0.25))).total
    assert total == Total(epsilon=1.75, delta=3e-6)
    assert str(total) == "ε = 1.75, δ = 3e-06"


def test_all_in_rho_adds_up_in_rho():
    total = paid(Cost("a", ZCDP(0.5), 2), Cost("b", ZCDP(0.25))).total
    assert total == Total(rho=1.25)
    assert str(total) == "ρ = 1.25"


def test_mixed_notions_stand_side_by_side():
    total = paid(Cost("a", ZCDP(0.5)), Cost("b", PureDP(2)), Cost("c", ApproxDP(1, 1e-5))).total
    assert total == Total(3.0, 1e-5, 0.5)
    assert str(total) == "ε = 3, δ = 1e-05 and ρ = 0.5"


@given(some.lists(some.floats(1e-6, 1e3), min_size=1, max_size=20))
def test_one_notion_adds_up_as_composition_does(sizes):
    account = paid(*(Cost("a", PureDP(size)) for size in sizes))
    assert account.total.epsilon == compose([PureDP(size) for size in sizes]).size


@given(some.floats(1e-12, 1e12))
def test_the_text_never_says_less(value):
    text = str(Total(epsilon=value)).removeprefix("ε = ")
    assert float(text) >= value * (1 - 1e-11)
    assert math.isclose(float(text), value, rel_tol=2e-5)


def test_an_entry_does_not_print_its_release():
    assert "secret" not in repr(Entry(b"secret", "AQ", PureDP(1), 1))


@pytest.mark.parametrize("crossed", [*(x / 10 for x in range(-80, 60, 3)), -99.0, 99.0])
def test_no_search_spends_more_than_it_pays(crossed):
    """Three bisections at most, each of the answers that a step function gives."""
    tried: list[float] = []

    def successes(log_size):
        if log_size not in tried:
            tried.append(log_size)
        return int(log_size > crossed)

    for shift in range(3):
        crossing(lambda at, shift=shift: successes(at - 1e-9 * shift), 1)
    sizes = [math.exp(one) for one in tried] + [RANGE[1]]  # the last check
    assert len(sizes) <= len(most_tried()) + 4  # the ends, shifted, are tried anew here
    for one, most in zip(
        sorted(sizes)[::-1], sorted(most_tried() + [RANGE[1]] * 4)[::-1], strict=False
    ):
        assert one <= most * (1 + 1e-6)
