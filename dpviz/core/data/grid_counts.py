"""Confidential data: how many points lie in each cell of an even grid over a declared box."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import found, settle, wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import COUNTED, whole_counts
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData

MOST_SIDE = 1 << 12  # cells along a side: 2^24 in all
MOST_APART = 1 << 24  # points that are held apart
FEW = 1 << 19  # points that trees with medians hold apart


@confidential("box", "side")
@dataclass(frozen=True, eq=False)
class GridCounts:
    """Points as counts in the equal cells of a box, all that trees and grids need of them.

    side is a power of two up to 4,096; counts[i, j] are the points in the i-th cell along x and the
    j-th along y, (side, side), read-only, at most 2^53 in all. A cell is [edge, next edge), the
    last one closed. clipped counts the points moved into the box, dropped those with a missing
    coordinate. Everything in it is confidential.

    >>> dp.GridCounts.from_flat(box, 2, [0, 3, 1, 0]).side
    2

    Raises: InvalidData for anything else.
    """

    box: Box
    side: int
    counts: IntArray
    clipped: int = 0
    dropped: int = 0

    def __post_init__(self) -> None:
        wanted(Box, self.box, "box", InvalidData)
        settle(self, **COUNTED)
        object.__setattr__(self, "side", checked_side(self.side))
        numbers = whole_counts(self.counts)
        if numbers.shape != (self.side, self.side):
            raise InvalidData(
                f"counts must be one for each of {self.side} × {self.side} cells, got an array of "
                f"shape {numbers.shape}."
            )
        object.__setattr__(self, "counts", frozen(numbers))

    @classmethod
    def from_flat(
        cls, box: Box, side: int, counts: ArrayLike, clipped: int = 0, dropped: int = 0
    ) -> GridCounts:
        """From counts (side²,), y running fastest: cell i · side + j is counts[i, j].

        Raises: InvalidData as the constructor does.
        """
        numbers, side = whole_counts(counts), checked_side(side)
        if numbers.size != side * side:
            raise InvalidData(
                f"counts must be one for each of {side} × {side} cells, got {numbers.size:,}."
            )
        return cls(box, side, numbers.reshape(side, side), clipped, dropped)

    @property
    def height(self) -> int:
        """The height of the quadtree whose leaves are the cells."""
        return self.side.bit_length() - 1

    @cached_property
    def n(self) -> int:
        """Number of points."""
        return int(self.counts.sum())

    @cached_property
    def digest(self) -> bytes:
        """32 bytes that stand for the whole content and its box; never released."""
        digest = hashlib.blake2b(f"{self.box!r},{self.side};".encode(), digest_size=32)
        digest.update(np.ascontiguousarray(self.counts).data)
        digest.update(f";{self.clipped},{self.dropped}".encode())
        return digest.digest()

    @property
    def fingerprint(self) -> str:
        """The digest as a short text: a safe cache key, never released."""
        return self.digest.hex()[:32]

    def coarser(self, columns: int, rows: int | None = None) -> IntArray:
        """The counts of a grid that divides this one, (columns, rows); as many rows by default.

        Raises: InvalidData for a number of columns or rows that is no divisor of side.
        """
        across, up = columns, columns if rows is None else rows
        if not (self._divided(across) and self._divided(up)):
            raise InvalidData(
                f"A grid of {found(across)} × {found(up)} cells cannot be counted from one of "
                f"{self.side} × {self.side}. Choose a side that divides {self.side}, or count on a "
                "finer grid."
            )
        merged = self.counts  # along rows first: their cells lie side by side in memory
        if up < self.side:
            merged = np.add.reduceat(merged, np.arange(0, self.side, self.side // up), axis=1)
        if across < self.side:
            merged = np.add.reduceat(merged, np.arange(0, self.side, self.side // across), axis=0)
        return merged

    def _divided(self, parts: int) -> bool:
        if isinstance(parts, bool) or not isinstance(parts, int | np.integer):
            return False
        return 1 <= parts <= self.side and self.side % int(parts) == 0

    @cached_property
    def held(self) -> tuple[Points, IntArray]:
        """The middle of every cell that holds a point, cell after cell, and its count, (m,)."""
        column, row = np.nonzero(self.counts)
        x, y = _middles(self.box.x, self.side)[column], _middles(self.box.y, self.side)[row]
        middles = Points(frozen(x), frozen(y), self.box, 0, 0)
        return middles, frozen(self.counts[column, row])

    def points(self) -> Points:
        """As many points as were counted, each in the middle of its cell, cell after cell.

        A release of them is about points that were moved to the middles, by up to half a cell.
        Raises: InvalidData for more than 2^24 points.
        """
        if self.n > MOST_APART:
            raise InvalidData(
                f"This needs every point apart, and {MOST_APART:,} points are the most that are "
                "held; the grid counts more. Choose a mechanism that takes the grid itself, or "
                "draw a sample and declare that it is one."
            )
        middles, counts = self.held
        x, y = np.repeat(middles.x, counts), np.repeat(middles.y, counts)
        return Points(frozen(x), frozen(y), self.box, self.clipped, self.dropped)


def checked_side(side: int) -> int:
    """A number of cells along a side: a power of two up to 4,096.

    Raises: InvalidData for anything else.
    """
    whole = isinstance(side, int | np.integer) and not isinstance(side, bool)
    if not whole or not 1 <= side <= MOST_SIDE or side & (side - 1):
        raise InvalidData(
            f"side must be a power of two from 1 to {MOST_SIDE:,}, got {found(side)}."
        )
    return int(side)


def _middles(bounds: Bounds, cells: int) -> FloatArray:
    """Every second edge of twice as many cells; moved into its cell where rounding left it."""
    edges = bounds.low + bounds.width * (np.arange(2 * cells + 1) / (2 * cells))
    edges = np.minimum(edges, bounds.high)
    inside = np.minimum(edges[1::2], np.nextafter(edges[2::2], -np.inf))
    return np.maximum(inside, edges[:-1:2])


# what mechanisms of the plane are given; those that need every point apart refuse counts in words
Plane = Points | GridCounts


def held_apart(plane: Plane) -> tuple[Points, IntArray | None]:
    """Points, and how many stand at each (n,), or None where each is one: counts are, where few."""
    if isinstance(plane, Points):
        return plane, None
    return (plane.points(), None) if plane.n <= FEW else plane.held
