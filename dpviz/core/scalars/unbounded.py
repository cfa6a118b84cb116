"""The release of a search without bounds: the guess it stopped at, or that it found none."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import finite, number, optional, whole
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.version import __version__

BEYOND = "beyond the last guess"
MOST_GUESSES = 1 << 40


@dataclass(frozen=True, slots=True)
class UnboundedRelease(ShowsItself, Stored):
    """One quantile found among public guesses, with everything needed to interpret it.

    stop is the number of the guess, negative for the search on −x. value is that guess in the
    values' units, and None where no guess was accepted. Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "unbounded-quantile", "release of a quantile without bounds"

    mechanism: str
    parameters: Mapping[str, Any]
    quantile: float
    stop: int
    value: float | None
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of a quantile without bounds"):
            settle_declared(
                self,
                quantile=number(0, 1),
                stop=whole(-MOST_GUESSES, MOST_GUESSES),
                value=optional(finite),
                spent=spent_budget,
            )
            guesses = whole(1, MOST_GUESSES)(self.parameters["guesses"], "guesses")
            if (abs(self.stop) == guesses) != (self.value is None):
                raise InvalidRelease(
                    f"Stop {self.stop} of {guesses} guesses does not go with the value "
                    f"{self.value}."
                )

    def __str__(self) -> str:
        return BEYOND if self.value is None else f"{self.value:g}"

    @property
    def beyond(self) -> bool:
        """Whether no guess was accepted."""
        return self.value is None

    def _columns(self) -> Columns:
        return {"quantile": [self.quantile], "value": [math.nan if self.beyond else self.value]}
