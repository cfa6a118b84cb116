"""Clipped sums and means: their noise, their sensitivity by brute force, their exact error."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.intake.samples import load_sample
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.sums.noisy_sum import NoisySum, sum_sensitivity
from dpviz.metrics.clipped_sums import clipping_error
from tests.statistics import can_tell, fits, mean_is

RUNS = 40_000
BOUNDS = [Bounds(0, 10), Bounds(-3, 10), Bounds(-8, -2), Bounds(4, 5)]


def column(values, bounds: Bounds = BOUNDS[0]) -> Column:
    return Column.from_values(np.array(values, dtype=float), bounds)


@pytest.mark.parametrize("bounds", BOUNDS)
def test_sensitivity_is_the_most_that_brute_force_finds(bounds):
    grid = np.linspace(bounds.low, bounds.high, 5)
    joins = max(abs(one) for one in grid)
    changes = max(abs(one - other) for one, other in product(grid, grid))
    assert sum_sensitivity(bounds, Neighbours.ADD_REMOVE) == joins
    assert sum_sensitivity(bounds, Neighbours.REPLACE_ONE) == changes


@pytest.mark.parametrize("relation", Neighbours)
def test_the_law_of_a_laplace_sum(relation):
    data = column([1, 2, 30])
    scale = 10 / 0.5
    drawn = NoisySum(neighbours=relation).release_many(
        data, PureDP(0.5), np.random.default_rng(3), RUNS
    )
    right = stats.laplace(13, scale)
    assert fits(drawn, right)
    for wrong in (0.8, 1.25):
        assert can_tell(RUNS, stats.laplace(13, wrong * scale), right)
        assert not fits(drawn, stats.laplace(13, wrong * scale))


@pytest.mark.parametrize(
    ("budget", "sigma"), [(ZCDP(0.5), 10.0), (ApproxDP(1, 1e-6), None)], ids=str
)
def test_the_law_of_a_gaussian_sum(budget, sigma):
    data = column([1, 2, 30])
    mechanism = NoisySum()
    sigma = sigma or mechanism.scale(data.bounds, budget)
    right = stats.norm(13, sigma)
    drawn = mechanism.release_many(data, budget, np.random.default_rng(4), RUNS)
    assert fits(drawn, right)
    for wrong in (0.8, 1.25):
        assert can_tell(RUNS, stats.norm(13, wrong * sigma), right)
        assert not fits(drawn, stats.norm(13, wrong * sigma))


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("relation", Neighbours)
def test_log_densities_of_neighbours_differ_by_at_most_epsilon(bounds, relation):
    budget = PureDP(0.7)
    scale = NoisySum(neighbours=relation).scale(bounds, budget)
    moved = sum_sensitivity(bounds, relation)
    outputs = np.linspace(-100, 100, 4001)
    one, other = stats.laplace(0, scale), stats.laplace(moved, scale)
    apart = np.abs(one.logpdf(outputs) - other.logpdf(outputs)).max()
    assert apart == pytest.approx(budget.epsilon)  # tight, and never above
    assert apart <= budget.epsilon * (1 + 1e-12)


def test_without_noise_a_sum_is_the_truth():
    exact = NoisySum().release(column([1, 2, 30]), PureDP(1e12), np.random.default_rng(1))
    assert exact.value == pytest.approx(13, abs=1e-9)


def test_an_empty_column_has_a_noisy_sum_of_nothing():
    assert np.isfinite(NoisySum().release(column([]), PureDP(1), np.random.default_rng(1)).value)


def test_a_mean_is_the_sum_over_the_declared_number():
    data, budget = column([1, 2, 30]), PureDP(1)
    total = NoisySum().release(data, budget, np.random.default_rng(5))
    mean = NoisyMean(4).release(data, budget, np.random.default_rng(5))
    assert mean.value == total.value / 4
    assert mean.scale == total.scale / 4
    assert mean.parameters == {"records": 4}
    assert mean.standard_error == pytest.approx(np.sqrt(2) * 10 / 4)


def test_a_release_travels_without_loss():
    one = NoisyMean(40).release(column([1, 2]), ZCDP(0.1), np.random.default_rng(1))
    assert NumberRelease.from_json(one.to_json()) == one
    for damaged in ("", "{}", "[]", one.to_json().replace('"number"', '"tree"')):
        with pytest.raises(InvalidRelease):
            NumberRelease.from_json(damaged)
    with pytest.raises((InvalidRelease, InvalidParameter)):
        NumberRelease.from_json(one.to_json().replace(str(one.scale), "-1"))


def test_whole_noise_is_refused_for_values_that_need_not_be_whole():
    with pytest.raises(InvalidParameter, match="laplace or gaussian"):
        NoisySum(Noise.DISCRETE_LAPLACE)


@pytest.mark.parametrize("budget", [PureDP(0.1), ZCDP(0.05)], ids=str)
def test_the_exact_error_of_a_clipped_mean_is_that_of_many_draws(budget):
    values, upper = np.random.default_rng(2).lognormal(3, 1, 500), np.array([10.0, 60.0, 900.0])
    mechanism = NoisyMean(500)
    found = clipping_error(values, 0, upper, mechanism, budget)
    for place, top in enumerate(upper):
        data = column(values, Bounds(0, top))
        drawn = mechanism.release_many(data, budget, np.random.default_rng(6), RUNS)
        off = np.abs(drawn - values.mean())
        assert mean_is(off, found.error[place], comparisons=3)
        assert not mean_is(off, 1.1 * found.error[place], comparisons=3)
        assert found.cut[place] == pytest.approx(abs(data.values.mean() - values.mean()))


def test_the_error_that_the_lessons_tell():
    (pay,) = load_sample("salaries")
    upper = np.array([5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 5e7, 5e8])
    found = clipping_error(pay, 0, upper, NoisyMean(15_000), PureDP(0.1))
    told = [12_434, 5_597, 2_729, 958, 746, 1_333, 3_333, 33_333, 333_333]
    assert np.rint(found.error).tolist() == told
    assert upper[found.best] == 1e6


def test_values_below_the_lower_bound_are_clipped_up():
    found = clipping_error(np.array([-5.0, 1, 2]), 0, np.array([10.0]), NoisyMean(3), PureDP(1))
    assert found.cut[0] == pytest.approx(5 / 3)
