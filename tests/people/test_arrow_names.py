"""Names in Arrow arrays: what comes of them hangs on their kind, not on rows or chunks."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.people.rows import NOBODY, labels
from tests.rows import by_rows

ONE, OTHER = dt.date(2020, 1, 1), dt.date(2021, 2, 3)
KINDS = {
    "text": (pa.string(), "Ann", "Bob"),
    "bytes": (pa.binary(), b"\xff", b"b"),
    "whole": (pa.int64(), 1, 2),
    "small": (pa.uint8(), 1, 2),
    "half": (pa.float16(), np.float16(1), np.float16(2)),
    "double": (pa.float64(), 1.5, 2.5),
    "day": (pa.date32(), ONE, OTHER),
    "instant": (pa.timestamp("us"), dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1)),
    "yes": (pa.bool_(), True, False),
}
DECIMALS = {
    "decimal": (pa.decimal128(10, 2), Decimal("1.25"), Decimal("2.50")),
    "wide": (pa.decimal256(40, 2), Decimal("1.25"), Decimal("2.50")),
}


@by_rows("coded", ["plain", "mask", "encode"])
@by_rows("kind", KINDS)
def test_every_cut_into_chunks_tells_the_same_people_apart(kind, coded):
    of, one, other = KINDS[kind]
    rows = [one, None, other, one, None, other]
    for cuts in ([6], [0, 6], [1, 5], [2, 2, 2], [3, 0, 3], [1] * 6):
        ends = np.cumsum([0, *cuts])
        parts = [pa.array(rows[start:end], of) for start, end in pairwise(ends)]
        if coded != "plain":
            parts = [part.dictionary_encode(coded) for part in parts]
        found = labels(pa.chunked_array(parts))
        assert (found == NOBODY).tolist() == [False, True, False, False, True, False]
        assert found[0] == found[3] != found[2] == found[5]
    for nobody in (pa.array([], of), pa.chunked_array([], of)):
        assert labels(nobody).size == 0  # as with rows, it is no error


def test_coded_numbers_are_numbers_however_they_are_cut():
    for of in (pa.int64(), pa.float16(), pa.float32(), pa.float64()):
        made = np.float16 if of == pa.float16() else float if pa.types.is_floating(of) else int
        for last in (made(4), None):
            parts = [pa.array(part, of).dictionary_encode("encode")
                     for part in ([made(1), made(2)], [made(3), last])]  # fmt: skip
            column = Column.from_values(pa.chunked_array(parts), Bounds(0, 9))
            found = column.values.tolist()  # noqa: PD011  no frame
            assert found == [1.0, 2.0, 3.0] + ([4.0] if last is not None else [])


def test_numbers_that_are_wrapped_are_the_numbers_that_they_hold():
    for last, n in ((4.0, 2), (np.nan, 1), (None, 1), (2**64, 2)):
        column = Column.from_values([np.array(1.0), last], Bounds(0, 9))
        assert column.n == n
    with pytest.raises(InvalidData):
        Column.from_values([np.array([1.0, 2.0]), None], Bounds(0, 9))


@pytest.mark.parametrize("kind", ["decimal", "wide", "half", "whole", "double"])
def test_coded_numbers_of_pandas_are_numbers_whether_one_is_missing_or_not(kind):
    of, one, other = (KINDS | DECIMALS)[kind]
    for last, n in ((other, 2), (None, 1)):
        coded = pa.array([one, last], of).dictionary_encode()
        series = pd.Series(coded, dtype=pd.ArrowDtype(coded.type))
        for given in (series, series.array, pd.Index(series)):
            assert Column.from_values(given, Bounds(0, 9)).n == n


def test_masked_numbers_in_a_list_are_missing_without_a_word(recwarn):
    for last, n in ((np.ma.array(2.0), 2), (np.ma.array(2.0, mask=True), 1), (None, 1)):
        assert Column.from_values([np.ma.array(3.0), last], Bounds(0, 9)).n == n
    assert not recwarn.list
