"""The release of one noisy number: a count, a clipped sum, or a mean of publicly many records."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, finite
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import SEEDED, UNSAID, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.version import __version__


@dataclass(frozen=True, slots=True)
class NumberRelease(ShowsItself, Stored):
    """One noisy number with everything needed to interpret it.

    value is in the column's units, that of a count in records; scale is that of its noise (Noise
    says what it means). Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "number", "release of a number"
    _older = UNSAID

    mechanism: str
    parameters: Mapping[str, Any]
    value: float
    noise: Noise
    scale: float
    bounds: Bounds
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of a number"):
            settle_declared(
                self,
                value=finite,
                noise=a(Noise),
                scale=finite,
                bounds=a(Bounds),
                spent=spent_budget,
            )
        if not self.scale > 0:
            raise InvalidRelease(f"The noise scale must be positive, got {self.scale}.")

    @property
    def standard_error(self) -> float:
        """Of the noise alone, in the units of value; what clipping cut off is not in it."""
        return math.sqrt(self.noise.variance(self.scale))

    def _columns(self) -> Columns:
        return {"value": [self.value], "standard_error": [self.standard_error]}
