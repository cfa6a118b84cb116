"""Quantile sets: what was asked, and the strictly increasing set that mechanisms work on."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.checks import found
from dpviz.core.errors import InvalidQuantiles


@dataclass(frozen=True, slots=True, eq=False)
class QuantileSet:
    """Quantiles as asked (any order, repeats allowed) and their sorted distinct values.

    Shapes: asked (k,), distinct (m,), position (k,) with distinct[position] == asked.
    Repeated quantiles are merged before m and the number of levels are counted.
    """

    asked: FloatArray
    distinct: FloatArray
    position: IntArray

    @classmethod
    def of(cls, quantiles: "QuantileSet | Iterable[float] | float") -> "QuantileSet":
        """Validate quantiles.

        Raises: InvalidQuantiles unless there is at least one and all satisfy 0 < q < 1.
        """
        if isinstance(quantiles, QuantileSet):
            return quantiles
        try:
            asked = np.atleast_1d(np.array(_as_list(quantiles), dtype=np.float64))
        except (TypeError, ValueError, OverflowError):
            raise InvalidQuantiles(
                f"Quantiles must be numbers, got {found(quantiles)}. Write them as [0.25, 0.5]."
            ) from None
        if asked.ndim != 1:
            raise InvalidQuantiles(f"Quantiles must be one list, got shape {asked.shape}.")
        if asked.size == 0:
            raise InvalidQuantiles("The quantile set is empty. Give at least one, such as 0.5.")
        outside = asked[~((asked > 0) & (asked < 1))]
        if outside.size:
            raise InvalidQuantiles(
                f"Quantiles must lie strictly between 0 and 1; {outside.size} of {asked.size} do "
                f"not (first: {outside[0]:g})."
            )
        distinct, position = np.unique(asked, return_inverse=True)
        return cls(frozen(asked), frozen(distinct), position.astype(np.int64))

    @property
    def count(self) -> int:
        """m, the number of distinct quantiles."""
        return int(self.distinct.size)

    @property
    def levels(self) -> int:
        """L = ⌊log2 m⌋ + 1, the depth of the recursion of ApproximateQuantiles."""
        return self.count.bit_length()

    def in_order_asked(self, values: FloatArray) -> FloatArray:
        """Values of the distinct quantiles (…, m), laid out as they were asked (…, k)."""
        return values[..., self.position]

    def ranks(self, n: int) -> FloatArray:
        """⌊q n⌋ for each distinct quantile, guarded against floating point (.29 · 100 is 29)."""
        return floor_guarded(self.distinct * n)


def _as_list(quantiles: Iterable[float] | float) -> object:
    if isinstance(quantiles, np.ndarray | np.generic) and not np.ma.is_masked(quantiles):
        if quantiles.dtype.kind not in "fiu":
            raise TypeError(f"quantiles of type {quantiles.dtype} are not real numbers")
        return quantiles
    if isinstance(quantiles, str | bytes):  # a text is no list of its letters
        raise TypeError("a text is not a number")
    if isinstance(quantiles, int | float):
        return quantiles
    listed = list(quantiles)
    if any(isinstance(one, str | bytes | np.ma.MaskedArray) for one in listed):
        raise TypeError("neither a text nor a masked entry is a number")
    return listed


def floor_guarded(products: FloatArray) -> FloatArray:
    """⌊x⌋ after absorbing a few units of rounding, so that .29 · 100 counts as 29."""
    slack = 4 * np.finfo(np.float64).eps * np.maximum(np.abs(products), 1.0)
    return np.floor(products + slack)


def uniform_quantiles(m: int) -> FloatArray:
    """i/(m+1) for i = 1..m, the uniform quantiles of the AQ paper."""
    if m < 1:
        raise InvalidQuantiles(f"The number of quantiles must be at least 1, got {m}.")
    return np.arange(1, m + 1, dtype=np.float64) / (m + 1)


QUARTILES: FloatArray = uniform_quantiles(3)
DECILES: FloatArray = uniform_quantiles(9)
PERCENTILES: FloatArray = uniform_quantiles(99)


def parse_quantiles(text: str) -> FloatArray:
    """Read a typed list such as '0.01, 0.5; 99%' (comma, semicolon or white space between).

    Raises: InvalidQuantiles that names the first unreadable part, or as QuantileSet.of.
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    numbers = []
    for part in parts:
        percent = part.endswith("%")
        try:
            number = float(part.removesuffix("%"))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InvalidQuantiles(
                f"'{part}' is not a number. Write quantiles as 0.01, 0.5, 0.99 or 1%, 50%, 99%."
            )
        numbers.append(number / 100 if percent else number)
    return QuantileSet.of(numbers).asked
