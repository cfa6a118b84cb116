"""The server under load, started as users start it, and stopped again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.load.wire import Address
from dpviz.__main__ import build_parser
from dpviz.several import is_healthy

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("app.py", "pages", "dpviz", "sample_data", ".streamlit")
START = 120  # seconds that a start may take
MADE_UP = "many"  # the key of the sample that is made up
ENTRY = """
[{key}]
title = "Many incomes"
file = "{key}.csv"
columns = ["income"]
bounds = [[0, 200000]]
resolution = 1
n = {rows}
people = ["person", "people"]
unit = ["", ""]
at_most = ["earn at most {{}}"]
up_to = ["who earn at most this much"]
about = {rows}
known = "live there: known from the census"
description = "Made up for a load."
teaches = "Large columns."
"""


class DidNotStart(Exception):
    """The server ended, or did not answer in time."""


def has_workers() -> bool:
    """Whether dpviz can run in several processes."""
    return "--workers" in build_parser().format_help()


@contextmanager
def folder(rows: int) -> Iterator[Path]:
    """The app's folder; with rows a copy of it that has one more sample of that many rows."""
    if not rows:
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="dpviz_load_") as place:
        copy = Path(place)
        for part in PARTS:
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy / part)
        incomes = np.random.default_rng(7).lognormal(10.4, 0.5, rows).round()
        np.savetxt(
            copy / "sample_data" / f"{MADE_UP}.csv", incomes, "%.0f", header="income", comments=""
        )
        with (copy / "sample_data" / "catalogue.toml").open("a", encoding="utf-8") as catalogue:
            catalogue.write(ENTRY.format(key=MADE_UP, rows=rows))
        yield copy


@contextmanager
def running(workers: int = 1, rows: int = 0) -> Iterator[tuple[Address, int]]:
    """A freshly started server: its address and its process.

    Raises: DidNotStart if it ends or does not answer within two minutes.
    """
    with folder(rows) as place, tempfile.TemporaryFile() as log:
        address = Address("127.0.0.1", free_port())
        command = [sys.executable, "-m", "dpviz", "--port", str(address.port)]
        if workers > 1:
            command += ["--workers", str(workers)]
        process = subprocess.Popen(
            command,
            cwd=place,
            env=os.environ | {"PYTHONPATH": str(place)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            until = time.monotonic() + START
            while not is_healthy(address.port):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise DidNotStart(log.read().decode(errors="replace")[-2000:])
                time.sleep(0.05)
            yield address, process.pid
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
