"""One question answered again and again: what its average tells, and what all of it spends."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.averaging import (
    BASIC,
    ZCDP_LINE,
    ledger,
    release_numbers,
    running_means,
)
from dpviz.experiments.privacy.ladder import next_above
from dpviz.experiments.privacy.single_queries import Query

DUST = 1e-9  # 1 / 0.1 affords ten answers, whatever rounding says
LIKELY = 1.96  # standard errors that hold 19 averages in 20


@dataclass(frozen=True, slots=True)
class Bill:
    """What answers of one size each take from a promise in the same notion (ε, or ρ)."""

    size: float
    answers: int
    promise: float
    symbol: str = "ε"

    @property
    def spent(self) -> float:
        """What all answers add up to."""
        return self.size * self.answers

    @property
    def tanks(self) -> float:
        """How many times the promise has been taken."""
        return self.spent / self.promise

    @property
    def affordable(self) -> int:
        """The answers that the promise pays for."""
        return math.floor(self.promise / self.size * (1 + DUST))

    @property
    def is_overspent(self) -> bool:
        """Whether more has been taken than promised."""
        return self.answers > self.affordable


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """Private answers (k,) to one question, the truth, and where averages of them lie.

    spread is one answer's standard deviation and limit what averages settle on: the truth for a
    count. grid is the spacing of possible truths, 0 where any value is possible.
    """

    answers: FloatArray
    truth: float
    spread: float
    limit: float
    grid: float

    @property
    def means(self) -> FloatArray:
        """The average of the first 1, 2, … answers."""
        return running_means(self.answers)

    @property
    def average(self) -> float:
        """The average of all answers."""
        return float(self.answers.mean())

    @property
    def one_is_off(self) -> float:
        """By how much one answer is off, on average."""
        return float(np.abs(self.answers - self.truth).mean())

    @property
    def average_is_off(self) -> float:
        """By how much the average of all answers is off."""
        return abs(self.average - self.truth)

    @property
    def gives_away(self) -> bool:
        """Whether the average rounds to the truth."""
        return self.grid > 0 and round(self.average / self.grid) == round(self.truth / self.grid)


def averages_reach(spread: float, answers: FloatArray) -> FloatArray:
    """The distance from their limit within which 19 in 20 averages of so many answers lie."""
    return LIKELY * spread / np.sqrt(answers)


def values_reach(spread: float, grid: float = 1.0) -> float:
    """The range that shows nearly all single answers, on a scale that jumps rarely."""
    if spread <= 0:
        return grid or 1.0
    unit = grid if grid > 0 else 10.0 ** (math.floor(math.log10(spread)) - 1)
    return next_above(1.75 * LIKELY * spread / unit) * unit


def best_account(query: Query, budget: Budget, delta: float, answers: int) -> tuple[str, float]:
    """The account with the smallest total ε after so many answers, and that ε."""
    totals = ledger(query, budget, delta, np.array([answers]))
    name = min(totals, key=lambda account: totals[account][0])
    return name, float(totals[name][0])


def accounts(
    query: Query, budget: Budget, delta: float, answers: int
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Every account from one answer to the most, with so many answers among them."""
    ks = np.union1d(release_numbers(), [answers])
    return ks.astype(np.float64), ledger(query, budget, delta, ks)


def plain_account(totals: dict[str, FloatArray]) -> str:
    """The account that just adds up; of noise that has no pure ε, that of ρ."""
    return BASIC if BASIC in totals else ZCDP_LINE
