from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP, budget_from_dict, compose
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written
from tests.rows import by_rows

WRONG_NUMBERS = [0, -1, -0.0, math.nan, math.inf, -math.inf, "much", None, [1]]
POSITIVE = st.floats(1e-6, 1e4)


@by_rows("value", WRONG_NUMBERS)
@by_rows(
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


@pytest.mark.law
@given(st.lists(POSITIVE, min_size=1, max_size=20))
def test_parameters_add_within_one_notion(values):
    total = slow_sum(values)
    assert compose([PureDP(v) for v in values]) == PureDP(total)
    assert compose([ZCDP(v) for v in values]) == ZCDP(total)
    delta = 0.9 / len(values)
    whole = compose([ApproxDP(v, delta) for v in values])
    assert whole.epsilon == total
    assert whole.delta == pytest.approx(0.9)
    assert sum((PureDP(v) for v in values), 0) == PureDP(
        reduce(lambda a, b: slow_sum([a, b]), values)
    )


def slow_sum(values):
    """The least double that is not written as less than the sum of decimals: with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        exact = sum(Decimal(repr(value)) for value in values)
        found = math.nextafter(float(exact), 0)
        while Decimal(repr(found)) < exact:
            found = math.nextafter(found, math.inf)
        return found


def test_decimals_add_as_decimals():
    assert compose([PureDP(0.1)] * 10) == PureDP(1.0)
    assert PureDP(0.1) + PureDP(0.2) == PureDP(0.3)
    assert ApproxDP(0.1, 1e-6) + ApproxDP(0.2, 2e-6) == ApproxDP(0.3, 3e-6)
    assert sum([ZCDP(0.1)] * 3) == ZCDP(0.3)
    with pytest.raises(InvalidBudget, match="Convert them first"):
        PureDP(1) + ZCDP(1)
    for other in (1, "1", None):
        with pytest.raises(TypeError):
            PureDP(1) + other
    with pytest.raises(TypeError):
        sum([PureDP(1)], 1)
    with pytest.raises(InvalidBudget, match="finite"):
        PureDP(1.7e308) + PureDP(1.7e308)


@pytest.mark.law
@given(st.lists(POSITIVE, min_size=1, max_size=6), POSITIVE)
def test_parts_spend_no_more_than_the_whole_and_nearly_all(weights, size):
    for whole in (PureDP(size), ZCDP(size), ApproxDP(size, 1e-5)):
        parts = whole.split(*weights)
        for name in ("epsilon", "delta", "rho"):
            if hasattr(whole, name):
                sizes = [as_written(getattr(one, name)) for one in parts]
                exact = as_written(getattr(whole, name))
                assert sum(sizes) <= exact
                assert sum(sizes) >= exact * (1 - Fraction(1, 10**14))
                for found, weight in zip(sizes, weights, strict=True):
                    share = as_written(weight) / sum(map(as_written, weights))
                    assert 0 <= share * exact - found <= share * exact / 10**14


def test_budgets_are_divided():
    assert PureDP(0.3) / 3 == PureDP(0.1)
    assert PureDP(1) / 3 == PureDP(0.3333333333333333)
    assert PureDP(2).split(3, 1) == (PureDP(1.5), PureDP(0.5))
    assert ApproxDP(1, 1e-6) / 2 == ApproxDP(0.5, 5e-7)
    for parts in (0, 1.5, "2", True, None, -1):
        with pytest.raises(InvalidBudget, match="parts"):
            PureDP(1) / parts
    for weights in ((0,), (1, -1), (math.nan,), ("1", None)):
        with pytest.raises(InvalidBudget, match="weight"):
            PureDP(1).split(*weights)


def test_notions_are_never_mixed():
    with pytest.raises(InvalidBudget, match=r"found pure, zCDP\. Convert them first"):
        compose([ZCDP(1), PureDP(1)])
    with pytest.raises(InvalidBudget, match="found approximate, pure"):
        compose([PureDP(1), ApproxDP(1, 0.1)])
    with pytest.raises(InvalidBudget, match="found none"):
        compose([])


def test_a_delta_spent_to_one_is_refused():
    with pytest.raises(InvalidBudget, match=r"The δ of 2 releases add up to 1, and .* smaller δ"):
        compose([ApproxDP(1, 0.5)] * 2)
    with pytest.raises(InvalidBudget, match="The δ of 1,000 releases add up to 500, and from 1 on"):
        compose([ApproxDP(1, 0.5)] * 1_000)


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
