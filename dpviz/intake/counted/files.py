"""A file that was handed in: read into memory, or kept as it is and counted."""

from __future__ import annotations

from importlib.util import find_spec
from typing import BinaryIO

from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.engines import parquet_in_memory
from dpviz.intake.read import read_table
from dpviz.intake.source import PARQUET_MAGIC, buffer_of
from dpviz.intake.table import Table

LARGE = 50_000_000  # bytes from which a Parquet file, several times as large in memory, is counted


def taken(source: BinaryIO, name: str) -> Table | CountedTable:
    """The table of a file; of a large Parquet file its bytes, whose columns an engine counts.

    Raises: UnreadableFile with what was wrong, what was found and what to do.
    """
    data = buffer_of(source, name)
    is_parquet = data.size >= LARGE and data.slice(0, 4).to_pybytes() == PARQUET_MAGIC
    if is_parquet and find_spec("ibis") is not None and find_spec("duckdb") is not None:
        return parquet_in_memory(name, data)
    return read_table(source, name)
