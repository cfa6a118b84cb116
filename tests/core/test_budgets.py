from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP, budget_from_dict, compose
from dpviz.core.errors import InvalidBudget

WRONG_NUMBERS = [0, -1, -0.0, math.nan, math.inf, -math.inf, "much", None, [1]]
POSITIVE = st.floats(1e-6, 1e4)


@pytest.mark.parametrize("value", WRONG_NUMBERS)
@pytest.mark.parametrize(
    ("symbol", "build"),
    [
        ("ε", PureDP),
        ("ρ", ZCDP),
        ("ε", lambda value: ApproxDP(value, 1e-6)),
        ("δ", lambda value: ApproxDP(1, value)),
    ],
)
def test_a_parameter_outside_its_range_is_refused_by_name(symbol, build, value):
    with pytest.raises(InvalidBudget, match=f"^{symbol} must be a .*got"):
        build(value)


@pytest.mark.parametrize("delta", [1, 1.5, 1e300])
def test_delta_stays_below_one(delta):
    with pytest.raises(InvalidBudget, match="strictly between 0 and 1"):
        ApproxDP(1, delta)


@pytest.mark.parametrize("value", [1e-6, 1, 1e4, 5e-324, 1.7e308])
def test_extreme_budgets_are_budgets(value):
    assert PureDP(value).epsilon == value
    assert ZCDP(value).rho == value
    assert ApproxDP(value, 1e-300).delta == 1e-300


def test_budgets_are_values_that_read_well():
    assert PureDP(1) == PureDP(1.0)
    assert PureDP(1) != ZCDP(1)
    assert len({PureDP(1), PureDP(1.0), ApproxDP(1, 0.1)}) == 2
    assert type(PureDP(1).epsilon) is float
    assert [str(b) for b in (PureDP(0.5), ZCDP(2), ApproxDP(1, 1e-6))] == [
        "ε = 0.5",
        "ρ = 2",
        "ε = 1, δ = 1e-06",
    ]
    with pytest.raises(AttributeError):
        PureDP(1).epsilon = 2


@given(st.lists(POSITIVE, min_size=1, max_size=20))
def test_parameters_add_within_one_notion(values):
    total = math.fsum(values)
    assert compose([PureDP(v) for v in values]) == PureDP(total)
    assert compose([ZCDP(v) for v in values]) == ZCDP(total)
    delta = 0.9 / len(values)
    whole = compose([ApproxDP(v, delta) for v in values])
    assert whole.epsilon == total
    assert whole.delta == pytest.approx(0.9)


def test_ten_tenths_make_one():
    assert compose([PureDP(0.1)] * 10) == PureDP(1.0)


def test_notions_are_never_mixed():
    with pytest.raises(InvalidBudget, match=r"found pure, zCDP\. Convert them first"):
        compose([ZCDP(1), PureDP(1)])
    with pytest.raises(InvalidBudget, match="found approximate, pure"):
        compose([PureDP(1), ApproxDP(1, 0.1)])
    with pytest.raises(InvalidBudget, match="found none"):
        compose([])


def test_a_delta_spent_to_one_is_refused():
    with pytest.raises(InvalidBudget, match="δ"):
        compose([ApproxDP(1, 0.5)] * 2)


def test_budgets_keep_their_notion():
    assert PureDP(1).resized(3) == PureDP(3)
    assert ApproxDP(1, 1e-6).resized(3) == ApproxDP(3, 1e-6)
    assert ZCDP(1).resized(3) == ZCDP(3)
    budgets = PureDP(2), ZCDP(3), ApproxDP(4, 0.1)
    assert [budget.size for budget in budgets] == [2, 3, 4]
    assert [budget.symbol for budget in budgets] == ["ε", "ρ", "ε"]


@pytest.mark.parametrize("budget", [PureDP(2), ZCDP(3), ApproxDP(4, 0.1)])
def test_a_size_is_checked_like_a_budget(budget):
    assert budget.resized(budget.size) == budget
    with pytest.raises(InvalidBudget, match=f"^{budget.symbol} must be"):
        budget.resized(-1)


def test_plain_values_of_an_unknown_notion_are_refused():
    with pytest.raises(InvalidBudget, match="Unknown notion of privacy 'local'"):
        budget_from_dict({"notion": "local", "epsilon": 1.0})
