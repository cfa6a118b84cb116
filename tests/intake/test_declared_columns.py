"""What a table hands over: columns, points and people as declared; no cell refuses them."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.core.errors import InvalidData, UnreadableColumn, UnreadableFile
from dpviz.intake.table import ColumnInfo
from dpviz.people.rows import labels
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 100)
BOX = dp.Box(BOUNDS, BOUNDS)


def text(*cells: str) -> dp.Table:
    """A text file of one column of these cells, and one that is never empty."""
    lines = "".join(f"{cell};1\n" for cell in cells)
    return dp.read_table(f"x;y\n{lines}".encode(), "own.csv", header=True)


def stored(values: pa.Array) -> dp.Table:
    """A Parquet file of one column."""
    held = io.BytesIO()
    parquet.write_table(pa.table({"x": values}), held)
    return dp.read_table(held, "own.parquet")


def same(one: dp.Column, values: list[float], resolution: float = 0.0) -> bool:
    """Whether a column is that of a list, None for a missing value."""
    return one.fingerprint == dp.Column.from_values(values, BOUNDS, resolution).fingerprint


def test_a_file_names_itself(tmp_path):
    path = tmp_path / "ages.csv"
    path.write_text("age\n31\n47\n", encoding="utf-8")
    tables = [dp.read_table(path), dp.read_table(str(path))]
    with path.open("rb") as opened:
        tables.append(dp.read_table(opened))
    tables.append(dp.read_table(str(path), header=True))
    assert [one.name for one in tables] == ["ages.csv"] * 4
    assert all(same(one.column("age", BOUNDS), [31, 47]) for one in tables)
    assert dp.read_table(path, "other.csv").name == "other.csv"
    assert dp.read_table(Path(path), "a/b.csv").name == "b.csv"


def test_a_text_that_is_no_path_is_quoted_nowhere():
    with pytest.raises(UnreadableFile) as refused:
        dp.read_table("age\n31337\n")
    assert "31337" not in str(refused.value)


@by_rows(
    ("cells", "values"),
    [
        (("1", "2", "250"), [1, 2, 250]),
        (("1", "", "NA", "words", "3.5"), [1, None, None, None, 3.5]),
        (("1,5", "2,25", "oops"), [1.5, 2.25, None]),
        (("true", "false", ""), [1, 0, None]),
        (("", ""), [None, None]),
        (("secret", "words"), [None, None]),
        (("1", "1e999", "2"), [1, None, 2]),
        (("1", "2020-01-01", "2"), [1, None, 2]),
    ],
)
@by_rows("resolution", [0, 0.5])
def test_a_column_is_that_of_its_numbers(cells, values, resolution):
    table = text(*cells)
    column = table.column("x", BOUNDS, resolution)
    assert same(column, values, resolution)
    assert column.dropped == sum(one is None for one in values)
    assert isinstance(table.info("x"), ColumnInfo)


@by_rows("cell", ["7", "", "NA", "unknown", "1e999", "1,234,5", "2020-01-01", "ß"])
@by_rows("beside", [[], ["1"] * 3, ["word"] * 3, [""] * 3])
def test_no_cell_decides_a_refusal(cell, beside):
    table = text(*beside, cell, "last")
    for found in (table.column("x", BOUNDS), table.points("x", "y", BOX)):
        assert found.dropped + (found.n if isinstance(found, dp.Column) else found.x.size) == (
            len(beside) + 2
        )


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        *((kind, [1, None, 0]) for kind in (pa.int8(), pa.uint64(), pa.float32(), pa.float16())),
        (pa.bool_(), [True, None, False]),
        (pa.null(), [None] * 3),
        (pa.string(), ["1", None, "x"]),
        (pa.decimal128(5, 2), [1, None, 2]),
    ],
    ids=str,
)
def test_a_column_of_parquet_is_that_of_its_numbers(kind, given):
    values = [None if one == "x" else one and float(one) for one in given]
    assert same(stored(pa.array(given, kind)).column("x", BOUNDS, 1), values, 1)


@pytest.mark.parametrize(
    ("kind", "whole"),
    [
        (pa.date32(), pa.int32()),
        (pa.timestamp("s"), pa.int64()),
        (pa.time32("s"), pa.int32()),
    ],
    ids=str,
)
def test_dates_are_refused_by_their_kind_whatever_is_missing(kind, whole):
    words = set()
    for given in ([None], [None, 1], [1, 2]):
        table = stored(pa.array(given, whole).cast(kind))
        for take in (lambda: table.column("x", BOUNDS), lambda: table.points("x", "x", BOX)):  # noqa: B023
            with pytest.raises(UnreadableColumn, match="dates or times") as refused:
                take()
            words.add(str(refused.value))
    assert len(words) == 1


def test_a_text_file_of_dates_alone_is_refused_too():
    days = [str(date(2020, 1, day)) for day in (1, 2, 3)]
    with pytest.raises(UnreadableColumn, match="dates or times"):
        text(*days).column("x", BOUNDS)


def test_a_number_that_can_be_read_in_two_ways_is_missing():
    """In a file with decimal commas 1.234 may be a thousand, or a bit more than one."""
    for mark, values in ((",", [None, None]), (".", [1.234, None])):
        table = dp.read_table(f"x;y\n1.234;1{mark}5\nword;2{mark}5\n".encode(), "own.csv")
        assert same(table.column("x", BOUNDS), values)


def test_points_are_where_both_cells_are_numbers():
    table = dp.read_table(b"x,y\n1,2\n3,far\n,5\n250,7\n", "a.csv")
    points = table.points("x", "y", BOX)
    assert (points.x.tolist(), points.y.tolist()) == ([1, 100], [2, 7])
    assert (points.clipped, points.dropped) == (1, 2)


def test_people_are_the_persons_of_a_column():
    table = dp.read_table(b"id,x\n0012,1\n12,2\n,3\n0012,4\n", "a.csv")
    persons = table.people("id")
    assert labels(persons).tolist() == [0, 1, -1, 0]
    values = table.numeric_values("x").values
    rows, rng = dp.PersonRows.at_most(1), np.random.default_rng(1)
    found = dp.person_column(persons, values, BOUNDS, 1, rows, rng)
    assert (found.n, found.dropped) == (2, 1)


def test_a_name_that_is_none_is_refused_before_a_cell_is_read():
    for take in (
        lambda: text("1").column("z", BOUNDS),
        lambda: text("1").points("x", "z", BOX),
        lambda: text("1").people("z"),
    ):
        with pytest.raises(InvalidData, match="no column 'z'"):
            take()


def test_a_table_prints_its_name_alone():
    assert repr(text("31337")) == "<Table of confidential data: name='own.csv'>"
