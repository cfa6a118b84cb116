"""The release of counts from reports that people randomised themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.checks import checked_number, whole
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.core.trees.holds_tree import ends_of
from dpviz.version import __version__

MOST_REPORTS = 1 << 53
LARGEST_LOCAL = 30.0  # ε of one report
ROUNDING = 1e-6  # of counts that add up to the people, relative


@dataclass(frozen=True, slots=True, eq=False)
class LocalRelease(ShowsItself, Stored):
    """What so many people's reports tell of the counts of bins.

    edges (k + 1,) are declared; counts (k,) are unbiased, and below 0 where chance has it; bin i
    lies between edges i and i + 1. standard_errors (k,) are those for people spread evenly over the
    bins. local is the ε of each report, spent what holds of the release: the same without a
    shuffler.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "local-counts", "release of local reports"

    mechanism: str
    parameters: Mapping[str, Any]
    edges: FloatArray
    counts: FloatArray
    standard_errors: FloatArray
    people: int
    local: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of local reports"):
            settle_declared(self, people=whole(0, MOST_REPORTS), spent=spent_budget)
            check_reported(self.local, self.spent, self.neighbours)
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


def check_reported(local: float, spent: Budget, neighbours: Neighbours) -> None:
    """Refuse an ε of reports that does not go with what all of them spent.

    Raises: InvalidRelease for neighbours other than replace-one, for ρ, for an ε outside 0 … 30,
    for one below that of the release, and for another one where nobody shuffled.
    """
    checked_number(local, "local")
    if neighbours != Neighbours.REPLACE_ONE or not isinstance(spent, PureDP | ApproxDP):
        raise InvalidRelease("Local reports promise ε or (ε, δ) where one record is replaced.")
    fits = local == spent.epsilon if isinstance(spent, PureDP) else local >= spent.epsilon
    if not (fits and 0 < local <= LARGEST_LOCAL):
        raise InvalidRelease(f"Reports under ε = {local} do not go with {spent} for all of them.")
