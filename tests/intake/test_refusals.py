"""Files that are not tables: one clear message each, and no other exception ever."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.core.errors import DpvizError, InvalidData, UnreadableFile
from dpviz.intake import limits
from dpviz.intake.counted.files import taken
from dpviz.intake.engine.counts_file import read_counts
from dpviz.intake.read import read_table
from tests.rows import by_rows


def zipped() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    return sink.getvalue()


JUNK = np.random.default_rng(5).integers(0, 256, 4_000, dtype=np.uint8).tobytes()


@by_rows(
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


NO_PATHS = ["a\0b.csv", "\0", "a\ud800.csv", "x" * 5_000, "\udcff.csv"]


@pytest.mark.parametrize("path", NO_PATHS, ids=lambda one: repr(one)[:9])
def test_a_path_that_is_none(path, tmp_path):
    for read in (lambda one: read_table(one, one.name), read_counts):
        for place in (Path(path), tmp_path / path):
            with pytest.raises(UnreadableFile, match="cannot be read") as caught:
                read(place)
            assert str(caught.value).isprintable()


def test_a_file_whose_name_is_no_text_is_refused_in_words(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv"))
    path.write_bytes(b"a\n1\n")
    with pytest.raises(UnreadableFile, match="path holds a sign"):
        read_table(path, "rows.csv")


CONTENT = np.random.default_rng(2).bytes(50_000)


def member_of(archive):
    return zipfile.ZipFile(archive).open("rows.csv")


def broken_zip() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.csv", CONTENT)
    data = bytearray(sink.getvalue())
    data[200:300] = bytes(100)
    return bytes(data)


CUT = [
    (gzip.open, gzip.compress(CONTENT)[:-900]),
    (gzip.open, gzip.compress(CONTENT)[:5]),
    (gzip.open, b"a,b\n1,2\n"),
    (bz2.open, bz2.compress(CONTENT)[:-900]),
    (lzma.open, lzma.compress(CONTENT)[:-900]),
    (lzma.open, b"\xfd7zXZ\0" + CONTENT),
    (member_of, broken_zip()),
]


@pytest.mark.parametrize(("opened", "data"), CUT, ids=lambda one: getattr(one, "__module__", ""))
def test_an_open_archive_that_is_cut_off(opened, data):
    with opened(io.BytesIO(data)) as source:
        with pytest.raises(UnreadableFile, match="broke off while it was read") as caught:
            read_table(source, "rows.csv")
        assert str(caught.value).startswith("'rows.csv'")


@pytest.mark.parametrize("cut", [3, 9, 30])
def test_a_cut_gzip_is_an_archive_however_it_is_handed_in(cut, tmp_path):
    data = gzip.compress(b"a,b\n1,2\n3,4\n")[:cut]
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(data)
    for source in (data, io.BytesIO(data), path):
        with pytest.raises(UnreadableFile, match="gzip archive"):
            read_table(source, path.name)
    with pytest.raises(UnreadableFile, match="gzip archive"):
        taken(io.BytesIO(data), path.name)


def test_an_upload_of_a_few_bytes_is_read_or_refused():
    for data in (b"7", b"a\n1"):
        assert taken(io.BytesIO(data), "rows.csv").rows == 1
    for data in (b"a\n", b"PAR1", b"PK\x03\x04"):
        with pytest.raises(UnreadableFile, match="rows"):
            taken(io.BytesIO(data), "rows.csv")


def test_an_upload_s_name_is_one_clean_line():
    with pytest.raises(UnreadableFile) as caught:
        taken(io.BytesIO(b""), "a\0\nb\u202e.csv")
    assert str(caught.value).startswith("'a b .csv' is empty")


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


@pytest.mark.law
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
