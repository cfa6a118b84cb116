"""What data may be made of: numbers in one dimension, whole counts, a declared resolution."""

import math
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.checks import Rule, checked_number, found, wanted
from dpviz.core.data.kinds import is_number, may_be_numbers, of_capsule
from dpviz.core.errors import InvalidData, InvalidParameter

MOST_COUNTED = 1 << 53  # records in all: doubles hold every whole number up to here
TOO_MANY = f"Counts add up to at most 2^53 = {MOST_COUNTED:,} records; these are more."


def record_count(value: float, name: str, most: int = MOST_COUNTED) -> int:
    """A number of records that were moved or left out, from 0 to most; a whole float is one.

    It is confidential, so that no refusal says it.
    Raises: InvalidData for anything else.
    """
    plain = value.item() if isinstance(value, np.generic) else value
    is_number = isinstance(plain, int | float) and not isinstance(plain, bool)
    if is_number and 0 <= plain <= most and plain == int(plain):
        return int(plain)
    raise InvalidData(
        f"{name} must be a whole number of records from 0 to 2^{most.bit_length() - 1}, and what "
        f"was given ({type(value).__name__}) is none."
    )


# the fields that say how many values were moved or left out: of a column, and beside it
COUNTED: dict[str, Rule] = dict.fromkeys(
    ("clipped", "dropped"), partial(record_count, most=2 * MOST_COUNTED)
)


def checked_resolution(resolution: float, bounds: Bounds) -> float:
    """A resolution as a float; refuses negative, infinite, too fine or coarser than the bounds."""
    try:
        resolution = checked_number(resolution, "resolution")
    except InvalidParameter:
        raise InvalidData(
            f"Resolution must be 0 or a positive number, got {found(resolution)}."
        ) from None
    if not 0 <= resolution < math.inf:
        raise InvalidData(f"Resolution must be 0 or a positive number, got {resolution}.")
    spacing = float(np.spacing(max(abs(bounds.low), abs(bounds.high))))
    if 0 < resolution < 2 * spacing:
        raise InvalidData(
            f"Resolution {resolution:g} is finer than numbers as large as the bounds "
            f"({bounds.low:g}, {bounds.high:g}) can be told apart: their spacing is {spacing:g}. "
            "Declare a resolution of 0, or one of at least twice that spacing."
        )
    if resolution > bounds.width:
        raise InvalidData(
            f"Resolution {resolution:g} is coarser than the bounds ({bounds.low:g}, "
            f"{bounds.high:g}) are wide. Declare the spacing between neighbouring values."
        )
    return resolution


def one_dimensional(values: ArrayLike) -> FloatArray:
    """Real numbers as doubles, (n,), infinite where a double holds none so large.

    None, NaN, pandas' NA and masked ones are missing, NaN. Which numbers there are decides nothing
    but their own place: refusals look at the kinds of values and at the array's dimensions alone.
    Raises: InvalidData for anything but numbers; texts are none, whatever they say.
    """
    if isinstance(values, list | tuple):
        values = [unwrapped(one) for one in values]
    given = as_array(values)
    if given.ndim == 0:
        raise InvalidData(
            f"A column's values have one dimension, got 0 ({type(values).__name__}). Give one "
            "number a record."
        )
    array = _doubles(given) if given.ndim == 1 else None
    if array is None:
        raise InvalidData(
            "A column needs numbers for its values, one a record, and some are texts, dates, "
            "lists, complex numbers or other things; texts are none, even such as '1'. Read them "
            "as numbers first."
        )
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), np.nan, array)
    return array


def unwrapped(one: Any) -> Any:
    """The number in an array without dimensions, NaN for a masked one; others as they are."""
    if not isinstance(one, np.ndarray) or one.ndim:
        return one
    return math.nan if np.ma.is_masked(one) else one[()]


def as_array(values: ArrayLike) -> NDArray[Any]:
    """An array of these values; of one object, which is refused, where NumPy has none of them.

    So it is with lists of several lengths, and with kinds that hold no numbers, rows or none.
    """
    held = of_capsule(values)
    if not may_be_numbers(held):
        return np.array([object()])
    try:
        return _decoded(held)
    except MemoryError:
        raise
    except Exception:  # its message may quote a cell
        return np.array([object()])


def _decoded(values: Any) -> NDArray[Any]:
    """An array of these values; Arrow's chunks one by one, for those with codes may not agree."""
    if type(getattr(values, "dtype", None)).__name__ == "ArrowDtype":  # of pandas
        held = getattr(values, "array", values).__arrow_array__()
        values = held if hasattr(held.type, "value_type") else values
    if not (hasattr(values, "chunks") and hasattr(values.type, "value_type") and values.num_chunks):
        return np.asarray(values)
    return np.concatenate([np.asarray(one.dictionary_decode()) for one in values.chunks])


def _doubles(given: NDArray[Any]) -> FloatArray | None:
    """Doubles (n,); None where a value is no number."""
    if given.dtype.kind == "O":
        if not all(map(is_number, set(map(type, given)))):
            return None
        return np.fromiter(map(_double, given), dtype=np.float64, count=given.size)
    if given.dtype.kind not in "biuf":  # dates would become day counts, imaginary parts vanish
        return None
    with np.errstate(all="ignore"):  # long doubles; a signalling NaN
        return given.astype(np.float64, copy=False)


def _double(value: Any) -> float:
    if _is_missing(value):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _is_missing(value: object) -> bool:
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling one has no double
    return not isinstance(value, Real | np.bool_)


def unmasked(values: NDArray[Any], name: str) -> NDArray[Any]:
    """An array itself.

    Raises: InvalidData for anything else, and for an array with a mask, which nobody would look at.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidData(f"{name} must not be masked. Leave missing values out.")
    return wanted(np.ndarray, values, name, InvalidData)


def whole_counts(counts: ArrayLike) -> IntArray:
    """Counts of records as whole numbers, of any shape; together at most 2^53.

    Raises: InvalidData for anything but whole numbers from 0 up, or for more records.
    """
    if isinstance(counts, np.ma.MaskedArray):  # whether or not any of it is masked
        raise InvalidData("Counts must not be masked. Write 0, or leave the values out.")
    given = as_array(counts)
    if given.dtype.kind == "f":
        with np.errstate(invalid="ignore"):  # a signalling NaN
            are_whole = np.isfinite(given) & (given == np.floor(given))
        if not are_whole.all():
            raise InvalidData("Counts must be whole numbers: some are fractions or missing.")
    elif given.dtype.kind not in "iu":
        raise InvalidData(
            "Counts must be whole numbers of at most 64 bits, and some are something else: texts, "
            "truth values, decimals, larger ones or missing ones."
        )
    if (given < 0).any():
        raise InvalidData("Counts must be 0 or more: some are negative.")
    if given.size and float(given.max()) > MOST_COUNTED:
        raise InvalidData(TOO_MANY)
    kept = given.astype(np.int64)
    # the sum in doubles is off by less than a half, so that below it whole numbers do not overflow
    if kept.sum(dtype=np.float64) > 2 * MOST_COUNTED or kept.sum() > MOST_COUNTED:
        raise InvalidData(TOO_MANY)
    return kept
