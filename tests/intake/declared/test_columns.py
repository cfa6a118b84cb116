"""Columns read line by line as they were declared, against the csv module, a line at a time."""

from __future__ import annotations

import csv
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.core.errors import UnreadableColumn, UnreadableFile
from dpviz.intake.declared.columns import Writing, declared_columns

LINES = [
    "1,2.5,3", '2,"4",5', '3,"1,2",6', "4,1,2,3", "5,true,1", '6,"abc,7', "7,1e999,8", "8,9\x00,1",
    "9,-.5e1,2", "", "10,inf,0", "11, 7 ,0", "12,0x10,0", "13,1 000,0", "14,+3.,0", '15,"""5""",1',
    "16,nan,1", "17,5e,1", "18,.,1", "19,1_000,4",
]  # fmt: skip
MIDDLE = [2.5, 4, *[math.nan] * 6, -5, *[math.nan] * 2, 7, *[math.nan] * 2, 3, *[math.nan] * 5]


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
