"""Parquet files of every column type that people have."""

from __future__ import annotations

import datetime as dt
import decimal
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.core.errors import InvalidData, UnreadableFile
from dpviz.intake import kinds, unpacking
from dpviz.intake.read import read_table
from tests.rows import by_rows


def written(table: pa.Table, **options) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


NAN = float("nan")
DAY = dt.date(2020, 1, 1)
NUMERIC = {
    "int8": (pa.array([1, None, 3], pa.int8()), [1, NAN, 3]),
    "uint64": (pa.array([2**64 - 1, 0, None], pa.uint64()), [2.0**64, 0, NAN]),
    "int64": (pa.array([2**53 + 1, 0, 1], pa.int64()), [2.0**53, 0, 1]),
    "half": (pa.array(np.array([1.5, 2.5, 3.5], np.float16)), [1.5, 2.5, 3.5]),
    "float": (pa.array([1.5, NAN, None], pa.float32()), [1.5, NAN, NAN]),
    "infinite": (pa.array([np.inf, -np.inf, 0.0]), [np.inf, -np.inf, 0]),
    "decimal": (
        pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-3.50")]),
        [1.25, NAN, -3.5],
    ),
    "dictionary": (pa.array([5, 7, 5]).dictionary_encode(), [5, 7, 5]),
    "words": (pa.array(["1.5", "2", None]).dictionary_encode(), [1.5, 2, NAN]),
    "boolean": (pa.array([True, None, False]), [1, NAN, 0]),
    "binary": (pa.array([b"1", b"2", b"3"]), [1, 2, 3]),
}
DATES = {
    "date": pa.array([DAY, None, DAY]),
    "stamp": pa.array([dt.datetime(2020, 1, 1), None, None]),
    "zoned": pa.array([0, 1, 2], pa.timestamp("us", "UTC")),
    "time": pa.array([1, 2, 3], pa.time32("s")),
    "duration": pa.array([1, 2, 3], pa.duration("s")),
}


@by_rows("key", NUMERIC)
@by_rows("compression", ["none", "snappy", "zstd"])
def test_numeric_types(key, compression):
    array, expected = NUMERIC[key]
    table = read_table(written(pa.table({"v": array}), compression=compression), "x.parquet")
    column = table.numeric_values("v")
    np.testing.assert_array_equal(column.values, expected)
    assert column.missing == table.info("v").missing == int(np.isnan(expected).sum())


def decimals(digits: int, scale: int, kind=None) -> tuple[pa.Array, np.ndarray]:
    """Random ones of all lengths and the ends, with a missing one; and their texts as doubles."""
    rng = np.random.default_rng(digits * 100 + scale)
    lengths = rng.integers(1, digits + 1, 2_000)
    units = [int("".join(map(str, rng.integers(0, 10, length)))) for length in lengths]
    ends = [10**digits - 1, 1, 0, min(2**53 + 1, 10**digits - 1), min(2**53, 10**digits - 1)]
    exact = decimal.Context(prec=200)
    every = [
        decimal.Decimal(sign * one).scaleb(-scale, exact)
        for one in [*units, *ends]
        for sign in (1, -1)
    ]
    made = kind or (pa.decimal128 if digits <= 38 else pa.decimal256)
    expected = [float(str(one)) for one in every]
    return pa.array([None, *every], made(digits, scale)), np.array([NAN, *expected])


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("digits", "scale", "kind"),
    [
        (9, 2, None), (9, 2, pa.decimal32), (15, 15, None), (16, 6, pa.decimal64), (18, 4, None),
        (18, 17, None), (38, 9, None), (38, 22, None), (38, 37, None), (38, 0, None),
        (60, 25, None), (76, 9, None), (76, 70, None),
    ],
)  # fmt: skip
def test_a_decimal_is_the_double_nearest_to_its_text(digits, scale, kind):
    array, expected = decimals(digits, scale, kind)
    table = read_table(written(pa.table({"v": array})), "x.parquet")
    np.testing.assert_array_equal(table.numeric_values("v").values, expected)
    off = np.asarray(array.cast(pa.float64()).to_numpy(zero_copy_only=False))
    assert scale in {0, 15} or (off != expected)[1:].any()  # what Arrow's own cast makes of them


def test_decimals_of_no_rows_of_few_and_in_slices():
    assert kinds.nearest_doubles(pa.chunked_array([], pa.decimal128(5, 2))).to_pylist() == []
    array, expected = decimals(38, 9)
    sliced = pa.chunked_array([array.slice(7, 900), array.slice(907, 0), array.slice(907)])
    found = kinds.nearest_doubles(sliced).to_numpy()
    np.testing.assert_array_equal(found, expected[7:])
    negative = pa.array([decimal.Decimal("12E+3"), None], pa.decimal128(5, -3))
    assert kinds.nearest_doubles(pa.chunked_array([negative])).to_pylist() == [12_000, None]


@pytest.mark.parametrize("key", DATES)
def test_dates_are_refused(key):
    table = read_table(written(pa.table({"v": DATES[key]})), "x.parquet")
    assert table.info("v").kind == "date"
    with pytest.raises(InvalidData, match="dates or times"):
        table.numeric_values("v")


def test_content_goes_before_the_extension():
    table = read_table(written(pa.table({"v": [1, 2]})), "rows.csv")
    assert table.rows == 2


def test_nested_columns_are_left_out_and_told():
    data = pa.table(
        {"list": [[1], [2]], "v": [1, 2], "record": [{"a": 1}, {"a": 2}], "raw": [b"\xff", b"\xfe"]}
    )
    table = read_table(written(data), "x.parquet")
    assert [info.name for info in table.columns] == ["v"]
    assert "'list', 'record', 'raw'" in table.notes[0]
    with pytest.raises(UnreadableFile, match="only columns of lists"):
        read_table(written(data.select(["list"])), "x.parquet")


def test_repeated_names_and_empty_columns():
    data = pa.table([pa.array([1, 2]), pa.array([3, 4]), pa.nulls(2)], names=["a", "a", ""])
    table = read_table(written(data), "x.parquet")
    assert [(info.name, info.kind) for info in table.columns] == [
        ("a", "numeric"), ("a (2)", "numeric"), ("column 3", "empty"),
    ]  # fmt: skip
    assert table.numeric_values("a (2)").values.tolist() == [3, 4]


def test_no_rows_and_too_much_to_unpack(monkeypatch):
    with pytest.raises(UnreadableFile, match="no rows"):
        read_table(written(pa.table({"v": pa.array([], pa.int64())})), "x.parquet")
    monkeypatch.setattr(unpacking, "MAX_DECODED", 1_000_000)
    zeros = written(pa.table({"v": np.zeros(200_000)}))
    assert len(zeros) < 10_000  # the footer, too, knows only what is stored
    with pytest.raises(UnreadableFile, match="unpacks to"):
        read_table(zeros, "x.parquet")
    monkeypatch.setattr(unpacking, "MAX_DECODED", 10)
    with pytest.raises(UnreadableFile, match="unpacks to"):
        read_table(written(pa.table({"v": range(1000)})), "x.parquet")


def test_cut_off_anywhere_or_damaged():
    whole = written(pa.table({"v": np.arange(5_000.0), "w": np.arange(5_000)}))
    for size in (4, 8, 100, len(whole) // 2, len(whole) - 1):
        with pytest.raises(UnreadableFile, match="cut off"):
            read_table(whole[:size], "x.parquet")
    for size in (50, len(whole) // 2):  # a middle that is missing, with the end in place
        with pytest.raises(UnreadableFile):
            read_table(whole[:size] + b"PAR1", "x.parquet")
