"""Who is a person: the same of one table, however it is handed in."""

from __future__ import annotations

import decimal

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.person_rows import PersonRows
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.points import count_points
from dpviz.intake.read import read_table
from dpviz.people.data import person_column, person_grid
from dpviz.people.rows import labels
from tests.intake.hostile.parquets import written
from tests.intake.workbooks import excel

# what tells different people apart, each by one row more than the one before
TEXTS = [
    "0012", "12", " 12", "12.0", "12 ", "1.2e1", "+12", "NA", "null", "None", "-", "?", "nan", "a",
    "A", "é", "e\u0301", "true", "2020-01-31", "20200131", "9800000000000000001",
    "9800000000000000002", "100000000000000000001", "100000000000000000002", "9" * 400, "x" * 400,
    "a,b", 'a"b', "\u202ea", "a\u200b",
]  # fmt: skip
HUGE = {
    "9.8e18": [9_800_000_000_000_000_000 + at for at in range(1_000)],
    "1e20": [10**20 + at for at in range(1_000)],
}
BOUNDS = Bounds(0, 10)


def partition(codes):
    """Who is who: for each row the first row of the same person, -1 for nobody."""
    codes = np.asarray(codes, dtype=float)
    codes = np.where(np.isnan(codes), -1, codes)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.where(codes < 0, -1, first[inverse]).tolist()


def quoted(cell):
    return "" if cell is None else '"' + cell.replace('"', '""') + '"'


def escaped(cell):
    return cell and cell.replace("&", "&amp;").replace('"', "&quot;")


def text_file(names, separator=","):
    rows = [f"{quoted(name)}{separator}{at % 10}\n" for at, name in enumerate(names)]
    return f"who{separator}x\n{''.join(rows)}".encode()


def sheet(names):
    rows = ((escaped(name), at % 10) for at, name in enumerate(names))
    return excel(("who", "x"), *rows)


def stored(names):
    return written(
        pa.table({"who": pa.array(names, pa.string()), "x": [at % 10 for at in range(len(names))]})
    )


FILES = {
    "csv": text_file,
    "tsv": lambda names: text_file(names, "\t"),
    "utf-16": lambda names: text_file(names, ";").decode().encode("utf-16"),
    "parquet": stored,
    "dictionary": lambda names: written(
        pa.table(
            {
                "who": pa.array(names, pa.string()).dictionary_encode(),
                "x": [at % 10 for at in range(len(names))],
            }
        )
    ),
    "excel": sheet,
}


def of_file(made, names):
    return partition(read_table(made(names), "rows").people("who"))


def of_engine(names):
    """Rows of one person lie in a cell that nobody else has, so that cells count their rows."""
    at = {name: place for place, name in enumerate(dict.fromkeys(names))}
    x = [at[name] for name in names]
    table = ibis.memtable(pa.table({"who": pa.array(names, pa.string()), "x": x}))
    return count_column(
        table, "x", Bounds(0, len(at)), 1.0, person="who", rows=PersonRows.at_most(1)
    )


def rows_of_each():
    """The k-th of the texts has k + 1 rows; two empty ones and two missing ones are nobody's."""
    names = [name for k, name in enumerate(TEXTS) for _ in range(k + 1)] + ["", None, "", None]
    order = np.random.default_rng(3).permutation(len(names))
    return [names[at] for at in order]


def right(names):
    first = {}
    return [first.setdefault(name, at) if name else -1 for at, name in enumerate(names)]


@pytest.mark.parametrize("made", FILES.values(), ids=FILES)
def test_a_file_tells_people_apart_byte_for_byte(made):
    names = rows_of_each()
    assert of_file(made, names) == right(names)


def test_arrays_and_engines_tell_the_same_people_apart():
    names = rows_of_each()
    for given in (names, pd.Series(names), pd.array(names, "string"), pa.array(names)):
        assert partition(labels(given)) == right(names)
    assert partition(labels(np.array([name or "" for name in names]))) == right(names)
    column = of_engine(names)
    assert (column.n, column.dropped) == (len(TEXTS), 4)
    assert column.counts.max() == 1


@pytest.mark.law
@pytest.mark.parametrize("rows", [PersonRows.weighted(60), PersonRows.at_most(100)], ids=str)
def test_all_ways_make_one_column(rows, rng):
    """Weighted rows show in the counts how many rows each person has."""
    names = rows_of_each()
    x = np.arange(len(names)) % 10.0
    frame = pa.table({"who": pa.array(names, pa.string()), "x": x, "y": x})
    counted = count_column(ibis.memtable(frame), "x", BOUNDS, 1.0, person="who", rows=rows)
    box = Box(BOUNDS, BOUNDS)
    grid = count_points(ibis.memtable(frame), "x", "y", box, 8, person="who", rows=rows)
    ways = {kind: read_table(made(names), "rows").people("who") for kind, made in FILES.items()}
    for persons in (names, *ways.values()):
        column = person_column(persons, x, BOUNDS, 1.0, rows, rng)
        assert column.fingerprint == counted.fingerprint
        assert person_grid(persons, x, x, box, 8, rows, rng).fingerprint == grid.fingerprint


@pytest.mark.parametrize("ids", HUGE.values(), ids=HUGE)
def test_a_thousand_large_ids_are_a_thousand_people(ids):
    names = [str(one) for one in ids] * 2
    bare = "who,x\n" + "".join(f"{name},{at % 10}\n" for at, name in enumerate(names))
    assert of_file(lambda _: bare.encode(), names) == right(names)
    kinds = [pa.decimal128(38, 0), pa.decimal256(60, 2)]
    if max(ids) < 1 << 64:
        kinds.append(pa.uint64())
    for kind in kinds:
        cells = ids if kind == pa.uint64() else [decimal.Decimal(one) for one in ids]
        table = pa.table({"who": pa.array(cells * 2, kind), "x": [1] * len(names)})
        assert of_file(lambda _, held=table: written(held), names) == right(names)
    assert partition(labels(ids * 2)) == right(names)


def test_a_workbook_s_numbers_are_names_as_they_are_seen():
    """Each cell holds a float; 12 as a number and 12 as a text are one name, 12.5 another."""
    data = excel(("who", "x"), (12.0, 1), ("12", 2), (12.5, 3), ("012", 4), (None, 5), (12.0, 6))
    assert partition(read_table(data, "a.xlsx").people("who")) == [0, 0, 2, 3, -1, 0]


KINDS = {
    "floats": ([2.0, None, -0.0, 0.0, 2.5, float("nan")], [0, -1, 2, 2, 4, -1]),
    "large floats": ([2.0**53, -3.0, 2.0**53 - 1, -(2.0**60), float("inf")], [-1, 1, 2, -1, -1]),
    "short floats": (pa.array([2.0**24, 2.0**24 - 1, 5.0], pa.float32()), [-1, 1, 2]),
    "booleans": ([True, None, False, True], [0, -1, 2, 0]),
    "whole": ([2**62, None, 2**62 + 1, 2**62], [0, -1, 2, 0]),
}


@pytest.mark.parametrize(("cells", "expected"), KINDS.values(), ids=KINDS)
def test_typed_names_are_the_same_in_files_and_engines(cells, expected):
    frame = pa.table({"who": pa.array(cells), "x": [float(at) for at in expected]})
    assert partition(read_table(written(frame), "a").people("who")) == expected
    column = count_column(
        ibis.memtable(frame), "x", Bounds(0, 9), 1.0, person="who", rows=PersonRows.at_most(1)
    )
    assert column.held.tolist() == sorted({float(at) for at in expected if at >= 0})
    assert column.n == column.held.size


def test_a_column_of_nobody():
    for cells in ([None, None], ["", ""]):
        frame = pa.table({"who": pa.array(cells), "x": [1, 2]})
        assert partition(read_table(written(frame), "a").people("who")) == [-1, -1]
    assert partition(read_table(b"who,x\n,1\n,2\n", "a.csv").people("who")) == [-1, -1]


ORDERED = [
    np.array([2, 9, 2, -9]),
    np.array([2.5, 9, 2.5, np.nan]),
    np.array(["b", "a", "b", ""]),
    np.array(["2020-01-31", "2020-02-01", "2020-01-31", "NaT"], dtype="M8[D]"),
    np.array([2**63, 1, 2**63, 2**63 + 1], dtype=np.uint64),
]


@pytest.mark.parametrize("names", ORDERED, ids=lambda one: one.dtype.str)
def test_the_order_of_bytes_changes_nobody(names, rng):
    other = names.astype(names.dtype.newbyteorder(">"))
    assert labels(other).tolist() == labels(names).tolist()
    x = np.arange(4.0)
    one, two = (
        person_column(who, x, BOUNDS, 1.0, PersonRows.weighted(12), rng) for who in (names, other)
    )
    assert one.fingerprint == two.fingerprint


def test_the_rows_of_a_ragged_file_keep_their_people():
    rows = "".join(f"0{at % 7},{at % 10}\n" + "1,2,3\n" * (at == 40) for at in range(90))
    table = read_table(f"who,x\n{rows}".encode(), "a.csv")
    assert table.rows == 90
    assert partition(table.people("who")) == [at % 7 for at in range(90)]
    long = "w" * 3_000_000
    swollen = read_table(f"who,x\n07,1\n{long},2\n7,3\n07,4\n".encode(), "a.csv")
    assert partition(swollen.people("who")) == [0, 1, 2, 0]
    open_quote = read_table(b'x\twho\n1\t07\n"2\t7\n3\t07\n', "a.tsv")
    assert partition(open_quote.people("who")) == [0, 1, 0]
