"""Names or a record: no cell of a first record becomes the name of a column."""

from __future__ import annotations

import time

import pyarrow as pa
import pytest

from dpviz.core.errors import InvalidData, InvalidParameter, UnreadableFile
from dpviz.intake.dialect import is_value
from dpviz.intake.read import read_table
from tests.intake.hostile.parquets import written
from tests.intake.workbooks import excel
from tests.rows import by_rows

VALUES = [
    "41.75", "-3", "1e5", "3,5", "52,300", "1 234 567", "1'234.5", "12.5 %", "$5", "€ 5,00", "(5)",
    "−5", "1/2", "inf", "0x1F", "00123", "+43 660 123", "2020-01-31", "2020-01-31T10:30:00Z",
    "31.12.2020", "01/02/2020", "10:30", "10:30 am", "1 Jan 2020", "Jan 2020", "March 3rd, 2020",
    "12-Feb-99", "2020W01", "2020Q3", "true", "FALSE", "NA", "null", "?", "٣٤",
]  # fmt: skip
NAMES = [
    "age", "größe", "income_2019", "q1", "2nd_exam", "max", "May", "march", "no", "x2", "Name (a)",
    "price in €", "24h mean", "H2O", "nanny", "infinity war", "", "  ", "date/time", "mar_1",
]  # fmt: skip
FORMS = [
    ("p0017", ["p0018", "p0400"]),
    ("P7", ["P12", "P345"]),
    ("AB-12/3", ["XY-7/44", "QQ-1/2"]),
    ("3f2a9c01-aa", ["99ab00ff-1c", "a0b1c2d3-ee"]),
    ("12 Main Street", ["7 High Street", "104 Elm Road"]),
    ("anna@example.com", ["b@c.de", "x@yy.zz"]),
    ("M", ["F", "M", "F"]),
    ("zebra", ["lion", "zebra", "ant"]),
    ("5 kg", ["6 kg", "70 kg"]),
    ("yes", ["no", "yes"]),
]
UNLIKE = [
    ("zebra", ["lion", "ant"]),  # words alone have no form
    ("wage19", ["123456", "654321"]),
    ("id", ["p0018", "p0400"]),
    ("Last, First", ["Doe, Jane", "Roe, Rick"]),
    ("score", ["M", "F"]),
]


@by_rows("cell", VALUES)
def test_numbers_dates_and_marks_of_missing_values_are_no_names(cell):
    assert is_value(cell, ())
    assert is_value(f" {cell} ", ["7", "8"])


@by_rows("cell", NAMES)
def test_names_as_people_write_them_stay(cell):
    assert not is_value(cell, ())
    assert not is_value(cell, ["7", "8", "9"])


@by_rows(("cell", "below"), FORMS)
def test_a_cell_that_is_formed_as_those_below_is_no_name(cell, below):
    assert is_value(cell, below)
    assert is_value(cell, [*below, "", "NA"])


@pytest.mark.parametrize(("cell", "below"), UNLIKE)
def test_a_cell_of_another_form_may_be_a_name(cell, below):
    assert not is_value(cell, below)


BELOW = [("lion", 3.5, "p2"), ("ant", 7, "p31"), ("ox", 9, "p4")]
RECORDS = {
    "a number": ("zebra", 41.75, "person"),
    "a code": ("zebra", "unknown", "p1"),
    "a missing mark": ("zebra", "NA", "person"),
    "a value again": ("ant", "unknown", "person"),
    "a date": ("2031-07-08", "unknown", "person"),
}


def texts(rows, separator=","):
    return "\n".join(separator.join(map(str, row)) for row in rows).encode()


FORMATS = {
    "csv": texts,
    "tsv": lambda rows: texts(rows, "\t"),
    "utf-16": lambda rows: texts(rows, ";").decode().encode("utf-16"),
    "excel": lambda rows: excel(*rows),
}


@pytest.mark.few(8)
@pytest.mark.parametrize("made", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("first", RECORDS.values(), ids=RECORDS)
def test_one_value_makes_the_row_a_record(first, made):
    table = read_table(made([first, *BELOW]), "rows")
    assert [one.name for one in table.columns] == ["column 1", "column 2", "column 3"]
    assert (table.rows, table.header) == (4, False)
    said = " ".join((*table.notes, table.how, table.first_row))
    assert not any(str(cell) in said for cell in first)


@pytest.mark.parametrize("made", FORMATS.values(), ids=FORMATS)
def test_names_above_values_are_names(made):
    table = read_table(made([("animal", "weight", "person"), *BELOW]), "rows")
    assert [one.name for one in table.columns] == ["animal", "weight", "person"]
    assert (table.rows, table.header) == (3, True)


@pytest.mark.few(2)
@pytest.mark.parametrize("made", FORMATS.values(), ids=FORMATS)
def test_what_is_declared_holds_and_values_are_never_names(made):
    """Either way round, from the file and from the table that was read of it."""
    data = made([("animal", 41.75, "person"), *BELOW])
    for named in (read_table(data, "rows", header=True), read_table(data, "rows").again(True)):
        assert [one.name for one in named.columns] == ["animal", "column 2", "person"]
        assert named.numeric_values("column 2").values.tolist() == [3.5, 7, 9]
    for record in (read_table(data, "rows", header=False), named.again(False)):
        assert [one.name for one in record.columns] == ["column 1", "column 2", "column 3"]
        assert record.numeric_values("column 2").values.tolist() == [41.75, 3.5, 7, 9]


def test_words_above_words_may_be_a_record():
    rows = b"zebra,Ulm\nlion,Graz\nox,Linz\n"
    assert [one.name for one in read_table(rows, "a.csv").columns] == ["column 1", "column 2"]
    missing = b"zebra,\nlion,3\nox,4\n"  # the name of its only column of numbers is missing
    assert [one.name for one in read_table(missing, "a.csv").columns] == ["column 1", "column 2"]


def test_the_names_of_appended_files_are_no_records_of_the_first():
    table = read_table(b"animal,weight\nlion,3\nanimal,weight\nox,4\n", "a.csv")
    assert [one.name for one in table.columns] == ["animal", "weight"]


def test_a_record_one_field_short_gives_no_names():
    table = read_table(b"zebra,41.75\n" + b"lion,3,p2\nox,4,p3\n" * 9, "a.csv")
    assert [one.name for one in table.columns] == ["column 1", "column 2", "column 3"]
    names = read_table(b"animal,weight\nr1,lion,3\nr2,ox,4\n", "a.csv")
    assert [one.name for one in names.columns] == ["row", "animal", "weight"]


def test_parquet_declares_its_names_and_has_no_first_row():
    """Parquet says what its names are: a column 2019 is called so, and no row is at stake."""
    table = read_table(written(pa.table({"2019": [1.5, 2.5]})), "a.parquet")
    assert [one.name for one in table.columns] == ["2019"]
    assert table.header is None
    with pytest.raises(InvalidData, match="declares its names"):
        table.again(True)


def test_refusals_hold_no_cell():
    with pytest.raises(InvalidParameter, match="header must be True or False"):
        read_table(b"a\n1\n", "a.csv", header="zebra")
    for rows in (b"zebrafish,Ulm,31337\nlion,Graz\nox,Linz\n", b"zebrafish\n"):
        with pytest.raises(UnreadableFile) as caught:
            read_table(rows, "a.csv")
        assert not {"zebrafish", "31337", "Ulm"} & set(str(caught.value).split())


@pytest.mark.parametrize(
    "name",
    [
        "jan" + "1" * 100_000 + "x",
        "1" * 100_000 + "x",
        "Aa1-" * 30_000,
        "2020-" * 25_000 + "t",
        "a" * 130_000,
    ],
    ids=lambda one: one[:6],
)
def test_a_long_name_is_judged_at_once(name):
    start = time.process_time()
    is_value(name, [name[::-1], name[1:], "7"])
    assert time.process_time() - start < 0.5
