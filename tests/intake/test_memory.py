"""Memory of reading, measured from outside: each reader is a process of its own."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from tests.conftest import ROOT
from tests.intake.hostile.parquets import long_texts, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")

READER = """
import gc, sys, time
from pathlib import Path
from dpviz.core.errors import UnreadableFile
from dpviz.intake.read import read_table

def memory(key):
    return next(int(l.split()[1]) / 1e3 for l in open("/proc/self/status") if l.startswith(key))

data = Path(sys.argv[1]).read_bytes()
read_table(b"v,w\\n1,x\\n", "warm.csv").numeric_values("v")  # what is loaded once does not count
before, start = memory("VmRSS"), time.process_time()
try:
    table = read_table(data, "rows.csv")
    values = table.numeric_values("v", drop_unreadable=True).values
    held = memory("VmRSS")
except UnreadableFile as error:
    table, values, held = None, None, str(error).find("more than 0.4 GB of text") > 0
peak, seconds = memory("VmHWM"), time.process_time() - start
del table, values
gc.collect()
print(peak - before, held, memory("VmRSS") - before, seconds, peak)
"""


def alike() -> pa.Table:
    """420 MB of texts that differ only in their last letters."""
    rows, length = 2_100, 200_000
    letters = np.full((rows, length), ord("x"), np.uint8)
    digits = np.arange(rows)[:, None] // 10 ** np.arange(4)[::-1] % 10
    letters[:, -4:] -= digits.astype(np.uint8)
    offsets = np.arange(rows + 1, dtype=np.int32) * length
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(letters)]
    return pa.table({"s": pa.Array.from_buffers(pa.string(), rows, buffers)})


def measured(path) -> list[str]:
    """Megabytes of peak, held and left over, CPU seconds, and the whole process's peak."""
    done = subprocess.run(
        [sys.executable, "-c", READER, str(path)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout.split()


@pytest.mark.law
@pytest.mark.parametrize("kind", ["dictionary", "shared beginnings"])
def test_texts_that_unpack_to_gigabytes_are_refused_in_little_memory(kind, tmp_path):
    path = tmp_path / "texts.parquet"
    if kind == "dictionary":
        path.write_bytes(written(long_texts(90_000, 200_000), compression="none"))
    else:
        encoded = {"use_dictionary": False, "column_encoding": {"s": "DELTA_BYTE_ARRAY"}}
        path.write_bytes(written(alike(), **encoded))
    _, refused, _, seconds, whole = measured(path)
    assert refused == "True"
    assert float(seconds) < 2
    assert float(whole) < 500


@pytest.mark.thorough
def test_twenty_million_rows_of_one_text_are_read_as_one_text(tmp_path):
    places = pa.array(np.zeros(20_000_000, np.int32))
    text = pa.DictionaryArray.from_arrays(places, ["12.5"])
    path = tmp_path / "one.parquet"
    path.write_bytes(written(pa.table({"v": text}), compression="zstd"))
    assert path.stat().st_size < 100_000
    _, _, _, seconds, whole = map(float, measured(path))
    assert seconds < 15  # a minute when each row is parsed
    assert whole < 850  # the texts, three columns of doubles and the process itself


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_reading_holds_a_few_copies_and_gives_them_back(encoding, tmp_path):
    rng, rows = np.random.default_rng(7), 500_000
    words = np.array(["alpha", "a street, 12", "café du nord"])[rng.integers(0, 3, rows)]
    data = pa.table(
        {"v": rng.normal(50, 10, rows), "k": rng.integers(0, 10**8, rows), "name": words}
    )
    path = tmp_path / "rows.csv"
    csv.write_csv(data, path)
    if encoding != "utf-8":
        path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    size = path.stat().st_size / 1e6
    peak, _, left, _, _ = (float(number) for number in measured(path))
    # three visitors with 200 MB each below 4 GB: 1.25 GB each, 200 MB of them the file itself
    assert peak < 5 * size
    assert left < 60 + 0.3 * size
