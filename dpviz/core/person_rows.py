"""What a person with several rows may add to a release, and what each row may then spend."""

from __future__ import annotations

import decimal
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.checks import checked_flag, found, settle, whole
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written, written_down

MOST = 10**6  # rows or parts of a person
PARTS = 840  # divided without a rest by every number of rows from 1 to 8
LEAST_DELTA = 1e-300  # that mechanisms take
LEAST, LARGEST = Fraction(1, 10**20), 2000  # the ε whose exponentials are worked out
SAFE = 1 - Fraction(1, 1 << 40)  # more than all that decimals of 60 digits lose
DIGITS = 15  # that every double of them is told apart by
ROWS_KEY, PARTS_KEY = "rows_a_person", "parts_a_person"  # among the parameters of a release


@dataclass(frozen=True, slots=True)
class PersonRows:
    """How the rows of a person count: at most so many of them, or each a share of one person.

    at_most(k): each person keeps at most k rows, drawn uniformly from theirs.
    weighted(parts): each of a person's r rows counts as ⌊parts / r⌋ records, called parts, so that
    people count alike. A person with more than `parts` rows counts as nothing; for 1 to 8 rows the
    840 parts of the default are divided without a rest. Counts are then in parts, and so is noise.

    >>> dp.PersonRows.at_most(3).row_budget(dp.PureDP(0.9))
    PureDP(epsilon=0.3)

    Guarantee: neighbours add or remove one person with all their rows. What is kept of a person
    depends on this person alone, so two such data sets differ in at most `most` records, and a
    chain of `most` data sets leads from one to the other, each a record more. Along it ε and the
    square root of ρ add up, and δ grows by e^ε a step: releasing with row_budget(budget) costs a
    person at most budget.
    Raises: InvalidParameter unless most is a whole number from 1 to 10^6.
    Source: Vadhan 2017, Lemma 2.2; Bun and Steinke 2016, Proposition 1.9.
    """

    most: int
    shared: bool = False

    def __post_init__(self) -> None:
        settle(self, most=whole(1, MOST), shared=checked_flag)

    @classmethod
    def at_most(cls, k: int) -> PersonRows:
        """At most k rows a person."""
        return cls(k)

    @classmethod
    def weighted(cls, parts: int = PARTS) -> PersonRows:
        """All rows of a person share so many parts evenly."""
        return cls(parts, shared=True)

    @property
    def parameters(self) -> dict[str, int]:
        """What a release says of it."""
        return {PARTS_KEY if self.shared else ROWS_KEY: self.most}

    def row_budget(self, budget: Budget) -> Budget:
        """What each record may spend so that a person spends at most budget; never rounded up.

        With k = most: ε/k; ρ/k²; and (ε/k, δ (e^(ε/k) − 1)/(e^ε − 1)).
        Raises: InvalidBudget for anything but a budget, or if the part of δ is below 10^-300.
        """
        if not isinstance(budget, PureDP | ApproxDP | ZCDP):
            raise InvalidBudget(f"budget must be one such as PureDP(1), got {found(budget)}.")
        if self.most == 1:
            return budget
        if isinstance(budget, ZCDP):
            return ZCDP(written_down(as_written(budget.rho) / self.most**2))
        epsilon = written_down(as_written(budget.epsilon) / self.most)
        if isinstance(budget, PureDP):
            return PureDP(epsilon)
        return ApproxDP(epsilon, self._row_delta(budget))

    def person_budget(self, each: Budget) -> Budget:
        """What a person spends where each record spends so much; never rounded down.

        kε; k²ρ; and (kε, δ (e^(kε) − 1)/(e^ε − 1)), at most δ = 1: to 15 digits, so that of
        row_budget(budget) it is the budget again, or a little less.
        Raises: InvalidBudget for anything but a budget, or if a person's δ would be 1 or more.
        """
        if not isinstance(each, PureDP | ApproxDP | ZCDP):
            raise InvalidBudget(f"budget must be one such as PureDP(1), got {found(each)}.")
        if self.most == 1:
            return each
        if isinstance(each, ZCDP):
            return ZCDP(_written_up(as_written(each.rho) * self.most**2))
        epsilon = as_written(each.epsilon) * self.most
        if isinstance(each, PureDP):
            return PureDP(_written_up(epsilon))
        share = _delta_share(epsilon, self.most) if epsilon <= LARGEST else Fraction(0)
        delta = as_written(each.delta) / (share * SAFE) if share else Fraction(1)
        if delta >= 1:
            raise InvalidBudget(
                f"Where each record spends {each} and a person has {self.most:,}, a person's δ "
                "would be 1, which promises nothing. Choose fewer a person, or a smaller ε or δ."
            )
        return ApproxDP(_written_up(epsilon), _written_up(delta))

    def _row_delta(self, budget: ApproxDP) -> float:
        epsilon = as_written(budget.epsilon)
        delta = Fraction(0)
        if epsilon <= LARGEST:  # beyond, what is left is below e^-1000
            delta = as_written(budget.delta) * _delta_share(epsilon, self.most) * SAFE
        if delta < as_written(LEAST_DELTA):
            raise InvalidBudget(
                f"Of {budget} a record may spend less than δ = {LEAST_DELTA:g} if a person has "
                f"{self.most:,}, and mechanisms take no less. Choose fewer a person, a smaller ε, "
                "or a budget in ε or ρ alone."
            )
        return written_down(delta)


def _delta_share(epsilon: Fraction, k: int) -> Fraction:
    """(e^(ε/k) − 1)/(e^ε − 1), right to more than 30 digits; a lower bound where ε is tiny."""
    if epsilon < LEAST:  # the sum of e^(jε/k) over j < k is at most k·e^ε
        return (1 - epsilon) / k
    with decimal.localcontext(prec=60, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        of_all = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        return Fraction(((of_all / k).exp() - 1) / (of_all.exp() - 1))


def _written_up(exact: Fraction) -> float:
    """The least number of 15 digits that is no smaller."""
    with decimal.localcontext(prec=DIGITS, rounding=decimal.ROUND_CEILING):
        return float(Decimal(exact.numerator) / Decimal(exact.denominator))


def rows_of(parameters: Mapping[str, Any]) -> PersonRows | None:
    """What the parameters of a release say of the rows of a person; None if they do not."""
    if ROWS_KEY in parameters:
        return PersonRows.at_most(parameters[ROWS_KEY])
    if PARTS_KEY in parameters:
        return PersonRows.weighted(parameters[PARTS_KEY])
    return None


def record_budget(spent: Budget, parameters: Mapping[str, Any]) -> Budget:
    """What a release spent on each record: what its noise follows from."""
    rows = rows_of(parameters)
    return spent if rows is None else rows.row_budget(spent)


def tells_apart(kind: DTypeLike) -> float:
    """Below this size floats of a kind hold every whole number; beyond, people fall together."""
    return float(2.0 ** min(np.finfo(kind).nmant + 1, 53))  # longer ones are read as doubles
