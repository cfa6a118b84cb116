"""Declared, public intervals. They are chosen before the data is seen, never taken from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpviz.core.checks import checked_number, finite, wanted
from dpviz.core.errors import InvalidBounds

SHORTEST_SIDE, LEAST_AREA, LARGEST_AREA = 1e-280, 1e-280, 1e300  # of a box


@dataclass(frozen=True, slots=True)
class Bounds:
    """The public interval (low, high) that a column's values are declared to lie in.

    >>> dp.Bounds(0, 100).width
    100.0
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        for end in ("low", "high"):
            given = checked_number(getattr(self, end), f"Bounds: {end}", InvalidBounds)
            object.__setattr__(self, end, given)
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise InvalidBounds(
                f"Bounds must be two finite numbers, got ({self.low}, {self.high})."
            )
        if not self.low < self.high:
            raise InvalidBounds(
                f"The lower bound must be below the upper one, got ({self.low:g}, {self.high:g})."
            )
        if not math.isfinite(self.width):
            raise InvalidBounds(
                f"Bounds ({self.low:g}, {self.high:g}) are too far apart: their width overflows."
            )

    @property
    def width(self) -> float:
        """Length of the interval, in the column's units."""
        return self.high - self.low

    def widened(self, margin: float) -> Bounds:
        """The interval grown by margin on both sides.

        Raises: InvalidBounds where no interval is left; InvalidParameter for a margin that is not
        a finite number.
        """
        margin = finite(margin, "margin")
        return Bounds(self.low - margin, self.high + margin)


@dataclass(frozen=True, slots=True)
class Box:
    """The public rectangle that points in the plane are declared to lie in.

    >>> dp.Box(dp.Bounds(0, 80), dp.Bounds(0, 60)).y.width
    60.0
    """

    x: Bounds
    y: Bounds

    def __post_init__(self) -> None:
        for side in ("x", "y"):
            wanted(Bounds, getattr(self, side), f"Box: {side}", InvalidBounds)
        sides = self.x.width, self.y.width
        # shares of areas and of sides are worked out everywhere
        if not (min(sides) >= SHORTEST_SIDE and LEAST_AREA <= sides[0] * sides[1] <= LARGEST_AREA):
            raise InvalidBounds(
                f"A box needs sides from {SHORTEST_SIDE:g} up and an area from {LEAST_AREA:g} to "
                f"{LARGEST_AREA:g}, got sides {sides[0]:g} and {sides[1]:g}. Change the units."
            )
