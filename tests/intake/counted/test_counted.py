"""Tables that stay where they are: opened, counted in a thread, stopped, refused."""

from __future__ import annotations

import io
import threading
import time

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData, UnreadableColumn, UnreadableFile
from dpviz.core.person_rows import PersonRows
from dpviz.counts.spatial import grid_cell
from dpviz.intake.counted import files
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.counting import Counting, Stopped
from dpviz.intake.counted.engines import declared_table, parquet_in_memory
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.counts_file import write_counts
from dpviz.intake.table import Table

BOUNDS, BOX = Bounds(0, 100), Box(Bounds(0, 100), Bounds(-5, 5))
LONG = "select count(*) as age from range(1000000000000) as t(i) where i % 7 = 3"


@pytest.fixture
def data(rng):
    age = rng.integers(-3, 120, 4_000).astype(float)
    age[::50] = np.nan
    return pa.table(
        {
            "age": age,
            "height": rng.normal(0, 3, 4_000),
            "name": ["x"] * 4_000,
            "member": [True] * 4_000,
            "since": pa.array([0] * 4_000, pa.date32()),
        }
    )


@pytest.fixture
def ages(data):
    return Column.from_values(data["age"].to_numpy(), BOUNDS, 1)


def written(data, tmp_path, name="people.parquet"):
    parquet.write_table(data, tmp_path / name)
    return (tmp_path / name).as_posix()


def same(found, wanted):
    assert found.fingerprint == wanted.fingerprint
    assert (found.clipped, found.dropped) == (wanted.clipped, wanted.dropped)


@pytest.mark.law
def test_a_parquet_file_is_counted_as_memory_counts_it(data, ages, tmp_path):
    table = declared_table("People", written(data, tmp_path))
    kinds = {one.name: one.kind for one in table.columns}
    assert kinds == {
        "age": "numeric", "height": "numeric", "name": "text", "member": "boolean", "since": "date",
    }  # fmt: skip
    assert [one.name for one in table.numeric_columns] == ["age", "height", "member"]
    same(table.count("age", BOUNDS, 1).result(), ages)
    grid = table.count_points("age", "height", BOX, 16).result()
    points = Points.from_xy(data["age"].to_numpy(), data["height"].to_numpy(), BOX)
    cells = grid_cell(points.x, BOX.x, 16) * 16 + grid_cell(points.y, BOX.y, 16)
    np.testing.assert_array_equal(grid.counts.ravel(), np.bincount(cells, minlength=256))
    assert (grid.clipped, grid.dropped) == (points.clipped, points.dropped)


@pytest.mark.law
def test_a_boolean_column_is_counted_as_files_read_it(tmp_path):
    """0 and 1, missing where it is missing; in a declared table, in memory, and on a map."""
    yes = [True, False, None, True, True, None, False]
    data = pa.table({"yes": yes, "age": [float(one) for one in range(7)]})
    place = written(data, tmp_path)
    file = io.BytesIO((tmp_path / "people.parquet").read_bytes())
    table, unit = files.taken(file, "people.parquet"), Bounds(0, 1)
    wanted = Column.from_values(table.numeric_values("yes").values, unit, 1)
    assert (wanted.n, wanted.dropped, wanted.count_below(1)) == (5, 2, 2)
    for one in (
        declared_table("People", place),
        parquet_in_memory("people.parquet", pa.py_buffer(file.getvalue())),
    ):
        assert [info.name for info in one.numeric_columns] == [
            info.name for info in table.numeric_columns
        ]
        same(one.count("yes", unit, 1).result(), wanted)
        grid = one.count_points("yes", "age", Box(unit, Bounds(0, 8)), 4).result()
        assert (grid.counts.sum(), grid.dropped) == (5, 2)
    with duckdb.connect(str(tmp_path / "yes.db")) as database:
        database.register("handed", data)
        database.execute("create table people as select * from handed")
    house = declared_table("People", f"duckdb://{tmp_path / 'yes.db'}")
    same(house.count("yes", unit, 1).result(), wanted)


def test_several_files_are_one_table(data, ages, tmp_path):
    for part in range(3):
        written(data.slice(part * 1_500, 1_500), tmp_path, f"part{part}.parquet")
    table = declared_table("People", (tmp_path / "part*.parquet").as_posix())
    same(table.count("age", BOUNDS, 1).result(), ages)


def test_only_a_declared_table_may_change(data, tmp_path):
    file = written(data, tmp_path)
    assert declared_table("People", file).may_change
    assert not parquet_in_memory(
        "people.parquet", pa.py_buffer((tmp_path / "people.parquet").read_bytes())
    ).may_change


def test_folders_are_columns_only_where_that_is_declared(data, ages, tmp_path):
    (tmp_path / "age=7").mkdir()
    path = written(data, tmp_path / "age=7", "part[1].parquet")
    table = declared_table("People", path)
    same(table.count("age", BOUNDS, 1).result(), ages)
    sevens = declared_table("People", path, hive=True).count("age", BOUNDS, 1).result()
    assert sevens.steps[0].tolist() == [7]


@pytest.mark.law
@pytest.mark.parametrize("several", [False, True])
def test_a_database_is_read_and_never_written(several, data, ages, tmp_path):
    place = tmp_path / "house.db"
    with duckdb.connect(str(place)) as database:
        database.register("handed", data)
        database.execute("create table people as select * from handed")
        if several:
            database.execute("create table others as select 1 as one")
    before = place.stat().st_mtime_ns
    url = f"duckdb://{place.as_posix()}"
    table = declared_table("People", url, "people" if several else None)
    same(table.count("age", BOUNDS, 1).result(), ages)
    assert place.stat().st_mtime_ns == before
    if several:
        with pytest.raises(UnreadableFile, match="cannot be opened"):
            declared_table("People", url)


@pytest.mark.parametrize("url", ["/secret_place/none.parquet", "duckdb:///secret_place/x.db", "?"])
def test_what_cannot_be_opened_is_refused_without_its_address(url, capsys):
    with pytest.raises(UnreadableFile, match="'People' cannot be opened") as refused:
        declared_table("People", url)
    assert "secret" not in str(refused.value)
    assert "People" in capsys.readouterr().err


def test_no_row_that_a_view_stumbles_over_is_in_the_log(tmp_path, capsys):
    place, rows = tmp_path / "pay.db", tmp_path / "pay.csv"
    rows.write_bytes(b"name,pay\n" + b"".join(b"person%d,%d\n" % (i, 1000 + i) for i in range(6)))
    with duckdb.connect(str(place)) as database:
        database.execute(f"create view pay as select * from read_csv('{rows.as_posix()}')")
    rows.write_bytes(rows.read_bytes() + b"Ren\xe9,98765\n")
    with pytest.raises(UnreadableFile, match="cannot be opened"):
        declared_table("Pay", f"duckdb://{place.as_posix()}", "pay")
    told = capsys.readouterr().err
    assert "Exception" in told
    assert not any(word in told for word in ("person", "1005", "98765", "Line"))


def test_bytes_in_memory_are_counted_without_being_spread_out(data, ages, monkeypatch):
    file = io.BytesIO()
    parquet.write_table(data, file)
    assert isinstance(files.taken(file, "people.parquet"), Table)
    monkeypatch.setattr(files, "LARGE", 1_000)
    table = files.taken(file, "people.parquet")
    assert isinstance(table, CountedTable)
    assert table.nbytes == len(file.getvalue())
    for _ in range(2):  # it can be counted again
        same(table.count("age", BOUNDS, 1).result(), ages)
    assert "age" not in repr(table.connect)
    text = io.BytesIO(b"age\n" + b"1\n" * 2_000)
    assert isinstance(files.taken(text, "people.csv"), Table)


def test_a_file_of_counts_is_a_table_of_one_column(ages):
    file = io.BytesIO()
    write_counts(ages, "age", file)
    table = files.taken(file, "counts.parquet")
    assert isinstance(table, CountedTable)
    assert [one.name for one in table.columns] == ["age"]
    assert table.declared == (BOUNDS, 1)
    again = table.count("age", BOUNDS, 1).result()
    assert again.cell_counts[1].tolist() == ages.cell_counts[1].tolist()
    assert again.dropped == ages.dropped
    narrow = table.count("age", Bounds(20, 50), 0).result()
    assert (narrow.n, narrow.resolution) == (ages.n, 1)
    assert narrow.clipped == int(ages.count_below(20) + ages.n - ages.count_up_to(50))
    with pytest.raises(InvalidData, match="Ibis table"):
        table.count_points("age", "age", BOX, 4).result()


def in_memory(data):
    file = io.BytesIO()
    parquet.write_table(data, file)
    return parquet_in_memory("people.parquet", pa.py_buffer(file.getvalue()))


def test_columns_that_share_a_name_are_left_out_and_told():
    columns = [pa.array([1.0, 2.0]), pa.array([3.0, 4.0]), pa.nulls(2), pa.array([5, 6])]
    table = in_memory(pa.table([*columns, columns[3]], names=["A", "a", "none", "b", "A"]))
    assert [one.name for one in table.numeric_columns] == ["none", "b"]
    assert "'A', 'a', 'A'" in table.notes[0]
    assert table.count("b", BOUNDS, 1).result().steps[0].tolist() == [5, 6]
    assert table.count("none", BOUNDS, 1).result().dropped == 2
    with pytest.raises(InvalidData, match="up to capital letters"):
        table.count("a", BOUNDS, 1).result()
    for nothing in (pa.table({}), pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(UnreadableFile, match="no column of numbers"):
            in_memory(nothing)


def test_damaged_bytes_are_refused_in_words():
    with pytest.raises(UnreadableFile, match="cannot be read as one"):
        parquet_in_memory("people.parquet", pa.py_buffer(b"PAR1" + b"\x00" * 60 + b"PAR1"))


def test_wrong_columns_are_refused_in_words(data, tmp_path):
    table = declared_table("People", written(data, tmp_path))
    with pytest.raises(InvalidData, match="type string"):
        table.count("name", BOUNDS, 1).result()
    with pytest.raises(UnreadableColumn, match="no column"):
        table.info("salary")
    assert table.info("age").kind == "numeric"


@pytest.mark.law
def test_a_count_can_be_stopped_and_nothing_of_it_is_kept(tmp_path):
    with duckdb.connect(str(tmp_path / "slow.db")) as database:
        database.execute(f"create view slow as {LONG}")
    table = declared_table("Slow", f"duckdb://{tmp_path / 'slow.db'}", "slow")
    job = table.count("age", BOUNDS, 1)
    assert not job.wait(0.3)
    assert job.progress() is None or 0 <= job.progress() <= 1
    start = time.monotonic()
    job.stop()
    with pytest.raises(Stopped, match="Nothing of it was kept"):
        job.result()
    assert time.monotonic() - start < 10


def test_a_stopped_count_is_over_at_once_even_where_the_engine_goes_on():
    going_on = threading.Event()

    class Engine:
        table = None

        def progress(self):
            raise RuntimeError("closed")

        def stop(self):
            raise RuntimeError("closed")

        def close(self):
            """Nothing is open."""

    job = Counting(Engine, lambda _: going_on.wait(30))
    assert not job.wait(0.05)
    assert job.progress() is None
    job.stop()
    assert job.wait(10)
    with pytest.raises(Stopped):
        job.result()
    going_on.set()


def test_an_engine_that_fails_never_says_a_value(capsys):
    class Engine:
        table = None
        closed = threading.Event()

        def progress(self):
            return None

        def stop(self):
            """There is nothing to stop."""

        def close(self):
            self.closed.set()

    def fails(_):
        raise ValueError("could not convert 'Zebra 12345'")

    engine = Engine()
    job = Counting(lambda: engine, fails)
    with pytest.raises(UnreadableFile, match="ValueError") as refused:
        job.result()
    assert "Zebra" not in str(refused.value)
    assert engine.closed.wait(5)
    assert "Zebra" not in capsys.readouterr().err


@pytest.mark.law
@pytest.mark.parametrize("last", [5, 2**62])
def test_times_that_the_engine_rounds_are_left_out_by_their_type(last):
    """One person's time stopped the count, and people a nanosecond apart were one."""
    kinds = {
        "zoned": pa.timestamp("ms", tz="UTC"),
        "lasting": pa.duration("s"),
        "of day": pa.time64("ns"),
        "kept": pa.timestamp("ns"),
    }
    whole = pa.array([1, 2, last], pa.int64())
    columns = {name: whole.cast(kind) for name, kind in kinds.items()}
    file = io.BytesIO()
    parquet.write_table(pa.table({**columns, "v": [1, 2, 3]}), file)
    table = parquet_in_memory("a.parquet", pa.py_buffer(file.getvalue()))
    assert [one.name for one in table.columns] == ["kept", "v"]
    assert "'zoned', 'lasting', 'of day'" in table.notes[0]
    engine = table.connect(("kept", "v")).table
    found = count_column(engine, "v", BOUNDS, 1, person="kept", rows=PersonRows.at_most(1))
    assert found.n == 3
