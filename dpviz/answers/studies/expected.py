"""How far off a draw is expected to be, before it is drawn. Nothing of it is data."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz.answers.quantiles.answers import percents_of
from dpviz.core.arrays import FloatArray
from dpviz.core.trees.shape import Levels

SURE = 1.96  # standard errors that hold about 19 of 20 draws
OFTEN = 0.95  # of the draws on made-up people
MOST = 11  # rows that have room for their words
PLACES = "% of the places"


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """19 of 20 draws lie within halves (k,) of what they estimate; unit is what halves count.

    Halves come from the noise alone, or from made-up people.
    """

    names: tuple[str, ...]
    halves: FloatArray
    unit: str

    @property
    def worst(self) -> int:
        """The row with the widest interval."""
        return int(self.halves.argmax())

    def some(self) -> "Expected":
        """At most as many rows as have room: the ends, and between them evenly spaced ones."""
        count = len(self.names)
        if count <= MOST:
            return self
        rows = np.unique(np.linspace(0, count - 1, MOST).round().astype(int))
        return Expected(tuple(self.names[row] for row in rows), self.halves[rows], self.unit)


def by_level(levels: Levels, parts: str, unit: str) -> Expected:
    """A row a level that is known: about 19 of 20 of its counts of parts lie so near."""
    names = ["all", *(f"one of {counts.shape[-1]:,} {parts}" for counts in levels.counts[1:])]
    errors = [
        SURE * math.sqrt(np.median(levels.node_variances(level))) for level in range(len(names))
    ]
    known = [(name, one) for name, one in zip(names, errors, strict=True) if math.isfinite(one)]
    return Expected(tuple(name for name, _ in known), np.array([one for _, one in known]), unit)


def by_quantile(quantiles: FloatArray, errors: FloatArray) -> Expected:
    """A row a quantile of one method, from what its draws stay under, as shares of places, (k,)."""
    return Expected(percents_of(quantiles.tolist()), 100 * errors, PLACES)


def by_method(errors: Mapping[str, FloatArray]) -> Expected:
    """A row a method, by what it is called: its worst quantile."""
    worst = [100 * float(one.max()) for one in errors.values()]
    return Expected(tuple(errors), np.array(worst), PLACES)


def stays_under(missed: FloatArray, people: int) -> FloatArray:
    """What 19 of 20 draws stay under at each quantile, as shares, (k,); missed (r, k) in places."""
    return np.asarray(np.quantile(missed / people, OFTEN, axis=0, method="higher"))
