"""A column of counts is the column of its records; points on a grid are counts of cells."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from tests.rows import by_rows

BOUNDS = Bounds(-10, 10)
BOX = Box(Bounds(0, 1), Bounds(-2, 2))
VALUE = st.one_of(
    st.integers(-12, 12).map(float), st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 2.5])
)
PAIRS = st.lists(st.tuples(VALUE, st.integers(0, 5)), max_size=25)


@pytest.mark.law
@given(PAIRS, st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 3))
def test_counts_are_the_column_of_their_records(pairs, resolution, missing):
    values, counts = [v for v, _ in pairs], [c for _, c in pairs]
    records = [v for v, c in pairs for _ in range(c)] + [math.nan] * missing
    of_counts = Column.from_counts(values, counts, BOUNDS, resolution, missing)
    of_values = Column.from_values(records, BOUNDS, resolution)
    assert of_counts.fingerprint == of_values.fingerprint
    assert of_counts.n == of_values.n
    assert (of_counts.clipped, of_counts.dropped) == (of_values.clipped, of_values.dropped)
    assert of_counts.values.tobytes() == of_values.values.tobytes()
    assert of_counts.tied == of_values.tied
    for one, other in zip(of_counts.steps, of_values.steps, strict=True):
        assert one.tolist() == other.tolist()
    for one, other in zip(of_counts.cell_counts, of_values.cell_counts, strict=True):
        assert one.tolist() == other.tolist()
    assert of_counts.cells.tolist() == of_values.cells.tolist()
    at = np.arange(-12, 12.5, 0.5)
    assert of_counts.count_below(at).tolist() == of_values.count_below(at).tolist()
    assert of_counts.count_up_to(at).tolist() == of_values.count_up_to(at).tolist()
    ranks = np.arange(of_values.n)
    assert of_counts.of_rank(ranks).tolist() == of_values.values.tolist()
    assert of_values.of_rank(ranks).tolist() == of_values.values.tolist()


@pytest.mark.parametrize("ends", [[1.0], [1.0, 2.0, 2.0], [1.0] * 50 + [2.0] * 50])
def test_whether_a_rank_is_answered_does_not_depend_on_the_number_of_records(ends):
    column = Column.from_values(ends, BOUNDS, 1)
    beyond = [-1, 0, len(ends) - 1, len(ends), 2**40]
    assert column.of_rank(beyond).tolist() == [1.0, 1.0, *[ends[-1]] * 3]
    nobody = Column.from_values([], BOUNDS, 1).of_rank(beyond)
    assert np.isnan(nobody).all()
    assert nobody.shape == (5,)


def test_many_tied_records_are_held_as_counts_and_few_are_not():
    ages = Column.from_values(np.repeat(np.arange(100.0), 50), Bounds(0, 100), 1)
    assert ages.counts.tolist() == [50] * 100
    assert ages.held.size == 100
    spread = Column.from_values(np.arange(100.0), Bounds(0, 100), 1)
    assert spread.counts is None
    assert Column.from_values(np.zeros(50), Bounds(0, 1)).counts is None


def test_more_records_than_memory_are_counted_and_never_held_apart():
    many = Column.from_counts([1.0, 2.0], [10**12, 1], Bounds(0, 3), 1)
    assert many.n == 10**12 + 1
    assert many.of_rank([0, 10**12 - 1, 10**12]).tolist() == [1, 1, 2]
    assert many.count_below([1.5, 2.0, 3.0]).tolist() == [10**12, 10**12, 10**12 + 1]
    for each in ("values", "cells"):
        with pytest.raises(
            InvalidData,
            match=r"^This needs every record apart.* holds none\.",
        ):
            getattr(many, each)


@by_rows(
    ("counts", "message"),
    [
        ([1.5, 1], "fractions"),
        ([math.nan, 1], "missing"),
        ([-1, 1], "negative"),
        (["1", "2"], "something else: texts"),
        ([True, False], "truth values"),
        ([1], "Each value needs one count"),
        ([[1, 2]], "Each value needs one count"),
        ([2**53, 1], "at most 2.53"),
        ([2**62, 2**62], "at most 2.53"),
        ([1e300, 1], "at most 2.53"),
        ([2**70, 1], "larger ones"),
        ([None, 1], "missing ones"),
        ([[1], [2, 3]], "whole numbers"),
    ],
)
def test_damaged_counts_are_refused(counts, message):
    with pytest.raises(InvalidData, match=message):
        Column.from_counts([1.0, 2.0], counts, BOUNDS)


def test_as_many_records_as_doubles_hold_are_taken():
    assert Column.from_counts([1.0, 2.0], [2**53 - 1, 1.0], BOUNDS, 1).n == 2**53
    with pytest.raises(InvalidData, match="missing must"):
        Column.from_counts([1.0], [1], BOUNDS, 1, missing=-1)


WHOLE = (4_711, 4_711.0, np.float64(4_711), np.float16(4_712), np.int16(4_711), np.uint64(4_711))
NONE = (-4_711, 4_711.5, 2**55 + 4_711, 10**400, math.nan, math.inf, True, np.True_, "4711", None)


def fields(number):
    """Every way in which a number of records is handed over that were moved or left out."""
    value, cells = np.array([1.0]), np.ones((1, 1), dtype=np.int64)
    return {
        "missing": lambda: Column.from_counts([1.0], [1], BOUNDS, 1, missing=number).dropped,
        "clipped": lambda: Column(value, BOUNDS, 1.0, number, 0).clipped,
        "dropped": lambda: Column(value, BOUNDS, 1.0, 0, number).dropped,
        "clipped points": lambda: Points(value, value, BOX, number, 0).clipped,
        "dropped points": lambda: Points(value, value, BOX, 0, number).dropped,
        "clipped of a grid": lambda: GridCounts(BOX, 1, cells, number, 0).clipped,
        "dropped of a grid": lambda: GridCounts(BOX, 1, cells, 0, number).dropped,
    }


@pytest.mark.parametrize("number", WHOLE, ids=str)
def test_a_whole_number_of_records_is_taken_in_every_kind(number):
    for taken in fields(number).values():
        assert taken() == int(number)
        assert type(taken()) is int


@by_rows("number", NONE, ids=lambda one: str(one)[:9])
def test_no_refusal_says_how_many_records_were_missing_or_moved(number):
    for name, refused in fields(number).items():
        with pytest.raises(InvalidData, match=f"^{name.split()[0]} must be a whole number") as told:
            refused()
        assert not re.search(r"4.?711|inf|nan|True", str(told.value))


@pytest.mark.parametrize(
    ("held", "counts"),
    [([1.0, 1.0], [1, 1]), ([1.0, 2.0], [1, 0]), ([1.0], [1, 1]), ([1.0, 2.0], [1.0, 1.0])],
)
def test_a_column_is_never_born_with_counts_that_do_not_fit(held, counts):
    with pytest.raises(InvalidData, match=r"Column\.from_counts"):
        Column(np.array(held), BOUNDS, 1.0, 0, 0, np.array(counts))


def test_a_grid_holds_what_its_cells_hold():
    grid = GridCounts(BOX, 4, np.arange(16).reshape(4, 4))
    assert grid.n == 120
    assert grid.height == 2
    assert grid.coarser(2).tolist() == [[0 + 1 + 4 + 5, 2 + 3 + 6 + 7], [42, 50]]
    assert grid.coarser(1).tolist() == [[120]]
    assert grid.coarser(4).tolist() == grid.counts.tolist()
    same = GridCounts.from_flat(BOX, 4, list(range(16)))
    assert same.fingerprint == grid.fingerprint
    assert same.fingerprint != GridCounts.from_flat(BOX, 4, list(range(16)), 1).fingerprint
    for side in (0, 3, 8, 2.0, True, "2", None):
        with pytest.raises(InvalidData, match="Choose a side that divides 4"):
            grid.coarser(side)


@pytest.mark.parametrize(
    ("side", "counts", "message"),
    [
        (3, np.zeros((3, 3)), "power of two"),
        (8192, np.zeros((2, 2)), "power of two"),
        (True, np.zeros((1, 1)), "power of two"),
        (2, np.zeros(4), "2 × 2 cells"),
        (2, np.full((2, 2), 0.5), "fractions"),
        (2, np.full((2, 2), -1), "negative"),
        (2, np.full((2, 2), 2**52), "at most 2.53"),
    ],
)
def test_damaged_grids_are_refused(side, counts, message):
    with pytest.raises(InvalidData, match=message):
        GridCounts(BOX, side, counts)
