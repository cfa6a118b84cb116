"""Which declared kinds of containers may hold numbers: decided by the kind alone, rows or none.

An empty column of texts is refused as a full one is. Lists and arrays of objects declare no kind:
their elements are looked at one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NUMBERS = "biuf"


def may_be_numbers(values: object) -> bool:
    """Whether the kind of a NumPy array, of pandas or of Arrow may hold numbers; others may."""
    kind: Any = getattr(values, "dtype", None)
    if kind is not None:
        return _holds_numbers(kind)
    kind = getattr(values, "type", None)
    return not _is_of_arrow(kind) or _arrow_numbers(kind)


def _holds_numbers(kind: Any) -> bool:
    if isinstance(kind, np.dtype):
        return kind.kind in NUMBERS + "O"
    name = type(kind).__name__
    if name == "ArrowDtype":
        return _arrow_numbers(kind.pyarrow_dtype)
    if name == "CategoricalDtype":
        sorts = kind.categories
        return sorts is None or _holds_numbers(sorts.dtype)
    # of pandas' own: what is of periods, intervals, texts or zoned times calls itself "O" or "M"
    return not hasattr(kind, "kind") or kind.kind in NUMBERS


def _is_of_arrow(kind: object) -> bool:
    return type(kind).__module__.split(".")[0] == "pyarrow"


def _arrow_numbers(kind: Any) -> bool:
    import pyarrow as pa  # noqa: PLC0415  slow, and loaded already by whoever has such a kind

    if isinstance(kind, pa.BaseExtensionType):
        return _arrow_numbers(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return _arrow_numbers(kind.value_type)
    of_numbers = pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal
    return pa.types.is_null(kind) or any(one(kind) for one in of_numbers)
