"""Names of files, folders and columns mean what they say, whatever DuckDB makes of them."""

from __future__ import annotations

import ibis
import pyarrow as pa
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.core.errors import InvalidData
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.parquet_files import files_meant, parquet_table
from tests.intake.engine.tables import in_memory

BOUNDS = dp.Bounds(0, 100)
NAMES = ["g[1]", "g1", "a*b", "axb", "q?", "qq", "b\\c", "{x}", "it's", 'a"b', "two\nlines", "ü ä"]


def put(folder, name, **columns):
    folder.mkdir(exist_ok=True)
    parquet.write_table(pa.table(columns), folder / name)
    return (folder / name).as_posix()


def opened(pattern, *asked, hive=False):
    return parquet_table(ibis.duckdb.connect(), pattern, asked, hive=hive)


def held(table, name):
    return [*count_column(table, name, BOUNDS, 1).values]


@pytest.mark.law
def test_the_name_of_a_file_means_that_file(tmp_path):
    paths = [put(tmp_path, f"{name}.parquet", v=[k]) for k, name in enumerate(NAMES)]
    for k, path in enumerate(paths):
        assert files_meant(path) == [path]
        assert held(opened(path), "v") == [k]
    assert held(opened(f"{tmp_path}/*.parquet"), "v") == [*range(len(NAMES))]
    assert held(opened(f"{tmp_path}/g[1]*"), "v") == [0]  # brackets are letters beside a star, too
    put(tmp_path / "deep", "g2.parquet", v=[77])
    assert held(opened(f"{tmp_path}/**/g*"), "v") == [0, 1, 77]
    assert files_meant("s3://place/[1]*.parquet") == ["s3://place/[1]*.parquet"]
    with pytest.raises(FileNotFoundError):
        opened(f"{tmp_path}/none*.parquet")


def test_a_folder_is_a_column_only_where_that_is_declared(tmp_path):
    path = put(tmp_path / "pay=1", "f.parquet", pay=[20, 30])
    assert held(opened(path), "pay") == [20, 30]
    assert held(opened(path, hive=True), "pay") == [1, 1]


def test_names_that_differ_in_capitals_alone_are_never_taken_for_each_other(tmp_path):
    for k, columns in enumerate([{"A": [1], "a": [2]}, {"a": [3], "A": [4]}]):
        put(tmp_path, f"{k}.parquet", **columns, a_1=[5], b=[6], c=[{"b": 1, "B": 2}])
    table = opened(f"{tmp_path}/*.parquet")
    assert table.columns == ("b", "c")  # DuckDB calls the second a_1, and the third a_1_1
    assert held(table, "b") == [6, 6]
    for name in ("a", "A"):
        with pytest.raises(InvalidData, match=f"are called '{name}', up to capital letters"):
            opened(f"{tmp_path}/*.parquet", name)


def test_tables_of_ibis_are_asked_for_the_same():
    table = in_memory(A=[1, 1], a=[2, 3], b=[4, 5])
    assert held(table, "b") == [4, 5]
    with pytest.raises(InvalidData, match="are called 'a', up to capital letters"):
        count_column(table, "a", BOUNDS, 1)


def test_a_column_of_nulls_has_no_record():
    column = count_column(in_memory(v=pa.nulls(3)), "v", BOUNDS, 1)
    assert (column.n, column.dropped) == (0, 3)
