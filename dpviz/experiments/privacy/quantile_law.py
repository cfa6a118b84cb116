"""The law of one private quantile: how likely it falls where. Confidential, like the data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.mechanisms.exponential.one_quantile import Density


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class QuantileLaw:
    """The chance of an answer up to each edge; between two edges it grows evenly.

    Shapes: edges and below (d,), both ascending, below from 0 to 1. Units: those of the column.
    """

    edges: FloatArray
    below: FloatArray

    @classmethod
    def of(cls, density: Density) -> "QuantileLaw":
        """The density, added up from the lower bound; intervals of no width carry no mass."""
        below = np.concatenate(([0.0], np.cumsum(density.mass)))
        return cls(density.edges, below / below[-1])

    def up_to(self, values: ArrayLike) -> FloatArray:
        """The chance that the answer is at most each value."""
        return np.asarray(np.interp(np.asarray(values, dtype=np.float64), self.edges, self.below))

    def at(self, shares: ArrayLike) -> FloatArray:
        """The value that the answer stays below with each chance.

        Raises: InvalidParameter unless every share lies within 0 … 1.
        """
        asked = np.asarray(shares, dtype=np.float64)
        if not ((asked >= 0) & (asked <= 1)).all():
            raise InvalidParameter("Shares of a law must lie within 0 and 1.")
        return np.asarray(np.interp(asked, self.below, self.edges))

    def within(self, far: float, value: float) -> float:
        """The chance of an answer at most so far from a value, such as the true quantile."""
        if not far >= 0:  # NaN too
            raise InvalidParameter(f"A distance must be at least 0, got {far}.")
        return float(self.up_to(value + far) - self.up_to(value - far))

    def outside(self, low: float, high: float) -> float:
        """The chance of an answer below low or above high."""
        if not low <= high:  # NaN too
            raise InvalidParameter(f"There is nothing between {low} and {high}: swap them.")
        return float(1.0 - (self.up_to(high) - self.up_to(low)))
