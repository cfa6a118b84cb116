from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.planning.smallest_epsilon import (
    RANGE,
    Search,
    crossing,
    interval,
    smallest_size,
)
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles

MEDIAN = QuantileSet.of(0.5)
BOUNDS = Bounds(0, 1)


class Dither:
    """Misses the median of a flat column by Exp(1)/ε records: success rates in closed form."""

    name = "Dither"
    n = 10_000

    def check(self, *_):
        pass

    def seconds(self, *_):
        return 0.01

    def release_many(self, column, quantiles, budget, rng, runs):
        missed = np.minimum(rng.exponential(1 / budget.size, (runs, 1)), self.n / 2 - 1)
        return column.values[(self.n // 2 + missed).astype(int)]


@pytest.fixture
def flat():
    return Column.from_values((np.arange(Dither.n) + 0.5) / Dither.n, BOUNDS)


def true_epsilon(target, probability):
    """P(floor(Exp(1)/ε) ≤ target) = 1 − exp(−ε (target + 1))."""
    return -math.log(1 - probability) / (target + 1)


def answer(experiment):
    rows = run_all(experiment)
    return rows[rows["kind"] == "answer"].iloc[0], rows[rows["kind"] == "tried"]


def search(column, rng, target=49, probability=0.9, runs=2000, mechanism=None):
    return smallest_size(
        column, {"Dither": mechanism or Dither()}, MEDIAN, PureDP(1), target, LARGEST_GAP,
        probability, runs, rng,
    )  # fmt: skip


def test_the_answer_is_the_one_in_closed_form(flat, rng):
    found, tried = answer(search(flat, rng))
    truth = true_epsilon(49, 0.9)
    assert found["low"] < truth < found["high"]  # seed fixed; fails for 5 % of seeds
    assert found["size"] == pytest.approx(truth, rel=0.1)
    assert found["low"] <= found["size"] <= found["high"]
    assert found["rate"] > 0.88
    assert tried["rate"].is_monotonic_increasing


@pytest.mark.law
def test_the_interval_covers_as_often_as_it_says(flat):
    truth, seeds = true_epsilon(49, 0.9), 60
    covered = 0
    for seed in range(seeds):
        found, _ = answer(search(flat, np.random.default_rng(seed), runs=200))
        covered += found["low"] <= truth <= found["high"]
    # 95 % promised: fewer than 46 of 60 happens with probability 1e-9
    assert covered >= 46
    assert binomtest(45, seeds, 0.95).pvalue < 1e-6  # and the sample can tell


def test_a_mechanism_that_wastes_half_its_budget_needs_twice_as_much(flat):
    class Wasteful(Dither):
        def release_many(self, column, quantiles, budget, rng, runs):
            half = PureDP(budget.epsilon / 2)
            return super().release_many(column, quantiles, half, rng, runs)

    good, _ = answer(search(flat, np.random.default_rng(1)))
    bad, _ = answer(search(flat, np.random.default_rng(1), mechanism=Wasteful()))
    assert bad["size"] / good["size"] == pytest.approx(2, rel=0.03)
    assert bad["low"] > good["high"]


def test_targets_out_of_reach_and_targets_for_nothing(flat, rng):
    class Blind(Dither):
        def release_many(self, column, quantiles, budget, rng, runs):
            return np.full((runs, 1), 0.9)

    nowhere, _ = answer(search(flat, rng, mechanism=Blind(), runs=50))
    assert nowhere["high"] == math.inf
    assert nowhere["runs"] == 0
    assert math.isinf(nowhere["size"])
    free, _ = answer(search(flat, rng, target=6000, runs=50))
    assert free["low"] == 0
    assert free["size"] == RANGE[0]


def test_crossing_finds_a_step():
    low, high = crossing(lambda log_size: 10 if log_size >= math.log(0.37) else 0, 5)
    assert low < 0.37 <= high
    assert high / low < 1.021


def test_intervals_are_those_of_clopper_and_pearson():
    for successes, runs in ((0, 20), (7, 20), (20, 20), (290, 300)):
        exact = binomtest(successes, runs).proportion_ci(0.95, "exact")
        assert interval(successes, runs) == pytest.approx((exact.low, exact.high))


def test_counts_needed_enclose_the_probability():
    search_ = Search("A", Dither(), MEDIAN, PureDP(1), 1, MEAN_GAP, 0.95, 300, 1.0)
    low, middle, high = search_.needed()
    assert low < middle == 285 < high <= 300


def test_a_real_mechanism_and_refusals(rng):
    column = Column.from_values(rng.uniform(0, 1, 300), BOUNDS)
    real = {"AQ": ApproximateQuantiles()}
    found, _ = answer(smallest_size(column, real, MEDIAN, PureDP(1), 5, MEAN_GAP, 0.9, 100, rng))
    assert 0.05 < found["size"] < 5
    for target, probability, metric in ((-1, 0.9, MEAN_GAP), (1, 1.0, MEAN_GAP), (1, 0.9, "luck")):
        with pytest.raises(InvalidParameter):
            smallest_size(column, real, MEDIAN, PureDP(1), target, metric, probability, 100, rng)
