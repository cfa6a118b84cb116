"""Numbers about trees: thousands grouped, digits that the errors can bear."""

from __future__ import annotations

import math

import pytest

from dpviz.ui.kit.number_text import amount, decimals, significant


@pytest.mark.parametrize(
    ("errors", "places"), [((70.28, 98.99), 1), ((0, math.inf, 1234.0), 0), ((0.0123,), 4), ((), 0)]
)
def test_three_digits_of_the_least_error(errors, places):
    assert decimals(errors) == places


def test_amounts():
    said = [amount(number, 1) for number in (6040.29, -51.0, -0.01, math.nan, math.inf)]
    assert said == ["6,040.3", "−51.0", "0.0", "–", "∞"]


def test_numbers_by_themselves():
    said = [significant(number) for number in (123456.7, 98.9949, 12.0, 0.0123456, 0.0, None)]
    assert said == ["123,457", "98.99", "12", "0.01235", "0", "–"]
