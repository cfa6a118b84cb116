from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.metrics.quantiles import gaps, printed_gaps, reach, records_between, true_quantiles

WIDE = Bounds(-10, 10)


def slow_gap(values, rank, v, resolution=0.0):
    """Distance from the rank to the interval [#{x < v}, #{x ≤ v}], one record after the other."""
    if resolution:
        v = round(v / resolution)
        values = [round(x / resolution) for x in values]
    under = sum(x < v for x in values)
    up_to = sum(x <= v for x in values)
    if under > rank:
        return under - rank
    return rank - up_to if up_to < rank else 0


def exact_rank(q, n):
    return math.floor(Fraction(repr(float(q))) * n)  # the decimal that was typed


@pytest.mark.parametrize("resolution", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 7, 100])
def test_gaps_equal_the_slow_twin_with_ties(rng, n, resolution):
    records = rng.integers(-3, 4, n).astype(float)
    column = Column.from_values(records, WIDE, resolution)
    quantiles = rng.uniform(0.001, 0.999, 40).round(3)
    values = np.concatenate([rng.integers(-4, 5, 20), rng.uniform(-5, 5, 19), [10.0]])
    found = gaps(column, quantiles, values)
    slow = [
        slow_gap(records, exact_rank(q, n), v, resolution)
        for q, v in zip(quantiles, values, strict=True)
    ]
    assert found.tolist() == slow


def test_printed_gaps_charge_ties_in_full():
    column = Column.from_values([1, 2, 2, 2, 3], WIDE)
    assert gaps(column, [0.6], [2.0]).tolist() == [0]
    assert printed_gaps(column, [0.6], [2.0]).tolist() == [2]
    assert printed_gaps(column, [0.6], [2.5]).tolist() == gaps(column, [0.6], [2.5]).tolist() == [1]


def test_without_ties_both_gaps_agree(rng):
    column = Column.from_values(rng.normal(size=500), WIDE)
    quantiles, values = rng.uniform(0.01, 0.99, 30), rng.normal(size=30)
    np.testing.assert_array_equal(
        gaps(column, quantiles, values), printed_gaps(column, quantiles, values)
    )


def test_many_runs_keep_their_shape(rng):
    column = Column.from_values(rng.normal(size=50), WIDE)
    values = rng.normal(size=(4, 6, 3))
    found = gaps(column, [0.2, 0.5, 0.8], values)
    assert found.shape == (4, 6, 3)
    assert found[2, 3].tolist() == gaps(column, [0.2, 0.5, 0.8], values[2, 3]).tolist()


@pytest.mark.parametrize(("q", "n", "rank"), [(0.29, 100, 29), (0.57, 100, 57), (0.7, 10, 7)])
def test_the_floor_is_guarded_against_floating_point(q, n, rank):
    column = Column.from_values(np.arange(n), Bounds(-1, n))
    assert true_quantiles(column, [q]).tolist() == [rank]
    assert gaps(column, [q], [float(rank)]).tolist() == [0]
    assert printed_gaps(column, [q], [float(rank)]).tolist() == [0]


def test_every_hundredth_of_every_size_has_the_exact_rank():
    for n in (1, 3, 100, 999, 1000, 12345):
        column = Column.from_values(np.arange(n), Bounds(-1, n))
        hundredths = np.arange(1, 100) / 100
        ranks = [min(i * n // 100, n - 1) for i in range(1, 100)]
        assert true_quantiles(column, hundredths).tolist() == ranks


def test_true_quantiles_have_gap_zero_ties_or_not(rng):
    quantiles = [0.9, 0.001, 0.5, 0.5, 0.999]
    for records in (rng.normal(size=200), rng.integers(0, 3, 200), [5.0], np.full(9, -10.0)):
        for resolution in (0.0, 1.0):
            rounded = np.round(records) if resolution else records
            column = Column.from_values(rounded, WIDE, resolution)
            truth = true_quantiles(column, quantiles)
            assert gaps(column, quantiles, truth).tolist() == [0] * 5


def test_a_resolution_reads_a_value_as_its_grid_neighbour():
    ages = Column.from_values([20, 30, 30, 40], Bounds(0, 120), resolution=1)
    assert gaps(ages, [0.5, 0.5, 0.5], [29.6, 30.4, 30.6]).tolist() == [0, 0, 1]
    cents = Column.from_values([0.57, 0.57, 0.58], Bounds(0, 1), resolution=0.01)
    assert gaps(cents, [0.5], [0.5712]).tolist() == [0]


def test_an_empty_column_has_no_quantiles_and_no_gap():
    column = Column.from_values([], WIDE)
    with pytest.raises(InvalidData, match="no records"):
        true_quantiles(column, [0.5])
    assert gaps(column, [0.5], [3.0]).tolist() == [0]


def test_records_between_equal_the_slow_count_with_ties(rng):
    records = rng.integers(-3, 4, 101).astype(float)
    column = Column.from_values(records, WIDE)
    quantiles = rng.uniform(0.01, 0.99, 40)
    values = np.concatenate([rng.integers(-4, 5, 20), rng.uniform(-5, 5, 20)])
    slow = [
        sum(min(v, true) < x < max(v, true) for x in records)
        for v, true in zip(values, np.quantile(records, quantiles), strict=True)
    ]
    assert records_between(column, quantiles, values).tolist() == slow
    assert max(slow) > 20


def test_ties_hide_misses_between_records_and_no_others():
    """Between 2 and 3 lies nobody, though four people share the 2 and the median is one of them."""
    column = Column.from_values([1, 2, 2, 2, 2, 3, 4, 4], WIDE)
    assert records_between(column, [0.5], [3.0]).tolist() == [0]
    assert gaps(column, [0.5], [3.5]).tolist() == [2]
    assert records_between(column, [0.5], [3.5]).tolist() == [1]
    with pytest.raises(InvalidData, match="no quantiles"):
        records_between(Column.from_values([], WIDE), [0.5], [1.0])


@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_reach_is_the_farthest_value_with_so_small_a_gap(resolution):
    rng = np.random.default_rng(7)
    values = rng.normal(50, 12, 301)
    bounds = Bounds(0, 100)
    column = Column.from_values(np.rint(values) if resolution else values, bounds, resolution)
    asked = [0.001, 0.01, 0.3, 0.5, 0.99, 0.999]
    for records in (0, 3, 40, 301):
        tried = np.append(np.unique(column.values), [bounds.low, bounds.high])
        missed = np.array([gaps(column, asked, [one] * len(asked)) for one in tried])
        away = np.abs(tried[:, None] - true_quantiles(column, asked))
        brute = np.where(missed <= records, away, 0.0).max(axis=0)
        np.testing.assert_allclose(reach(column, asked, records), brute)
