from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning.answers import UNIT, Curve, budgets_for, error_curve, round_up
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import gaps


def curve(budgets, high):
    errors = np.asarray(high, dtype=np.float64)
    return Curve(np.asarray(budgets, dtype=np.float64), errors / 4, errors / 2, errors, 100)


def test_an_error_lies_between_two_budgets_on_a_line_on_log_scales():
    straight = curve([0.01, 0.1, 1.0], [0.1, 0.01, 0.001])  # error × ε is always 0.001
    for target in (0.05, 0.02, 0.005, 0.0013):
        assert straight.error_at(0.001 / target) == pytest.approx(target)
    assert straight.error_at(0.005) is None  # nothing was computed there
    assert straight.error_at(30) == pytest.approx(0.001)


def test_a_budget_is_at_least_as_far_off_as_any_larger_one():
    bumpy = curve([0.01, 0.02, 0.04, 0.08], [0.1, 0.01, 0.03, 0.005])
    np.testing.assert_array_equal(bumpy.sure, [0.1, 0.03, 0.03, 0.005])
    assert bumpy.error_at(0.02) == pytest.approx(0.03)


def test_an_error_of_nothing_can_be_interpolated():
    ties = curve([0.1, 1.0], [0.02, 0.0])
    assert (
        0.02 > ties.error_at(0.2) > ties.error_at(0.5) > ties.error_at(1.0) == pytest.approx(1e-5)
    )


def test_budgets_are_three_powers_of_ten():
    for n, first in ((1_500, 0.01), (50_000, 0.01), (150_000, 0.001)):
        spaced = budgets_for(n)
        assert spaced.size == 31
        assert (spaced[0], spaced[-1]) == (first, first * 1000)
        np.testing.assert_allclose(spaced[1:] / spaced[:-1], 10**0.1, rtol=0.006)


def test_curves_are_quantiles_of_the_largest_gap_and_budgets_share_random_numbers(rng):
    column = Column.from_values(rng.normal(0, 5, 800), Bounds(-100, 100))
    asked, mechanism = QuantileSet.of([0.25, 0.5, 0.75]), ApproximateQuantiles()
    found = error_curve(column, mechanism, asked, [0.1, 1.0], 200, np.random.default_rng(5))
    for place, size in enumerate((0.1, 1.0)):
        same = np.random.default_rng(5)
        drawn = mechanism.release_many(column, asked, PureDP(size), same, 200)
        worst = np.sort(gaps(column, asked, drawn).max(axis=1)) / column.n
        assert found.high[place] == pytest.approx(worst[190], abs=UNIT)
        assert np.mean(worst <= found.high[place]) >= 0.95
        assert np.mean(worst < found.high[place] - UNIT) < 0.96
        assert found.low[place] <= found.middle[place] <= found.high[place]
    alone = error_curve(column, mechanism, asked, [1.0], 200, np.random.default_rng(5))
    assert alone.high[0] == found.high[1]
    with pytest.raises(InvalidParameter, match="empty"):
        error_curve(Column.from_values([], Bounds(0, 1)), mechanism, asked, [1.0], 10, rng)


@pytest.mark.parametrize(
    ("number", "up"),
    [(0.3529, 0.36), (0.36, 0.36), (0.3600001, 0.37), (1.001, 1.1), (10.0, 10.0), (0.0998, 0.1),
     (0.0101, 0.011), (99.2, 100.0), (0.0, 0.0)],
)  # fmt: skip
def test_rounding_is_upwards_to_two_digits(number, up):
    assert round_up(number) == up
