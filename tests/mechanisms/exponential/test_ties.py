from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential.ties import (
    JITTER_SCALE,
    Ties,
    counted_ranges,
    declared_outputs,
    exponential_bounds,
    is_randomised,
    untied_runs,
    untied_values,
)
from tests.rows import by_rows
from tests.statistics import fits

AGES = Column.from_values([0, 0, 17, 17, 17, 120], Bounds(0, 120), resolution=1.0)


def test_spread_is_uniform_over_a_resolution_and_inside_widened_bounds(rng):
    runs = untied_runs(AGES, Ties.SPREAD, rng, 20_000)
    bounds = exponential_bounds(AGES, Ties.SPREAD)
    assert (bounds.low, bounds.high) == (-0.5, 120.5)
    assert runs.shape == (20_000, 6)
    assert (np.diff(runs, axis=1) >= 0).all()
    assert (np.abs(runs - AGES.values) <= 0.5).all()
    for centre, columns in ((0, slice(0, 2)), (17, slice(2, 5)), (120, slice(5, 6))):
        moved = rng.permuted(runs[:, columns], axis=1)[:, 0] - centre  # undo the sorting
        assert fits(moved, stats.uniform(-0.5, 1), comparisons=3)
        for wrong in (0.8, 1.25):
            assert not fits(moved, stats.uniform(-0.5 * wrong, wrong), comparisons=3)


def test_records_are_spread_one_by_one(rng):
    runs = untied_runs(AGES, Ties.SPREAD, rng, 20_000)
    lowest = runs[:, 2:5].min(axis=1) - 16.5
    assert fits(lowest, stats.beta(1, 3))  # the least of three independent uniforms


def drawn_alone(column, rng, runs):
    """Records that are spread as above and sorted as a whole."""
    shape = runs, column.n
    if column.counted:
        low, high = counted_ranges(column, column.cells)
        return np.sort(low + rng.random(shape) * (high - low), axis=1)
    return np.sort((rng.random(shape) - 0.5) * column.resolution + column.values, axis=1)


@by_rows(
    ("values", "bounds", "resolution"),
    [
        (np.repeat(np.arange(101.0), 30), (0, 100), 1.0),
        (np.full(3000, 7.0), (0, 10), 1.0),
        (np.repeat([3.0, 3.1, 9.9], [1, 2000, 7]), (0, 10), 0.1),
        (np.arange(0, 3000) / 10, (0, 300), 0.1),
        (np.linspace(0, 1000, 2999), (0, 1000), 1.0),  # between two steps: none may be cut apart
        (np.arange(127.0), (0, 200), 1.0),
        (np.arange(128.0), (0, 200), 1.0),
        (np.arange(129.0), (0, 200), 1.0),
    ],
)
@by_rows("counted", [False, True])
def test_pieces_are_sorted_as_the_whole_is(values, bounds, resolution, counted):
    column = Column.from_values(values, Bounds(*bounds), resolution)
    if counted:
        places, counts = np.unique(np.rint(values / resolution), return_counts=True)
        column = Column.from_counts(places * resolution, counts, Bounds(*bounds), resolution)
    found = untied_runs(column, Ties.SPREAD, np.random.default_rng(5), 9)
    whole = drawn_alone(column, np.random.default_rng(5), 9)
    ends = exponential_bounds(column, Ties.SPREAD)
    np.testing.assert_array_equal(found, np.clip(whole, ends.low, ends.high))


def test_records_that_change_places_over_a_seam_are_sorted_all_the_same():
    gap = 1 - 1e-10  # hardly less than a step: a seam, over which records can change places
    column = Column.from_values(np.repeat([5.0, 5 + gap], 128), Bounds(0, 10), 1.0)
    drawn = np.random.default_rng(6).random((3, 256))
    drawn[1, 100], drawn[1, 200] = 1 - 2.0**-53, 0.0
    given = SimpleNamespace(random=lambda _: drawn.copy())
    whole = np.sort(drawn - 0.5 + column.values, axis=1)
    assert whole[1, 127] > 5.4999 > whole[1, 126], "the two records have changed places"
    np.testing.assert_array_equal(untied_runs(column, Ties.SPREAD, given, 3), whole)


def test_jitter_is_the_authors_and_reflects_at_the_bounds(rng):
    column = Column.from_values([0, 1, 2], Bounds(0, 2), resolution=1.0)
    runs = untied_runs(column, Ties.JITTER, rng, 20_000)
    assert (exponential_bounds(column, Ties.JITTER)) == column.bounds
    assert ((runs >= 0) & (runs <= 2)).all()
    assert fits((runs[:, 1] - 1) / JITTER_SCALE, stats.norm(), comparisons=3)
    assert fits(runs[:, 0] / JITTER_SCALE, stats.halfnorm(), comparisons=3)
    assert fits((2 - runs[:, 2]) / JITTER_SCALE, stats.halfnorm(), comparisons=3)
    assert not fits((runs[:, 1] - 1) / JITTER_SCALE, stats.norm(scale=1.25), comparisons=3)
    assert not (runs[:, 0] == 0).any()  # clipping would tie them again


def test_jitter_survives_wide_bounds(rng):
    column = Column.from_values(np.zeros(1000), Bounds(-1e12, 1e12))
    jittered = untied_values(column, Ties.JITTER, rng)
    assert np.unique(jittered).size == 1000
    assert fits(jittered / JITTER_SCALE, stats.norm())


def test_jitter_wider_than_the_bounds_stays_inside(rng):
    column = Column.from_values(np.full(500, 1e-7), Bounds(0, 1e-6))
    jittered = untied_values(column, Ties.JITTER, rng)
    assert ((jittered >= 0) & (jittered <= 1e-6)).all()


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("n", [0, 1])
def test_small_columns(rng, ties, n):
    column = Column.from_values([5.0] * n, Bounds(0, 10), resolution=1.0)
    assert untied_values(column, ties, rng).shape == (n,)


def test_kept_and_continuous_columns_are_untouched(rng):
    smooth = Column.from_values(rng.random(5), Bounds(0, 1))
    assert untied_values(AGES, Ties.KEEP, rng) is AGES.values
    assert untied_values(smooth, Ties.SPREAD, rng) is smooth.values
    assert not is_randomised(smooth, Ties.SPREAD)
    assert not is_randomised(AGES, Ties.KEEP)
    assert is_randomised(smooth, Ties.JITTER)
    assert is_randomised(AGES, Ties.SPREAD)


def test_the_treatment_never_writes_to_the_column(rng):
    before = AGES.values.copy()
    untied_runs(AGES, Ties.SPREAD, rng, 3)
    untied_runs(AGES, Ties.JITTER, rng, 3)
    np.testing.assert_array_equal(AGES.values, before)


def test_outputs_return_to_the_declared_bounds_and_to_the_grid():
    drawn = np.array([-0.4, 0.4, 16.6, 120.3])
    inside = declared_outputs(drawn, AGES, False)
    assert inside == pytest.approx([0, 0.4, 16.6, 120], abs=121 * 2.0**-41)
    assert inside[[0, 3]].tolist() == [0, 120]
    assert declared_outputs(drawn, AGES, True).tolist() == [0, 0, 17, 120]
    cents = Column.from_values([0.57], Bounds(0, 5), resolution=0.01)
    assert declared_outputs(np.array([0.5712]), cents, True).tolist() == [0.57]  # 57·.01 is not
    fives = Column.from_values([5], Bounds(0, 50), resolution=5)
    assert declared_outputs(np.array([7.4, 7.6]), fives, True).tolist() == [5, 10]
