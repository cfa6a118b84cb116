from __future__ import annotations

import math

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
NEAR = st.one_of(
    st.floats(-15, 15),
    st.sampled_from([-10.0, 10.0, 0.0, math.inf, -math.inf, math.nan]),
    st.integers(-12, 12).map(float),
)


@pytest.mark.law
@given(st.lists(NEAR, max_size=60), st.floats(-12, 12))
def test_a_column_equals_its_slow_twin(raw, at):
    present = [v for v in raw if not math.isnan(v)]
    kept = sorted(min(max(v, -10.0), 10.0) for v in present)
    column = Column.from_values(raw, BOUNDS)
    assert column.values.tolist() == kept
    assert column.n == len(kept)
    assert column.dropped == len(raw) - len(present)
    assert column.clipped == sum(not -10 <= v <= 10 for v in present)
    assert column.count_below(at) == sum(v < at for v in kept)
    assert column.count_up_to(at) == sum(v <= at for v in kept)
    assert column.tied == (len(set(kept)) < len(kept))
    values, counts = column.steps
    assert values.tolist() == sorted(set(kept))
    assert counts.tolist() == [sum(w <= v for w in kept) for v in sorted(set(kept))]


@pytest.mark.law
@given(st.lists(st.floats(-15, 15), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_order_does_not_matter(raw, shuffler):
    other = list(raw)
    shuffler.shuffle(other)
    first, second = Column.from_values(raw, BOUNDS), Column.from_values(other, BOUNDS)
    assert first.fingerprint == second.fingerprint


def test_the_caller_s_array_is_left_alone_and_the_column_is_read_only():
    raw = np.array([30.0, np.nan, -3.0])
    column = Column.from_values(raw, BOUNDS)
    assert raw[0] == 30
    assert raw[2] == -3
    for array in (column.values, column.steps[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        column.clipped = 0


@pytest.mark.parametrize("raw", [[], [math.nan] * 3])
def test_an_empty_column_is_a_column(raw):
    column = Column.from_values(raw, BOUNDS, resolution=1)
    assert (column.n, column.clipped, column.dropped) == (0, 0, len(raw))
    assert not column.tied
    assert [part.size for part in column.steps] == [0, 0]
    assert column.count_below([0.0, 1.0]).tolist() == [0, 0]
    assert len(column.fingerprint) == 32


def test_values_on_the_bounds_are_not_clipped():
    column = Column.from_values([-10, 10, np.nextafter(10, 11), -10], BOUNDS)
    assert column.clipped == 1
    assert column.values.tolist() == [-10, -10, 10, 10]


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float32, np.bool_])
def test_every_kind_of_number_is_taken(kind):
    assert Column.from_values(np.array([1, 0], dtype=kind), BOUNDS).values.tolist() == [0.0, 1.0]


@by_rows(
    ("raw", "message"),
    [
        (["a", "b"], "needs numbers"),
        ([[1, 2], [3, 4]], "needs numbers for its values, one a record, .* lists"),
        (5, "one dimension, got 0"),
        ([[1], [2, 3]], "needs numbers"),
        ([object()], "needs numbers"),
        (np.array([1 + 2j]), "complex numbers"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "needs numbers.* dates"),
        ([np.timedelta64(3), 1.0], "needs numbers"),
        (["1"], "texts are none"),
        (["1", 2.0], "texts are none"),
        ([2.0, None, "31337"], "texts are none"),
        ([b"1"], "texts are none"),
        (np.array(["1"], dtype="S1"), "texts are none"),
        (np.array(["1"], dtype=object), "texts are none"),
    ],
)
def test_what_is_no_column_is_refused(raw, message):
    with pytest.raises(InvalidData, match=message):
        Column.from_values(raw, BOUNDS)
    with pytest.raises(InvalidData, match=message):
        Points.from_xy(raw, [1.0], Box(BOUNDS, BOUNDS))


def test_a_refusal_quotes_no_value():
    with pytest.raises(InvalidData) as caught:
        Column.from_values([2.0, None, "zebra31337"], BOUNDS)
    assert "31337" not in str(caught.value)
    assert caught.value.__context__ is None  # nor does an error behind it


MASKED = np.ma.masked_array([1.0, 5.0, np.nan, 2.0], mask=[False, True, False, False])


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16, object, ">f8"])
def test_masked_entries_are_missing(kind):
    """Twin: what NumPy makes of a masked array, where 5 is a value like any other."""
    given = np.ma.masked_array([1, 5, 2, 2], mask=[False, True, False, False], dtype=kind)
    column = Column.from_values(given, BOUNDS, 1)
    assert (column.values.tolist(), column.dropped) == ([1, 2, 2], 1)
    assert Column.from_values(np.asarray(given), BOUNDS, 1).n == 4
    counted = Column.from_counts(given, [3, 4, 5, 6], BOUNDS, 1)
    assert (counted.n, counted.dropped) == (14, 4)
    points = Points.from_xy(given, [0, 1, 2, 3], Box(BOUNDS, BOUNDS))
    assert (points.y.tolist(), points.dropped) == ([0, 2, 3], 1)


def test_masks_are_refused_where_nobody_would_look_at_them():
    for counts in (np.ma.masked_array([1, 2], mask=[True, False]), np.ma.masked_array([1.0], [1])):
        with pytest.raises(InvalidData, match="must not be masked"):
            Column.from_counts([1.0] * counts.size, counts, BOUNDS)
    with pytest.raises(InvalidData, match="must not be masked"):
        Column(MASKED[:2], BOUNDS, 0.0, 0, 0)
    with pytest.raises(InvalidData, match="must not be masked"):
        Points(np.zeros(4), MASKED, Box(BOUNDS, BOUNDS), 0, 0)
    with pytest.raises(InvalidData, match="must not be masked"):
        GridCounts(Box(BOUNDS, BOUNDS), 2, np.ma.masked_array([[1, 2], [3, 4]], mask=True))
    whole = np.ma.masked_array([1, 2])  # no entry is masked: its kind decides, not what is in it
    assert Column.from_values(whole, BOUNDS).n == 2
    with pytest.raises(InvalidData, match="must not be masked"):
        Column.from_counts([1, 2], whole, BOUNDS)


@pytest.mark.parametrize(
    "values", [[2.0, 1.0], [-11.0, 0.0], [0.0, 11.0], [math.nan], [0, math.nan]]
)
def test_a_column_is_never_born_unsorted_or_outside(values):
    with pytest.raises(InvalidData, match=r"use Column\.from_values"):
        Column(np.array(values), BOUNDS, 0.0, 0, 0)


@pytest.mark.parametrize(
    ("resolution", "message"),
    [
        (-1, "0 or a positive"),
        (math.nan, "0 or a positive"),
        (math.inf, "0 or a positive"),
        (21, "coarser than the bounds"),
        ("fine", "0 or a positive"),
        (None, "0 or a positive"),
    ],
)
def test_a_resolution_that_makes_no_sense_is_refused(resolution, message):
    with pytest.raises(InvalidData, match=message):
        Column.from_values([1.0], BOUNDS, resolution)


@pytest.mark.law
def test_a_fingerprint_tells_any_change_apart(rng):
    raw = rng.normal(0, 5, 20_000)
    column = Column.from_values(raw, BOUNDS, 0.5)
    prints = {column.fingerprint}
    places = rng.choice(np.flatnonzero(np.abs(raw) < 9), 50, replace=False)
    for place in places:
        other = raw.copy()
        other[place] = np.nextafter(other[place], 99)
        prints.add(Column.from_values(other, BOUNDS, 0.5).fingerprint)
    prints |= {
        Column.from_values(raw[:-1], BOUNDS, 0.5).fingerprint,
        Column.from_values(raw, BOUNDS, 0.25).fingerprint,
        Column.from_values(raw, Bounds(-10, np.nextafter(10, 11)), 0.5).fingerprint,
        Column.from_values(raw, Bounds(np.nextafter(-10, -11), 10), 0.5).fingerprint,
        Column.from_values([*raw, np.nan], BOUNDS, 0.5).fingerprint,
    }
    assert len(prints) == 1 + 50 + 5
    assert Column.from_values(raw, BOUNDS, 0.5).fingerprint == column.fingerprint


def test_a_fingerprint_tells_a_clipped_value_from_one_on_the_bound():
    assert (
        Column.from_values([10.0], BOUNDS).fingerprint
        != Column.from_values([11.0], BOUNDS).fingerprint
    )


BOX = Box(Bounds(0, 1), Bounds(0, 2))


@pytest.mark.law
@given(st.lists(st.tuples(NEAR, NEAR), max_size=40))
def test_points_equal_their_slow_twin(raw):
    present = [(x, y) for x, y in raw if not (math.isnan(x) or math.isnan(y))]
    kept = [(min(max(x, 0.0), 1.0), min(max(y, 0.0), 2.0)) for x, y in present]
    points = Points.from_xy([x for x, _ in raw], [y for _, y in raw], BOX)
    assert list(zip(points.x.tolist(), points.y.tolist(), strict=True)) == kept
    assert points.n == len(kept)
    assert points.dropped == len(raw) - len(kept)
    assert points.clipped == sum(a != b for a, b in zip(present, kept, strict=True))


def test_points_need_one_length_and_stay_as_they_are():
    with pytest.raises(InvalidData, match="one length"):
        Points.from_xy([1.0, 2.0], [1.0], BOX)
    points = Points.from_xy([0.5], [0.5], BOX)
    with pytest.raises(ValueError, match="read-only"):
        points.x[0] = 0.0


def test_a_fingerprint_of_points_tells_any_change_apart():
    def of(x, y, box=BOX):
        return Points.from_xy(x, y, box).fingerprint

    base = ([0.1, 0.2], [0.3, 0.4])
    others = [
        ([0.1, np.nextafter(0.2, 1)], [0.3, 0.4]),
        ([0.1, 0.2], [np.nextafter(0.3, 1), 0.4]),
        ([0.2, 0.1], [0.3, 0.4]),
        ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]),
        ([0.1], [0.3]),
        ([0.3, 0.4], [0.1, 0.2]),
        ([0.1, 0.2, math.nan], [0.3, 0.4, 0.5]),
    ]
    prints = [of(*base), *(of(*other) for other in others), of(*base, Box(BOX.x, Bounds(0, 3)))]
    assert len(set(prints)) == len(prints)
    assert of(*base) == prints[0]


def test_columns_of_the_same_bytes_have_other_digests():
    """The value whose bytes are those of the count 2 stood for two records at the value before."""
    count = float(np.int64(2).view(np.float64))
    tied, untied = ([-1.0, -1.0], [-1.0, count])
    assert Column.from_values(tied, BOUNDS).n == Column.from_values(untied, BOUNDS).n
    assert Column.from_values(tied, BOUNDS).digest != Column.from_values(untied, BOUNDS).digest
