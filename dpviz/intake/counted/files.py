"""A file that was handed in: read into memory, or kept as it is and counted."""

import json
from dataclasses import dataclass
from importlib.util import find_spec
from typing import BinaryIO

import pyarrow as pa
from pyarrow import parquet

from dpviz.core.data.column import Column
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.engines import parquet_in_memory
from dpviz.intake.engine.counts_file import KEY, read_counts
from dpviz.intake.names import clean_file_name
from dpviz.intake.read import read_table
from dpviz.intake.source import PARQUET_MAGIC, buffer_of
from dpviz.intake.table import ColumnInfo, Table

LARGE = 50_000_000  # bytes from which a Parquet file, several times as large in memory, is counted
COUNTS = "Exact counts of one column, made by dpviz count; as confidential as the data."


@dataclass(frozen=True, slots=True)
class Ready:
    """Counts that are there: nothing runs, and nothing is to be stopped."""

    table: Column

    def progress(self) -> float:
        """All of it."""
        return 1.0

    def stop(self) -> None:
        """It is over already."""

    def close(self) -> None:
        """Nothing is open."""


def taken(source: BinaryIO, name: str) -> Table | CountedTable:
    """The table of a file; of a large Parquet file its bytes, whose columns an engine counts.

    A file of counts, as `dpviz count` writes it, is a table of one column.
    Raises: UnreadableFile with what was wrong, what was found and what to do.
    """
    name = clean_file_name(name)
    data = buffer_of(source, name)
    if data.slice(0, min(data.size, 4)).to_pybytes() != PARQUET_MAGIC:
        return read_table(source, name)
    if (counted := _column_of_counts(data)) is not None:
        return _counts(read_counts(data.to_pybytes()), counted, name, data.size)
    if data.size >= LARGE and find_spec("ibis") is not None and find_spec("duckdb") is not None:
        return parquet_in_memory(name, data)
    return read_table(source, name)


def _column_of_counts(data: pa.Buffer) -> str | None:
    """The name of the column if it is a file of counts; what is damaged is for others to say."""
    try:
        metadata = parquet.read_schema(pa.BufferReader(data)).metadata or {}
        return str(json.loads(metadata[KEY])["column"])
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):
        return None


def _counts(column: Column, of: str, name: str, size: int) -> CountedTable:
    return CountedTable(
        name,
        (ColumnInfo(of, "numeric", 0, 0),),
        COUNTS,
        lambda _: Ready(column),
        nbytes=size,
        declared=(column.bounds, column.resolution),
    )
