"""Runs that spread only what lies near their target have the law of runs that spread everything."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential import treated_ladders
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.exponential.treated_ladders import near_target, window_of
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles

BUDGET, ETA = PureDP(4.0), 4.0
RUNS = 1_500


def column(n=3_000, resolution=2.0):
    values = np.random.default_rng(5).normal(50, 12, n)
    return Column.from_values(values, Bounds(0, 100), resolution)


def drawn(monkeypatch, seed, work, ties=Ties.SPREAD, deviations=None):
    monkeypatch.setattr(treated_ladders, "LEAST_WORK", work)
    if deviations is not None:
        monkeypatch.setattr(treated_ladders, "DEVIATIONS", deviations)
    mechanism = ApproximateQuantiles(ties=ties)
    made = mechanism.release_many(column(), [0.3], BUDGET, np.random.default_rng(seed), RUNS)
    monkeypatch.undo()
    return made[:, 0] + 1e-6 * np.random.default_rng(seed + 99).random(RUNS)  # no equal values


def all_spread(monkeypatch, seed):
    return drawn(monkeypatch, seed, 1 << 62)


@pytest.mark.law
@pytest.mark.parametrize("deviations", [None, -0.6])
def test_the_law_is_that_of_spreading_everything(monkeypatch, deviations):
    """Also where every other run has to spread its other records, too."""
    near = drawn(monkeypatch, 1, 0, deviations=deviations)
    whole = all_spread(monkeypatch, 2)
    assert ks_2samp(near, whole).pvalue > 1e-4
    kept = drawn(monkeypatch, 3, 1 << 62, ties=Ties.KEEP)
    assert ks_2samp(kept, whole).pvalue < 1e-4


def test_a_ladder_has_the_ranks_of_all_records_inside_its_window(rng, monkeypatch):
    monkeypatch.setattr(treated_ladders, "LEAST_WORK", 0)
    data = column()
    target = 0.3 * data.n
    window = window_of(data, target, ETA)
    assert window is not None
    assert 0 < window.first < window.last < data.n
    (climbs,) = near_target(data, Ties.SPREAD, rng, 7, target, ETA)
    for run, (first, last) in enumerate(zip(climbs.first, climbs.last, strict=True)):
        values = climbs.ladder.values[first:last]
        ranks = climbs.ladder.rank(np.arange(first, last + 1)) - run * data.n
        assert (np.diff(values) > 0).all()
        assert (ranks[0], ranks[-1]) == (0, data.n)
        below, inside = ranks[1], values.size - 2
        np.testing.assert_array_equal(ranks[1:-1], below + np.arange(inside + 1))
        assert window.first <= below <= target - window.reach
        assert below + inside >= target + window.reach


def test_a_run_whose_window_is_too_small_spreads_all_of_its_records(rng, monkeypatch):
    monkeypatch.setattr(treated_ladders, "LEAST_WORK", 0)
    monkeypatch.setattr(treated_ladders, "DEVIATIONS", -3.0)
    data = column()
    (climbs,) = near_target(data, Ties.SPREAD, rng, 3, 0.3 * data.n, ETA)
    np.testing.assert_array_equal(climbs.last - climbs.first, data.n)


@pytest.mark.parametrize(
    ("data", "ties", "target", "eta"),
    [
        (column(), Ties.KEEP, 900.0, ETA),
        (column(), Ties.SPREAD, 900.0, 0.01),  # all of the records decide
        (column(), Ties.SPREAD, 3.0, ETA),  # too near to the end
        (column(resolution=0), Ties.SPREAD, 900.0, ETA),
        (Column.from_values(np.arange(3_000) % 90, Bounds(0, 100), 1), Ties.SPREAD, 900.0, ETA),
    ],
)
def test_where_it_saves_nothing_there_is_none(data, ties, target, eta, rng, monkeypatch):
    monkeypatch.setattr(treated_ladders, "LEAST_WORK", 0)
    assert near_target(data, ties, rng, 50, target, eta) is None


def test_small_work_is_left_as_it_was(rng):
    assert near_target(column(), Ties.SPREAD, rng, 50, 900.0, ETA) is None
