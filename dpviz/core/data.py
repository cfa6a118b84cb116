"""Confidential data: one column, or points in the plane, inside declared bounds."""

from __future__ import annotations

import hashlib
import math
import sys
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import Rule, checked_number, found, settle, short, wanted, whole
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.point_grid import PointGrid, crowded

# the fields that say how many values were moved or left out
COUNTED: dict[str, Rule] = {"clipped": whole(0, sys.maxsize), "dropped": whole(0, sys.maxsize)}


@dataclass(frozen=True, eq=False)
class Column:
    """A sorted, clipped column of n real values. Everything in it is confidential.

    Shapes: values (n,), ascending, read-only. Units: the column's own.
    resolution is the declared spacing of the values (1 for integer ages, 0 for continuous).
    clipped and dropped count the values moved to a bound and the missing ones.
    """

    values: FloatArray
    bounds: Bounds
    resolution: float
    clipped: int
    dropped: int

    def __post_init__(self) -> None:
        wanted(np.ndarray, self.values, "values", InvalidData)
        wanted(Bounds, self.bounds, "bounds", InvalidData)
        object.__setattr__(self, "resolution", checked_resolution(self.resolution, self.bounds))
        settle(self, **COUNTED)
        values, low, high = self.values, self.bounds.low, self.bounds.high
        if values.ndim != 1 or values.dtype != np.float64:
            raise InvalidData("values must be floats in one dimension; use Column.from_values.")
        inside = values.size == 0 or (low <= values[0] and values[-1] <= high)
        if not (inside and (values[1:] >= values[:-1]).all()):
            raise InvalidData(
                "A column's values must be sorted and inside its bounds; use Column.from_values."
            )

    @classmethod
    def from_values(cls, values: ArrayLike, bounds: Bounds, resolution: float = 0.0) -> Column:
        """Drop NaN, sort, clip to bounds (infinite values are clipped like any other).

        Raises: InvalidData if a value is no number, if bounds is not a Bounds or if the resolution
        is negative or wider than the bounds.
        """
        wanted(Bounds, bounds, "bounds", InvalidData)
        resolution = checked_resolution(resolution, bounds)
        ordered = np.sort(_one_dimensional(values))  # NaN sorts last, so one search finds them
        kept = ordered[: np.searchsorted(ordered, np.nan)]
        below = int(np.searchsorted(kept, bounds.low, side="left"))
        above = int(np.searchsorted(kept, bounds.high, side="right"))
        kept[:below] = bounds.low
        kept[above:] = bounds.high
        return cls(
            values=frozen(kept),
            bounds=bounds,
            resolution=resolution,
            clipped=below + kept.size - above,
            dropped=ordered.size - kept.size,
        )

    @property
    def n(self) -> int:
        """Number of records."""
        return int(self.values.size)

    @cached_property
    def tied(self) -> bool:
        """Whether two records share a value."""
        return bool((self.values[1:] == self.values[:-1]).any())

    @cached_property
    def steps(self) -> tuple[FloatArray, IntArray]:
        """The empirical CDF as steps: distinct values (d,) and records up to each (d,)."""
        if self.n == 0:
            return self.values, np.empty(0, dtype=np.int64)
        last = np.flatnonzero(np.append(self.values[1:] != self.values[:-1], True))
        return frozen(self.values[last]), last.astype(np.int64) + 1

    @property
    def grid(self) -> PointGrid:
        """The public cells and points that exact quantile mechanisms work on."""
        return PointGrid.of(self.bounds, self.resolution)

    @cached_property
    def cells(self) -> IntArray:
        """The cell of the grid that each record goes to, (n,), ascending."""
        return frozen(self.grid.cell(self.values))

    @cached_property
    def crowded(self) -> IntArray | None:
        """The places of the records that share their cell, None where most do."""
        found = crowded(self.cells)
        return None if found is None else frozen(found)

    @cached_property
    def digest(self) -> bytes:
        """32 bytes that stand for the whole content and its declarations; never released."""
        declared = f"{self.bounds.low!r},{self.bounds.high!r},{self.resolution!r};"
        digest = hashlib.blake2b(declared.encode(), digest_size=32)
        digest.update(np.ascontiguousarray(self.values).data)
        digest.update(f";{self.clipped},{self.dropped}".encode())
        return digest.digest()

    @property
    def fingerprint(self) -> str:
        """The digest as a short text: a safe cache key, never released."""
        return self.digest.hex()[:32]

    def count_below(self, at: ArrayLike) -> IntArray:
        """#{x < at}, elementwise."""
        return np.searchsorted(self.values, at, side="left").astype(np.int64)

    def count_up_to(self, at: ArrayLike) -> IntArray:
        """#{x ≤ at}, elementwise."""
        return np.searchsorted(self.values, at, side="right").astype(np.int64)


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


def _one_dimensional(values: ArrayLike) -> FloatArray:
    try:
        given = np.asarray(values)
        if given.dtype.kind in "cmM":  # else dates become day counts, imaginary parts vanish
            raise TypeError(f"values of type {given.dtype} are not real numbers")
        array = given.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidData(f"A column needs numbers for its values: {short(error)}.") from None
    if array.ndim != 1:
        raise InvalidData(
            f"A column's values are one-dimensional, got shape {array.shape} ({found(values)})."
        )
    return array


@dataclass(frozen=True, eq=False)
class Points:
    """n points in a declared box, clipped into it. Everything in it is confidential.

    Shapes: x (n,), y (n,), in the order given, read-only.
    clipped counts the points that were moved, dropped those with a missing coordinate.
    """

    x: FloatArray
    y: FloatArray
    box: Box
    clipped: int
    dropped: int

    def __post_init__(self) -> None:
        wanted(Box, self.box, "box", InvalidData)
        settle(self, **COUNTED)
        for name, side in (("x", self.box.x), ("y", self.box.y)):
            values = wanted(np.ndarray, getattr(self, name), name, InvalidData)
            if values.shape != (self.x.size,) or values.dtype != np.float64:
                raise InvalidData(
                    f"x and y must be floats in one dimension and of one length, {name} is not; "
                    "use from_xy."
                )
            if not ((side.low <= values) & (values <= side.high)).all():
                raise InvalidData(f"Points must lie in their box, {name} does not; use from_xy.")

    @classmethod
    def from_xy(cls, x: ArrayLike, y: ArrayLike, box: Box) -> Points:
        """Drop points with a NaN coordinate, clip the others into the box.

        Raises: InvalidData if a coordinate is no number, if x and y differ in length or if box is
        not a Box.
        """
        wanted(Box, box, "box", InvalidData)
        xs, ys = _one_dimensional(x), _one_dimensional(y)
        if xs.shape != ys.shape:
            raise InvalidData(f"Both coordinates need one length, got {xs.size} and {ys.size}.")
        present = ~(np.isnan(xs) | np.isnan(ys))
        xs, ys = xs[present], ys[present]
        inside_x = np.clip(xs, box.x.low, box.x.high)
        inside_y = np.clip(ys, box.y.low, box.y.high)
        moved = int(np.count_nonzero((inside_x != xs) | (inside_y != ys)))
        dropped = int(present.size - np.count_nonzero(present))
        return cls(frozen(inside_x), frozen(inside_y), box, moved, dropped)

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.x.size)

    @cached_property
    def digest(self) -> bytes:
        """32 bytes that stand for the whole content and its box; never released."""
        digest = hashlib.blake2b(repr(self.box).encode(), digest_size=32)
        digest.update(np.ascontiguousarray(self.x).data)
        digest.update(np.ascontiguousarray(self.y).data)
        digest.update(f";{self.clipped},{self.dropped}".encode())
        return digest.digest()

    @property
    def fingerprint(self) -> str:
        """The digest as a short text: a safe cache key, never released."""
        return self.digest.hex()[:32]
