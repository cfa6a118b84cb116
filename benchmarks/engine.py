"""Counting 10^8 rows of a Parquet file in DuckDB, beside the engine's own plain GROUP BY.

Every measurement is a process of its own: the time of its query, and the most memory it held from
its start on. `python -m benchmarks.engine ROWS` takes fewer rows.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.results import Speeds
from benchmarks.targets import ENGINE_COLUMN, ENGINE_POINTS, ENGINE_ROUNDED, Row, memory
from dpviz.core.bounds import Bounds, Box

ROWS, CHUNK, REPEATS = 10**8, 1_000_000, 3
SIDE, BINS = 1024, 1 << 20
BOUNDS = Bounds(0, BINS - 1)
BOX = Box(Bounds(0, BINS - 1), Bounds(-180, 180))
OUTSIDE, MISSING = 1e-4, 1e-4  # of all records
# what a person would write, by the name of the row that it belongs to
CELL = "CAST(floor((x - 0) / 1e0 + 0.5e0) AS BIGINT)"
BIN = f"CAST(floor((x - 0) * {BINS / BOUNDS.width!r}e0) AS BIGINT)"
PLACE = (
    f"CAST(floor((x - 0) * {SIDE / BOX.x.width!r}) AS BIGINT) * {SIDE} "
    f"+ CAST(floor((y + 180) * {SIDE / 360!r}e0) AS BIGINT)"
)
PLAIN = {ENGINE_COLUMN: CELL, ENGINE_ROUNDED: BIN, ENGINE_POINTS: PLACE}
TITLE = "A column counted where it lies"
MEASURES = (*(what for name in PLAIN for what in (name, memory(name))), TITLE)
ALONE = "import sys, benchmarks.engine as engine; engine.alone(*sys.argv[1:])"


def make(path: Path, rows: int) -> None:
    """Values with a few outside the bounds and a few missing, a million rows at a time."""
    rng = np.random.default_rng(20260101)
    fields = pa.schema([("x", pa.float64()), ("y", pa.float64())])
    with parquet.ParquetWriter(path, fields, compression="none", use_dictionary=False) as file:
        for start in range(0, rows, CHUNK):
            size = min(CHUNK, rows - start)
            x, y = rng.random(size) * BOUNDS.width, rng.uniform(-180, 180, size)
            x[rng.random(size) < OUTSIDE] += BOUNDS.width
            gone = rng.random(size) < MISSING
            file.write_table(pa.table([pa.array(x, mask=gone), pa.array(y)], schema=fields))


def alone(path: str, kind: str, name: str) -> None:
    """In a process of its own: seconds and the most memory, in MB, as one line of JSON.

    The clock runs from an open connection on; the memory is that of all, imports included.
    """
    query = (plain if kind == "plain" else counted)(path, name)
    start = time.perf_counter()
    query()
    seconds = time.perf_counter() - start
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, most]))


def plain(path: str, name: str) -> Callable[[], object]:
    """The engine's own GROUP BY, its answer as an Arrow table."""
    import duckdb  # noqa: PLC0415

    engine = duckdb.connect()
    query = f"SELECT {PLAIN[name]} AS key, count(*) AS count FROM '{path}' GROUP BY 1"
    return lambda: engine.sql(query).to_arrow_table()


def counted(path: str, name: str) -> Callable[[], object]:
    """A Column or GridCounts of the same table."""
    import ibis  # noqa: PLC0415

    from dpviz.intake.engine.column import count_column  # noqa: PLC0415
    from dpviz.intake.engine.points import count_points  # noqa: PLC0415

    table = ibis.duckdb.connect().read_parquet(path)
    calls: dict[str, Callable[[], object]] = {
        ENGINE_COLUMN: lambda: count_column(table, "x", BOUNDS, 1),
        ENGINE_ROUNDED: lambda: count_column(table, "x", BOUNDS, 0),
        ENGINE_POINTS: lambda: count_points(table, "x", "y", BOX, SIDE),
    }
    return calls[name]


def measured(path: Path, kind: str, name: str) -> tuple[float, float]:
    """Seconds and memory of a process of its own."""
    command = [sys.executable, "-c", ALONE, str(path), kind, name]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    seconds, most = json.loads(done.stdout.splitlines()[-1])  # DuckDB may draw its progress above
    return seconds, most


def rows_of(path: Path, name: str) -> list[Row]:
    """The least ratio of pairs measured in turns, and the memory."""
    pairs = [(measured(path, "plain", name), measured(path, "ours", name)) for _ in range(REPEATS)]
    own, ours = (min(pair[kind][0] for pair in pairs) for kind in (0, 1))
    own_most, most = (max(pair[kind][1] for pair in pairs) for kind in (0, 1))
    print(
        f"{name}: GROUP BY {own:.2f} s and {own_most:.0f} MB, "
        f"counted {ours:.2f} s and {most:.0f} MB: {ours / own:.2f} ×",
        flush=True,
    )
    return [Row(name, ours / own, "×"), Row(memory(name), most, "MB")]


def run(rows: int = ROWS) -> list[Speeds]:
    """Write the table into a temporary folder, measure, and take it away again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        make(path, rows)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        found = [row for name in PLAIN for row in rows_of(path, name)]
    note = (
        f"{rows:,} rows of one Parquet file in DuckDB, beside the engine's own GROUP BY, each in a "
        "process of its own. Without a resolution a value is compared with the edge of its bin, "
        "which makes the bins exact and takes longer."
    )
    return [Speeds(TITLE, found, note)]


if __name__ == "__main__":
    run(*(int(rows) for rows in sys.argv[1:]))
