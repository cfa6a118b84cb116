"""Several columns: what each spends adds up to what the sentence says, to the last digit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.answers.decide import together
from dpviz.answers.decide.price import MOST, Need, Price, Way, two_digits
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP, compose

NEED = Need(2, "value")


def exact(number):
    return Fraction(repr(float(number)))


@given(st.sampled_from(two_digits()), st.integers(2, 40))
def test_a_need_takes_as_many_times_what_one_column_takes(each, columns):
    whole = together.whole_of(each, columns)
    assert exact(whole) == columns * exact(each)
    assert together.parts_of(whole, columns) == (each,) * columns


@given(st.floats(1e-4, 10).map(lambda one: float(f"{one:.7g}")), st.integers(2, 40))
def test_parts_of_a_budget_add_up_to_it_and_none_is_less_than_the_first(size, columns):
    parts = together.parts_of(size, columns)
    assert len(parts) == columns
    assert sum(map(exact, parts)) == exact(size)
    assert min(parts) == parts[0]
    assert parts[0] == pytest.approx(size / columns, rel=1e-4)


@pytest.mark.parametrize("whole", [PureDP(1.0), ApproxDP(1.0, 1e-6), ZCDP(0.05)])
@pytest.mark.parametrize("columns", [2, 3, 7])
def test_budgets_of_columns_compose_to_the_whole(whole, columns):
    assert compose(together.budgets_of(whole, columns)) == whole


def test_the_price_of_all_is_that_of_one_times_their_number():
    ways = (Way("tree", 0.53), Way("halving", 4.0), Way("each", None))
    one = Price(ways, NEED, 0.53, 1.9, is_about=True)
    found = together.price_of(one, 3)
    assert (found.size, found.off, found.need, found.is_about) == (1.59, 1.9, NEED, True)
    assert found.ways == (Way("tree", 1.59), Way("halving", None), Way("each", None))  # 12 > 10
    assert together.price_of(Price((Way("tree", 4.0),), NEED, 4.0, 1.9), 3).size is None
    assert together.price_of(Price((Way("tree", 5.0),), NEED, 5.0, 1.9), 2).size == MOST
    given_all = together.price_of(Price(ways, NEED, 0.333333, 1.9, is_given=True), 3, 1.0)
    assert (given_all.size, given_all.chosen, given_all.is_given) == (1.0, Way("tree", 1.0), True)


def test_a_form_of_all_is_asked_with_the_part_of_one():
    class Form:
        ways = ("tree",)

        def off(self, way, size, need):
            return way, size, need

    shared = together.Shared(Form(), 4)
    assert shared.off("tree", 2.0, NEED) == ("tree", 0.5, NEED)
    assert shared.ways == ("tree",)


def test_the_sum_is_said():
    assert together.lead(0.53, 3) == "that takes 3 × 0.53, in all "
    assert together.shortly("salary", ["age"]) == "salary and age"
    assert together.shortly("salary", ["age", "hours"]) == "salary and 2 more"
    assert together.stated((0.53, 0.53, 0.53), "ε") == (
        "ε = 0.53 for each of the three columns, which add up: a person may be in all of them."
    )
    assert together.stated((0.333333, 0.333334), "ρ") == (
        "ρ = 0.333333 for each of the two columns, 0.333334 for the last, which add up: a person "
        "may be in all of them."
    )
