"""What is promised is rounded up, what is proved is rounded down."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dpviz.answers.privacy.amounts import (
    at_least_percent,
    chance,
    least,
    more,
    most_percent,
    nearest_percent,
    times,
    tiny,
)


@pytest.mark.parametrize(
    ("epsilon", "text"),
    [
        (0, "1.00"), (0.1, "1.11"), (0.5, "1.65"), (1, "2.72"), (2, "7.39"), (5, "149"),
        (10, "22,027"), (14, "1.21 × 10⁶"), (1e4, "8.81 × 10⁴³⁴²"),
    ],
)  # fmt: skip
def test_e_to_the_epsilon_is_rounded_up(epsilon, text):
    assert times(epsilon) == text


@given(some.floats(0, 600))
def test_what_is_said_is_never_below_what_holds(epsilon):
    head, _, power = times(epsilon).replace(",", "").partition(" × 10")
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    said = Decimal(head) * Decimal(10) ** int(power.translate(digits) or 0)
    true = Decimal(epsilon).exp()
    assert said >= true * (1 - Decimal("1e-8"))
    assert said <= true * Decimal("1.02") + Decimal("0.011")


@given(some.floats(0, 1))
def test_shares_are_rounded_to_their_safe_side(share):
    most = float(most_percent(share).removesuffix(" %"))
    lowest = float(at_least_percent(share).removesuffix(" %"))
    assert lowest <= 100 * share + 1e-7
    assert most >= 100 * share - 1e-7
    if share < 1 - 1e-12:
        assert most_percent(share) != "100.0 %"


def test_numbers_of_the_page():
    assert most_percent(0.2319693) == "23.2 %"
    assert most_percent(1 / (1 + math.exp(-1))) == "73.2 %"
    assert nearest_percent(1 / (1 + math.exp(-1))) == "73 %"
    assert nearest_percent(1 - 1e-4) == "99.99 %"
    assert more(0.1) == "10.6 %"
    assert least(1.7499) == "1.74"
    assert chance(0.17) == "17.0 %"
    assert chance(3.1e-6) == "3.1 × 10⁻⁶"
    assert [tiny(one) for one in (1e-6, 0.0099, 0.01, 0.5)] == ["10⁻⁶", "9.9 × 10⁻³", "0.01", "0.5"]
