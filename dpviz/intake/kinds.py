"""What a column holds, and the plain Arrow column that stands for it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from dpviz.core.arrays import FloatArray

Kind = Literal["numeric", "text", "boolean", "date", "empty"]


def kind_of(column: pa.ChunkedArray) -> Kind:
    """The kind by type alone; text that reads as numbers is judged elsewhere."""
    kind = column.type
    if missing_count(column) == len(column):
        return "empty"
    if types.is_boolean(kind):
        return "boolean"
    if types.is_integer(kind) or types.is_floating(kind):
        return "numeric"
    if types.is_temporal(kind):
        return "date"
    return "text"


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The column as booleans, integers, floats, dates or strings; None when it holds none of these.

    Dictionaries are decoded, decimals become floats, binary becomes text where it is UTF-8.
    """
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(pa.chunked_array([c.storage for c in column.chunks], kind.storage_type))
    if types.is_dictionary(kind):
        return plain(column.cast(kind.value_type))
    if types.is_decimal(kind) or types.is_float16(kind):
        return column.cast(pa.float64())
    if types.is_null(kind) or types.is_primitive(kind):  # booleans are primitive too
        return column
    return None if types.is_nested(kind) else _as_text(column)


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    try:
        # by way of bytes, which are looked at for UTF-8: files can call anything a string
        return column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowException:  # binary that is not text
        return None


def to_floats(column: pa.ChunkedArray) -> FloatArray:
    """A boolean or numeric column as float64 (n,), NaN where missing; huge integers are rounded."""
    if types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    floats = column.cast(pa.float64(), safe=False)
    return np.asarray(floats.to_numpy(), dtype=np.float64)


def missing_count(column: pa.ChunkedArray) -> int:
    """Nulls, and NaN in columns of floats."""
    missing = int(column.null_count)
    if types.is_floating(column.type):
        missing += int(pc.sum(pc.is_nan(column)).as_py() or 0)
    return missing
