"""Confidential data: one column of numbers inside declared bounds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.checks import a, checked_flag, optional, real_numbers, settle, wanted, whole_numbers
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import (
    COUNTED,
    checked_resolution,
    one_dimensional,
    record_count,
    unmasked,
    whole_counts,
)
from dpviz.core.errors import InvalidData
from dpviz.core.point_grid import PointGrid, crowded
from dpviz.core.usual_floats import usual_floats

MOST_EXPANDED = 1 << 27  # records whose values are held one by one: a gigabyte
MOST_APART = 1 << 24  # records that mechanisms hold apart where they can do with counts


@confidential("bounds", "resolution")
@dataclass(frozen=True, eq=False)
class Column:
    """A clipped column of n real values in ascending order. Everything in it is confidential.

    resolution is the declared spacing of the values (1 for integer ages, 0 for continuous).
    clipped and dropped count the values moved to a bound and the missing ones.

    >>> dp.Column.from_values([31, 45, 27], dp.Bounds(0, 100), resolution=1)
    <Column of confidential data: bounds=Bounds(low=0.0, high=100.0), resolution=1.0>

    Shapes: held are the distinct values (d,), ascending, and counts says how many records share
    each; or, where few do, held are the values of all records (n,) and counts is None. Read-only.
    counted says that the column was made of counts: its records have no other existence.
    """

    held: FloatArray
    bounds: Bounds
    resolution: float
    clipped: int
    dropped: int
    counts: IntArray | None = None
    counted: bool = False

    def __post_init__(self) -> None:
        values = unmasked(self.held, "values")
        low, high = wanted(Bounds, self.bounds, "bounds", InvalidData).low, self.bounds.high
        object.__setattr__(self, "resolution", checked_resolution(self.resolution, self.bounds))
        settle(self, **COUNTED, counts=optional(a(np.ndarray)), counted=checked_flag)
        if values.ndim != 1 or values.dtype != np.float64:
            raise InvalidData("values must be floats in one dimension; use Column.from_values.")
        inside = values.size == 0 or (low <= values[0] and values[-1] <= high)
        if not (inside and (values[1:] >= values[:-1]).all()):
            raise InvalidData(
                "A column's values must be sorted and inside its bounds; use Column.from_values."
            )
        if self.counts is None:
            return
        fits = self.counts.shape == values.shape and self.counts.dtype == np.int64
        if not (fits and (self.counts > 0).all() and (values[1:] > values[:-1]).all()):
            raise InvalidData("Each distinct value needs one count; use Column.from_counts.")

    @classmethod
    @usual_floats
    def from_values(cls, values: ArrayLike, bounds: Bounds, resolution: float = 0.0) -> Column:
        """Drop missing values, sort, clip to bounds (infinite values are clipped like any other).

        values are a list, or an array or series of NumPy, pandas, Arrow, Polars or of whatever else
        hands out Arrow's capsules. NaN, None, nulls and masked ones are missing.
        Raises: InvalidData if a value is no number, if bounds is not a Bounds or if the resolution
        is negative or wider than the bounds.
        """
        wanted(Bounds, bounds, "bounds", InvalidData)
        resolution = checked_resolution(resolution, bounds)
        ordered = np.sort(one_dimensional(values))  # NaN sorts last, so one search finds them
        kept = ordered[: np.searchsorted(ordered, np.nan)]
        below = int(np.searchsorted(kept, bounds.low, side="left"))
        above = int(np.searchsorted(kept, bounds.high, side="right"))
        kept[:below] = bounds.low
        kept[above:] = bounds.high
        kept += 0.0  # -0 becomes 0: equal columns are of the same bytes
        clipped, dropped = below + kept.size - above, ordered.size - kept.size
        counts: IntArray | None = None
        if resolution:
            last = _last_of_ties(kept)
            if 2 * last.size <= kept.size:  # else the values take less room than the counts
                counts = frozen(np.diff(last, prepend=-1))
                kept = kept[last]
        return cls(frozen(kept), bounds, resolution, clipped, dropped, counts)

    @classmethod
    @usual_floats
    def from_counts(
        cls,
        values: ArrayLike,
        counts: ArrayLike,
        bounds: Bounds,
        resolution: float = 0.0,
        missing: int = 0,
    ) -> Column:
        """The column in which counts[i] records have values[i], (d,) each, in any order.

        Values are clipped, NaN counts as missing; missing are records without a value beside those.
        The same as from_values of the records, but that what needs each record apart is refused.
        Raises: as from_values; InvalidData if a count is not a whole number from 0 up, if there
        are more records than 2^53, or if values and counts differ in length.
        """
        wanted(Bounds, bounds, "bounds", InvalidData)
        resolution = checked_resolution(resolution, bounds)
        given, numbers = one_dimensional(values), whole_counts(counts)
        if numbers.shape != given.shape:
            raise InvalidData("Each value needs one count: values and counts differ in number.")
        missing = record_count(missing, "missing")
        absent = np.isnan(given)
        some = ~absent & (numbers > 0)
        inside = np.clip(given[some], bounds.low, bounds.high)
        moved = int(numbers[some][inside != given[some]].sum())
        order = np.argsort(inside, kind="stable")
        ordered = inside[order]
        before = np.concatenate(([0], np.cumsum(numbers[some][order])))
        last = _last_of_ties(ordered)
        each = np.diff(before[last + 1], prepend=0)
        dropped = int(numbers[absent].sum()) + missing
        kept = ordered[last] + 0.0
        return cls(frozen(kept), bounds, resolution, moved, dropped, frozen(each), counted=True)

    @cached_property
    def n(self) -> int:
        """Number of records."""
        return self.held.size if self.counts is None else int(self.counts.sum())

    @cached_property
    def values(self) -> FloatArray:
        """Every record's value (n,), ascending, read-only: made when it is asked for.

        Raises: InvalidData for a column made of so many counts that memory would be filled; no
        mechanism asks for it then.
        """
        if self.counts is None:
            return self.held
        return frozen(np.repeat(self.held, self._expandable()))

    @cached_property
    def tied(self) -> bool:
        """Whether two records share a value."""
        if self.counts is not None:
            return bool((self.counts > 1).any())
        return bool((self.held[1:] == self.held[:-1]).any())

    @cached_property
    def steps(self) -> tuple[FloatArray, IntArray]:
        """The empirical CDF as steps: distinct values (d,) and records up to each (d,)."""
        if self.counts is not None:
            return self.held, frozen(np.cumsum(self.counts))
        last = _last_of_ties(self.held)
        return frozen(self.held[last]), frozen(last + 1)

    @cached_property
    @usual_floats
    def total(self) -> float:
        """The sum of all values, to rounding; the same whichever way the records are held."""
        values, up_to = self.steps
        with np.errstate(over="ignore", invalid="ignore"):  # where no double holds it
            return float(np.sum(values * np.diff(up_to, prepend=0)))

    @property
    def grid(self) -> PointGrid:
        """The public cells and points that exact quantile mechanisms work on."""
        return PointGrid.of(self.bounds, self.resolution)

    @property
    def cells(self) -> IntArray:
        """The cell of the grid that each record goes to, (n,), ascending.

        Raises: as values.
        """
        if self.counts is None:
            return self._cells
        return np.repeat(self._cells, self._expandable())

    @cached_property
    def cell_counts(self) -> tuple[IntArray, IntArray]:
        """The cells that hold records (c,), ascending, and how many each holds (c,)."""
        last, cells = _last_of_ties(self._cells), self._cells
        if last.size < cells.size:
            cells = frozen(cells[last])
        # of many untied records every further array of their size is felt
        each = last + 1 if self.counts is None else self.steps[1][last]
        each[1:] -= each[:-1].copy()
        return cells, frozen(each)

    @cached_property
    def crowded(self) -> IntArray | None:
        """The places of the records that share their cell, None where most do."""
        cells = self._cells  # refused by the declaration alone, whatever the records are held as
        if self.counts is not None:
            return None
        found = crowded(cells)
        return None if found is None else frozen(found)

    @cached_property
    def digest(self) -> bytes:
        """32 bytes that stand for the whole content and its declarations; never released."""
        # untied records are their distinct values, each once: no steps need to be found
        parts = self.steps if self.tied else (self.held,)
        declared = f"{self.bounds.low!r},{self.bounds.high!r},{self.resolution!r};"
        shape = f"{len(parts)},{parts[0].size};"  # else other values may be of the same bytes
        digest = hashlib.blake2b((declared + shape).encode(), digest_size=32)
        for part in parts:
            digest.update(np.ascontiguousarray(part).data)
        digest.update(f";{self.n},{self.clipped},{self.dropped}".encode())
        return digest.digest()

    @property
    def fingerprint(self) -> str:
        """The digest as a short text: a safe cache key, never released."""
        return self.digest.hex()[:32]

    def count_below(self, at: ArrayLike) -> IntArray:
        """#{x < at}, elementwise. Raises: InvalidParameter for places that are not numbers."""
        place = np.searchsorted(self.held, real_numbers(at, "at"), side="left")
        return self._ranked(np.asarray(place))

    def count_up_to(self, at: ArrayLike) -> IntArray:
        """#{x ≤ at}, elementwise. Raises: as count_below."""
        place = np.searchsorted(self.held, real_numbers(at, "at"), side="right")
        return self._ranked(np.asarray(place))

    def of_rank(self, rank: ArrayLike) -> FloatArray:
        """The value of the record that `rank` others precede, elementwise; confidential.

        A rank beyond the ends means the first or the last record, and a column without records
        gives NaN: whether ranks are refused does not depend on n.
        Raises: InvalidParameter for ranks that are not whole numbers.
        """
        at = np.clip(whole_numbers(rank, "rank"), 0, max(self.n - 1, 0))
        if self.n == 0:
            return np.full(at.shape, np.nan)
        if self.counts is not None:
            at = np.searchsorted(self.steps[1], at, side="right")
        return np.asarray(self.held[at])

    def _ranked(self, place: IntArray) -> IntArray:
        """The records in front of places among the held values."""
        return place.astype(np.int64) if self.counts is None else self._before[place]

    @cached_property
    def _before(self) -> IntArray:
        return np.concatenate(([0], self.steps[1]))

    @cached_property
    def _cells(self) -> IntArray:
        return frozen(self.grid.cell(self.held))

    @property
    def too_many(self) -> bool:
        """Whether mechanisms only ever work on the counts: more than 2^24 records made of them.

        It decides how a law is drawn, never which: that follows from counted, a declaration.
        """
        return self.counted and self.n > MOST_APART

    def _expandable(self) -> IntArray:
        if self.counted and self.n > MOST_EXPANDED:
            raise InvalidData(
                "This needs every record apart, and a column made of counts holds none. Choose a "
                "mechanism that takes counts, or draw a sample and declare that it is one."
            )
        assert self.counts is not None
        return self.counts


def _last_of_ties(ascending: FloatArray | IntArray) -> IntArray:
    """The place of the last of each run of equal numbers."""
    if ascending.size == 0:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.append(ascending[1:] != ascending[:-1], True))
