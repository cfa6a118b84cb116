"""Which rows of a person count: laws, bounds, names of all kinds, and what is refused."""

from __future__ import annotations

import itertools
from collections import Counter

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pandas.arrays import ArrowStringArray

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import SecureBits
from dpviz.counts.on_grid import leaf_counts
from dpviz.counts.spatial import quadtree_leaves
from dpviz.people.data import person_column, person_grid, person_points
from dpviz.people.rows import kept_rows, labels, row_parts
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

BOUNDS, BOX = Bounds(0, 50), Box(Bounds(0, 50), Bounds(-1, 1))
TWO = PersonRows.at_most(2)


def everyone(persons):
    return np.ones(len(persons), dtype=bool)


def first_rows(persons, rows, present, rng):
    """The wrong twin: of each person the first k rows."""
    kept, seen = np.zeros(len(persons), dtype=bool), Counter()
    for at, person in enumerate(persons):
        if present[at] and person is not None and seen[person] < rows.most:
            seen[person] += 1
            kept[at] = True
    return kept


def slowly(persons, rows, present):
    """Parts of each row by a plain loop."""
    held = Counter(p for p, there in zip(persons, present, strict=True) if there and p is not None)
    return [
        rows.most // held[p] if there and p is not None else 0
        for p, there in zip(persons, present, strict=True)
    ]


@pytest.mark.law
@pytest.mark.parametrize("names", [["a", "b", "c"], [7, 3, 5]])
def test_every_choice_of_k_rows_is_equally_likely(names, rng):
    """A person of 4 rows, one of 3 and one of 1, mixed; jointly; twin: the first k rows."""
    a, b, c = names
    persons = [a, b, a, c, a, b, b, a]
    of = {p: [i for i, q in enumerate(persons) if q == p] for p in names}
    choices = [
        frozenset((*x, *y, *of[c]))
        for x in itertools.combinations(of[a], 2)
        for y in itertools.combinations(of[b], 2)
    ]
    runs, law = 2_000, np.full(18, 1 / 18)

    def counts(choose):
        seen = Counter(
            frozenset(np.flatnonzero(choose(persons, TWO, everyone(persons), rng)).tolist())
            for _ in range(runs)
        )
        assert set(seen) <= set(choices)
        return [seen[one] for one in choices]

    assert len(choices) == 18
    assert fits_probabilities(counts(kept_rows), law, comparisons=4)
    twin = np.eye(18)[choices.index(frozenset((0, 2, 1, 5, 3)))]
    assert can_tell_probabilities(runs, law, 0.9 * twin + 0.1 * law, comparisons=4)  # even so
    assert not fits_probabilities(counts(first_rows), law, comparisons=4)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_nobody_keeps_more_than_k_and_nobody_loses_more_than_needed(k, rng):
    persons = rng.integers(0, 300, 4_000)
    present = rng.random(4_000) < 0.9
    kept = kept_rows(persons, PersonRows.at_most(k), present, rng)
    assert not (kept & ~present).any()
    had = np.bincount(persons[present], minlength=300)
    np.testing.assert_array_equal(np.bincount(persons[kept], minlength=300), np.minimum(had, k))


@pytest.mark.law
def test_the_order_of_rows_does_not_matter_to_the_law(rng):
    """How often a row is kept, by its value: sorted by person, reversed and shuffled."""
    persons, values = np.array([1] * 5 + [2] * 3 + [3]), np.arange(9)
    runs, right = 3_000, np.array([2 / 5] * 5 + [2 / 3] * 3 + [1]) / 5
    for order in (np.arange(9), np.arange(9)[::-1], rng.permutation(9)):
        first = Counter()
        for _ in range(runs):
            kept = np.flatnonzero(kept_rows(persons[order], TWO, everyone(persons), rng))
            first[int(rng.choice(values[order][kept]))] += 1
        assert fits_probabilities([first[v] for v in range(9)], right, comparisons=3)


@pytest.mark.parametrize("parts", [1, 5, 840])
def test_parts_of_a_person_add_up_to_at_most_all(parts, rng):
    persons = [None if rng.random() < 0.1 else int(p) for p in rng.geometric(0.1, 500)]
    present = rng.random(500) < 0.9
    found = row_parts(np.array(persons, dtype=object), PersonRows.weighted(parts), present)
    assert found.tolist() == slowly(persons, PersonRows.weighted(parts), present)
    whole = Counter()
    for person, each in zip(persons, found, strict=True):
        whole[person] += int(each)
    assert max(whole.values()) <= parts
    assert whole[None] == 0


def test_people_of_one_to_eight_rows_count_alike():
    persons = np.repeat(np.arange(1, 9), np.arange(1, 9))
    parts = row_parts(persons, PersonRows.weighted(), everyone(persons))
    assert (np.bincount(persons, parts)[1:] == 840).all()
    crowd = np.zeros(841)
    assert not row_parts(crowd, PersonRows.weighted(), everyone(crowd)).any()


NAMES = [
    (["a", None, "b", "a", np.nan], [0, -1, 1, 0, -1]),
    (["a", "", "b", "a", ""], [0, -1, 1, 0, -1]),
    (["", "a", b"", "b", " "], [-1, 0, -1, 1, 2]),
    ([2.0, np.nan, 5.0, 2.0, np.inf], [0, -1, 1, 0, -1]),
    ([2, 9, 5, 2, -9], [0, 1, 2, 0, 3]),
    (np.array([2**63, 1, 2**63 + 1], dtype=np.uint64), [0, 1, 2]),
    (pd.array([1, None, 1], dtype="Int64"), [0, -1, 0]),
    (pd.Series(["x", None, "x"], dtype="string"), [0, -1, 0]),
    (pd.to_datetime(["2020-01-01", None, "2020-01-01"]), [0, -1, 0]),
    (["a", np.nan, "nan", "a"], [0, -1, 1, 0]),
    ([2**60, None, 2**60 + 1], [0, -1, 1]),
    (pa.array(["a", None, "a"]), [0, -1, 0]),
    (pa.array([3, None, 4]), [0, -1, 1]),
    ([], []),
]


@by_rows(("persons", "expected"), NAMES)
def test_names_of_all_kinds_and_missing_ones(persons, expected):
    assert labels(persons).tolist() == expected


def test_rows_without_a_person_are_dropped(rng):
    persons = np.array(["a", None, "b", "a", "a", None], dtype=object)
    values = [1.0, 2.0, np.nan, 60.0, 4.0, np.nan]
    for rows, n, clipped in ((PersonRows.at_most(9), 3, 1), (PersonRows.weighted(7), 6, 2)):
        column = person_column(persons, values, BOUNDS, 1.0, rows, rng)
        assert (column.n, column.dropped, column.clipped) == (n, 3, clipped)


def test_a_masked_value_is_a_row_without_one(rng):
    masked = np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False])
    for rows, n in ((PersonRows.at_most(9), 2), (PersonRows.weighted(12), 24)):
        column = person_column(["a", "b", "c"], masked, BOUNDS, 1.0, rows, rng)
        assert (column.n, column.dropped) == (n, 1)
        grid = person_grid(["a", "b", "c"], [1.0] * 3, masked, BOX, 2, rows, rng)
        assert (grid.n, grid.dropped) == (n, 1)


def test_with_room_for_all_rows_a_column_is_that_of_its_values(rng):
    persons, x = rng.integers(0, 100, 900), rng.integers(-5, 60, 900).astype(float)
    x[::40], y = np.nan, rng.normal(size=900)
    rows = PersonRows.at_most(900)
    whole = Column.from_values(x, BOUNDS, 1.0)
    assert person_column(persons, x, BOUNDS, 1.0, rows, rng).fingerprint == whole.fingerprint
    points = Points.from_xy(x, y, BOX)
    assert person_points(persons, x, y, BOX, rows, rng).fingerprint == points.fingerprint
    grid = person_grid(persons, x, y, BOX, 8, rows, rng)
    leaves = np.bincount(quadtree_leaves(points, 3), minlength=64)
    np.testing.assert_array_equal(leaf_counts(grid, 3), leaves)
    assert (grid.clipped, grid.dropped) == (points.clipped, points.dropped)


def test_weighted_columns_and_grids_count_parts(rng):
    persons, x = rng.integers(0, 100, 900), rng.integers(-5, 60, 900).astype(float)
    x[::40], y = np.nan, rng.normal(size=900)
    rows = PersonRows.weighted(60)
    parts = row_parts(persons, rows, ~np.isnan(x))
    column = person_column(persons, x, BOUNDS, 1.0, rows, rng)
    each = Column.from_values(np.repeat(x, np.where(np.isnan(x), 1, parts)), BOUNDS, 1.0)
    assert column.fingerprint == each.fingerprint
    grid = person_grid(persons, x, y, BOX, 8, rows, rng)
    points = Points.from_xy(np.repeat(x, parts), np.repeat(y, parts), BOX)
    leaves = np.bincount(quadtree_leaves(points, 3), minlength=64)
    np.testing.assert_array_equal(leaf_counts(grid, 3), leaves)
    assert grid.clipped == points.clipped


def test_secure_bits_choose_as_well():
    persons = np.repeat(np.arange(50), 4)
    kept = kept_rows(persons, TWO, everyone(persons), SecureBits.fresh())
    assert (np.bincount(persons[kept]) == 2).all()


def test_what_cannot_be_is_refused_in_words(rng):
    three, names = np.ones(3), ["a", "b", "c"]
    with pytest.raises(InvalidParameter, match="person_grid"):
        person_points(names, three, three, BOX, PersonRows.weighted(), rng)
    with pytest.raises(InvalidParameter, match="at_most"):
        kept_rows(names, PersonRows.weighted(), three > 0, rng)
    with pytest.raises(InvalidParameter, match="weighted"):
        row_parts(names, TWO, three > 0)
    with pytest.raises(InvalidData, match="differ in number"):
        person_column(names[:2], three, BOUNDS, 0.0, TWO, rng)
    with pytest.raises(InvalidData, match="one length"):
        person_grid(names, three, three[:2], BOX, 2, TWO, rng)
    with pytest.raises(InvalidParameter, match="rows must be"):
        person_column(names, three, BOUNDS, 0.0, 2, rng)
    with pytest.raises(InvalidParameter, match="generator"):
        person_column(names, three, BOUNDS, 0.0, PersonRows.weighted(), 7)
    for wrong in ("abc", np.array([["a"], ["b"]]), 5):
        with pytest.raises(InvalidData, match="one name for each row"):
            labels(wrong)
    for wrong in (pd.Series([{"secret": 1}, {}, {}]), [["a"], ["secret", "c"]], [["secret"], []]):
        with pytest.raises(InvalidData, match="names of other kinds") as caught:
            labels(wrong)
        assert "secret" not in str(caught.value)
    with pytest.raises(InvalidData, match="masked"):
        labels(np.ma.masked_array([1, 2], mask=[True, False]))


def test_floats_that_tell_nobody_apart_are_no_names():
    """One such name refuses nothing; beside a null Arrow's whole numbers stay what they are."""
    assert labels(np.array([2.0**53, 3.0, -(2.0**60), np.inf, 3.0])).tolist() == [-1, 0, -1, -1, 0]
    assert labels(np.array([1, 2**24], dtype=np.float32)).tolist() == [0, -1]
    assert labels(pa.array([2**60, None, 2**60 + 1])).tolist() == [0, -1, 1]
    assert labels(pa.chunked_array([[2**60], [None]])).tolist() == [0, -1]
    for kind in ("Int64", "UInt64", "int64[pyarrow]"):
        names = pd.Series([2**60, None, 2**60 + 1, 2**60], dtype=kind)
        assert labels(names).tolist() == [0, -1, 1, 0], kind
    names = pd.Series(["b", "", None, "b"], dtype="string")
    assert labels(names).tolist() == labels(names.astype("category")).tolist() == [0, -1, -1, 0]
    for large in ([2.0**53, None, 5.0], [np.float32(2**24), None, 5]):
        ways = [large, tuple(large), pd.Series(large, dtype=object), np.array(large, dtype=object)]
        if isinstance(large[0], float):
            kinds = ("Float64", "float64", "double[pyarrow]")
            ways += [pa.array(large), *(pd.Series(large, dtype=kind) for kind in kinds)]
            ways += [pd.Categorical(large), pd.Series(large).astype("category")]
        for way in ways:
            assert labels(way).tolist() == [-1, -1, 0], type(way)
    short = pa.array([2.0**24, None, 5.0], pa.float32())
    for way in (short, pa.chunked_array([short]), short.dictionary_encode(), short.to_numpy(False)):
        assert labels(way).tolist() == [-1, -1, 0]
    assert labels([1, np.ma.masked, 2]).tolist() == [0, -1, 1]
    assert labels([("a", 1), ("b", 2), ("a", 1)]).tolist() == [0, 1, 0]
    assert labels([("a", 1), ("b", 2, 3)]).tolist() == [0, 1]


def kinds_of(last):
    """Names of all kinds that hold times or texts as they are stored, the last one anything."""
    day = pa.array([1, 2, min(last, 2**31 - 1)], pa.int32()).cast(pa.date32())
    yield from (day, pd.Series(day, dtype=pd.ArrowDtype(pa.date32())).array)
    for kind in (pa.timestamp("ms"), pa.timestamp("ns")):
        yield pa.array([1, 2, last], kind)
        yield pd.Series(pa.array([1, 2, last], kind), dtype=pd.ArrowDtype(kind))
    yield pd.Series(np.array([1, 2, min(last, 2**40)], "M8[s]"))
    letter = b"c" if last < 10 else b"\xff"
    ends = pa.py_buffer(np.arange(4, dtype=np.int32).tobytes())
    text = pa.Array.from_buffers(pa.string(), 3, [None, ends, pa.py_buffer(b"ab" + letter)])
    yield text
    yield text.dictionary_encode()
    yield pa.chunked_array([text[:1], text[1:].view(pa.string())]).dictionary_encode()
    for one in (
        ArrowStringArray(pa.chunked_array([text])),
        pd.array(text, pd.ArrowDtype(text.type)),
    ):
        yield from (one, pd.Series(one), pd.Index(one))
    surrogate = "c" if last < 10 else "\ud800"  # as Python decodes an odd byte of a file
    for kind in (pd.StringDtype("python"), object):
        yield pd.Series(["a", "b", surrogate], dtype=kind)


@pytest.mark.parametrize("last", [5, 2**55])
def test_no_time_and_no_text_refuses_the_names_of_others(last):
    """Made into objects they ended in errors of others, which held the year or the byte."""
    for names in kinds_of(last):
        assert labels(names).tolist() == [0, 1, 2], names


def test_empty_texts_are_nobody_s_names_in_every_kind():
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.binary_view()):
        texts = pa.array(["a", "", None, "b", "a"]).cast(kind)
        chunks = pa.chunked_array([texts[:2], texts[2:]])
        ways = [texts, chunks]
        if "view" not in str(kind):
            ways += [one.dictionary_encode() for one in (texts, chunks)]
        for way in ways:
            assert labels(way).tolist() == [0, -1, -1, 1, 0], (kind, type(way))
    for kind in ("str", "string", pd.StringDtype("python"), pd.StringDtype("pyarrow"), object):
        assert labels(pd.Series(["a", "", None, "b", "a"], dtype=kind)).tolist() == [
            0,
            -1,
            -1,
            1,
            0,
        ]


def test_codes_of_chunks_are_told_apart_by_their_texts():
    """Each chunk has a dictionary of its own, together more texts than a code of 8 bits tells."""
    small = pa.dictionary(pa.int8(), pa.string())
    chunks = [pa.array([f"p{one}" for one in range(at, at + 100)]) for at in (0, 50, 200)]
    found = labels(pa.chunked_array([one.dictionary_encode().cast(small) for one in chunks]))
    assert (found == labels(pa.concat_arrays(chunks).to_pylist())).all()


@pytest.mark.law
def test_no_number_of_bytes_in_all_names_refuses_them():
    """2^31 bytes, which one Arrow array of short texts cannot hold."""
    part = pa.array(["a" * (1 << 26)])
    assert labels(pa.chunked_array([part] * 32)).tolist() == [0] * 32


UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")


@by_rows("unit", [*UNITS, "25s", "3ns", "7us", "2D"])
def test_times_of_an_array_are_whole_numbers_of_its_unit(unit):
    """pandas has some units only, and in those fewer times."""
    for at in (0, 4, 2**40, 2**62, -(2**62)):
        times = np.array([at, 5, at, "NaT", at + 1], f"M8[{unit}]")
        for held in (times, times.astype(f">M8[{unit}]")):
            assert labels(held).tolist() == ([0, 1, 0, -1, 1] if at == 4 else [0, 1, 0, -1, 2])


@pytest.mark.parametrize("last", [3, 2**40])
def test_tables_and_queries_are_no_names_whatever_they_hold(last):
    """A time out of reach, or a text that is no number, ended in others' errors and words."""
    table = pa.table({"id": pa.array([1, last], pa.time64("us"))})
    query = ibis.memtable(pa.table({"id": ["1", str(last) if last == 3 else "secret"]}))
    for persons in (table, table.to_batches()[0], query.id, query.id.cast("int32"),
                    pd.DataFrame({"id": [1, last]})):  # fmt: skip
        with pytest.raises(InvalidData, match="persons must be names"):
            labels(persons)
