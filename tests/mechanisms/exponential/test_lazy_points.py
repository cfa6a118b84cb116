"""A spread drawn where it is looked at: the law of spreading all, and one spread for all looks."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.mechanisms.exponential import lazy_points, point_columns
from dpviz.mechanisms.exponential.lazy_points import LazyPoints, near_rank, records_below, uniform
from dpviz.mechanisms.exponential.occupied_cells import KnownCells
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_columns import spread_points
from dpviz.mechanisms.exponential.point_problems import PointProblems, quantile_units
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from tests.mechanisms.exponential.exact_points import probabilities
from tests.statistics import can_tell_probabilities, fits_probabilities

SHIFT, TOGETHER = 2, 3  # four points a cell, three records
MECHANISMS = [ApproximateQuantiles(round_to_grid=True), IndependentExp()]


def bits(rng):
    return SeededBits(rng)


def columns_of_three(rng, cells):
    """One lazy spread in which every cell is an experiment of its own."""
    return LazyPoints(KnownCells(np.arange(cells), np.full(cells, TOGETHER)), SHIFT, bits(rng))


def looked_at(points, cells, order):
    """The three records of every cell, in whatever order they are asked for."""
    first = TOGETHER * np.arange(cells)
    found = {}
    for ask in order:
        if ask < TOGETHER:
            found[ask] = points.of_rank(first + ask) - (np.arange(cells) << SHIFT)
        else:  # a look at a point that lies in the cell
            points.below((np.arange(cells) << SHIFT) + ask - TOGETHER)
    return np.stack([found[rank] for rank in range(TOGETHER)], axis=1)


def law_of_three():
    seen = Counter(tuple(sorted(each)) for each in product(range(1 << SHIFT), repeat=TOGETHER))
    outputs = sorted(seen)
    return outputs, np.array([seen[one] for one in outputs]) / (1 << SHIFT) ** TOGETHER


ORDERS = [(0, 1, 2), (2, 4, 0, 1), (5, 1, 6, 3, 0, 2)]


@pytest.mark.law
@pytest.mark.parametrize("few", [1, 2, 256])
@pytest.mark.parametrize("order", ORDERS)
def test_records_are_uniform_in_their_cells_however_they_are_asked(few, order, monkeypatch, rng):
    monkeypatch.setattr(lazy_points, "FEW", few)
    cells, (outputs, right) = 12_000, law_of_three()
    found = Counter(map(tuple, looked_at(columns_of_three(rng, cells), cells, order).tolist()))
    assert set(found) <= set(outputs)
    assert fits_probabilities([found[one] for one in outputs], right, comparisons=9)


def test_halves_that_are_always_equal_are_rejected(monkeypatch, rng):
    """The twin sends half of the records to each side, and the odd one by a coin."""

    def even(coins, source):
        return (coins + (source.words(coins.size, np.uint8) & 1)) >> 1

    cells, (outputs, right) = 12_000, law_of_three()
    monkeypatch.setattr(lazy_points, "FEW", 1)
    monkeypatch.setattr(lazy_points, "heads", even)
    seen = looked_at(columns_of_three(rng, cells), cells, ORDERS[0])
    found = Counter(map(tuple, seen.tolist()))
    assert not fits_probabilities([found[one] for one in outputs], right)
    mixed = [0.0 if sum(p < 2 for p in one) in {0, TOGETHER} else 1.0 for one in outputs]
    wrong = np.array(mixed) * right
    assert can_tell_probabilities(cells, wrong / wrong.sum(), right)


@pytest.mark.parametrize("most", [8, 16, 20, 32, 48])
def test_a_width_is_filled_and_never_left(most, rng):
    width = rng.integers(0, most + 1, 20_000)
    found = uniform(width, most, bits(rng))
    assert (found >> width == 0).all()
    assert (found >= 0).all()
    top = found[width == most] >> (most - 3)
    assert fits_probabilities(np.bincount(top, minlength=8), np.full(8, 1 / 8), comparisons=5)


@pytest.mark.parametrize("few", [1, 7, 256])
def test_all_answers_are_of_one_spread(few, monkeypatch, rng):
    monkeypatch.setattr(lazy_points, "FEW", few)
    cells = np.sort(rng.choice(50, 20, replace=False))
    counts = rng.integers(1, 900, 20)
    points = LazyPoints(KnownCells(cells, counts), 16, SecureBits.fresh())
    n = points.size
    asked = [rng.integers(0, n, (40, 3)) for _ in range(4)]
    at = [rng.integers(-5, 51 << 16, (30, 2)) for _ in range(4)]
    ranked, under = [], []
    for rank, point in zip(asked, at, strict=True):
        ranked.append(points.of_rank(rank))
        under.append(points.below(point))
    every = points.spread().copy()
    assert every.size == n
    assert (np.diff(every) >= 0).all()
    np.testing.assert_array_equal(every >> 16, np.repeat(cells, counts))
    for rank, found in zip(asked, ranked, strict=True):
        np.testing.assert_array_equal(found, every[rank])
    for point, found in zip(at, under, strict=True):
        np.testing.assert_array_equal(found, np.searchsorted(every, point))
    np.testing.assert_array_equal(points.of_rank(asked[0]), ranked[0])  # and it stays
    np.testing.assert_array_equal(points.below(at[0]), under[0])
    np.testing.assert_array_equal(points.spread(), every)


def test_cells_of_single_points_hold_all_their_records(monkeypatch, rng):
    monkeypatch.setattr(lazy_points, "FEW", 2)
    points = LazyPoints(KnownCells(np.array([3, 5]), np.array([4000, 1000])), 8, bits(rng))
    ranks = np.arange(5000)
    found = points.of_rank(ranks)
    assert (np.diff(found) >= 0).all()
    np.testing.assert_array_equal(points.below(found), np.searchsorted(found, found))
    np.testing.assert_array_equal(points.spread(), found)


def test_an_array_answers_alike(rng):
    points = np.sort(rng.integers(0, 1000, 50))
    lazy = LazyPoints(KnownCells(np.array([0]), np.array([50])), 10, bits(rng))
    every = lazy.spread()
    for records, wanted in ((points, points), (lazy, every)):
        ranks = np.array([-3, 0, 7, 49, 60])
        for side, found in enumerate(near_rank(records, ranks)):
            np.testing.assert_array_equal(found, wanted[np.clip(ranks, 0, 49)] + side)
        at = np.array([-1, 0, 500, 2000])
        np.testing.assert_array_equal(records_below(records, at), np.searchsorted(wanted, at))


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(0.05)])
@pytest.mark.parametrize("resolution", [1, 0])
def test_the_same_seed_gives_the_same_release_from_values_and_from_counts(
    mechanism, budget, resolution, monkeypatch, rng
):
    values, bounds = rng.integers(10, 70, 3_000).astype(float), Bounds(0, 100)
    numbers, counts = np.unique(values, return_counts=True)
    for long in (point_columns.LONG, 1000):
        monkeypatch.setattr(point_columns, "LONG", long)
        of_values = Column.from_values(values, bounds, resolution)
        of_counts = Column.from_counts(numbers, counts, bounds, resolution)
        lazy = isinstance(spread_points(of_counts, bits(rng)), LazyPoints)
        assert lazy == (long == 1000)
        one, other = (
            mechanism.release(column, [0.1, 0.5, 0.9], budget, np.random.default_rng(4))
            for column in (of_values, of_counts)
        )
        assert one == other
        assert one.randomness == "seeded"


def test_a_long_column_of_many_ties_is_never_spread_as_a_whole(monkeypatch):
    column = Column.from_counts(np.arange(120.0), np.full(120, 10**7), Bounds(0, 120), 1)
    drawn = []
    keep = LazyPoints._keep
    monkeypatch.setattr(
        LazyPoints, "_keep", lambda self, new: (drawn.append(new.size), keep(self, new))[1]
    )
    release = ApproximateQuantiles().release(
        column, [0.25, 0.5, 0.75], PureDP(1), SecureBits.fresh()
    )
    assert np.abs(np.array(release.values) - [30, 60, 90]).max() <= 1
    assert sum(drawn) < 100_000
    with pytest.raises(InvalidData, match=r"^This needs every record apart, and a column made"):
        _ = column.values


@pytest.mark.parametrize("few", [1, 256])
def test_quantiles_of_a_lazy_spread_have_the_law_of_a_whole_one(few, monkeypatch, rng):
    """Every cell is a problem of its own; twin: a spread of the same records, one for all."""
    monkeypatch.setattr(lazy_points, "FEW", few)
    cells, eta, unit = 20_000, 1.3, int(quantile_units(np.array([0.4]))[0])
    place = np.arange(cells)
    asked = PointProblems(
        TOGETHER * place,
        TOGETHER * (place + 1),
        place << SHIFT,
        (place + 1) << SHIFT,
        np.full(cells, unit),
        np.full(cells, eta),
        np.zeros(cells, dtype=np.int64),
    )
    points = columns_of_three(rng, cells)
    drawn = draw_points(points, asked, cells << SHIFT, bits(rng)) - (place << SHIFT)
    found = np.bincount(drawn, minlength=1 << SHIFT)
    spreads, share = law_of_three()
    laws = [probabilities(list(one), 0, 1 << SHIFT, unit, eta) for one in spreads]
    assert fits_probabilities(found, share @ np.array(laws), comparisons=2)
    assert not fits_probabilities(found, laws[0], comparisons=2)
