"""Parquet files: checked by their footer before anything is decoded."""

from functools import partial

import pyarrow as pa
from pyarrow import parquet

from dpviz.core.errors import UnreadableFile
from dpviz.intake.kinds import plain
from dpviz.intake.limits import check_columns, check_rows
from dpviz.intake.names import shown, unique_names
from dpviz.intake.source import PARQUET_MAGIC
from dpviz.intake.table import Kept, Table, table_of
from dpviz.intake.unpacking import Unpacker, check_unpacked, flat_leaves


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
        columns = _decode(buffer, name)
    except UnreadableFile:
        raise
    except Exception:  # what a decoder raises on damaged bytes depends on where the damage lies
        raise UnreadableFile(
            f"'{name}' is a damaged Parquet file: its content does not agree with its footer. "
            "Write it again, or save the table as CSV."
        ) from None
    return _table(columns, name, buffer)


def _decode(buffer: pa.Buffer, name: str) -> dict[str, pa.ChunkedArray | None]:
    """What is nested is never decoded, so it can neither fail nor fill the memory."""
    file = parquet.ParquetFile(pa.BufferReader(buffer))
    footer, fields = file.metadata, file.schema_arrow
    check_columns(len(fields), name)
    check_rows(footer.num_rows, name)
    leaves = flat_leaves(fields, file.schema)
    flat = [leaf for leaf in leaves if leaf is not None]
    check_unpacked(footer, flat, name)
    unpacker = Unpacker.open(buffer, file, [one.place for one in flat if one.text], name)
    columns = [None if leaf is None else unpacker.column(leaf) for leaf in leaves]
    if any(column is not None and len(column) != footer.num_rows for column in columns):
        raise ValueError("a column has another length than the table")
    return dict(zip(unique_names(fields.names), columns, strict=True))


def _as_stored(buffer: pa.Buffer, places: list[int], place: int) -> pa.ChunkedArray:
    """A column whose decimals are decimals: as doubles, those that are many digits long are one."""
    column = parquet.ParquetFile(pa.BufferReader(buffer)).reader.read_column(places[place])
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column if pa.types.is_decimal(column.type) else plain(column)


def _table(columns: dict[str, pa.ChunkedArray | None], name: str, buffer: pa.Buffer) -> Table:
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
    places = [at for at, column in enumerate(columns.values()) if column is not None]
    stored = Kept(partial(_as_stored, buffer, places), int(buffer.size))
    fields = parquet.read_schema(pa.BufferReader(buffer))
    is_exact = not any("decimal" in str(one.type) for one in fields)
    exact = None if is_exact else stored
    return table_of(name, pa.table(kept), notes=notes, how="Parquet.", kept=exact)
