"""Hills: equal areas, limited heights, and the range that they are drawn in."""

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Answers
from dpviz.figures.quantiles.hills import POINTS, TALLEST, error_range, hills, reach_of

ROWS = np.array([0.25, 0.5, 0.75])


def outline(errors, reach=10.0, resolution=0.0):
    x, y = hills(errors, ROWS, reach, 0.25, resolution)
    return x.reshape(3, -1), y.reshape(3, -1)


def test_each_hill_starts_and_ends_on_its_row_and_lifts_the_pen(rng):
    x, y = outline(rng.normal(size=(200, 3)))
    assert np.isnan(x[:, -1]).all()
    assert np.isnan(y[:, -1]).all()
    np.testing.assert_array_equal(y[:, 0], ROWS)
    np.testing.assert_array_equal(y[:, -2], ROWS)
    assert x.shape == (3, POINTS + 3)
    assert (y[:, 1:-2] >= ROWS[:, None]).all()


def test_hills_have_one_area_and_the_typical_one_is_not_too_high(rng):
    x, y = outline(rng.normal(scale=[0.5, 1.0, 2.0], size=(4_000, 3)))
    height = y[:, :-1] - ROWS[:, None]
    area = np.trapezoid(height, x[:, :-1], axis=1)
    np.testing.assert_allclose(area, area[1], rtol=0.02)
    assert height.max() <= TALLEST * 0.25 * 1.001
    wrong = np.trapezoid(height[0] * 1.1, x[0, :-1])
    assert abs(wrong / area[1] - 1) > 0.05


def test_a_row_that_is_always_right_is_a_hill_too():
    errors = np.zeros((50, 3))
    errors[:, 1] = np.linspace(-3, 3, 50)
    _, y = outline(errors, resolution=1.0)
    height = (y[:, :-1] - ROWS[:, None]).max(axis=1)
    assert np.isfinite(height).all()
    assert (height > 0).all()
    assert height.max() <= TALLEST * 0.25 * 1.001


def test_the_range_holds_most_errors(rng):
    errors = rng.normal(size=(2_000, 3))
    reach = error_range(errors)
    assert reach == 5
    assert (np.abs(errors) <= reach).mean() >= 0.985
    assert error_range(np.empty(0)) == 1


def test_the_range_is_two_steps_of_the_grid_at_least():
    q, zero = np.array([0.5]), np.zeros(1)
    assert reach_of(Answers(q, zero, zero, np.zeros((5, 1))), 1.0) == 2
    assert reach_of(Answers(q, np.array([7.0]), zero), 0.0) == 10


@pytest.mark.parametrize("scale", [0.01, 0.1])
def test_the_range_scales_with_the_unit(rng, scale):
    errors = rng.normal(size=(500, 3))
    assert error_range(errors * scale) == pytest.approx(error_range(errors) * scale)
