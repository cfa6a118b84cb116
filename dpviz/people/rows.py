"""Which rows of a person count, and as how many parts. Confidential."""

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.core.checks import wanted
from dpviz.core.data.kinds import of_capsule
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.person_rows import PersonRows, tells_apart
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.core.usual_floats import usual_floats

NOBODY = -1
_UNLIKE = (
    "persons must be names, one name for each row in one array or list: texts, bytes, whole "
    "numbers, booleans, floats, UUIDs, tuples of these, or an array of dates or times without a "
    "time zone. Turn names of other kinds, such as decimals, enums or times in a list, into texts "
    "or whole numbers first. Make tuples of several columns: list(zip(a, b))."
)
Key = Callable[[Any], Hashable]


def _nobody(_: object) -> None:
    return None


def _number_below(limit: float, one: Any) -> float | None:
    number = float(one)
    return number if abs(number) < limit else None  # None for NaN, too


def _text(one: Any) -> str | None:
    """A text as Python's own class has it, which NumPy's would cut at its end."""
    return str.__str__(one) if isinstance(one, str) else None


def _bytes(one: bytes) -> Hashable:
    return bytes, bytes(one)  # beside their class, for "python -b" warns where a text meets bytes


# what a list may hold, by its exact class, and what is compared in its place; a class that is made
# of one of these may have an equality of its own
_KEYS: dict[type, Key] = {
    type(None): _nobody,
    type(np.ma.masked): _nobody,
    **dict.fromkeys((str, np.str_), _text),
    **dict.fromkeys((bytes, np.bytes_), _bytes),
    **dict.fromkeys((bool, np.bool_), bool),
    **dict.fromkeys((int, *(np.dtype(one).type for one in "bBhHiIlLqQ")), int),
    **{
        kind: partial(_number_below, tells_apart(kind))
        for kind in (float, np.float16, np.float32, np.float64)
    },
    UUID: lambda one: one,
}
_ARRAYS = "biufMSUTO"  # the kinds of NumPy's arrays


@usual_floats
def labels(persons: ArrayLike) -> IntArray:
    """A number for each row's person, (n,): equal ones for equal names, NOBODY for a missing one.

    persons are texts, bytes, whole numbers, booleans, floats, UUIDs or tuples of these, or an array
    of dates or times without a time zone; categories and dictionaries of these, too. A list may mix
    them: names are equal where Python says so, as 1, 1.0 and True are. Tuples in tuples and classes
    that inherit, such as enums and named tuples, are other kinds. None, NaN, NaT, NA and the empty
    text are missing, all other texts are names. Floats so large that neighbouring whole numbers are
    one of them (from 2^53 up; of 32 bits from 2^24) tell nobody apart, and are missing, too. The
    price of a release takes one name for one person: whoever shares a name shares its k rows, and
    is protected less.
    Raises: InvalidData for anything but one name a row, by the kinds of names alone: the declared
    kind of an array, the exact classes of what a list holds.
    """
    # half a second, for those who have people with several rows
    import pandas as pd  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(persons, np.ma.MaskedArray):
        raise InvalidData("persons must not be masked. Write None for a missing person.")
    persons = of_capsule(persons)
    if isinstance(persons, pa.Array | pa.ChunkedArray):
        return _arrow_labels(persons)
    if isinstance(persons, list | tuple | range):
        return _list_labels(list(persons))
    if not isinstance(persons, pd.MultiIndex):
        if isinstance(getattr(persons, "dtype", None), np.dtype):
            return _numpy_labels(_as_declared(persons))
        if isinstance(persons, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
            return _pandas_labels(getattr(persons, "array", persons))
    raise InvalidData(_UNLIKE)


def _as_declared(persons: Any) -> NDArray[Any]:
    """An array of NumPy of what declares a kind of NumPy's; of no dimension where that fails."""
    try:
        return np.asarray(persons)
    except MemoryError:
        raise
    except Exception:  # of another library, whose message may quote a name
        return np.empty(())


def _pandas_labels(array: Any) -> IntArray:
    """The same of an array of one of pandas' own kinds."""
    import pandas as pd  # noqa: PLC0415

    kind, own = type(array), pd.arrays
    if kind is pd.Categorical:
        return _of_codes(labels(array.categories), array.codes)
    if kind is own.NumpyExtensionArray:
        return _numpy_labels(np.asarray(array))
    if kind is own.StringArray:
        return _hashed(map(_text, array))
    if kind in (own.ArrowExtensionArray, own.ArrowStringArray):
        return _arrow_labels(array.__arrow_array__())
    if kind not in (own.IntegerArray, own.FloatingArray, own.BooleanArray):
        raise InvalidData(_UNLIKE)
    return _number_labels(array.to_numpy(array.dtype.numpy_dtype, na_value=0), ~array.isna())


def _numpy_labels(given: NDArray[Any]) -> IntArray:
    """The same of an array of NumPy."""
    kind = given.dtype.kind
    if given.ndim != 1 or kind not in _ARRAYS or given.dtype.char == "g":
        raise InvalidData(_UNLIKE)
    if kind == "O":
        return _list_labels(given.tolist())
    if kind == "T":
        return _hashed(map(_text, given.tolist()))
    if kind in "SU":  # a text may hold numbers that are no letters, so its bytes are compared
        held = np.ascontiguousarray(given if given.itemsize else given.astype("S1"))
        return _hashed(map(_bytes, held.view(f"S{held.itemsize}").tolist()))
    return _number_labels(given, np.ones(given.size, dtype=np.bool_))


def _number_labels(given: NDArray[Any], there: BoolArray) -> IntArray:
    """The same of numbers or times, of which some are there."""
    import pandas as pd  # noqa: PLC0415

    if given.dtype.kind == "f":
        there = there & (np.abs(given) < tells_apart(given.dtype))
    if given.dtype.kind == "M":  # whole numbers of its unit: pandas would turn them into another
        there, given = ~np.isnat(given), given.astype(np.int64)
    found = np.full(given.size, NOBODY)
    found[there] = pd.factorize(given[there].astype(given.dtype.newbyteorder("=")))[0]
    return found


def _list_labels(names: list[Any]) -> IntArray:
    """The same of a list of mixed classes, which alone decide whether it is taken."""
    import pandas as pd  # noqa: PLC0415

    keys: dict[type, Key] = {**_KEYS, type(pd.NA): _nobody, type(pd.NaT): _nobody}
    tuples = (one for one in names if type(one) is tuple)
    within = {type(part) for one in tuples for part in one}
    if ({*map(type, names)} - {tuple} | within) - keys.keys():
        raise InvalidData(_UNLIKE)
    keys[tuple] = lambda one: (tuple, *(keys[type(part)](part) for part in one))
    return _hashed(keys[type(one)](one) for one in names)


def _hashed(names: Iterable[Hashable]) -> IntArray:
    """The same of what Python itself compares; the empty text is nobody's name."""
    known: dict[Hashable, int] = dict.fromkeys((None, "", _bytes(b"")), NOBODY)
    before = len(known)
    found = (known.setdefault(one, len(known) - before) for one in names)
    return np.fromiter(found, dtype=np.int64)


def _arrow_labels(persons: Any) -> IntArray:
    """The same of an array of Arrow's, as stored: no text is decoded and no time converted."""
    import pyarrow as pa  # noqa: PLC0415

    kind, of = persons.type, pa.types
    chunks = persons.chunks if isinstance(persons, pa.ChunkedArray) else [persons]
    if isinstance(kind, pa.UuidType):
        chunks, kind = [one.storage for one in chunks], kind.storage_type
    chunks = [one for one in chunks if len(one)]  # Arrow cannot join empty ones of a capsule
    whole = pa.chunked_array(chunks, kind)
    if of.is_dictionary(kind):
        return _decoded(chunks, kind.value_type)
    if of.is_null(kind):
        return np.full(len(whole), NOBODY)
    if of.is_floating(kind):
        return _numpy_labels(whole.to_numpy())
    texts = pa.string(), pa.large_string(), pa.string_view(), pa.binary_view(), pa.binary()
    if kind in texts or of.is_fixed_size_binary(kind):
        kind = pa.large_binary()  # of which 2^31 bytes are not too many for one array
    zoned = of.is_timestamp(kind) and kind.tz is not None
    taken = of.is_large_binary, of.is_integer, of.is_boolean, of.is_date, of.is_timestamp
    if zoned or not any(one(kind) for one in taken):
        raise InvalidData(_UNLIKE)
    if not chunks:  # of which Arrow makes no dictionary
        return np.empty(0, dtype=np.int64)
    encoded = whole.cast(kind).dictionary_encode().combine_chunks()
    known = np.arange(len(encoded.dictionary))
    if kind == pa.large_binary():
        known = _hashed(map(_bytes, encoded.dictionary.to_pylist()))
    return _of_codes(known, encoded.indices.fill_null(NOBODY).to_numpy())


def _decoded(chunks: list[Any], kind: Any) -> IntArray:
    """The same of Arrow's chunks of codes, each with its own dictionary of names of a kind."""
    import pyarrow as pa  # noqa: PLC0415

    known = _arrow_labels(pa.chunked_array([one.dictionary for one in chunks], kind))
    starts = np.cumsum([0, *(len(one.dictionary) for one in chunks)])
    found = [np.empty(0, dtype=np.int64)]
    for one, start, end in zip(chunks, starts[:-1], starts[1:], strict=True):
        codes = one.indices.cast(pa.int64()).fill_null(NOBODY).to_numpy()
        found.append(_of_codes(known[start:end], codes))
    return np.concatenate(found)


def _of_codes(known: IntArray, codes: NDArray[Any]) -> IntArray:
    """The labels of codes, of which NOBODY, -1, is that of a missing name."""
    found: IntArray = np.append(known, NOBODY)[codes]
    return found


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
