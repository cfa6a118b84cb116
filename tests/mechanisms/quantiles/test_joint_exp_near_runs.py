"""JointExp's spreads of many runs at once: against whole spreads, enumeration, runs alone."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, untied_runs
from dpviz.mechanisms.quantiles.joint_exp import mechanism as joint_exp
from dpviz.mechanisms.quantiles.joint_exp import near as joint_exp_near
from dpviz.mechanisms.quantiles.joint_exp import near_runs as joint_exp_near_runs
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.joint_exp.near_runs import near_runs, sample_each, spread_records
from dpviz.mechanisms.quantiles.joint_exp.sampler import values_inside
from dpviz.mechanisms.quantiles.joint_exp.scaled import scaled_tables
from dpviz.mechanisms.quantiles.joint_exp.window import (
    JointProblem,
    Windows,
    certified_radii,
    certified_radius,
)
from tests.mechanisms.exponential.test_treated_ladders import alike
from tests.mechanisms.quantiles.test_joint_exp import BOUNDS, enumerate_tuples
from tests.mechanisms.quantiles.test_joint_exp_near import C, ages, columns
from tests.statistics import can_tell, can_tell_probabilities, fits, fits_probabilities


@pytest.mark.parametrize("name", list(columns(np.random.default_rng(0))))
def test_intervals_are_those_of_a_spread_that_goes_on(rng, name):
    column, m, reach = columns(rng)[name], 3, 20.0
    bounds, quantiles = exponential_bounds(column, Ties.SPREAD), uniform_quantiles(m)
    near = near_runs(SpreadGroups.of(column), bounds, quantiles, C, reach, rng, 4)
    assert near.windows.size == sum(
        (abs(np.arange(column.n + 1) - target) <= reach).sum() for target in near.problem.targets
    )
    assert (np.diff(near.values, axis=1) >= 0).all()
    places = np.sort(rng.integers(0, near.width.shape[1], (4, m)), axis=1)
    drawn = near.inside(np.full(4, True), places, rng)
    for run in range(4):
        whole, _ = near.alone(run, quantiles, column.n, rng)  # all other records as well
        assert whole.rank.size == column.n + 1
        place = near.problem.rank.astype(int)
        np.testing.assert_array_equal(near.values[run, near.below], whole.low[place])
        np.testing.assert_array_equal(near.width[run], whole.width[place])
        chosen = place[places[run]]
        assert (whole.low[chosen] <= drawn[run]).all()
        assert (drawn[run] <= whole.low[chosen] + whole.width[chosen] + 1e-9).all()
        assert whole.width.sum() == pytest.approx(bounds.width)
        radius = certified_radius(whole)
        cut = replace(near.problem, width=near.width[run])
        assert certified_radii(cut, near.width)[run] == pytest.approx(certified_radius(cut))
        assert certified_radius(cut) >= radius - 1e-9  # fewer intervals certify no smaller windows


def test_values_lie_evenly_in_their_intervals(rng):
    """In those of several runs and of one; the twin crowds them at the lower ends."""
    column, reach = columns(rng)["ages"], 20.0
    bounds = exponential_bounds(column, Ties.SPREAD)
    near = near_runs(SpreadGroups.of(column), bounds, uniform_quantiles(3), C, reach, rng, 4)
    places = np.sort(rng.integers(0, near.width.shape[1], (4, 1_000)), axis=1)
    low = np.take_along_axis(near.values, near.below[places], axis=1)
    wide = np.take_along_axis(near.width, places, axis=1)
    several = (near.inside(np.full(4, True), places, rng) - low) / wide
    problem, where = near.problem, places[:1]
    alone = (values_inside(problem, where, rng) - problem.low[where]) / problem.width[where]
    even, crowded = stats.uniform(), stats.beta(1 / 2, 1)
    for drawn in (several, alone):
        assert can_tell(drawn.size, even, crowded, comparisons=2)
        assert fits(drawn.ravel(), even, comparisons=2)


def test_radii_are_infinite_where_a_column_alone_would_be_other(rng):
    problem = JointProblem.of(np.sort(rng.uniform(-3, 3, 50)), BOUNDS, uniform_quantiles(4), 0.5)
    width = np.stack([problem.width, rng.uniform(0.1, 1, 51), problem.width])
    width[2, 7] = 0.0
    found = certified_radii(problem, width)
    assert found[0] == pytest.approx(certified_radius(problem), rel=1e-12)
    assert found[1] == pytest.approx(certified_radius(replace(problem, width=width[1])), rel=1e-12)
    assert found[2] == np.inf
    close = JointProblem.of(problem.low[1:], BOUNDS, np.array([0.5, 0.5 + 1e-9, 0.5 + 2e-9]), 0.5)
    assert (certified_radii(close, close.width[None]) == np.inf).all()


@pytest.mark.law
def test_spread_records_have_the_law_of_the_whole_spread(rng):
    """The twin takes a record in every group for its neighbour."""
    column, runs = ages(np.repeat([17, 18, 20, 40], [15, 90, 20, 75]), 10, 60), 3_000
    groups, record = SpreadGroups.of(column), np.array([3, 14, 15, 40, 41, 42, 104, 130, 199])
    values = np.empty((runs, record.size))
    spread_records(groups, record, rng, values)
    whole = untied_runs(column, Ties.SPREAD, rng, runs)
    gaps = np.diff(values, axis=1)[:, [0, 3, 4]]
    assert alike(values, whole[:, record], comparisons=4)
    assert alike(gaps, np.diff(whole[:, record], axis=1)[:, [0, 3, 4]], comparisons=4)
    assert not alike(values, whole[:, np.maximum(record - 3, 0)], comparisons=4)


@pytest.mark.law
@pytest.mark.parametrize("quantiles", [[0.2, 0.25, 0.9], [0.3, 0.6]])
def test_each_column_is_drawn_by_its_own_law(rng, quantiles):
    runs, laws, wrongs = 20_000, [], []
    columns = [np.array([-2.5, -1.0, 0.2, 0.3, 1.9]), np.array([-2.9, -2.8, 0.0, 2.0, 2.5])]
    for values in columns:
        for c, kept in ((0.5, laws), (1.0, wrongs)):
            weights = enumerate_tuples(values, BOUNDS, quantiles, c)
            law = np.exp(np.array(list(weights.values())))
            kept.append(law / law.sum())
    choices = list(weights)
    problems = [JointProblem.of(v, BOUNDS, np.array(quantiles), 0.5) for v in columns]
    windows = Windows.everything(problems[0])
    width = np.repeat([problem.width for problem in problems], runs, axis=0)
    tables = scaled_tables(problems[0], windows, width)
    assert tables.sound.all()
    places = sample_each(problems[0], windows, width, tables, rng)
    for number, (right, other) in enumerate(zip(laws, laws[::-1], strict=True)):
        seen = Counter(map(tuple, places[number * runs : (number + 1) * runs].tolist()))
        assert set(seen) <= set(choices)
        counts = np.array([seen[choice] for choice in choices])
        for wrong in (other, wrongs[number]):
            assert can_tell_probabilities(runs, right, wrong, comparisons=4)
            assert not fits_probabilities(counts, wrong, comparisons=4)
        assert fits_probabilities(counts, right, comparisons=4)


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("spare", [2.0, -0.3, -30.0])
def test_outputs_have_the_law_of_the_whole_spread_whichever_runs_go_on_alone(
    rng, monkeypatch, spare
):
    """With no room to spare some runs, then all, look further alone; the twin has less budget."""
    monkeypatch.setattr(joint_exp_near, "WORTH", 0.3)
    monkeypatch.setattr(joint_exp_near_runs, "SPARE", spare)
    column = ages(np.repeat([17, 18, 20, 40], [15, 90, 20, 75]), 10, 60)
    budget, quantiles, runs, alone = PureDP(14.0), uniform_quantiles(2), 400, []
    draw = joint_exp_near_runs.NearRuns.alone
    monkeypatch.setattr(
        joint_exp_near_runs.NearRuns, "alone", lambda *parts: alone.append(1) or draw(*parts)
    )
    near = JointExp().release_many(column, quantiles, budget, rng, runs)
    least, most = {2.0: (0, 40), -0.3: (40, 360), -30.0: (380, 399)}[spare]
    assert least <= len(alone) <= most
    monkeypatch.setattr(joint_exp, "near_problem", lambda *_: None)
    whole = JointExp().release_many(column, quantiles, budget, rng, runs)
    wrong = JointExp().release_many(column, quantiles, PureDP(0.5), rng, runs)
    assert alike(near, whole, comparisons=6)
    assert not alike(near, wrong, comparisons=6)


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("worth", [0.3, 1e9])
def test_a_later_run_of_a_spread_has_the_law_of_a_release(rng, monkeypatch, worth):
    """The fourth of every four, spread near the targets or whole; the twin has half the budget."""
    monkeypatch.setattr(joint_exp_near, "WORTH", worth)
    column = ages(np.repeat([17, 18, 20, 40], [15, 90, 20, 75]), 10, 60)
    budget, quantiles, runs = PureDP(2.0), uniform_quantiles(2), 300
    fourth = JointExp().release_alike(column, quantiles, budget, rng, 4 * runs, 4)[3::4]
    many = JointExp().release_many(column, quantiles, budget, rng, runs)
    wrong = JointExp().release_alike(column, quantiles, PureDP(1.0), rng, 4 * runs, 4)[3::4]
    assert alike(fourth, many, comparisons=4)
    assert not alike(wrong, many, comparisons=4)


def test_one_run_draws_as_a_release_does_and_unsound_columns_are_drawn_alone(rng, monkeypatch):
    column, quantiles = columns(rng)["ages"], uniform_quantiles(3)
    released = JointExp().release(column, quantiles, PureDP(9.0), np.random.default_rng(5)).values
    many = JointExp().release_many(column, quantiles, PureDP(9.0), np.random.default_rng(5), 7)
    np.testing.assert_array_equal(many[0], released)
    made = joint_exp_near_runs.scaled_tables

    def unsound(problem, windows, width):
        found = made(problem, windows, width)
        found.f[::2] = np.nan
        return replace(found, sound=np.arange(width.shape[0]) % 2 == 1)

    monkeypatch.setattr(joint_exp_near_runs, "scaled_tables", unsound)
    mixed = JointExp().release_many(column, quantiles, PureDP(9.0), np.random.default_rng(5), 7)
    assert np.isfinite(mixed).all()
    assert (np.diff(mixed, axis=1) >= 0).all()
    monkeypatch.setattr(joint_exp_near_runs, "scaled_tables", lambda *_: None)
    none = JointExp().release_many(column, quantiles, PureDP(9.0), np.random.default_rng(5), 7)
    assert np.abs(none - mixed).max() < 1  # all near the same quantiles
    assert Bounds(0, 100).low <= none.min() <= none.max() <= 100
