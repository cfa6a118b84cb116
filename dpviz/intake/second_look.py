"""Columns that Arrow takes for numbers though some of their texts are none as people write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

_HEXADECIMAL = r"^\s*[+-]?0[xX]"  # Arrow reads 0x10 as 16
_INFINITY = r"(?i)inf"
_CHUNK = 1 << 20

Reread = Callable[[Sequence[str]], pa.Table]


def second_look(data: pa.Table, rows: pa.Buffer, reread: Reread) -> pa.Table:
    """The table, with columns as text that hold a hexadecimal number or one beyond all doubles.

    reread reads the named columns of the same rows as text; it is called only on suspicion.
    """
    integers = [key for key in data.column_names if types.is_integer(data.column(key).type)]
    if integers and not _mentions_hexadecimal(rows):
        integers = []
    infinite = [key for key in data.column_names if _has_infinity(data.column(key))]
    if not integers and not infinite:
        return data
    texts = reread(integers + infinite)
    for key in integers:
        if pc.any(pc.match_substring_regex(texts.column(key), _HEXADECIMAL)).as_py():
            data = _with(data, key, texts)
    for key in infinite:
        spelt = pc.filter(texts.column(key), pc.is_inf(data.column(key)))
        if not pc.all(pc.match_substring_regex(spelt, _INFINITY)).as_py():
            data = _with(data, key, texts)
    return data


def _with(data: pa.Table, key: str, texts: pa.Table) -> pa.Table:
    return data.set_column(data.schema.get_field_index(key), key, texts.column(key))


def _has_infinity(column: pa.ChunkedArray) -> bool:
    return types.is_floating(column.type) and bool(pc.any(pc.is_inf(column)).as_py())


def _mentions_hexadecimal(rows: pa.Buffer) -> bool:
    """Whether 0x stands anywhere; in pieces that fit a cache, as the text may have 500 MB."""
    text = np.frombuffer(rows, dtype=np.uint8)
    for start in range(0, text.size, _CHUNK):
        piece = text[start : start + _CHUNK + 1]
        marks = (piece[1:] | 0x20) == ord("x")
        if marks.any() and np.any(marks & (piece[:-1] == ord("0"))):
            return True
    return False
