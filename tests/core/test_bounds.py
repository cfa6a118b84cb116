from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import DpvizError, InvalidBounds

FINITE = st.floats(-1e300, 1e300)


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (math.nan, 1, "two finite numbers"),
        (0, math.nan, "two finite numbers"),
        (-math.inf, 0, "two finite numbers"),
        (0, math.inf, "two finite numbers"),
        (1, 1, r"below the upper one, got \(1, 1\)"),
        (0.0, -0.0, "below the upper one"),
        (2, 1, r"below the upper one, got \(2, 1\)"),
        (-sys.float_info.max, sys.float_info.max, "width overflows"),
    ],
)
def test_bounds_that_are_no_interval_are_refused(low, high, message):
    with pytest.raises(InvalidBounds, match=message):
        Bounds(low, high)


@pytest.mark.parametrize("value", ["ten", None, [1, 2], 1j])
def test_bounds_that_are_no_numbers_are_refused(value):
    with pytest.raises(InvalidBounds, match="number"):
        Bounds(value, 1)
    with pytest.raises(InvalidBounds, match="number"):
        Bounds(0, value)


@pytest.mark.law
@given(FINITE, FINITE)
def test_every_ordered_pair_is_an_interval(first, second):
    low, high = sorted((first, second))
    if low == high:
        with pytest.raises(InvalidBounds):
            Bounds(low, high)
    else:
        bounds = Bounds(low, high)
        assert (bounds.low, bounds.high, bounds.width) == (low, high, high - low)


def test_bounds_are_values():
    assert Bounds(0, 10) == Bounds(0.0, 10.0)
    assert hash(Bounds(0, 10)) == hash(Bounds(0.0, 10.0))
    assert type(Bounds(0, 10).low) is float
    assert Box(Bounds(0, 1), Bounds(2, 3)) != Box(Bounds(2, 3), Bounds(0, 1))
    with pytest.raises(AttributeError):
        Bounds(0, 1).low = 2


def test_widening():
    assert Bounds(0, 10).widened(0.5) == Bounds(-0.5, 10.5)
    assert Bounds(0, 10).widened(0) == Bounds(0, 10)
    with pytest.raises(InvalidBounds, match="below the upper one"):
        Bounds(0, 10).widened(-5)


def test_the_cause_is_also_a_value_error():
    assert issubclass(InvalidBounds, DpvizError)
    assert issubclass(DpvizError, ValueError)
