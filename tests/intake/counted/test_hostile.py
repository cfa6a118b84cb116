"""Hostile Parquet files, counted: the numbers that reading finds, or words without a cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.intake.counted.engines import declared_table, parquet_in_memory
from dpviz.intake.engine.column import count_column
from dpviz.intake.read import read_table
from tests.intake.engine.tables import in_memory
from tests.intake.hostile.cases import MACHINERY, Numbers
from tests.intake.hostile.parquets import TYPES, cuts, groups_of, names, written
from tests.rows import by_rows

pytestmark = pytest.mark.law  # a hundred engines are opened
BOUNDS = Bounds(-100, 100)
NO_NUMBERS = {  # of a type that an engine holds as no number, or as a number though it is a time
    "boolean", "fixed binary", "duration[s]", "texts that mean nothing", "null texts",
    "null booleans", "null dates", "dictionary of nulls", "dictionary of booleans",
}  # fmt: skip


def opened(data: bytes, folder):
    """The ways to count a file; None for one that refuses it in words."""
    path = folder / "rows.parquet"
    path.write_bytes(data)
    ways = (
        lambda: parquet_in_memory("rows.parquet", pa.py_buffer(data)),
        lambda: declared_table("Rows", str(path)),
    )
    for way in ways:
        try:
            yield way()
        except DpvizError as error:
            check(error)
            yield None


def check(error: DpvizError) -> None:
    """Plain words; the name of an exception in brackets is all that is said of the machinery."""
    said = str(error)
    assert said.isprintable()
    assert not MACHINERY.search(said.split(" (", maxsplit=1)[0]), said
    assert not any(cell in said for cell in ("65504", "1e400", "0x10", "x00"))


def counted(table, name: str) -> Column | None:
    try:
        return table.count(name, BOUNDS, 1).result()
    except DpvizError as error:
        check(error)
        return None


@pytest.mark.few(6)
@pytest.mark.parametrize("key", [key for key in TYPES if "6,000" not in key])
def test_every_type_beside_a_good_column(key, tmp_path):
    array, expected = TYPES[key]
    is_numeric = isinstance(expected, Numbers) and not ("text" in key or "of numbers" in key)
    data = written(pa.table({"v": array, "good": [7, 8, 9]}))
    for table in opened(data, tmp_path):
        assert counted(table, "good").values.tolist() == [7, 8, 9]
        found = counted(table, "v") if "v" in {one.name for one in table.columns} else None
        if found is not None and is_numeric and key not in NO_NUMBERS:
            doubles = in_memory(v=expected.values)
            assert found.digest == count_column(doubles, "v", BOUNDS, 1).digest
        elif found is not None:
            assert key in NO_NUMBERS or found.n == 0


@by_rows("case", names, ids=lambda case: case.name)
def test_names(case, tmp_path):
    if case.refused:
        return
    read = read_table(case.bytes, "rows.parquet")
    numbers = {tuple(np.sort(read.numeric_values(one.name).values)) for one in read.numeric_columns}
    for table in opened(case.bytes, tmp_path):
        for one in table.numeric_columns if table else ():
            found = counted(table, one.name)
            assert found is None or tuple(found.values) in numbers


def test_damaged_files_are_refused_in_words(tmp_path):
    for case in list(cuts())[::3]:
        for table in opened(case.bytes, tmp_path):
            if table is not None:  # damage that lies in a column, perhaps
                for one in table.numeric_columns:
                    counted(table, one.name)


def test_empty_row_groups_are_nobody(tmp_path):
    for table in opened(groups_of(0, 3, 0, 1), tmp_path):
        assert counted(table, "v").values.tolist() == [0, 0, 1, 2]
    for table in opened(groups_of(0), tmp_path):
        assert counted(table, "v").n == 0
