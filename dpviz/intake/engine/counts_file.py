"""A file of counts: a Parquet table of values and counts, with its declarations in the metadata.

Columns value (double) and count (int64); under the key dpviz a JSON object with version, column,
low, high, resolution, missing and clipped. It is as confidential as the data.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from dpviz.core.bounds import Bounds
from dpviz.core.checks import checked_number, wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import record_count
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidData, UnreadableFile
from dpviz.intake.names import clean_file_name, shown
from dpviz.intake.source import PARQUET_MAGIC, buffer_of
from dpviz.intake.unpacking import Unpacker, check_unpacked, flat_leaves

KEY, VERSION = b"dpviz", 1
FIELDS = (("value", pa.float64()), ("count", pa.int64()))
MOST_VALUES = (1 << 22) + 2  # the cells of a column counted in an engine, and both bounds
AGAIN = "Make it again with python -m dpviz count."


def write_counts(column: Column, name: str, file: BinaryIO) -> None:
    """Write the counts of a column, with its name and declarations.

    Raises: InvalidData for more than 2^22 distinct values.
    """
    wanted(Column, column, "column", InvalidData)
    values, up_to = column.steps
    if values.size > MOST_VALUES:
        raise InvalidData(
            f"A counts file holds at most {MOST_VALUES:,} distinct values; the column has more. "
            "Declare a coarser resolution."
        )
    declared = {
        "version": VERSION,
        "column": name,
        "low": column.bounds.low,
        "high": column.bounds.high,
        "resolution": column.resolution,
        "missing": column.dropped,
        "clipped": column.clipped,
    }
    fields = pa.schema(
        [pa.field(key, kind, nullable=False) for key, kind in FIELDS],
        metadata={KEY: json.dumps(declared).encode()},
    )
    parquet.write_table(pa.table([values, np.diff(up_to, prepend=0)], schema=fields), file)


def read_counts(source: BinaryIO | bytes | Path) -> Column:
    """The column of a counts file, as it was declared.

    Raises: UnreadableFile (an InvalidData) for anything but a whole counts file.
    """
    name = clean_file_name(source.name) if isinstance(source, Path) else "counts.parquet"
    buffer = buffer_of(source, name)
    if buffer.slice(0, min(buffer.size, 4)).to_pybytes() != PARQUET_MAGIC:
        raise UnreadableFile(f"{shown(name)} is no counts file, which is Parquet. {AGAIN}")
    try:
        stored = _decode(buffer, name)
    except UnreadableFile:
        raise
    except Exception:  # what a decoder raises on damaged bytes depends on where the damage lies
        raise _damaged(name, "its content does not agree with its footer") from None
    return _column(stored, name)


@confidential()
@dataclass(frozen=True, slots=True)
class _Stored:
    declared: bytes
    values: pa.ChunkedArray
    counts: pa.ChunkedArray


def _decode(buffer: pa.Buffer, name: str) -> _Stored:
    file = parquet.ParquetFile(pa.BufferReader(buffer))
    footer, fields = file.metadata, file.schema_arrow
    if tuple(zip(fields.names, fields.types, strict=True)) != FIELDS:
        raise UnreadableFile(
            f"{shown(name)} is no counts file: its columns must be value (double) and count "
            f"(int64). {AGAIN}"
        )
    if footer.num_rows > MOST_VALUES:
        raise UnreadableFile(f"{shown(name)} holds more than {MOST_VALUES:,} values. {AGAIN}")
    leaves = [leaf for leaf in flat_leaves(fields, file.schema) if leaf is not None]
    check_unpacked(footer, leaves, name)
    unpacker = Unpacker.open(buffer, file, [], name)
    columns = [unpacker.column(leaf) for leaf in leaves]
    if any(column is None or len(column) != footer.num_rows for column in columns):
        raise ValueError("a column has another length than the table")
    return _Stored((fields.metadata or {}).get(KEY, b""), *columns)


def _column(stored: _Stored, name: str) -> Column:
    declared = _declared(stored.declared, name)
    if stored.values.null_count or stored.counts.null_count:
        raise _damaged(name, "a value or a count is missing")
    values, counts = stored.values.to_numpy(), stored.counts.to_numpy()
    try:
        bounds = Bounds(declared["low"], declared["high"])
        resolution = checked_number(declared["resolution"], "resolution")
        missing = record_count(declared["missing"], "missing")
        clipped = record_count(declared["clipped"], "clipped")
        column = Column.from_counts(values, counts, bounds, resolution, missing)
    except DpvizError as error:
        raise _damaged(name, str(error).rstrip(".")) from None
    # NaN and values outside the bounds are left out or moved on the way, empty cells are left out
    if not np.array_equal(column.held, values) or clipped > column.n:
        raise _damaged(name, "its values do not ascend inside its bounds, or its counts disagree")
    return replace(column, clipped=clipped)


def _declared(text: bytes, name: str) -> dict[str, Any]:
    try:
        declared = json.loads(text)
    except (ValueError, RecursionError):
        declared = None
    wanted_keys = {"version", "column", "low", "high", "resolution", "missing", "clipped"}
    if not isinstance(declared, dict) or not wanted_keys <= declared.keys():
        raise _damaged(name, "its declarations are missing")
    if declared["version"] != VERSION or isinstance(declared["version"], bool):
        raise UnreadableFile(
            f"{shown(name)} is of another version of the format than {VERSION}. {AGAIN}"
        )
    return declared


def _damaged(name: str, how: str) -> UnreadableFile:
    return UnreadableFile(f"{shown(name)} is a damaged counts file: {how}. {AGAIN}")
