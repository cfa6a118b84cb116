from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.planning.stand_ins import (
    MOST_PEOPLE,
    SHAPES,
    STAND_IN_SEED,
    smallest_on_stand_in,
    stand_in,
)
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles

AQ = {"AQ": ApproximateQuantiles(round_to_grid=True)}
KEYS = [shape.key for shape in SHAPES]


def made(shape, n=4_000, *others):
    return stand_in(shape, n, np.random.default_rng(STAND_IN_SEED), *others)


def smallest(column, percent):
    asked = QuantileSet.of(DECILES)
    rows = run_all(smallest_on_stand_in(column, AQ, asked, percent, np.random.default_rng(1)))
    return rows[rows["kind"] == "answer"].iloc[0]["size"]


@pytest.mark.parametrize("shape", SHAPES, ids=KEYS)
def test_a_stand_in_lies_inside_its_bounds_on_its_steps(shape):
    column = made(shape.key)
    assert column.n == 4_000
    assert (column.bounds, column.resolution) == (shape.bounds, shape.resolution)
    assert column.clipped < 10
    if shape.resolution:
        steps = column.values / shape.resolution
        np.testing.assert_array_equal(steps, np.rint(steps))
    again = made(shape.key)
    np.testing.assert_array_equal(column.values, again.values)
    other = stand_in(shape.key, 4_000, np.random.default_rng(9))
    assert not np.array_equal(column.values, other.values)


def test_shapes_are_what_their_names_say():
    pay, bell, marks = made("log-normal").values, made("normal").values, made("exam").values
    assert np.median(pay) == pytest.approx(45_000, rel=0.03)
    assert np.quantile(pay, 0.9) > 1.8 * np.median(pay)
    assert np.std(bell) == pytest.approx(12, rel=0.05)
    heap = np.mean(marks == 50)
    assert heap > 2 * np.mean(marks == 52) > 2 * np.mean(marks == 48)
    assert np.mean(made("zeros").values == 0) == pytest.approx(0.3, abs=0.04)
    assert set(made("stars").values) == {1, 2, 3, 4, 5}
    counts, _ = np.histogram(made("uniform").values, 10, (0, 100))
    assert counts.min() > 0.7 * counts.max()


@pytest.mark.parametrize("shape", KEYS)
def test_declared_bounds_stretch_a_shape(shape):
    own, wide = made(shape), made(shape, 4_000, Bounds(-10, 30), 0.5)
    assert wide.bounds == Bounds(-10, 30)
    np.testing.assert_array_equal(wide.values * 2, np.rint(wide.values * 2))
    at = -10 + 40 * (own.values - own.bounds.low) / own.bounds.width
    np.testing.assert_allclose(wide.values, at, atol=0.25 + 1e-9)  # half a step
    unrounded = made(shape, 4_000, Bounds(-10, 30))
    np.testing.assert_allclose(unrounded.values, at, atol=1e-9)


@pytest.mark.parametrize("n", [0, -1, MOST_PEOPLE + 1, 2.5])
def test_sizes_that_cannot_be_are_refused(n):
    with pytest.raises(InvalidParameter, match="n must"):
        made("normal", n)


def test_an_unknown_shape_is_refused_with_those_there_are():
    with pytest.raises(InvalidParameter, match="log-normal, normal, exam"):
        made("triangle")
    assert made("normal", 1).n == 1


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize(
    ("n", "percent", "needed"),
    [
        (15_000, 1, 0.163),
        (1_500, 1, 1.56),
        pytest.param(15_000, 0.2, 0.73, marks=pytest.mark.thorough),
        pytest.param(15_000, 0.5, 0.31, marks=pytest.mark.thorough),
        pytest.param(15_000, 2, 0.081, marks=pytest.mark.thorough),
        pytest.param(15_000, 5, 0.030, marks=pytest.mark.thorough),
        pytest.param(150_000, 1, 0.0155, marks=pytest.mark.thorough),
    ],
)
def test_the_smallest_budget_on_a_log_normal_stand_in(n, percent, needed):
    assert smallest(made("log-normal", n), percent) == pytest.approx(needed, 0.02)


@pytest.mark.thorough
def test_half_the_error_takes_about_twice_the_budget():
    column = made("log-normal", 15_000)
    assert float(f"{smallest(column, 1):.3g}") == 0.163
    assert smallest(column, 0.5) == pytest.approx(2 * 0.163, rel=0.1)
