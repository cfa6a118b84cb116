"""What a column holds, and the plain Arrow column that stands for it."""

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from dpviz.core.arrays import FloatArray
from dpviz.core.point_grid import EXACT, EXACT_TENS

_PIECE = 1 << 18  # rows

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
    if types.is_decimal(kind):
        return nearest_doubles(column)
    if types.is_float16(kind):
        return column.cast(pa.float64())
    if types.is_null(kind) or types.is_primitive(kind):  # booleans are primitive too
        return column
    return None if types.is_nested(kind) else _as_text(column)


def nearest_doubles(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Decimals as doubles, each the one nearest to its text; Arrow's own cast may be off by one."""
    pieces = [
        _nearest(chunk.slice(start, _PIECE))
        for chunk in column.chunks
        for start in range(0, len(chunk), _PIECE)
    ]
    return pa.chunked_array(pieces, pa.float64())


def _nearest(decimals: pa.Array) -> pa.Array:
    """Units of up to 2^53 over a power of ten of up to 10^22 are exact doubles; others go by text.

    A quotient of exact doubles is the one nearest to it, and takes a tenth of the time.
    """
    kind = decimals.type
    if not (types.is_decimal128(kind) and 0 <= kind.scale <= EXACT_TENS):
        return decimals.cast(pa.large_string()).cast(pa.float64())
    words = np.frombuffer(decimals.buffers()[1], "<i8").reshape(-1, 2)
    low, high = words[decimals.offset :][: len(decimals)].T
    exact = (high == low >> 63) & (low <= EXACT) & (low >= -EXACT)
    values = low / float(10**kind.scale)
    if not exact.all():
        others = decimals.filter(pa.array(~exact))
        values[~exact] = _numbers(others.cast(pa.large_string()).cast(pa.float64()))
    return pa.array(values, mask=decimals.is_null().to_numpy(zero_copy_only=False))


def _numbers(floats: pa.Array) -> FloatArray:
    return np.asarray(floats.to_numpy(zero_copy_only=False), dtype=np.float64)


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
