"""Ties that survive their treatment, faint masses, and outputs whose last bits say nothing."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.exponential.treated_ladders import compressed
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from tests.rows import by_rows

KINDS = [ApproximateQuantiles, IndependentExp]
LARGE = [(1.7e12, 2e12), (1e13, 1.7e13)]


def heap(value, high, ties):
    return Column.from_values(np.full(ties, value), Bounds(0, high), resolution=1)


@by_rows("kind", KINDS)
@by_rows("ties", [1_490, 1_491, 5_000])
@by_rows(("value", "high"), LARGE)
def test_a_heap_of_large_values_is_answered_however_many_they_are(kind, value, high, ties, rng):
    column = heap(value, high, ties)
    drawn = kind().release_many(column, [0.25, 0.5, 0.75], PureDP(3), rng, 40)
    single = kind().release(column, [0.25, 0.5, 0.75], PureDP(3), rng)
    found = np.append(drawn, single.values)
    assert np.abs(found / value - 1).max() < 1e-6
    assert np.abs(found - value).max() <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_jitter_that_doubles_swallow_leaves_ties_and_no_certainty(kind, rng):
    """The mechanism drifts away from them, to either side, and never to one place for sure."""
    drawn = kind(ties=Ties.JITTER).release_many(
        heap(1.7e12, 2e12, 3_000), [0.5], PureDP(1), rng, 99
    )
    assert np.unique(drawn).size == drawn.size


@pytest.mark.parametrize("kind", KINDS)
def test_one_record_more_in_a_heap_does_not_show(kind, rng):
    """With 1,491 ties the answer was the lower bound with certainty, with 1,490 never."""
    lower = [
        (kind().release_many(heap(1.7e12, 2e12, ties), [0.5], PureDP(1), rng, 200) == 0).mean()
        for ties in (1_490, 1_491)
    ]
    assert lower == [0, 0]


def test_runs_are_compressed_each_by_itself(rng):
    for values in (
        rng.integers(0, 4, (5, 12)).astype(float),
        np.tile(np.arange(6.0), (3, 1)),
        np.full((4, 7), 2.5),
        np.empty((3, 0)),
        np.full((2, 1), 1.0),
    ):
        values.sort(axis=1)
        climbs = compressed(values)
        for run, row in enumerate(values):
            first, last = climbs.first[run], climbs.last[run]
            ends, below = np.unique(row, return_index=True)
            assert climbs.ladder.values[first:last].tolist() == ends.tolist()
            ranks = climbs.ladder.rank(np.arange(first, last + 1)) - climbs.ladder.rank(first)
            assert ranks.tolist() == [*below, row.size]


@pytest.mark.law
def test_a_faint_mass_is_no_missing_width(rng):
    """Only the two ends of the range have a width, so far from the target that e^{-2000} is 0."""
    rows = np.zeros(400, dtype=np.int64)
    ladder = Ladder(np.full(2000, 0.5))
    problems = Problems(
        rows, rows + 2000, rows + 0.0, rows + 1.0, rows + 1000.0, np.full(rows.size, 2.0)
    )
    values, intervals = sample(ladder, problems, rng)
    assert set(intervals.tolist()) == {0, 2000}
    assert 0.35 < (values < 0.5).mean() < 0.65
    assert np.unique(values).size == values.size


def test_a_range_of_denormal_width_is_drawn_from(rng):
    tiny = 5e-324
    rows = np.zeros(200, dtype=np.int64)
    problems = Problems(rows, rows, rows + 0.0, rows + 8 * tiny, rows + 0.0, rows + 0.5)
    values, _ = sample(Ladder(np.empty(0)), problems, rng)
    assert np.unique(values).size > 3
    assert ((values >= 0) & (values <= 8 * tiny)).all()


def test_a_range_without_width_returns_its_end(rng):
    rows = np.zeros(3, dtype=np.int64)
    problems = Problems(rows, rows, rows + 2.0, rows + 2.0, rows + 0.0, rows + 0.5)
    assert sample(Ladder(np.empty(0)), problems, rng)[0].tolist() == [2, 2, 2]


def test_a_resolution_that_doubles_cannot_hold_is_refused_by_the_declaration_alone():
    for values in ([], [1.0, 2.0]):
        with pytest.raises(InvalidData, match="told apart"):
            Column.from_values(values, Bounds(0, 1.7e12), resolution=1e-6)
    for high in (1.7e12, 1e15):
        assert Column.from_values([5], Bounds(0, high), resolution=1).resolution == 1
        assert Column.from_values([5], Bounds(-high, 0), resolution=0).resolution == 0


MANY = [ApproximateQuantiles(), IndependentExp(), JointExp(), AggTree()]


@pytest.mark.law
@by_rows("mechanism", MANY, ids=lambda one: one.name)
@by_rows("values", [[0.3], [], [0.1, 0.25, 0.7]])
@by_rows("bounds", [Bounds(0, 1), Bounds(-3, 0.7)])
def test_every_drawn_value_lies_on_a_grid_of_the_declared_bounds(mechanism, values, bounds, rng):
    column = Column.from_values(values, bounds)
    release = mechanism.release(column, [0.3, 0.5, 0.9], PureDP(1), rng)
    drawn = mechanism.release_many(column, [0.3, 0.5, 0.9], PureDP(1), rng, 300)
    found = np.append(release.values, drawn)
    if release.recursion is not None:
        parts = release.recursion
        found = np.concatenate((found, parts.low, parts.high, parts.value))
    step = bounds.width * 2.0**-40
    numbers = np.round((found - bounds.low) / step)
    again = np.clip(bounds.low + numbers * step, bounds.low, bounds.high)
    assert again.tolist() == found.tolist()
