"""The release of quantiles that were found by asking people for one randomised bit each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.checks import a, real_numbers, whole, whole_numbers
from dpviz.core.codec import READERS, Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.core.trees.local_release import MOST_REPORTS, check_reported
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class LocalQuantileRelease(ShowsItself, Stored):
    """Quantiles, and all that people were asked and reported on the way.

    Shapes: quantiles (k,) and values (k,), in the order asked; cuts, asked and yes (k, rounds): in
    each round so many people were asked whether their value lies below the cut, and so many said
    yes. local is the ε of each report, spent what holds of the release: the same without a
    shuffler.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "local-quantiles", "release of local quantiles"

    mechanism: str
    parameters: Mapping[str, Any]
    quantiles: FloatArray
    values: FloatArray
    cuts: FloatArray
    asked: IntArray
    yes: IntArray
    bounds: Bounds
    people: int
    local: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of local quantiles"):
            settle_declared(
                self, bounds=a(Bounds), people=whole(0, MOST_REPORTS), spent=spent_budget
            )
            check_reported(self.local, self.spent, self.neighbours)
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
