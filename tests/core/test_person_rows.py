"""The price of several rows: never above the budget of a person, and hardly below it."""

import decimal
from decimal import Decimal
from fractions import Fraction

import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.person_rows import PARTS, PersonRows, record_budget, rows_of
from tests.rows import by_rows

SIZES = [0.1, 0.3, 1.0, 1 / 3, 2.7, 1e-6, 5e-30, 12.5, 640.0]
MOST = [1, 2, 3, 7, 10, 840, 10**6]
CLOSE = 1 - Fraction(1, 1 << 50)


@by_rows("k", MOST)
@by_rows("size", SIZES)
def test_a_chain_of_k_records_spends_at_most_the_budget(k, size):
    """Twin: ρ/k in place of ρ/k²."""
    rows = PersonRows.at_most(k)
    epsilon = as_written(rows.row_budget(PureDP(size)).epsilon)
    rho = as_written(rows.row_budget(ZCDP(size)).rho)
    assert as_written(size) * CLOSE < epsilon * k <= as_written(size)
    assert as_written(size) * CLOSE < rho * k**2 <= as_written(size)
    assert (as_written(size) / k * k**2 <= as_written(size)) == (k == 1)


@pytest.mark.law
@by_rows("k", MOST)
@by_rows("epsilon", [0.1, 1.0, 1 / 3, 5e-30, 1e-19, 30.0, 640.0])
@by_rows("delta", [1e-6, 1e-9, 0.5])
def test_delta_adds_up_along_the_chain(k, epsilon, delta):
    """δ' (1 + e^ε' + … + e^((k−1)ε')) in 400 digits; twin: δ/k."""
    each = PersonRows.at_most(k).row_budget(ApproxDP(epsilon, delta))
    with decimal.localcontext(prec=400):
        part = Decimal(repr(each.epsilon))
        grown = ((k * part).exp() - 1) / (part.exp() - 1)
        whole = Decimal(repr(each.delta)) * grown
        assert whole <= Decimal(repr(delta))
        assert whole >= Decimal(repr(delta)) * (1 - Decimal(2) ** -39)
        assert k * part <= Decimal(repr(epsilon))
        if k > 1 and epsilon > 1e-9:
            assert Decimal(repr(delta)) / k * grown > Decimal(repr(delta))


def test_one_row_a_person_costs_what_a_record_costs():
    for budget in (PureDP(0.1), ZCDP(0.3), ApproxDP(1.7, 1e-7)):
        assert PersonRows.at_most(1).row_budget(budget) == budget
        assert PersonRows.weighted(5).row_budget(budget) == PersonRows.at_most(5).row_budget(budget)


@pytest.mark.parametrize("epsilon", [1400.0, 2001.0, 1e9, 1e300])
def test_a_delta_that_no_mechanism_takes_is_refused(epsilon):
    with pytest.raises(InvalidBudget, match="fewer a person"):
        PersonRows.at_most(3).row_budget(ApproxDP(epsilon, 1e-6))


@pytest.mark.parametrize("wrong", [0, -1, 10**6 + 1, 2.0, True, "3", None])
def test_a_number_of_rows_that_is_none_is_refused(wrong):
    for make in (PersonRows.at_most, PersonRows.weighted):
        with pytest.raises(InvalidParameter, match="most"):
            make(wrong)


def test_a_bare_number_is_no_budget():
    with pytest.raises(InvalidBudget, match="PureDP"):
        PersonRows.at_most(2).row_budget(1.0)


def test_parameters_say_which_rows_counted():
    for rows in (PersonRows.at_most(4), PersonRows.weighted()):
        assert rows_of({"fanout": 2, **rows.parameters}) == rows
        assert record_budget(PureDP(1), rows.parameters) == rows.row_budget(PureDP(1))
    assert rows_of({"fanout": 2}) is None
    assert record_budget(PureDP(1), {}) == PureDP(1)
    assert [PARTS % r for r in range(1, 9)] == [0] * 8
