"""Bounds proposed by two private searches, or why there are none; either way what it spent."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.checks import finite, optional
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.grid import as_written, written_down
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.version import __version__


@dataclass(frozen=True, slots=True)
class BoundsProposal(ShowsItself, Stored):
    """The ends that two searches found, in the values' units; None where one found no guess.

    spent is what both searches cost, used or not, out of the budget. Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "bounds", "proposal of bounds"

    mechanism: str
    parameters: Mapping[str, Any]
    low: float | None
    high: float | None
    neighbours: Neighbours
    spent: Budget
    budget: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a proposal of bounds"):
            settle_declared(
                self,
                low=optional(finite),
                high=optional(finite),
                spent=spent_budget,
                budget=spent_budget,
            )
            if type(self.spent) is not type(self.budget) or self.spent.size >= self.budget.size:
                raise InvalidRelease("A proposal spends a part of its budget, in the same notion.")

    @property
    def bounds(self) -> Bounds | None:
        """The proposed bounds, to be used as if they had been declared; None for a refusal."""
        if self.low is None or self.high is None or not self.low < self.high:
            return None
        return Bounds(self.low, self.high)

    @property
    def refusal(self) -> str:
        """Why there are no bounds, in words; empty where there are."""
        spent = f"{self.spent} is spent all the same."
        if self.low is None or self.high is None:
            ends = {"lower": self.low, "upper": self.high}
            missing = " and ".join(name for name, end in ends.items() if end is None)
            return (
                f"No bounds: the search for the {missing} bound went beyond the last guess, and "
                f"{spent} Declare bounds, or take more guesses or a larger base."
            )
        if not self.low < self.high:
            return (
                f"No bounds: the lower one, {self.low:g}, is not below the upper one, "
                f"{self.high:g}, and {spent} Declare bounds, or spend a larger share."
            )
        return ""

    @property
    def rest(self) -> Budget:
        """What is left of the budget for the release itself, rounded down."""
        left = written_down(_less(self.budget.size, self.spent.size))
        if isinstance(self.budget, ApproxDP) and isinstance(self.spent, ApproxDP):
            return ApproxDP(left, written_down(_less(self.budget.delta, self.spent.delta)))
        return self.budget.resized(left)

    def _columns(self) -> Columns:
        ends = {"low": self.low, "high": self.high}
        return {name: [math.nan if end is None else end] for name, end in ends.items()}


def _less(whole: float, part: float) -> Fraction:
    return as_written(whole) - as_written(part)
