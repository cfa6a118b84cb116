"""Excel and OpenDocument: values to the last cell, the sheet by name, refusals in plain words."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from dpviz.core.errors import UnreadableFile
from dpviz.intake.read import read_table
from dpviz.intake.workbooks import archive, process
from tests.conftest import ROOT
from tests.intake.hostile.cases import check_message
from tests.intake.workbooks import (
    cell,
    excel,
    old_excel,
    open_document,
    parts_of,
    rows_of,
    zipped,
)

TABLE = (("age", "wage"), (34, 1200.5), (None, 900), (61, None))


def values(data: bytes, name: str) -> list[float]:
    return read_table(data, "a.xlsx").numeric_values(name).values.tolist()


def test_numbers_and_empty_cells():
    table = read_table(excel(*TABLE), "wages.xlsx")
    np.testing.assert_array_equal(values(excel(*TABLE), "age"), [34, np.nan, 61])
    np.testing.assert_array_equal(values(excel(*TABLE), "wage"), [1200.5, 900, np.nan])
    assert [(one.kind, one.missing) for one in table.columns] == [("numeric", 1)] * 2


def test_old_excel_and_open_document_hold_the_same():
    rows = [["age", "wage"], [34.0, 1200.5], [61.0, -0.25]]
    for data, sheet in ((old_excel(rows), "Old"), (open_document(rows), "Blatt 1")):
        table = read_table(data, "a.bin")
        assert table.numeric_values("wage").values.tolist() == [1200.5, -0.25]
        assert f"'{sheet}'" in table.how


def test_dates_booleans_errors_and_text():
    table = read_table(
        excel(
            ("day", "ok", "share", "town", "mixed"),
            (45000j, True, "#DIV/0!", "Ulm", 3),
            (45000.5j, False, 0.5, "a, &quot;b&quot;", "three"),
            (None, None, 0.25, "line&#10;break", 4),
        ),
        "a.xlsx",
    )
    kinds = {one.name: one.kind for one in table.columns}
    assert kinds == {
        "day": "date",
        "ok": "boolean",
        "share": "numeric",
        "town": "text",
        "mixed": "numeric",
    }
    assert table.rows == 3
    assert table.info("share").missing == 1
    assert any("error" in note for note in table.notes)
    assert table.numeric_values("ok").values[:2].tolist() == [1, 0]
    assert table.numeric_values("mixed", drop_unreadable=True).values[[0, 2]].tolist() == [3, 4]


def test_numbers_written_as_text_are_numbers():
    assert values(excel(("x",), ("1.5",), (2,), ("-3",)), "x") == [1.5, 2, -3]


def test_the_first_sheet_that_is_seen_is_named():
    sheets = {"Notes": rows_of([("no", "table")]), "Wages": rows_of(TABLE), "More": ""}
    shown = zipped(parts_of(sheets, hidden=["Notes"]))
    table = read_table(shown, "a.xlsx")
    assert table.how == "The first of 2 sheets, 'Wages', of a workbook."
    assert table.rows == 3
    with pytest.raises(UnreadableFile, match="no sheet of cells"):
        read_table(zipped(parts_of({"All": ""}, hidden=["All"])), "a.xlsx")


def test_titles_above_and_empty_rows_are_skipped():
    rows = (("Wages of 2026",), (), ("age", "wage", "town"), (), (1, 2, "x"), (), (3, 4, "y"))
    table = read_table(excel(*rows), "a.xlsx")
    assert [one.name for one in table.columns] == ["age", "wage", "town"]
    assert table.numeric_values("age").values.tolist() == [1, 3]
    assert any("1 line(s) above" in note for note in table.notes)


def test_a_row_of_zeros_is_no_empty_row():
    assert values(excel(("a", "b"), (0, 0), (False, 0)), "b") == [0, 0]


def test_in_one_column_an_empty_cell_is_a_missing_value():
    table = read_table(excel(("x",), (1,), (None,), (3,)), "a.xlsx")
    assert (table.rows, table.info("x").missing) == (3, 1)


def test_years_as_names_and_no_names_at_all():
    years = read_table(excel((2024, "b"), (1, 2)), "a", header=True)
    assert [one.name for one in years.columns] == ["column 1", "b"]
    assert years.again(False).rows == 2
    numbered = read_table(excel((1.5, 2), (3, 4)), "a.xlsx")
    assert [one.name for one in numbered.columns] == ["column 1", "column 2"]
    assert numbered.rows == 2


def test_texts_with_other_separators_stay_in_their_cells():
    data = excel(("a",), ("1;2;3",), ("4;5;6",), ("7;8;9",))
    assert [one.name for one in read_table(data, "a.xlsx").columns] == ["a"]


@pytest.mark.law
def test_many_rows_in_order():
    count = 20_000
    data = excel(("x", "y"), *((k, k / 8) for k in range(count)))
    np.testing.assert_array_equal(values(data, "y"), np.arange(count) / 8)


def corner() -> bytes:
    """Two cells in opposite corners: a rectangle of 17 thousand million cells."""
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>'
    rows += '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    return zipped(parts_of({"Sheet1": rows}))


def declaring(size: int, content: int = 0) -> bytes:
    """A workbook whose directory says that its sheet, of content bytes, unpacks to size bytes."""
    name = "xl/worksheets/1.xml"
    parts = parts_of({"Sheet1": rows_of(TABLE)})
    data = bytearray(zipped(parts | {name: str(parts[name]).ljust(content)}))
    entry = data.rindex(name.encode()) - 46
    data[entry + 24 : entry + 28] = struct.pack("<I", size)
    return bytes(data)


REFUSED = {
    "corner": (corner, "far away"),
    "bomb": (lambda: declaring(1_100_000_000), "unpacks to 1,100 MB"),
    "repeated": (lambda: open_document([["a"], [1.0]], repeated=2_000_000_000), ""),
    "cut off": (lambda: excel(*TABLE)[:700], "cut off"),
    "four bytes": (lambda: b"PK\x03\x04", "cut off"),
    "another archive": (lambda: zipped({"a.csv": "x\n1\n"}), "Unpack it"),
    "no cells": (lambda: zipped(parts_of({"Sheet1": ""})), "no cells"),
    "names only": (lambda: excel(("a", "b")), "no rows"),
    "broken sheet": (lambda: zipped(parts_of({"Sheet1": "<row><c><v>1"})), ""),
    "no sheet behind its name": (
        lambda: zipped(
            {
                name: text
                for name, text in parts_of({"Sheet1": ""}).items()
                if "worksheets" not in name
            }
        ),
        "",
    ),
    "old and empty": (lambda: bytes.fromhex("d0cf11e0a1b11ae1") + bytes(3_000), "no workbook"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_words(case):
    data, said = REFUSED[case]
    with pytest.raises(UnreadableFile) as caught:
        read_table(data(), "odd.xlsx")
    check_message(str(caught.value), "odd.xlsx", said)


@pytest.mark.law
def test_a_directory_that_lies_does_no_harm():
    data = declaring(1_000, content=30_000_000)
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        assert opened.getinfo("xl/worksheets/1.xml").file_size == 1_000
    try:
        table = read_table(data, "odd.xlsx")
    except UnreadableFile as error:
        check_message(str(error), "odd.xlsx")
    else:
        assert table.rows == 3


@pytest.mark.law
def test_mutants_are_read_or_refused():
    rng = np.random.default_rng(11)
    sound = (excel(*TABLE), old_excel([["a"], [1.0]]), open_document([["a"], [1.0]]))
    outcomes = set()
    for number in range(18):
        data = bytearray(sound[number % 3])
        for at in rng.integers(0, len(data), 6):
            data[at] = rng.integers(0, 256)
        try:
            read_table(bytes(data), "odd.xlsx")
            outcomes.add("read")
        except UnreadableFile as error:
            check_message(str(error), "odd.xlsx")
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_limits_of_bytes_cells_and_parts(monkeypatch):
    monkeypatch.setattr(process, "MAX_FILE", 100)
    with pytest.raises(UnreadableFile, match="at most"):
        read_table(excel(*TABLE), "a.xlsx")
    monkeypatch.setattr(archive, "MAX_PARTS", 2)
    with pytest.raises(archive.Refused, match="in 5 parts"):
        archive.check_archive(io.BytesIO(excel(*TABLE)))
    assert archive.MAX_CELLS > 1_048_576 * 9  # nine columns of the longest sheet that Excel writes


@pytest.mark.law
def test_too_many_cells_are_refused_before_they_are_read():
    wide = "".join(f'<row r="{at}"><c r="A{at}"><v>1</v></c></row>' for at in (1, 1_000_001))
    far = '<row r="1000002"><c r="K1000002"><v>1</v></c></row>'
    with pytest.raises(UnreadableFile, match="1,000,002 rows of 11 cells"):
        read_table(zipped(parts_of({"Sheet1": wide + far})), "a.xlsx")


def test_nothing_of_the_cells_reaches_a_log(capfd):
    with pytest.raises(UnreadableFile):
        read_table(corner(), "a.xlsx")
    assert capfd.readouterr() == ("", "")


def test_a_process_that_never_ends_is_given_up(monkeypatch):
    sleeping = (sys.executable, "-c", "import time; time.sleep(60)")
    monkeypatch.setattr(process, "COMMAND", sleeping)
    monkeypatch.setattr(process, "SECONDS", 0.2)
    with pytest.raises(UnreadableFile, match="more memory or time"):
        read_table(excel(*TABLE), "a.xlsx")


def test_the_reader_needs_neither_pandas_nor_arrow():
    lines = (
        "import sys, dpviz.intake.workbooks.reader\n"
        "print({'pandas', 'pyarrow', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"


def test_the_builder_writes_what_it_says():
    assert cell(3) == "<c><v>3</v></c>"
    assert cell("#N/A") == '<c t="e"><v>#N/A</v></c>'
