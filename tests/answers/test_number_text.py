"""Numbers about trees: thousands grouped, digits that the errors can bear."""

import math

import numpy as np
import pytest

from dpviz.answers.number_text import amount, asked_for, decimals, significant
from dpviz.core.quantiles import DECILES, PERCENTILES


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


def test_what_was_asked_in_words():
    assert asked_for(DECILES) == "nine deciles"
    assert asked_for(PERCENTILES) == "99 percentiles"
    assert asked_for(np.array([0.1, 0.5])) == "two quantiles"
    assert asked_for(np.array([0.5])) == "one median"
