"""Files that are not tables: one clear message each, and no other exception ever."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.core.errors import DpvizError, InvalidData, UnreadableFile
from dpviz.intake import limits
from dpviz.intake.read import read_table


def zipped() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    return sink.getvalue()


JUNK = np.random.default_rng(5).integers(0, 256, 4_000, dtype=np.uint8).tobytes()


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.csv", "empty"),
        (b"\n\n  \n\n", "a.csv", "no rows"),
        (b"a,b\n", "a.csv", "no rows"),
        (b"a,b", "a.csv", "no rows"),
        (b"a,b\n\n\n", "a.csv", "no rows"),
        (b"\xef\xbb\xbf", "a.csv", "no rows"),
        (b"\xff\xfe", "a.csv", "no rows"),
        (JUNK, "a.csv", "does not look like text"),
        (b"\x00" * 100, "a.csv", "does not look like text"),
        ("a,b\n1,2\n".encode("utf-16-le"), "a.csv", "does not look like text"),
        (b"\xff\xfea\x00,\x00b", "a.csv", "UTF-16"),
        (zipped(), "a.csv", "no workbook that can be read"),
        (b"%PDF-1.7 abc", "a.csv", "PDF"),
        (b"\x1f\x8b\x08\x00abc", "a.csv", "gzip"),
        (b"a,b\n1,2\n", "a.parquet", "called Parquet"),
        (b"PAR1", "a.csv", "cut off"),
        (b"PAR1" + JUNK, "a.parquet", "cut off"),
        (b"PAR1" + JUNK + b"PAR1", "a.parquet", "damaged"),
    ],
)
def test_message(data, name, said):
    with pytest.raises(UnreadableFile, match=said) as caught:
        read_table(data, name)
    assert name in str(caught.value)
    assert isinstance(caught.value, InvalidData)


def test_utf16_header_only_does_not_pass():
    with pytest.raises(UnreadableFile, match="no rows"):
        read_table("a,b\n".encode("utf-16"), "a.csv")


def test_missing_path_and_folder(tmp_path: Path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            read_table(path, path.name)


def test_size_caps(monkeypatch):
    monkeypatch.setattr(limits, "MAX_BYTES", 10)
    with pytest.raises(UnreadableFile, match="at most"):
        read_table(b"a,b\n1,2\n3,4\n", "a.csv")


def test_row_and_column_caps(monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    read_table(b"a\n1\n2\n", "a.csv")
    with pytest.raises(UnreadableFile, match="3 rows; at most 2"):
        read_table(b"a\n1\n2\n3\n", "a.csv")
    monkeypatch.setattr(limits, "MAX_COLUMNS", 2)
    read_table(b"a,b\n1,2\n", "a.csv")
    with pytest.raises(UnreadableFile, match="3 columns; at most 2"):
        read_table(b"a,b,c\n1,2,3\n", "a.csv")


def test_names_in_messages_are_one_clean_line():
    with pytest.raises(UnreadableFile) as caught:
        read_table(b"", "/home/x/../ev\nil\x1b[31m\u202e.csv")
    assert str(caught.value).startswith("'ev il [31m .csv' is empty")


TEXTLIKE = st.lists(
    st.sampled_from(
        [b",", b";", b"\t", b"|", b"\n", b"\r\n", b"\r", b'"', b"1", b"2,5", b"a", b"\xe9", b" "]
    ),
    max_size=60,
).map(b"".join)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(st.one_of(TEXTLIKE, st.binary(max_size=200)))
def test_nothing_but_our_errors_escapes(data):
    try:
        table = read_table(data, "a.csv")
    except DpvizError:
        return
    for info in table.columns:
        if info.kind not in {"date", "empty"} and info.not_numeric < table.rows - info.missing:
            column = table.numeric_values(info.name, drop_unreadable=True)
            assert column.values.shape == (table.rows,)
            assert np.isnan(column.values).sum() == column.missing + column.unreadable
