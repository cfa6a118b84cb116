"""Parquet files: checked by their footer before anything is decoded."""

from __future__ import annotations

import pyarrow as pa
from pyarrow import parquet

from dpviz.core.errors import UnreadableFile
from dpviz.intake.kinds import plain
from dpviz.intake.limits import check_columns, check_rows
from dpviz.intake.names import shown, unique_names
from dpviz.intake.source import PARQUET_MAGIC
from dpviz.intake.table import Table

MAX_DECODED = 4_000_000_000  # bytes; a small file can announce far more


def read_parquet(buffer: pa.Buffer, name: str) -> Table:
    """Read a Parquet file; columns that hold neither numbers, dates nor text are left out.

    Raises: UnreadableFile for a file that is cut off, damaged or too large.
    """
    if buffer.size < 12 or buffer.slice(buffer.size - 4).to_pybytes() != PARQUET_MAGIC:
        raise UnreadableFile(
            f"'{name}' starts as a Parquet file but its end is missing ({buffer.size:,} bytes "
            "found). It was probably cut off on the way: copy or upload it again."
        )
    try:
        data = _decode(buffer, name)
    except UnreadableFile:
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise UnreadableFile(
            f"'{name}' is a damaged Parquet file: its content does not agree with its footer. "
            "Write it again, or save the table as CSV."
        ) from None
    return _table(data, name)


def _decode(buffer: pa.Buffer, name: str) -> pa.Table:
    file = parquet.ParquetFile(pa.BufferReader(buffer))
    footer = file.metadata
    check_columns(footer.num_columns, name)
    check_rows(footer.num_rows, name)
    decoded = sum(footer.row_group(k).total_byte_size for k in range(footer.num_row_groups))
    if decoded > MAX_DECODED:
        raise UnreadableFile(
            f"'{name}' unpacks to {decoded / 1e9:,.1f} GB; at most {MAX_DECODED / 1e9:,.0f} GB can "
            "be read. Keep only the columns that you need."
        )
    return file.read()


def _table(data: pa.Table, name: str) -> Table:
    names = unique_names(data.column_names)
    columns = {key: plain(column) for key, column in zip(names, data.columns, strict=True)}
    kept = {key: column for key, column in columns.items() if column is not None}
    left_out = [shown(key) for key, column in columns.items() if column is None]
    if not kept:
        raise UnreadableFile(
            f"'{name}' has only columns of lists, records or raw bytes ({', '.join(left_out[:8])})."
            " Write a table with one number a cell."
        )
    notes: tuple[str, ...] = ()
    if left_out:
        listed = ", ".join(left_out[:8]) + (", …" if len(left_out) > 8 else "")
        notes = (f"Left out, as they hold lists, records or raw bytes: {listed}.",)
    return Table.of(name, pa.table(kept), notes=notes)
