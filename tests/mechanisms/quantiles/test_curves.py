"""Draws on curves follow the law of the mechanism on the population that a curve stands for."""

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QUARTILES, QuantileSet
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.mechanisms.quantiles.republish import Curves, draw_on

BOUNDS = Bounds(0, 100)
SIZE, RUNS = 4_000, 4_000
FALSE_ALARM = 1e-9


def through(values, quantiles, size=SIZE, step=0.0):
    return Curves.through(np.asarray([values], float), np.asarray(quantiles), BOUNDS, step, size)


def population(curves: Curves) -> Column:
    """So many people, spread evenly along a curve."""
    shares = (np.arange(SIZE) + 0.5) / SIZE
    return Column.from_values(np.interp(shares, curves.shares, curves.knots[0]), BOUNDS)


@pytest.mark.law
@pytest.mark.parametrize("epsilon", [0.05, 0.5])
def test_the_law_is_that_of_the_mechanism(rng, epsilon):
    wanted = QuantileSet.of(DECILES)
    values = [30, 41, 48, 53, 58, 62, 68, 73, 95]
    curves, mechanism = through(values, DECILES), ApproximateQuantiles()
    real = mechanism.release_many(population(curves), wanted, PureDP(epsilon), rng, RUNS)

    def drawn(size: float) -> np.ndarray:
        steps = plan(wanted)
        etas = mechanism.etas(PureDP(size), steps)
        return draw_on(curves.repeated(RUNS), steps.levels, etas, rng)

    mine, wrong = drawn(epsilon), drawn(1.5 * epsilon)
    chances = [stats.ks_2samp(real[:, row], mine[:, row]).pvalue for row in range(9)]
    assert min(chances) > FALSE_ALARM / 9
    caught = [stats.ks_2samp(real[:, row], wrong[:, row]).pvalue for row in range(9)]
    assert min(caught) < FALSE_ALARM


def test_values_ascend_inside_the_bounds(rng):
    steps = plan(QuantileSet.of(QUARTILES))
    etas = ApproximateQuantiles().etas(PureDP(0.01), steps)
    drawn = draw_on(through([1, 1, 99], QUARTILES).repeated(500), steps.levels, etas, rng)
    assert (np.diff(drawn, axis=1) >= 0).all()
    assert drawn.min() >= 0
    assert drawn.max() <= 100


def test_equal_values_are_spread_over_half_a_step_on_both_sides():
    knots = through([40, 40, 60], QUARTILES, step=1.0).knots[0]
    np.testing.assert_allclose(knots, [-0.5, 39.75, 40.25, 60, 100.5])


def test_many_curves_are_drawn_on_at_once_and_each_keeps_to_its_own(rng):
    values = np.array([[10.0, 20, 30], [60, 70, 80]])
    curves = Curves.through(values, QUARTILES, BOUNDS, 0.0, 1e6)
    steps = plan(QuantileSet.of(QUARTILES))
    etas = ApproximateQuantiles().etas(PureDP(10), steps)
    drawn = draw_on(curves, steps.levels, etas, rng)
    np.testing.assert_allclose(drawn, values, atol=0.1)


def test_a_curve_without_width_returns_its_value(rng):
    steps = plan(QuantileSet.of([0.5]))
    etas = ApproximateQuantiles().etas(PureDP(1), steps)
    curves = Curves(np.array([[5.0, 5.0, 5.0]]), np.array([0.0, 0.5, 1.0]), 100)
    assert draw_on(curves, steps.levels, etas, rng).tolist() == [[5.0]]


@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
def test_both_ends_of_the_budget_are_finite(rng, epsilon):
    steps = plan(QuantileSet.of(DECILES))
    etas = ApproximateQuantiles().etas(PureDP(epsilon), steps)
    curves = through(np.linspace(10, 90, 9), DECILES, size=1e6)
    assert np.isfinite(draw_on(curves.repeated(50), steps.levels, etas, rng)).all()
