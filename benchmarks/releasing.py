"""`dpviz release` of a CSV of 200 MB: how long it takes, and the most memory of its process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

from benchmarks.results import Speeds
from benchmarks.targets import RELEASED, Row, memory

TITLE = "From the command line"
ROWS, AT_ONCE, DIFFERENT = 12_000_000, 1_000_000, 22_000_000
ALONE = """
import json, sys, time
from dpviz.__main__ import main
start = time.perf_counter()
assert main(["release", *sys.argv[1:]]) == 0
seconds = time.perf_counter() - start
status = dict(line.split(":", 1) for line in open("/proc/self/status"))  # of this process alone
print(json.dumps([seconds, int(status["VmHWM"].split()[0]) / 1024]))
"""
PAY = ("--column", "pay", "--bounds", "0", "200000", "--epsilon", "1")
BOX = ("--bounds", "0", "12000000", "--bounds-y", "0", "200000", "--epsilon", "1")
ASKED = dict(
    zip(
        RELEASED,
        (
            (*PAY, "--resolution", "100", "--quantiles", "0.25", "0.5", "0.75"),
            (*PAY, "--tree"),
            ("--map", "id", "pay", *BOX),
        ),
        strict=True,
    )
)
APART = "dpviz release, 200 MB of one column of different numbers: quantiles"
MEASURES = (*(what for name in (*RELEASED, APART) for what in (name, memory(name))), TITLE)


def make(path: Path, different: bool) -> None:
    """Two columns of records, or one in which hardly two numbers are equal."""
    rng = np.random.default_rng(20260101)
    rows = DIFFERENT if different else ROWS
    with path.open("wb") as file:
        for start in range(0, rows, AT_ONCE):
            pay = (
                rng.integers(10**7, 10**8, AT_ONCE) / 1000
                if different
                else rng.normal(5, 1, AT_ONCE)
            )
            columns = {"pay": pay if different else (10_000 * pay).round(2)}
            if not different:
                columns = {"id": np.arange(start, start + AT_ONCE), **columns}
            csv.write_csv(
                pa.table(columns),
                file,
                csv.WriteOptions(include_header=not start, quoting_header="none"),
            )


def measured(name: str, path: Path, asked: tuple[str, ...]) -> list[Row]:
    """Seconds and memory of a process of its own."""
    command = [sys.executable, "-c", ALONE, str(path), *asked]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    seconds, most = json.loads(done.stdout.splitlines()[-1])
    print(f"{name}: {seconds:.1f} s, {most:.0f} MB", flush=True)
    return [Row(name, seconds, "s"), Row(memory(name), most, "MB")]


def rows() -> list[Row]:
    """The files are made in a temporary folder and taken away again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        make(path, different=False)
        print(f"{ROWS:,} records, {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        found = [row for name, asked in ASKED.items() for row in measured(name, path, asked)]
        make(path, different=True)
        return [*found, *measured(APART, path, (*PAY, "--quantiles", "0.25", "0.5", "0.75"))]


def run() -> list[Speeds]:
    """All rows, with what was measured."""
    found = rows()
    note = (
        f"A CSV of 200 MB: {ROWS:,} records of two columns, and {DIFFERENT:,} of one; the memory "
        "is that of a process that does nothing else."
    )
    return [Speeds(TITLE, found, note)]


if __name__ == "__main__":
    run()
