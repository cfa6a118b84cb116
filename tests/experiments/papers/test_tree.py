"""Honaker's simulation and the poster's trials (dpviz/experiments/papers/tree_study.py)."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import (
    HONAKERS_VARIANCE,
    cdf_trials,
    honaker_simulation,
    honaker_table,
    simulated_by_level,
    variances_by_level,
)
from dpviz.mechanisms.counting.count_tree import CountTree


@pytest.mark.law
@pytest.mark.parametrize("public", [True, False])
def test_honakers_errors_are_those_that_theory_gives(rng, public):
    """χ² of 10,000 squared errors at every node and reading: false alarm 1e-9 in all.

    A variance a tenth off would be 7 deviations (√2/100 each) away and is rejected at every node.
    """
    frame = honaker_simulation(rng, public_total=public)
    assert len(frame) == 4 * 31
    ratio = frame["mse"] / frame["variance"].where(frame["variance"] > 0)
    tail = 1e-9 / len(frame) / 2
    low, high = (stats.chi2(10_000).ppf(q) / 10_000 for q in (tail, 1 - tail))
    known = frame["variance"] == 0
    assert known.sum() == (3 if public else 0)  # the root, but for the raw reading
    assert (frame.loc[known, "mse"] < 1e-20).all()
    assert ratio[~known].between(low, high).all()
    assert not (1.15 * ratio[~known]).between(low, high).any()
    efficient = frame[(frame["estimator"] == "efficient") & (frame["level"] == 1)]
    assert efficient["ratio"].mean() == pytest.approx(0.2667 if public else 0.3957, rel=0.05)


def test_the_table_shows_that_the_printed_limit_does_not_hold():
    table = honaker_table()
    best = table[table["estimator"] == "efficient"].set_index(["height", "root", "level"])["ratio"]
    best = best.sort_index()
    assert best[4, "released"].tolist() == pytest.approx(
        [0.5161, 0.3957, 0.3846, 0.4295, 0.6074], abs=5e-5
    )
    assert best[4, "public"].tolist() == pytest.approx(
        [0, 0.2667, 0.3524, 0.4214, 0.6054], abs=5e-5
    )
    assert best[20, "public", 1] == pytest.approx(1 / 4, abs=1e-5)
    assert best[20, "public", 2] == pytest.approx(5 / 16, abs=1e-5)
    assert best[20, "released", 1] == pytest.approx(3 / 8, abs=1e-5)
    assert best[20, "released", 2] == pytest.approx(11 / 32, abs=1e-5)
    assert best[20, "released", 10] == pytest.approx(1 / 3, abs=2e-4)
    assert best[best > 0].min() > 6 * HONAKERS_VARIANCE


@pytest.mark.law
def test_variances_by_level_are_seen_in_simulations(rng):
    """Gaussian errors of 500 runs, 5 deviations; levels that are left out have theirs as well."""
    noise = TreeNoise(3, Noise.GAUSSIAN, (math.inf, 2.0, math.inf, 3.0), Root.SUM)
    theory = variances_by_level(noise)
    seen = simulated_by_level(noise, rng, runs=2000)
    both = theory.merge(seen, on=["estimator", "level"])
    known = np.isfinite(both["variance"])
    assert known.sum() == len(both) - 2 - 1  # raw at levels 0 and 2; the root from above
    distance = (both["mse"] - both["variance"])[known] / both["standard_error"][known]
    assert distance.abs().max() < 6.5
    assert both.loc[~known, "mse"].isna().all()


@pytest.mark.law
@pytest.mark.parametrize("estimator", TreeEstimator)
@pytest.mark.parametrize("root", Root)
def test_trials_count_the_points_that_leave_the_band(rng, estimator, root):
    """On average β of the points of the raw CDF, over many trials; never a wild share."""
    column = Column.from_values(rng.normal(0, 1, 3000), Bounds(-4, 4))
    records = column.n if root is Root.PUBLIC else None
    tree = CountTree(
        2, 5, noise=Noise.GAUSSIAN, root=root, neighbours="replace-one", records=records
    )
    frame = cdf_trials(column, tree, ZCDP(0.1), rng, estimator=estimator, trials=1000)
    assert frame["points"].eq(32).all()
    assert frame["expected"].iloc[0] == pytest.approx(1.6)
    expected = 0.05 * (32 - (root is Root.PUBLIC))  # a known N is never off
    error = frame["raw"].std() / math.sqrt(1000)
    assert abs(frame["raw"].mean() - expected) < 6.5 * error + 0.1 * expected
    assert frame["outside_band_raw"].gt(0).mean() < 0.1
    assert frame["outside_band_smoothed"].gt(0).sum() <= frame["outside_band_raw"].gt(0).sum()
    assert (frame["largest_smoothed"] <= frame["largest_raw"] + 1e-6).all()


def test_the_posters_trials_on_ages(rng, shared_data):
    """ε = .01, β = .05, 100 points: about 5 of them outside α in each of ten trials."""
    ages = pd.read_csv(shared_data / "adult_age.csv").iloc[:, 0].to_numpy()
    column = Column.from_values(ages, Bounds(0, 128), 1)
    frame = cdf_trials(column, CountTree(2, 7), PureDP(0.01), rng, trials=10)
    assert len(frame) == 10
    assert frame["points"].iloc[0] == 128
    assert frame["raw"].mean() < 40
    assert (frame["largest_smoothed"] <= frame["largest_raw"] + 1e-6).all()
