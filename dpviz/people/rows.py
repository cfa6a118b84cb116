"""Which rows of a person count, and as how many parts. Confidential; no loop over them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Number
from typing import Any, cast
from uuid import UUID

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.core.checks import wanted
from dpviz.core.data.kinds import of_capsule
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.person_rows import PersonRows, tells_apart
from dpviz.core.randomness.bits import Randomness, bits_of

NOBODY = -1
_UNLIKE = (
    "persons must be names that can be compared: numbers, texts, bytes, dates, UUIDs or tuples of "
    "these, in one array or list; some are other things, such as lists or sets, or the names lie "
    "in several columns. Make tuples of the columns themselves: list(zip(a, b))."
)
# what is compared by its value; another class, such as a set, may hold a missing part within
_NAMES = (Number, Decimal, str, bytes, date, time, timedelta, UUID, Enum, np.generic, type(None))
_OF_PANDAS = ("NAType", "NaTType", "Period", "Interval")  # known by name: their import is slow
_PANDAS_KINDS = (
    *("BooleanDtype", "Float32Dtype", "Float64Dtype"),
    *(f"{sign}Int{size}Dtype" for sign in ("", "U") for size in (8, 16, 32, 64)),
    *("PeriodDtype", "IntervalDtype", "DatetimeTZDtype"),
)
KINDS = "biufcUSMmO"  # of NumPy
_SECONDS = {
    "W": Fraction(604_800),
    "D": Fraction(86_400),
    "h": Fraction(3_600),
    "m": Fraction(60),
    **{
        unit: Fraction(1, 1000**at)
        for at, unit in enumerate(("s", "ms", "us", "ns", "ps", "fs", "as"))
    },
}
# seconds from 1970 to the beginnings of the years 1 and 10000: Python's and pandas' times
YEARS = -62_135_596_800, 253_402_300_800


def labels(persons: ArrayLike) -> IntArray:
    """A number for each row's person, (n,): equal ones for equal names, NOBODY for a missing one.

    persons are numbers, texts, bytes, dates, UUIDs or tuples of these; None, NaN, NaT, NA and the
    empty text are missing, all other texts are names. Floats so large that neighbouring whole
    numbers are one of them (from 2^53 up; of 32 bits from 2^24) tell nobody apart, and are missing,
    too. The price of a release takes one name for one person: whoever shares a name shares its k
    rows, and is protected less.
    Raises: InvalidData for anything but one name a row, by the kinds of names alone.
    """
    import pandas as pd  # noqa: PLC0415  half a second, for those who have people with several rows

    if isinstance(persons, np.ma.MaskedArray):
        raise InvalidData("persons must not be masked. Write None for a missing person.")
    persons = of_capsule(persons)
    kind: Any = getattr(persons, "dtype", None)
    # pandas makes floats of numbers beside a missing part; what comes of a table, or of a query,
    # hangs on what it holds
    if isinstance(persons, pd.MultiIndex | pd.DataFrame) or any(
        hasattr(persons, part) for part in ("column_names", "execute")
    ):
        raise InvalidData(_UNLIKE)
    if isinstance(kind, pd.api.extensions.ExtensionDtype):
        return _pandas_labels(persons, kind)
    if hasattr(persons, "dictionary_encode"):
        return _arrow_labels(persons)
    return _numpy_labels(_array(persons))


def _pandas_labels(persons: Any, kind: Any) -> IntArray:
    """The same of an array, series or index of one of pandas' own kinds."""
    import pandas as pd  # noqa: PLC0415

    if isinstance(kind, pd.ArrowDtype) or (
        isinstance(kind, pd.StringDtype) and kind.storage == "pyarrow"
    ):
        return _arrow_labels(getattr(persons, "array", persons).__arrow_array__())
    if isinstance(kind, pd.CategoricalDtype):
        sorts = pd.Categorical(persons)
        known = np.append(labels(sorts.categories), NOBODY)  # the last one is of no category
        return np.asarray(known[sorts.codes], dtype=np.int64)
    if isinstance(kind, pd.StringDtype):  # pandas' error of a text that is no UTF-8 would quote it
        persons = np.asarray(persons, dtype=object)
    elif isinstance(kind, pd.SparseDtype):  # NumPy would choose by whether there is a gap
        persons = np.asarray(persons, dtype=kind.subtype)
    elif _is_of_pandas(type(kind), ("NumpyEADtype",)):  # an array of NumPy within one of pandas
        persons = np.asarray(persons)
    elif not _is_of_pandas(type(kind), _PANDAS_KINDS):
        raise InvalidData(_UNLIKE)
    elif kind.kind != "f":
        # of whole numbers beside a missing one NumPy would make floats; times are never made
        # objects, which hold fewer of them
        return np.asarray(pd.factorize(persons)[0], dtype=np.int64)
    return _numpy_labels(_array(persons))


def _numpy_labels(given: NDArray[Any]) -> IntArray:
    """The same of an array of NumPy; its objects are names that can be compared."""
    import pandas as pd  # noqa: PLC0415

    if given.ndim != 1:
        raise InvalidData(
            f"persons must hold one name for each row, got an array of {given.ndim} dimensions."
        )
    if given.dtype.kind not in KINDS or given.dtype.char == "G":  # pandas has no long complex ones
        raise InvalidData(_UNLIKE)
    if given.dtype.kind == "f":
        given = np.where(np.abs(given) < tells_apart(given.dtype), given, np.nan)
    codes = names = None
    with suppress(TypeError, ValueError):
        # pandas refuses bytes in the other order, or takes a missing date for a day
        codes, names = pd.factorize(given.astype(given.dtype.newbyteorder("="), copy=False))
    if codes is None:  # after, and not within: what was caught may quote a name
        raise InvalidData(_UNLIKE)
    return _without_empty(np.asarray(codes, dtype=np.int64), cast("Any", names))


def _array(persons: ArrayLike) -> NDArray[Any]:
    """Names as they were given; of a list NumPy would make texts, and of a missing NaN "nan"."""
    if isinstance(persons, list | tuple):
        persons = np.fromiter(persons, dtype=object, count=len(persons))
    given = np.asarray(persons, dtype=None if hasattr(persons, "__array__") else object)
    if given.dtype.kind == "T":  # NumPy's texts of any length
        given = given.astype(object)
    if given.dtype.names is not None:  # a row of parts is a name of parts, and none may be a list
        if _has_lists(given.dtype):
            raise InvalidData(_UNLIKE)
        parts = map(_parts, given.ravel())
        given = np.fromiter(parts, object, given.size).reshape(given.shape)
    if given.dtype.kind != "O" or given.ndim != 1:
        return given
    named = None
    with suppress(RecursionError):  # tuples in tuples, a thousand of them
        named = np.fromiter(map(_named, given), object, given.size)
    if named is None:
        raise InvalidData(_UNLIKE)
    return named


def _has_lists(kind: np.dtype[Any]) -> bool:
    """Whether a part of a row is a list, or bytes of no kind."""
    parts = [kind[part] for part in kind.names or ()]
    own = kind.names is None and kind.kind not in KINDS
    return bool(kind.shape) or own or any(map(_has_lists, parts))


def _parts(row: Any) -> tuple[Any, ...]:
    """A row of a structured array as a tuple whose parts keep their kinds."""
    return tuple(_parts(one) if isinstance(one, np.void) else one for one in row)


def _named(one: Any) -> Any:
    """A name that can be compared: a length of time without a unit cannot, but its text can.

    A missing part of a name is the same missing part in every row.
    Raises: InvalidData for a class of values that is none of those that names are made of.
    """
    if isinstance(one, np.void) and one.dtype.names is not None and not _has_lists(one.dtype):
        one = _parts(one)
    if isinstance(one, tuple):
        named = (_named(part) for part in one)
        return tuple(None if _is_missing(part) else part for part in named)
    if _is_nobody(one):
        return None
    is_known = isinstance(one, _NAMES) and not isinstance(one, np.void)
    if not (is_known or _is_of_pandas(type(one), _OF_PANDAS)):
        raise InvalidData(_UNLIKE)
    if isinstance(one, np.datetime64 | np.timedelta64):
        return _time(one)
    # NumPy's numbers are equal to Python's of other hashes, or refuse to be compared with decimals
    return one.item() if isinstance(one, np.number | np.bool_) else one


def _is_of_pandas(kind: type, names: tuple[str, ...]) -> bool:
    return kind.__name__ in names and kind.__module__.split(".")[0] == "pandas"


def _time(one: np.datetime64 | np.timedelta64) -> Any:
    """A time of NumPy as pandas has it; its seconds beside its kind where pandas has it not.

    Pandas has those of the years 1 to 9999 in whole nanoseconds.

    NumPy's own are equal to days and whole numbers whose hashes differ: whether they were found
    equal would hang on how many names there are. So it is with pandas' that are so far away.
    """
    import pandas as pd  # noqa: PLC0415

    if np.isnat(one):
        return None
    name, (unit, step) = type(one).__name__, np.datetime_data(one)
    if isinstance(one, np.datetime64) and unit in ("Y", "M"):
        one, unit, step = one.astype("M8[D]"), "D", 1
    if unit not in _SECONDS:  # lengths in years and months, or without a unit
        return name, str(one)
    seconds = int(one.astype(np.int64)) * step * _SECONDS[unit]
    if not YEARS[0] <= seconds < YEARS[1]:
        return name, seconds
    kind: Any = pd.Timestamp if isinstance(one, np.datetime64) else pd.Timedelta
    made: Any = type(one)
    for unit in ("us", "ns"):  # pandas knows no finer ones, and no multiples
        whole = seconds / _SECONDS[unit]
        if whole.denominator == 1 and abs(whole) < 2**63:
            return kind(made(int(whole), unit))
    return name, seconds


def _arrow_labels(persons: Any) -> IntArray:
    """The same of an Arrow array, as stored: objects hold fewer times, and texts only UTF-8.

    Each chunk is encoded by itself, and the chunks' names by one another: what is refused hangs on
    the kind alone, not on how many rows, chunks or missing names there are.
    """
    import pyarrow as pa  # noqa: PLC0415  slow to import

    chunks = persons.chunks if isinstance(persons, pa.ChunkedArray) else [persons]
    chunks = [getattr(one, "storage", one) for one in chunks]  # of an extension, such as a UUID
    kind = getattr(persons.type, "storage_type", persons.type)
    is_coded = pa.types.is_dictionary(kind)
    kind = kind.value_type if is_coded else kind
    texts = pa.string(), pa.large_string(), pa.string_view()
    if kind in (*texts, pa.binary(), pa.large_binary(), pa.binary_view()):
        kind = pa.large_binary()  # as bytes, of which 2^31 are not too many for one array
    _check_encodes(kind)
    if is_coded:
        coded = [(one.indices, one.dictionary.cast(kind)) for one in chunks]
    elif pa.types.is_floating(kind):
        return labels(persons.to_numpy(zero_copy_only=False))
    elif pa.types.is_null(kind):
        return np.full(len(persons), NOBODY)
    else:
        encoded = [one.cast(kind).dictionary_encode() for one in chunks]
        coded = [(one.indices, one.dictionary) for one in encoded]
    if not coded:
        return np.empty(0, dtype=np.int64)
    known = _names_of(pa.concat_arrays([names for _, names in coded]))
    ends = np.cumsum([0, *(len(names) for _, names in coded)])
    found = [
        np.append(known[start:end], NOBODY)[  # the last one has no code
            codes.cast(pa.int64()).fill_null(NOBODY).to_numpy(zero_copy_only=False)
        ]
        for (codes, _), start, end in zip(coded, ends[:-1], ends[1:], strict=True)
    ]
    return np.concatenate(found).astype(np.int64)


def _names_of(names: Any) -> IntArray:
    """A number for each of some names, an Arrow array without chunks; NOBODY for a missing one."""
    import pyarrow as pa  # noqa: PLC0415

    if pa.types.is_floating(names.type):
        return labels(names.to_numpy(zero_copy_only=False))
    if pa.types.is_null(names.type):
        return np.full(len(names), NOBODY)
    encoded = names.dictionary_encode()
    codes = encoded.indices.fill_null(NOBODY).to_numpy(zero_copy_only=False).astype(np.int64)
    if names.type != pa.large_binary():
        return np.asarray(codes)
    return _without_empty(codes, np.array(encoded.dictionary.to_pylist(), dtype=object))


def _check_encodes(kind: Any) -> None:
    """Raises: InvalidData for a kind whose values Arrow cannot tell apart, with rows or none."""
    import pyarrow as pa  # noqa: PLC0415

    try:
        if pa.types.is_nested(kind):
            raise pa.lib.ArrowNotImplementedError
        pa.array([None], kind).dictionary_encode()
    except pa.lib.ArrowNotImplementedError:
        raise InvalidData(_UNLIKE) from None


def _is_nobody(name: Any) -> bool:
    """Whether a number tells nobody apart; NaN and None are found missing later."""
    if name is np.ma.masked:
        return True
    if isinstance(name, float | np.floating):
        kind = type(name) if isinstance(name, np.floating) else float
        return not abs(float(name)) < tells_apart(kind)
    return isinstance(name, Decimal) and name.is_nan()


def _is_missing(part: Any) -> bool:
    """Whether a part of a name says nothing: NaN, NaT and NA of all kinds."""
    if part is None:
        return True
    if isinstance(part, complex | np.complexfloating):
        return bool(np.isnan(part))
    if isinstance(part, np.datetime64 | np.timedelta64):
        return bool(np.isnat(part))
    return type(part).__name__ in {"NAType", "NaTType"}


def _without_empty(codes: IntArray, names: NDArray[Any]) -> IntArray:
    """The empty text is nobody's name, as an empty cell of a file is none."""
    if names.dtype.kind not in "OUS":
        return codes
    for empty in np.flatnonzero((names == "") | (names == b""))[::-1]:
        codes = np.where(codes == empty, NOBODY, codes - (codes > empty))
    return codes


def kept_rows(
    persons: ArrayLike, rows: PersonRows, present: BoolArray, rng: Randomness
) -> BoolArray:
    """Whether each row counts, (n,): of each person's rows at most k, drawn uniformly.

    present says which rows hold a value, (n,); others are not drawn from, nor are rows without a
    person. Every row is given a word of 64 random bits, and the k lowest words of a person are
    kept. Equal words, one pair in 2^64, stand in the order of their rows: the choice is still a map
    of each person alone, so what it costs is unaffected.
    Raises: InvalidParameter for rows that are weighted, InvalidData as labels does.
    """
    if wanted(PersonRows, rows, "rows").shared:
        raise InvalidParameter(
            "Weighted rows are all kept, as parts. Write PersonRows.at_most(k), or row_parts."
        )
    codes = labels(persons)
    at = np.flatnonzero(counted_rows(codes, present))
    words = bits_of(rng).words(at.size, np.uint64)
    order = np.lexsort((words, codes[at]))
    ordered = codes[at][order]
    rank = np.arange(at.size) - np.searchsorted(ordered, ordered, side="left")
    kept = np.zeros(codes.size, dtype=np.bool_)
    kept[at[order[rank < rows.most]]] = True
    return kept


def row_parts(persons: ArrayLike, rows: PersonRows, present: BoolArray) -> IntArray:
    """As how many parts each row counts, (n,): ⌊parts / r⌋ if r rows of its person are present.

    0 for rows that are not present or without a person, and for people with more rows than parts.
    Raises: InvalidParameter for rows that are not weighted, InvalidData as labels does.
    """
    if not wanted(PersonRows, rows, "rows").shared:
        raise InvalidParameter(
            "Only weighted rows have parts. Write PersonRows.weighted(), or kept_rows."
        )
    codes = labels(persons)
    counted = counted_rows(codes, present)
    each = np.bincount(codes[counted])
    parts = np.zeros(codes.size, dtype=np.int64)
    parts[counted] = rows.most // each[codes[counted]]
    return parts


def counted_rows(codes: IntArray, present: BoolArray) -> BoolArray:
    """The rows that are present and have a person, (n,); codes are of labels.

    Raises: InvalidData if codes and present differ in length.
    """
    if present.shape != codes.shape:
        raise InvalidData("Each row needs one person: persons and rows differ in number.")
    return np.asarray(present & (codes != NOBODY))
