"""Columns read line by line as they were declared, against the csv module, a line at a time."""

from __future__ import annotations

import csv
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.core.errors import UnreadableColumn, UnreadableFile
from dpviz.intake.declared import columns
from dpviz.intake.declared.columns import Writing, declared_batches

LINES = [
    "1,2.5,3", '2,"4",5', '3,"1,2",6', "4,1,2,3", "5,true,1", '6,"abc,7', "7,1e999,8", "8,9\x00,1",
    "9,-.5e1,2", "", "10,inf,0", "11, 7 ,0", "12,0x10,0", "13,1 000,0", "14,+3.,0", '15,"""5""",1',
    "16,nan,1", "17,5e,1", "18,.,1", "19,1_000,4",
]  # fmt: skip
MIDDLE = [2.5, 4, *[math.nan] * 6, -5, *[math.nan] * 2, 7, *[math.nan] * 2, 3, *[math.nan] * 5]


def declared_columns(path, names, writing):
    batches = [*declared_batches(path, names, writing)]
    return [np.concatenate([np.empty(0), *parts]) for parts in zip(*batches, strict=True)]


def written(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_cell_is_a_finite_number_or_missing(tmp_path, end, last, mark):
    text = mark + (end.join(["id,pay,x", *LINES]) + (end if last else "")).encode()
    pay, x = declared_columns(written(tmp_path, text), ["pay", "x"], Writing())
    np.testing.assert_array_equal(pay, MIDDLE)
    assert pay.shape == x.shape


def test_a_line_is_read_as_if_it_stood_alone(tmp_path, rng):
    lines = [*LINES, '20,"a', "21,8\xff,2", '22,3",4', '"23",6,7']
    path = written(tmp_path, "\n".join(["id,pay,x", *lines]))
    (together,) = declared_columns(path, ["pay"], Writing())
    alone = [
        declared_columns(written(tmp_path, f"id,pay,x\n{line}\n"), ["pay"], Writing())[0][0]
        for line in lines
    ]
    np.testing.assert_array_equal(together, alone)
    order = rng.permutation(len(lines))
    path = written(tmp_path, "\n".join(["id,pay,x", *(lines[i] for i in order), ""]))
    np.testing.assert_array_equal(declared_columns(path, ["pay"], Writing())[0], together[order])


def test_quoted_cells_are_those_of_the_csv_module(tmp_path):
    values = np.random.default_rng(1).normal(size=500).round(4)
    with (tmp_path / "q.csv").open("w", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL)
        out.writerow(["a, b", "pay"])
        out.writerows(("x, y", value) for value in values)
    (found,) = declared_columns(tmp_path / "q.csv", ["pay"], Writing())
    np.testing.assert_array_equal(found, values)


def test_a_comma_may_be_the_decimal_mark(tmp_path):
    path = written(tmp_path, "id;pay\n1;1,5\n2;1.5\n3;1,234,5\n4; 7 \n")
    (pay,) = declared_columns(path, ["pay"], Writing(";", ","))
    np.testing.assert_array_equal(pay, [1.5, math.nan, math.nan, 7])


def test_parquet_is_taken_by_its_declared_types(tmp_path):
    path = tmp_path / "a.parquet"
    table = {"n": [1, None, 3], "x": [1.5, math.inf, math.nan], "t": ["1", "2", "3"]}
    pq.write_table(pa.table(table), path)
    n, x = declared_columns(path, ["n", "x"], Writing())
    np.testing.assert_array_equal(n, [1, math.nan, 3])
    np.testing.assert_array_equal(x, [1.5, math.nan, math.nan])
    with pytest.raises(UnreadableColumn, match="declares 't' as string"):
        declared_columns(path, ["t"], Writing())


def test_names_that_are_not_there_or_twice_are_refused(tmp_path):
    path = written(tmp_path, "a,b,a\n1,2,3\n")
    with pytest.raises(UnreadableColumn, match="no column 'c'"):
        declared_columns(path, ["c"], Writing())
    with pytest.raises(UnreadableColumn, match="several columns 'a'"):
        declared_columns(path, ["a"], Writing())
    with pytest.raises(UnreadableFile):
        declared_columns(written(tmp_path, ""), ["a"], Writing())
    with pytest.raises(UnreadableFile, match="Save it as CSV"):
        declared_columns(written(tmp_path, b"PK\x03\x04..", "a.xlsx"), ["a"], Writing())


@pytest.mark.few(4)
@pytest.mark.parametrize("block", [1, 7, 64])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_batches_cut_no_line(tmp_path, monkeypatch, block, last):
    path = written(
        tmp_path, b"\xef\xbb\xbf" + "\n".join(["id,pay,\u00e4", *LINES]).encode() + last.encode()
    )
    together = declared_columns(path, ["pay", "\u00e4"], Writing())
    monkeypatch.setattr(columns, "BLOCK", block)
    batches = [*declared_batches(path, ["pay", "\u00e4"], Writing())]
    assert len(batches) > 1
    for found, values in zip(zip(*batches, strict=True), together, strict=True):
        np.testing.assert_array_equal(np.concatenate(found), values)


@pytest.mark.law
def test_bytes_that_are_no_text_are_the_same_in_every_batch(tmp_path, monkeypatch):
    rng = np.random.default_rng(4)
    junk = rng.choice(
        np.frombuffer(b'11111,,\n\n\n\n"\xc3\xa4\xff\xf0\r.', np.uint8), 5_000
    ).tobytes()
    path = written(tmp_path, b"a,b\n" + junk)
    text = (b"a,b\n" + junk).decode("utf-8", "replace").removesuffix("\n")
    together = declared_columns(path, ["a", "b"], Writing())
    assert together[0].size == text.count("\n")
    assert 10 < np.isfinite(together[0]).sum() < 1_000
    monkeypatch.setattr(columns, "BLOCK", 11)
    np.testing.assert_array_equal(declared_columns(path, ["a", "b"], Writing()), together)


def test_a_line_that_is_too_long_is_a_record_without_a_number(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "LONGEST", 20)
    lines = ["a,b", "1,2", "3," + "0" * 18, "4," + "0" * 19, "5," + "0" * 500, "6,7"]
    for block in (1, 30, 1 << 20):
        monkeypatch.setattr(columns, "BLOCK", block)
        for end in ("", "\n"):
            (found,) = declared_columns(written(tmp_path, "\n".join(lines) + end), ["a"], Writing())
            np.testing.assert_array_equal(found, [1, 3, math.nan, math.nan, 6])
    with pytest.raises(UnreadableFile, match="no first line of at most"):
        declared_columns(written(tmp_path, "a" * 21 + ",b\n1,2\n"), ["b"], Writing())


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf", b""])
def test_a_file_without_a_line_is_refused(tmp_path, text):
    with pytest.raises(UnreadableFile):
        declared_columns(written(tmp_path, text), ["a"], Writing())


def test_parquet_comes_in_batches_and_folders_are_no_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "ROWS", 7)
    (tmp_path / "a=1").mkdir()
    path = tmp_path / "a=1" / "x.parquet"
    values = np.random.default_rng(5).normal(size=50)
    pq.write_table(pa.table({"a": values, "b": [{"a": 1}] * 50}), path, row_group_size=20)
    batches = [*declared_batches(path, ["a"], Writing())]
    assert len(batches) > 7
    np.testing.assert_array_equal(np.concatenate([one for (one,) in batches]), values)
    with pytest.raises(UnreadableColumn, match="declares 'b' as struct"):
        declared_columns(path, ["b"], Writing())
