"""The account of a visit: every release that was paid, and what they add up to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpviz.core.budgets import ZCDP, ApproxDP, Budget

DUST = Decimal("1e-15")  # of a sum of doubles: three tenths are 0.3, not 0.301
GROUPED = 1_000  # from here on thousands are grouped


@dataclass(frozen=True, slots=True)
class Cost:
    """What a draw spends: so many runs, each with the whole budget; what is for people.

    simulated runs are looked at beside the truth alone and leave in no form. They are counted and
    not added up: like a look at the truth itself they are covered by no budget.
    """

    what: str
    budget: Budget
    times: int = 1
    simulated: bool = False

    def __str__(self) -> str:
        if self.simulated:
            return f"{self.what}: {simulated_words(self.times)}"
        return f"{self.what}: {self.times:,} × {total_of([replace(self, times=1)])}"


@dataclass(frozen=True, slots=True)
class Total:
    """What releases about the same people add up to; pure ε is the case δ = 0 of (ε, δ).

    ρ stands beside ε: neither notion is converted into the other.
    """

    epsilon: float = 0.0
    delta: float = 0.0
    rho: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.epsilon or self.rho)

    def __str__(self) -> str:
        parts = []
        if self.epsilon:
            delta = f", δ = {at_most(self.delta)}" if self.delta else ""
            parts.append(f"ε = {at_most(self.epsilon)}{delta}")
        if self.rho:
            parts.append(f"ρ = {at_most(self.rho)}")
        return " and ".join(parts) or "nothing"


@dataclass(slots=True)
class Account:
    """Everything that was paid about the same people; what was paid once is not paid again."""

    _paid: dict[tuple[bytes, Cost], int] = field(default_factory=dict)

    def pay(self, release: bytes, costs: Sequence[Cost]) -> None:
        """Book the costs of a release, whose name tells its draw and its purpose."""
        for cost in summed(costs):
            key = (release, replace(cost, times=1))
            self._paid[key] = max(cost.times, self._paid.get(key, 0))

    @property
    def entries(self) -> tuple[Cost, ...]:
        """What was paid, in its order, without the names of the releases."""
        return tuple(replace(kind, times=times) for (_, kind), times in self._paid.items())

    @property
    def total(self) -> Total:
        """By basic composition: ε, δ and ρ add up, each for itself; what was simulated does not.

        Source: Dwork et al. 2006; Bun and Steinke 2016, Lemma 2.3.
        """
        return total_of(self.entries)

    @property
    def simulated(self) -> int:
        """How many releases were simulated."""
        return sum(one.times for one in self.entries if one.simulated)

    def lines(self) -> list[Cost]:
        """The entries put together: how often each kind of release was paid with each budget.

        Of what was simulated a line says how often, whatever the budgets were.
        """
        first: dict[str, Budget] = {}
        return summed(
            replace(one, budget=first.setdefault(one.what, one.budget)) if one.simulated else one
            for one in self.entries
        )


@dataclass(frozen=True, slots=True)
class Balance:
    """Where the people of one tank stand.

    total is all that was promised to them. jointly is what of it was promised to people with all
    of their rows: whoever has one row only was promised that, too. has_more says that more was
    drawn, which promises these people nothing.
    """

    total: Total
    simulated: int = 0
    jointly: Total = Total()
    has_more: bool = False

    @classmethod
    def of_rows(cls, rows: Account, people: Account, more: Sequence[Cost] = ()) -> Balance:
        """Of people with one row: draws as rows and draws as people add up; more is to come."""
        total = total_of([*rows.entries, *people.entries, *more])
        return cls(total, rows.simulated, people.total)

    @classmethod
    def of_people(cls, rows: Account, people: Account, more: Sequence[Cost] = ()) -> Balance:
        """Of people with several rows: a draw as rows promises nothing to all of them together."""
        total = total_of([*people.entries, *more])
        return cls(total, people.simulated, has_more=bool(rows.total))

    def __str__(self) -> str:
        return f"{self.total}{self.rest}"

    @property
    def rest(self) -> str:
        """What stands behind a total that is not all that was drawn."""
        return ", and draws without a promise to people" if self.has_more else ""


def summed(costs: Iterable[Cost]) -> list[Cost]:
    """Equal costs put together: one line says how often."""
    times: dict[Cost, int] = {}
    for one in costs:
        kind = replace(one, times=1)
        times[kind] = times.get(kind, 0) + one.times
    return [replace(kind, times=count) for kind, count in times.items()]


def total_of(costs: Iterable[Cost]) -> Total:
    """The sum of what is published, each budget so many times; fsum rounds it once."""
    spent = [(one.budget, one.times) for one in costs if not one.simulated]
    others = [(one, times) for one, times in spent if not isinstance(one, ZCDP)]
    return Total(
        math.fsum(times * one.epsilon for one, times in others),
        math.fsum(times * one.delta for one, times in others if isinstance(one, ApproxDP)),
        math.fsum(times * one.rho for one, times in spent if isinstance(one, ZCDP)),
    )


def simulated_words(releases: int) -> str:
    """What is said of releases that nobody gets."""
    return f"simulated {at_most(releases)} release{'' if releases == 1 else 's'}; nothing published"


def at_most(value: float) -> str:
    """A number in three digits, rounded up: never less than was spent."""
    return _three(Decimal(value) * (1 - DUST), ROUND_CEILING)


def at_least(value: float) -> str:
    """A number in three digits, rounded down: never more than was promised."""
    return _three(Decimal(value) * (1 + DUST), ROUND_FLOOR)


def _three(value: Decimal, rounding: str) -> str:
    if not value:
        return "0"
    step = Decimal(1).scaleb(value.adjusted() - 2)
    found = float((value / step).to_integral_value(rounding) * step)
    return f"{found:,.0f}" if found >= GROUPED else f"{found:.3g}"
