"""Which declared kinds of containers may hold numbers: decided by the kind alone, rows or none.

An empty column of texts is refused as a full one is. Lists and arrays of objects declare no kind:
their elements are looked at one by one.
"""

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

NUMBERS = "biuf"
_NO_COLUMN = ("MultiIndex", "BaseGroupBy")  # of pandas: several columns, and rows not yet added up
# pandas' missing value is known by the name of its class: its import takes half a second
MISSING = ("NoneType", "NAType", "MaskedConstant")
# whose kinds are known: what they hand to Arrow would be another kind, or a copy
_OWN_KINDS = {"numpy", "pandas", "pyarrow"}
_CAPSULES = {"__arrow_c_stream__": "chunked_array", "__arrow_c_array__": "array"}


def of_capsule(values: Any) -> Any:
    """Arrow's array of values that hand out its capsules, as those of Polars do; others as given.

    Its kind is that of the schema that comes with them, whatever rows follow. Where a capsule
    breaks off this is a list of a thing that is no number and no name.
    Source: the Arrow PyCapsule interface.
    """
    kind = type(values)
    name = next((one for one in _CAPSULES if hasattr(kind, one)), None)
    if name is None or _OWN_KINDS & {base.__module__.split(".")[0] for base in kind.__mro__}:
        return values
    import pyarrow as pa  # noqa: PLC0415  slow, for those who hand out what it reads

    try:
        return getattr(pa, _CAPSULES[name])(values)
    except MemoryError:
        raise
    except Exception:  # its message may quote a cell
        return [object()]


def may_be_numbers(values: Any) -> bool:
    """Whether the kind of a NumPy array, of pandas or of Arrow may hold numbers; others may."""
    if any(base.__name__ in _NO_COLUMN and _is_pandas(base) for base in type(values).__mro__):
        return False
    kind: Any = getattr(values, "dtype", None)
    if kind is not None:
        return _holds_numbers(kind)
    columns = getattr(values, "dtypes", None)
    if columns is not None:  # of a table, as below
        return all(map(_holds_numbers, columns))
    if not _is_of_arrow(
        values
    ):  # what else has a schema, such as an engine's table, is looked into
        return True
    if hasattr(values, "schema"):
        return all(_arrow_numbers(one.type) for one in values.schema)
    return not hasattr(values, "type") or _arrow_numbers(values.type)


def is_number(kind: type) -> bool:
    """Whether values of a class are numbers, or missing."""
    if issubclass(kind, np.bool_ | Decimal) or kind.__name__ in MISSING:
        return True
    return issubclass(kind, Real) and not issubclass(kind, np.timedelta64)


def _holds_numbers(kind: Any) -> bool:
    if isinstance(kind, np.dtype):
        return kind.kind in NUMBERS + "O"
    name = type(kind).__name__
    if name == "ArrowDtype":
        return _arrow_numbers(kind.pyarrow_dtype)
    if name == "CategoricalDtype":  # without categories it declares no kind
        sorts = kind.categories
        if sorts is None or sorts.dtype == object:
            return sorts is None or all(map(is_number, set(map(type, sorts))))
        return _holds_numbers(sorts.dtype)
    # of pandas' own: what is of periods, intervals, texts or zoned times calls itself "O" or "M"
    return not hasattr(kind, "kind") or kind.kind in NUMBERS


def _is_pandas(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "pandas"


def _is_of_arrow(kind: object) -> bool:
    return type(kind).__module__.split(".")[0] == "pyarrow"


def _arrow_numbers(kind: Any) -> bool:
    import pyarrow as pa  # noqa: PLC0415  slow, and loaded already by whoever has such a kind

    if isinstance(kind, pa.BaseExtensionType):  # whose codes nobody decodes
        held = kind.storage_type
        return not pa.types.is_dictionary(held) and _arrow_numbers(held)
    if pa.types.is_dictionary(kind):
        return _arrow_numbers(kind.value_type)
    of_numbers = pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal
    return pa.types.is_null(kind) or any(one(kind) for one in of_numbers)
