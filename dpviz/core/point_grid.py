"""The public grid that exact quantile mechanisms work on: cells, and points inside each cell.

A record goes to a cell by one elementwise expression. Whatever that rounds, it looks at one record
alone, so neighbouring columns stay neighbours, and all that follows is whole numbers.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidData
from dpviz.core.grid import as_written
from dpviz.core.usual_floats import usual_floats

CONTINUOUS_CELLS = 1 << 40  # of a column without a resolution
POINT_BITS = 60
AT_ONCE = 1 << 15  # records worked on together: they stay in fast memory
EXACT = 1 << 53  # doubles hold every whole number up to here
EXACT_TENS = 22  # and every power of ten up to this one


@dataclass(frozen=True, slots=True)
class PointGrid:
    """Cells of a declared interval, each cut into 2^shift points.

    With a resolution r the cells are those around low + j·r; without one they are 2^40 equal parts.
    Made of declarations alone, so everything here is public.
    Raises: InvalidData where the points of a declared resolution need more than 60 bits.
    """

    bounds: Bounds
    resolution: float
    cells: int
    shift: int

    @classmethod
    def of(cls, bounds: Bounds, resolution: float = 0.0) -> "PointGrid":
        """The grid of a column's declarations."""
        return _grid(bounds, resolution)

    @property
    def points(self) -> int:
        """How many points there are: point p lies in cell p >> shift."""
        return self.cells << self.shift

    @property
    def reach(self) -> Bounds:
        """The interval that the cells cover: wider than the bounds by half a resolution."""
        return self.bounds.widened(self.resolution / 2) if self.resolution else self.bounds

    @usual_floats
    def cell(self, values: ArrayLike) -> IntArray:
        """The cell of each value, elementwise; values beyond the ends are in the outermost ones."""
        given = np.asarray(values, dtype=np.float64)
        cells = np.empty(given.shape, dtype=np.int64)
        every, found = given.reshape(-1), cells.reshape(-1)
        for start in range(0, every.size, AT_ONCE):
            place = every[start : start + AT_ONCE] - self.bounds.low
            if self.resolution:
                place /= self.resolution
                place += 0.5
            else:
                place /= self.bounds.width
                place *= self.cells
            np.floor(place, out=place)
            np.maximum(place, 0, out=place)
            np.minimum(place, self.cells - 1, out=place)
            found[start : start + AT_ONCE] = place
        return cells

    @usual_floats
    def lower_end(self, cells: ArrayLike) -> FloatArray:
        """Where each cell begins, in the column's units, to rounding; ends ascend with cells."""
        cell = np.asarray(cells, dtype=np.float64)
        if self.resolution:
            return np.asarray(self.bounds.low + (cell - 0.5) * self.resolution)
        return np.asarray(self.bounds.low + cell * (self.bounds.width / self.cells))

    @usual_floats
    def printed(self, cells: ArrayLike) -> FloatArray:
        """The number that stands for each cell, low + j·r as a decimal, inside the bounds.

        A sum of whole numbers divided by a power of ten is the double that is written 5.3.
        """
        cell = np.asarray(cells, dtype=np.int64)
        bounds, decimal = self.bounds, _decimal_steps(self.bounds.low, self.resolution, self.cells)
        if not self.resolution:
            values = bounds.low + bounds.width * (cell * (1 / self.cells))
        elif decimal is None:
            values = bounds.low + cell * self.resolution
        else:
            first, step, tens = decimal
            values = (first + cell * step) / 10.0**tens
        return np.clip(values, bounds.low, bounds.high)

    def rounded(self, values: ArrayLike) -> FloatArray:
        """Each value as the number that stands for its cell."""
        return self.printed(self.cell(values))

    @usual_floats
    def ranges(self, cells: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Where each cell begins and ends within the reach, in the column's units.

        Elementwise: the range of a record hangs on its own cell alone; neighbours share an end.
        """
        ends = (self.lower_end(np.asarray(cells) + beyond) for beyond in (0, 1))
        low, high = (np.clip(end, self.reach.low, self.reach.high) for end in ends)
        return low, high

    @usual_floats
    def middle(self, points: ArrayLike) -> FloatArray:
        """Where points lie in the column's units, up to rounding: for pictures, never released."""
        share = (np.asarray(points, dtype=np.float64) + 0.5) / self.points
        if not self.resolution:
            return np.asarray(self.bounds.low + share * self.bounds.width)
        return self.bounds.low + (share * self.cells - 0.5) * self.resolution


@lru_cache(maxsize=1024)  # public declarations only
def _grid(bounds: Bounds, resolution: float) -> PointGrid:
    if not resolution:
        return PointGrid(bounds, 0.0, CONTINUOUS_CELLS, 8)
    bounds.widened(resolution / 2)  # refuses ends that no double holds, before anything is drawn
    steps = (as_written(bounds.high) - as_written(bounds.low)) / as_written(resolution)
    cells = math.floor(steps + Fraction(1, 2)) + 1
    width = (cells - 1).bit_length()
    shift = max(16, 48 - width)
    if width + shift > POINT_BITS:
        raise InvalidData(
            f"Resolution {resolution:g} divides the bounds ({bounds.low:g}, {bounds.high:g}) into "
            f"{cells:,} steps; quantiles are drawn on at most {1 << (POINT_BITS - 16):,}. Declare "
            "a resolution of 0, a coarser one, or narrower bounds."
        )
    return PointGrid(bounds, resolution, cells, shift)


@lru_cache(maxsize=1024)  # public declarations only
def _decimal_steps(low: float, resolution: float, cells: int) -> tuple[int, int, int] | None:
    """Whole numbers a, b, k with low + j·r = (a + j·b)/10^k, if doubles hold all of them."""
    if not resolution:
        return None
    tens = max(0, *(-_exponent(number) for number in (low, resolution)))
    if tens > EXACT_TENS:
        return None
    first, step = (int(as_written(number) * 10**tens) for number in (low, resolution))
    if max(abs(first), abs(first + cells * step)) > EXACT:
        return None
    return first, step, tens


def _exponent(number: float) -> int:
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def crowded(ascending: IntArray, shift: int = 0) -> IntArray | None:
    """The places of the points whose cell, their number >> shift, holds another point, too.

    None where they are half of all or more.
    """
    found = np.zeros(ascending.size, dtype=np.bool_)
    for start in range(0, ascending.size - 1, AT_ONCE):
        near = ascending[start : start + AT_ONCE + 1]
        shared = (near[1:] ^ near[:-1]) < (1 << shift)
        found[start + 1 : start + 1 + shared.size] = shared
        found[start : start + shared.size] |= shared
    return None if 2 * np.count_nonzero(found) >= found.size else np.flatnonzero(found)
