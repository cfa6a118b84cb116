"""Releases of what people randomised themselves: counts of bins, and quantiles found bit by bit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.checks import a, checked_number, real_numbers, settle, whole, whole_numbers
from dpviz.core.codec import READERS, Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.core.trees.holds_tree import ends_of
from dpviz.version import __version__

MOST_REPORTS = 1 << 53
LARGEST_LOCAL = 30.0  # ε of one report
ROUNDING = 1e-6  # of counts that add up to the people, relative


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reported(ShowsItself, Stored):
    """What every release of local reports says: of how many people, under which ε.

    local is the ε of each report, spent what holds of the release: the same without a shuffler.
    Raises: InvalidRelease for values that no release can have: neighbours other than replace-one,
    ρ, an ε of reports outside 0 … 30, one below that of the release, and another one where nobody
    shuffled.
    """

    mechanism: str
    parameters: Mapping[str, Any]
    people: int
    local: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting(f"a {self._words}"):
            settle_declared(self, people=whole(0, MOST_REPORTS), spent=spent_budget)
            checked_number(self.local, "local")
        local, spent = self.local, self.spent
        if self.neighbours != Neighbours.REPLACE_ONE or not isinstance(spent, PureDP | ApproxDP):
            raise InvalidRelease("Local reports promise ε or (ε, δ) where one record is replaced.")
        fits = local == spent.epsilon if isinstance(spent, PureDP) else local >= spent.epsilon
        if not (fits and 0 < local <= LARGEST_LOCAL):
            raise InvalidRelease(
                f"Reports under ε = {local} do not go with {spent} for all of them."
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LocalRelease(Reported):
    """What so many people's reports tell of the counts of bins.

    edges (k + 1,) are declared; counts (k,) are unbiased, and below 0 where chance has it; bin i
    lies between edges i and i + 1. standard_errors (k,) are those for people spread evenly over the
    bins. local is the ε of each report, spent what holds of the release: the same without a
    shuffler.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "local-counts", "release of local reports"

    edges: FloatArray
    counts: FloatArray
    standard_errors: FloatArray

    def __post_init__(self) -> None:
        Reported.__post_init__(self)
        with fitting(f"a {self._words}"):
            for name in ("edges", "counts", "standard_errors"):
                array = np.array(getattr(self, name), dtype=np.float64)
                if array.ndim != 1 or not np.isfinite(array).all():
                    raise InvalidRelease(f"{name} of local reports must be finite, in a row.")
                object.__setattr__(self, name, frozen(array))
        sizes = self.edges.size - 1, self.counts.size, self.standard_errors.size
        if len(set(sizes)) > 1 or sizes[0] < 1 or not (np.diff(self.edges) > 0).all():
            raise InvalidRelease("Local reports have an error and ascending edges for each count.")
        if (self.standard_errors < 0).any():
            raise InvalidRelease("Standard errors of local reports are not negative.")
        off = abs(float(self.counts.sum()) - self.people)
        if off > ROUNDING * (1 + self.people + float(np.abs(self.counts).sum())):
            raise InvalidRelease("Counts of local reports add up to the people who reported.")

    def _columns(self) -> Columns:
        errors = self.standard_errors
        return {**ends_of(self.edges), "count": self.counts, "standard_error": errors}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LocalQuantileRelease(Reported):
    """Quantiles, and all that people were asked and reported on the way.

    Shapes: quantiles (k,) and values (k,), in the order asked; cuts, asked and yes (k, rounds): in
    each round so many people were asked whether their value lies below the cut, and so many said
    yes. local is the ε of each report, spent what holds of the release: the same without a
    shuffler.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "local-quantiles", "release of local quantiles"

    quantiles: FloatArray
    values: FloatArray
    cuts: FloatArray
    asked: IntArray
    yes: IntArray
    bounds: Bounds

    def __post_init__(self) -> None:
        Reported.__post_init__(self)
        with fitting(f"a {self._words}"):
            settle(self, bounds=a(Bounds))
            for name, read in (("quantiles", real_numbers), ("values", real_numbers),
                               ("cuts", real_numbers), ("asked", whole_numbers),
                               ("yes", whole_numbers)):  # fmt: skip
                object.__setattr__(self, name, frozen(np.array(read(getattr(self, name), name))))
        k = self.quantiles.size
        if self.quantiles.shape != (k,) or self.values.shape != (k,) or not k:
            raise InvalidRelease("Local quantiles need one value for each quantile, in a row.")
        if not (self.cuts.shape == self.asked.shape == self.yes.shape and self.cuts.ndim == 2):
            raise InvalidRelease("Local quantiles need people and answers for each cut.")
        low, high = self.bounds.low, self.bounds.high
        inside = all(((low <= at) & (at <= high)).all() for at in (self.values, self.cuts))
        if len(self.cuts) != k or not inside:
            raise InvalidRelease("Values and cuts of local quantiles lie within the bounds.")
        if not ((self.quantiles > 0) & (self.quantiles < 1)).all():
            raise InvalidRelease("Local quantiles lie strictly between 0 and 1.")
        if (self.yes < 0).any() or (self.yes > self.asked).any():
            raise InvalidRelease("No more people say yes than were asked.")
        _, first = np.unique(self.quantiles, return_index=True)  # repeated ones share people
        if self.asked[first].sum() > self.people:
            raise InvalidRelease("Nobody is asked twice.")

    def _columns(self) -> Columns:
        return {"quantile": self.quantiles, "value": self.values}


READERS[IntArray] = np.array
