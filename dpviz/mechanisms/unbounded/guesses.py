"""Public guesses that grow from a lower end, and the stretches of them with equally many below."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import one_dimensional
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData

LARGEST = 300 * math.log(10)  # of ln base^guesses, and of ln(unit · base^guesses)
NEAR = 2  # guesses to either side of where a logarithm says that a value lies


@dataclass(frozen=True, slots=True)
class Guesses:
    """g_i = lower + unit (base^i − 1) for i = 0 … count − 1, never falling."""

    base: float
    count: int
    lower: float
    unit: float

    def at(self, index: ArrayLike) -> FloatArray:
        """g_i; ∞ at count, where there is no guess."""
        place = np.asarray(index, dtype=np.int64)
        inside = np.minimum(place, self.count - 1)
        grown = self.lower + self.unit * (np.power(float(self.base), inside) - 1)
        return np.where(place < self.count, grown, np.inf)

    def above(self, values: FloatArray) -> IntArray:
        """The first guess above each value, elementwise; count where no guess is above it.

        A logarithm says about where, comparisons with the guesses themselves say exactly where.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            steps = np.log1p(np.maximum(values - self.lower, 0) / self.unit) / math.log(self.base)
        about = np.clip(np.nan_to_num(steps), 0, self.count).astype(np.int64)
        low, high = np.maximum(about - NEAR, 0), np.minimum(about + NEAR, self.count)
        low[(low > 0) & (self.at(low - 1) > values)] = 0
        high[~(self.at(high) > values)] = self.count
        while (low < high).any():
            middle = (low + high) // 2
            over = (self.at(middle) > values) | (middle == self.count)
            low, high = np.where(over, low, middle + 1), np.where(over, middle, high)
        return low


@confidential()
@dataclass(frozen=True, slots=True)
class Stretches:
    """Runs of guesses with equally many records below. Confidential.

    Shapes: first is a stretch's first guess (m,), from 0 ascending, length how many guesses it has
    (m,), below the records below each of them (m,), ascending. records is n.
    """

    first: IntArray
    length: IntArray
    below: IntArray
    records: int

    @classmethod
    def of(cls, values: FloatArray, guesses: Guesses) -> "Stretches":
        """The stretches of values without NaN, in any order."""
        distinct, copies = np.unique(values, return_counts=True)
        at, place = np.unique(guesses.above(distinct), return_inverse=True)
        up_to = np.cumsum(np.bincount(place, copies, at.size)).astype(np.int64)
        seen = at < guesses.count  # other records lie below no guess
        first, below = at[seen], up_to[seen]
        if not (first.size and first[0] == 0):
            first, below = np.append(0, first), np.append(0, below)
        return cls(first, np.diff(first, append=guesses.count), below, int(values.size))


def present(values: ArrayLike) -> FloatArray:
    """The values that are there, as doubles: NaN is dropped, infinite values stay.

    Raises: InvalidData for anything but numbers in one dimension.
    """
    if isinstance(values, Column):
        raise InvalidData(
            "Values are asked for where nobody knows bounds, got a Column, which has some. Hand "
            "over the values that it was made of."
        )
    given = one_dimensional(values)
    return given[~np.isnan(given)]
