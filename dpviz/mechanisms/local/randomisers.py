"""How one person reports one of k choices so that nobody has to be trusted: two local randomisers.

Chances are fractions, rounded so that no report is e^ε times likelier for one truth than for
another, and many reports are drawn at once from random bits: their sums have exactly the law that
reports of single people would add up to.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.errors import InvalidBudget, UnsupportedBudget
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import below, exp_between
from dpviz.core.randomness.fair_coins import thinned
from dpviz.mechanisms.requests import checked_budget

Kind = Literal["response", "unary"]
LEAST, LARGEST = 1e-9, 30.0  # ε of one report
STEPS = 1 << 60  # chances are whole numbers of these parts of 1
DIGITS = 60
AT_ONCE = 1 << 20  # reports of any choice that are drawn at once
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Response:
    """k-ary randomised response: the truth, or with the chance `any` one of k choices at random.

    Guarantee: no report is likelier than 1 + k (1 − any)/any times under another truth.
    Source: Warner 1965; Kairouz, Bonawitz and Ramage 2016.
    """

    choices: int
    any: Fraction
    kind: ClassVar[Kind] = "response"

    @classmethod
    def under(cls, epsilon: Fraction, choices: int) -> "Response":
        """The least chance for which no ratio exceeds e^ε, rounded up."""
        low = exp_between(epsilon, DIGITS)[1]  # not below e^−ε
        return cls(choices, _up(choices * low / (1 + (choices - 1) * low)))

    def reports(self, truths: IntArray, bits: Bits) -> IntArray:
        """How many report each choice, (k,), where so many have it, (k,). Spends ε of each."""
        anything = thinned(truths, self.any, bits)
        found = truths - anything
        left = int(anything.sum())
        while left:
            drawn = below(np.full(min(left, AT_ONCE), self.choices), bits)
            found += np.bincount(drawn, minlength=self.choices)
            left -= drawn.size
        return found

    def estimates(self, reported: IntArray, people: int | IntArray) -> FloatArray:
        """How many have each choice, unbiased, from the reports of so many people."""
        return np.asarray((reported - people * float(self.any / self.choices)) / self._told)

    @property
    def variance(self) -> float:
        """A person's part in the variance of Σ w_i · estimate i, of Σ w_i²: Σ w_i = 0, even truths.

        Estimates add up to the people, so weights that add up to 0 say all.
        """
        return float(self.any / self.choices * (2 - self.any)) / self._told**2

    @property
    def _told(self) -> float:
        return float(1 - self.any)


@dataclass(frozen=True, slots=True)
class Unary:
    """Optimised unary encoding: a bit for each choice, 1 with chance ½ for the truth, else `lie`.

    Guarantee: two truths change two bits, and no row of bits is likelier than (1 − lie)/lie times
    under another truth.
    Source: Wang, Blocki, Li and Jha 2017.
    """

    choices: int
    lie: Fraction
    kind: ClassVar[Kind] = "unary"

    @classmethod
    def under(cls, epsilon: Fraction, choices: int) -> "Unary":
        """The least chance for which no ratio exceeds e^ε, rounded up."""
        low = exp_between(epsilon, DIGITS)[1]
        return cls(choices, _up(low / (1 + low)))

    def reports(self, truths: IntArray, bits: Bits) -> IntArray:
        """How many set the bit of each choice, (k,), where so many have it. Spends ε of each."""
        others = truths.sum() - truths
        return thinned(truths, HALF, bits) + thinned(others, self.lie, bits)

    def estimates(self, reported: IntArray, people: int) -> FloatArray:
        """How many have each choice, unbiased, from the reports of so many people."""
        return np.asarray((reported - people * float(self.lie)) / float(HALF - self.lie))

    @property
    def variance(self) -> float:
        """A person's part in the variance of Σ w_i · estimate i, of Σ w_i², for even truths."""
        return float(self.lie * (1 - self.lie) / (HALF - self.lie) ** 2) + 1 / self.choices


Randomiser = Response | Unary


def randomiser(epsilon: Fraction, choices: int, kind: Kind | None = None) -> Randomiser:
    """The one that was asked for, or for None the one of the two that errs less."""
    response, unary = Response.under(epsilon, choices), Unary.under(epsilon, choices)
    if kind is None:
        return response if response.variance <= unary.variance else unary
    return response if kind == "response" else unary


def _up(chance: Fraction) -> Fraction:
    return Fraction(-(-chance * STEPS // 1), STEPS)


def check_local_budget(budget: Budget) -> None:
    """Refuse a budget under which nobody can report.

    Raises: UnsupportedBudget for ρ; InvalidBudget for ε outside 1e-9 … 30 and for anything else.
    """
    if not isinstance(checked_budget(budget), PureDP | ApproxDP):
        raise UnsupportedBudget(
            "Local reports take PureDP(epsilon), or ApproxDP(epsilon, delta) with a shuffler, "
            f"got {budget}."
        )
    if not LEAST <= budget.size <= LARGEST:
        raise InvalidBudget(f"Local reports take ε from 1e-9 to 30, got {budget}.")
