"""Bills, averages and what they give away."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.budget import (
    Attack,
    Bill,
    accounts,
    averages_reach,
    best_account,
    values_reach,
)
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import sample_column

COUNT = CountQuery.over(5.0, Noise.DISCRETE_LAPLACE)


def attack(answers, truth=865.0, grid=1.0):
    given = np.asarray(answers, dtype=np.float64)
    return Attack(given, truth, 14.1, truth, grid)


@pytest.mark.parametrize(
    ("size", "promise", "affordable"), [(0.1, 1, 10), (0.3, 0.9, 3), (1, 0.5, 0), (0.01, 1, 100)]
)
def test_a_promise_pays_for_whole_answers(size, promise, affordable):
    bill = Bill(size, affordable, promise)
    assert bill.affordable == affordable
    assert not bill.is_overspent
    assert Bill(size, affordable + 1, promise).is_overspent
    assert bill.spent == pytest.approx(size * affordable)


def test_an_average_gives_the_truth_away_only_if_it_rounds_to_it():
    assert attack([864.0, 865.9]).gives_away
    assert not attack([860.0, 861.0]).gives_away
    assert not attack([865.0, 865.0], grid=0.0).gives_away  # any value is possible
    one = attack([860.0, 868.0])
    assert (one.average, one.average_is_off, one.one_is_off) == (864.0, 1.0, 4.0)
    np.testing.assert_array_equal(one.means, [860.0, 864.0])


def test_the_band_holds_nineteen_averages_in_twenty(rng):
    scale, k = 10.0, 50
    spread = Noise.DISCRETE_LAPLACE.variance(scale) ** 0.5
    means = Noise.DISCRETE_LAPLACE.simulate(scale, (20_000, k), rng).mean(axis=1)
    (reach,) = averages_reach(spread, np.array([float(k)]))
    assert (np.abs(means) <= reach).mean() == pytest.approx(0.95, abs=0.008)


def test_the_range_is_wide_enough_and_never_empty():
    assert values_reach(14.14) == 50
    assert values_reach(1e-9) == 4
    assert values_reach(0.0, 0.0) > 0
    assert values_reach(0.02, 0.0) >= 0.06


def test_the_best_account_is_no_worse_than_adding_up():
    name, total = best_account(COUNT, PureDP(0.1), 1e-6, 1_000)
    assert name != "basic"
    assert 19.2 < total < 19.35
    assert best_account(COUNT, PureDP(0.1), 1e-6, 1)[1] == pytest.approx(0.1, rel=1e-4)
    ks, totals = accounts(COUNT, PureDP(0.1), 1e-6, 777)
    assert 777 in ks
    assert all(line.shape == ks.shape for line in totals.values())


@pytest.mark.parametrize("budget", [PureDP(0.5), ZCDP(0.05)])
@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_the_moments_of_a_private_quantile_are_those_of_its_answers(budget, resolution, rng):
    values = np.round(rng.normal(40, 12, 300)) if resolution else rng.normal(40, 12, 300)
    column = Column.from_values(values, Bounds(0, 100), resolution)
    query = QuantileQuery(0.3, Neighbours.ADD_REMOVE)
    mean, spread = query.moments(column, budget, rng)
    drawn = query.release_many(column, budget, rng, 4_000)
    # every run spreads ties anew, the law is of one spread: by less than a tenth of a step
    assert drawn.mean() == pytest.approx(mean, abs=5 * spread / 4_000**0.5 + 0.1 * resolution)
    assert drawn.std() == pytest.approx(spread, rel=0.15)


@pytest.mark.law
def test_the_moments_are_those_of_the_steps_that_are_published(rng):
    """Large and small against the steps: the law of doubles before the rounding is elsewhere."""
    column = sample_column("exam")
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    drawn = query.release_many(column, PureDP(0.05), rng, 20_000)
    mean, spread = query.moments(column, PureDP(0.05), rng)
    assert drawn.mean() == pytest.approx(mean, abs=0.04)
    assert drawn.std() == pytest.approx(spread, rel=0.1)
    without_steps = query.law(column, PureDP(0.05), rng).at(np.linspace(5e-5, 1 - 5e-5, 10_000))
    assert abs(without_steps.mean() - drawn.mean()) > 0.08  # the wrong twin
