"""What data may be made of: numbers in one dimension, whole counts, a declared resolution."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.checks import Rule, checked_number, found, short, wanted, whole
from dpviz.core.errors import InvalidData, InvalidParameter

# the fields that say how many values were moved or left out
COUNTED: dict[str, Rule] = {"clipped": whole(0, sys.maxsize), "dropped": whole(0, sys.maxsize)}
MOST_COUNTED = 1 << 53  # records in all: doubles hold every whole number up to here
TOO_MANY = f"Counts add up to at most 2^53 = {MOST_COUNTED:,} records; these are more."


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
    """Real numbers as doubles, (n,); masked ones are missing, NaN.

    Raises: InvalidData for anything else; texts are no numbers, whatever they say.
    """
    try:
        given = np.asarray(values)
        if _holds_texts(given):  # numpy would read them, and quote the first that it cannot
            raise TypeError("texts are none, even such as '1'; read them as numbers first")
        if given.dtype.kind in "cmM":  # else dates become day counts, imaginary parts vanish
            raise TypeError(f"values of type {given.dtype} are not real numbers")
        array = given.astype(np.float64, copy=False)
        if isinstance(values, np.ma.MaskedArray):
            array = np.where(np.ma.getmaskarray(values), np.nan, array)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidData(f"A column needs numbers for its values: {short(error)}.") from None
    if array.ndim != 1:
        raise InvalidData(
            f"A column's values have one dimension, got {array.ndim} ({found(values)})."
        )
    return array


def unmasked(values: NDArray[Any], name: str) -> NDArray[Any]:
    """An array itself.

    Raises: InvalidData for anything else, and for an array with a mask, which nobody would look at.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidData(f"{name} must not be masked. Leave missing values out.")
    return wanted(np.ndarray, values, name, InvalidData)


def _holds_texts(given: NDArray[Any]) -> bool:
    if given.dtype.kind != "O":
        return given.dtype.kind in "SUT"
    return any(issubclass(one, str | bytes) for one in set(map(type, given.flat)))


def whole_counts(counts: ArrayLike) -> IntArray:
    """Counts of records as whole numbers, of any shape; together at most 2^53.

    Raises: InvalidData for anything but whole numbers from 0 up, or for more records.
    """
    if np.ma.is_masked(counts):
        raise InvalidData("Counts must not be masked. Write 0, or leave the values out.")
    try:
        given = np.asarray(counts)
    except (TypeError, ValueError) as error:
        raise InvalidData(f"Counts must be whole numbers: {short(error)}.") from None
    if given.dtype.kind == "f":
        if not (np.isfinite(given) & (given == np.floor(given))).all():
            raise InvalidData("Counts must be whole numbers: some are fractions or missing.")
    elif given.dtype.kind not in "iu" and given.size:
        raise InvalidData(f"Counts must be whole numbers, got values of type {given.dtype}.")
    if (given < 0).any():
        raise InvalidData("Counts must be 0 or more: some are negative.")
    if given.size and float(given.max()) > MOST_COUNTED:
        raise InvalidData(TOO_MANY)
    kept = given.astype(np.int64)
    # the sum in doubles is off by less than a half, so that below it whole numbers do not overflow
    if kept.sum(dtype=np.float64) > 2 * MOST_COUNTED or kept.sum() > MOST_COUNTED:
        raise InvalidData(TOO_MANY)
    return kept
