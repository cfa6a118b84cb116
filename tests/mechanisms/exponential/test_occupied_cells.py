"""Cells that are found where somebody asks, against those of all records."""

from itertools import product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.point_grid import PointGrid
from dpviz.core.randomness.bits import SeededBits
from dpviz.mechanisms.exponential import lazy_points
from dpviz.mechanisms.exponential.lazy_points import LazyPoints
from dpviz.mechanisms.exponential.occupied_cells import HeldCells, KnownCells
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_problems import PointProblems, quantile_units
from tests.mechanisms.exponential.exact_points import probabilities
from tests.statistics import can_tell_probabilities, fits_probabilities

UNIT = Bounds(0, 1)
NARROW = Bounds(1e9, 1e9 + 1)  # a few doubles share each of the cells at resolution 0
COLUMNS = {
    "no record": ([], UNIT, 0.0),
    "one": ([0.5], UNIT, 0.0),
    "at both ends": ([0.0, 0.0, 1.0, 1.0, 1.0], UNIT, 0.0),
    "apart": (np.linspace(0, 1, 999), UNIT, 0.0),
    "tied": (np.arange(500) % 11, Bounds(0, 10), 0.0),
    "tied on a grid": (np.arange(500) % 11, Bounds(0, 10), 1.0),
    "beside a grid": (np.arange(500) % 97 / 9.7, Bounds(0, 9.4), 1.0),
    "on the ends of cells": (np.arange(300) / 2, Bounds(0, 149), 1.0),
    "decimals": (np.arange(300) / 10, Bounds(-3.3, 30), 0.1),
    "in one cell": (0.5 + np.arange(50) * 1e-15, UNIT, 0.0),
    "few doubles": (1e9 + np.arange(400) / 2**21, NARROW, 0.0),
    "wide": (np.linspace(-8e307, 8e307, 77), Bounds(-8e307, 8e307), 0.0),
    "narrow": (np.arange(20) * 5e-324, Bounds(0, 1e-322), 0.0),
}


def columns(name):
    values, bounds, resolution = COLUMNS[name]
    column = Column.from_values(values, bounds, resolution)
    numbers, counts = np.unique(values, return_counts=True)
    return column, Column.from_counts(numbers, counts, bounds, resolution)


def agree(column):
    """Both answers for every record, and for every cell with one and beside it."""
    held, every = HeldCells(column), column.grid.cell(column.values)
    cells, counts = np.unique(every, return_counts=True)
    known = KnownCells(cells, counts)
    assert held.size == known.size == column.n
    for one, other in zip(held.every(), known.every(), strict=True):
        np.testing.assert_array_equal(one, other)
    if column.n == 0:
        return
    rank = np.arange(column.n)
    found = held.of_rank(rank)
    np.testing.assert_array_equal(found[0], every)
    np.testing.assert_array_equal(found[1], np.searchsorted(every, every, side="left"))
    np.testing.assert_array_equal(found[1] + found[2], np.searchsorted(every, every, side="right"))
    asked = np.concatenate((cells - 1, cells, cells + 1, [0, column.grid.cells - 1]))
    asked = asked[(asked >= 0) & (asked < column.grid.cells)]
    for answer in (held.records_of(asked), known.records_of(asked)):
        np.testing.assert_array_equal(answer[0], np.searchsorted(every, asked, side="left"))
        np.testing.assert_array_equal(answer[0] + answer[1], np.searchsorted(every, asked, "right"))
    for one, other in zip(known.of_rank(rank), found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.few(12, 25)
@pytest.mark.parametrize("wrong", [None, 0.0, 1e-7, -0.3, np.inf])
@pytest.mark.parametrize("name", COLUMNS)
def test_cells_are_found_wherever_a_guess_lies(name, wrong, monkeypatch):
    """Whatever rounding does to a guess; the last one is behind all values."""
    if wrong is not None:
        right = PointGrid.lower_end
        monkeypatch.setattr(PointGrid, "lower_end", lambda grid, cell: right(grid, cell) + wrong)
    for column in columns(name):
        agree(column)


def test_of_a_long_column_few_values_are_looked_at(monkeypatch):
    column = Column.from_values(np.linspace(0, 1, 100_000), UNIT)
    looked, cell = [], PointGrid.cell

    def counted(grid, values):
        looked.append(np.size(values))
        return cell(grid, values)

    monkeypatch.setattr(PointGrid, "cell", counted)
    points = LazyPoints(HeldCells(column), column.grid.shift, SeededBits(np.random.default_rng(1)))
    points.near_rank(np.arange(0, 100_000, 1_000))
    points.below(np.arange(100) * (column.grid.points // 100))
    assert 0 < sum(looked) < 2_000


@pytest.mark.law
@pytest.mark.parametrize("few", [1, 256])
def test_records_alone_in_their_cells_have_the_law_of_their_points(few, monkeypatch, rng):
    """Six cells of four points are an experiment; twin: a record more is alone in its cell."""
    monkeypatch.setattr(lazy_points, "FEW", few)
    trials, shift, eta, unit = 5_000, 2, 1.3, int(quantile_units(np.array([0.4]))[0])
    at, held = np.array([1, 3, 4]), np.array([1, 2, 1])
    place, points = np.arange(trials), 6 << shift
    cells = (6 * place[:, None] + at).ravel()
    records = LazyPoints(KnownCells(cells, np.tile(held, trials)), shift, SeededBits(rng))
    asked = PointProblems(
        4 * place,
        4 * (place + 1),
        points * place,
        points * (place + 1),
        np.full(trials, unit),
        np.full(trials, eta),
        np.zeros(trials, dtype=np.int64),
    )
    drawn = draw_points(records, asked, points * trials, SeededBits(rng)) - points * place
    found = np.bincount(drawn, minlength=points)
    right = law_of([1, 3, 3, 4], shift, points, unit, eta)
    assert fits_probabilities(found, right, comparisons=2)
    wrong = law_of([1, 3, 4, 5], shift, points, unit, eta)
    assert can_tell_probabilities(trials, right, wrong)
    assert not fits_probabilities(found, wrong)


def law_of(cells, shift, points, unit, eta):
    """The mixture over all points that the records of these cells may draw."""
    spreads = product(range(1 << shift), repeat=len(cells))
    first = np.array(cells) << shift
    each = [
        probabilities(sorted(first + one), 0, points, unit, eta) for one in map(np.array, spreads)
    ]
    return np.mean(each, axis=0)
