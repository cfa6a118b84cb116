"""Values that hand out Arrow's capsules alone, such as of Polars, are as good as Arrow's own."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dpviz as dp
from dpviz.core.data.kinds import of_capsule
from dpviz.core.errors import DpvizError, InvalidData
from dpviz.people.rows import labels
from tests.facade.test_names import loaded
from tests.hostile.test_kinds import BOUNDS, NONE_OF, SOME_OF, TAKE, outcome
from tests.rows import by_rows


class Stream:
    """Exposes nothing but the method that streams chunks; asks is how often it was called."""

    def __init__(self, held: Any) -> None:
        self.held, self.asks = held, 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        self.asks += 1
        return self.held.__arrow_c_stream__(requested_schema)


class One:
    """Exposes nothing but the method that hands out one array."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.held.__arrow_c_array__(requested_schema)


def streams(held: Any) -> list[Any]:
    """An array of Arrow in every way to hand it out: in one, in chunks, beside empty chunks."""
    half = len(held) // 2
    chunks = [held[:0], held[:half], held[:0], held[half:], held[:0]]
    whole = [pa.chunked_array([held]), pa.chunked_array(chunks, held.type)]
    return [One(held), *map(Stream, whole), *([] if len(held) else [Stream(whole[0])])]


NUMBERS = [
    *((kind, [3, None, 30, -1, 7]) for kind in (pa.int8(), pa.int64(), pa.float16(), pa.float64())),
    *((kind, [3, None, 250, 0, 7]) for kind in (pa.uint8(), pa.uint64(), pa.float32())),
    (pa.bool_(), [True, None, False, True, True]),
    (pa.decimal128(9, 2), [Decimal("3.25"), None, Decimal("1e6"), Decimal(-1), Decimal(7)]),
    (pa.null(), [None] * 5),
]


def dictionaries(values: list[Any]) -> Any:
    """Chunks whose codes mean other numbers in each."""
    arrays = [pa.array(part, pa.int64()).dictionary_encode() for part in (values[:2], values[2:])]
    return Stream(pa.chunked_array([*arrays, arrays[0][:0]]))


@by_rows(("kind", "values"), NUMBERS, ids=[str(kind) for kind, _ in NUMBERS])
def test_a_column_is_that_of_the_list(kind, values):
    expected = dp.Column.from_values(values, BOUNDS, 0.5)
    for given in streams(pa.array(values, kind)):
        column = dp.Column.from_values(given, BOUNDS, 0.5)
        assert column.fingerprint == expected.fingerprint
        assert (column.clipped, column.dropped) == (expected.clipped, expected.dropped)
    for given in streams(pa.array([], kind)):
        assert dp.Column.from_values(given, BOUNDS).n == 0
    assert dp.Column.from_values(Stream(pa.chunked_array([], kind)), BOUNDS).n == 0


def test_codes_are_decoded_chunk_by_chunk():
    values = [7, 3, 3, None, 9]
    expected = dp.Column.from_values(values, BOUNDS)
    assert dp.Column.from_values(dictionaries(values), BOUNDS).fingerprint == expected.fingerprint


def test_a_slice_is_of_its_own_rows():
    held = pa.array([1.0, 2.0, 3.0, 4.0])[1:3]
    for given in streams(held):
        assert dp.Column.from_values(given, BOUNDS).held.tolist() == [2, 3]


def test_points_counts_and_people_are_handed_over_too():
    x, counts = pa.array([1, 2, None]), pa.array([2, 0, 1])
    points = dp.Points.from_xy(Stream(pa.chunked_array([x])), One(counts), dp.Box(BOUNDS, BOUNDS))
    assert points.x.tolist() == [1, 2]
    column = dp.Column.from_counts(One(x), Stream(pa.chunked_array([counts])), BOUNDS)
    assert (column.n, column.dropped) == (2, 1)
    rows, rng = dp.PersonRows.at_most(1), np.random.default_rng(1)
    names = Stream(pa.chunked_array([["a", "b"], ["a", None]], pa.string()))
    assert dp.person_column(names, [1, 2, 3, 4], BOUNDS, 1, rows, rng).n == 2


def test_large_names_beside_a_missing_one_keep_their_digits():
    """NumPy would make floats of them, and of neighbours one person."""
    names = pa.array([2**53, 2**53 + 1, None, 2**53])
    for given in streams(names):
        assert labels(given).tolist() == labels(names).tolist() == [0, 1, -1, 0]


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.binary_view(), pa.float32()], ids=str)
def test_empty_slices_of_a_stream_hold_no_names_and_break_nothing_off(kind):
    """Arrow itself cannot join what it reads back of them."""
    held = pa.array(["1", "2", None]).cast(kind)
    for start in range(4):
        empty = held.slice(start, 0)
        for chunks, expected in (([empty], []), ([empty, held, empty], [0, 1, -1])):
            given = Stream(pa.chunked_array(chunks))
            assert labels(given).tolist() == expected


@by_rows("take", TAKE.values(), ids=TAKE)
@by_rows("name", [one for one in NONE_OF if one.startswith("Arrow")])
def test_a_schema_of_no_numbers_is_refused_with_rows_and_without(name, take):
    found = set()
    for many in range(3):
        held = NONE_OF[name](many)
        chunks = held if isinstance(held, pa.ChunkedArray) else pa.chunked_array([held])
        found.add(outcome(take, Stream(chunks)))
        if held is not chunks:
            found.add(outcome(take, One(held)))
    assert len(found) == 1
    assert found.pop().startswith("InvalidData: A column needs numbers")


@pytest.mark.parametrize("name", [one for one in SOME_OF if one.startswith("Arrow")])
def test_a_schema_of_numbers_is_taken_with_rows_and_without(name):
    for many in range(3):
        held = SOME_OF[name](many)
        for given in (One(held), Stream(pa.chunked_array([held]))):
            assert outcome(TAKE["column"], given) == "taken"


@pytest.mark.parametrize("values", [[], [None], [1.0]])
def test_a_table_of_one_column_is_no_column(values):
    table = pa.table({"x": pa.array(values, pa.float64())})
    assert outcome(TAKE["column"], Stream(table)).startswith("InvalidData: A column needs numbers")


def test_a_capsule_that_breaks_off_is_refused_and_quotes_no_cell():
    class Broken:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise ValueError("31337")

    def broken():
        yield pa.record_batch({"x": [1.0]})
        raise ValueError("31337")

    schema = pa.schema({"x": pa.float64()})
    for take in (*TAKE.values(), labels):
        late = Stream(pa.RecordBatchReader.from_batches(schema, broken()))
        for given in (Broken(), late):
            with pytest.raises(InvalidData) as refused:
                take(given)
            assert "31337" not in f"{refused.value} {refused.value.__context__!r}"


def test_memory_that_runs_out_is_no_refusal():
    class Large:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise MemoryError

    with pytest.raises(MemoryError):
        TAKE["column"](Large())


def test_what_has_a_kind_of_its_own_is_not_handed_over():
    """pandas' nulls would come back as NaN, and sparse arrays not at all."""

    class Mine(pd.Series):
        pass

    for given in (pd.Series([1.0]), Mine([1.0]), pa.array([1]), np.ones(1), [1], None, Stream):
        assert of_capsule(given) is given
    once = Stream(pa.chunked_array([[1, 2]]))
    assert dp.Column.from_values(once, BOUNDS).n == 2
    assert once.asks == 1, "a stream may be read once"


def test_masked_values_are_missing_and_odd_kinds_refused_in_words():
    column = dp.Column.from_values(np.ma.array([1.0, 2.0], mask=[0, 1]), BOUNDS)
    assert (column.n, column.dropped) == (1, 1)
    for odd in (np.array(["1"]), np.array([1], "M8[s]"), np.array([1j]), pd.Series(["1"])):
        with pytest.raises(DpvizError, match="needs numbers"):
            dp.Column.from_values(odd, BOUNDS)


def test_arrow_is_loaded_for_capsules_alone():
    lines = "import dpviz as dp, numpy\ndp.Column.from_values(numpy.ones(3), dp.Bounds(0, 1))"
    assert loaded(lines) == [[]]
