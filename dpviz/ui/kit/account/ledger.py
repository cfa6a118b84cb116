"""The account of a visit: every release that was paid, and what they add up to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpviz.core.budgets import ZCDP, ApproxDP, Budget


@dataclass(frozen=True, slots=True)
class Cost:
    """What a draw spends: so many runs, each with the whole budget; what is for people."""

    what: str
    budget: Budget
    times: int = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """Runs that were paid; release names the draw and its purpose, and is never shown."""

    release: bytes = field(repr=False)
    what: str
    budget: Budget
    times: int


@dataclass(frozen=True, slots=True)
class Total:
    """What releases about the same people add up to; pure ε is the case δ = 0 of (ε, δ).

    ρ stands beside ε: neither notion is converted into the other.
    """

    epsilon: float = 0.0
    delta: float = 0.0
    rho: float = 0.0

    def __str__(self) -> str:
        parts = []
        if self.epsilon:
            delta = f", δ = {_above(self.delta)}" if self.delta else ""
            parts.append(f"ε = {_above(self.epsilon)}{delta}")
        if self.rho:
            parts.append(f"ρ = {_above(self.rho)}")
        return " and ".join(parts) or "nothing"


@dataclass(slots=True)
class Account:
    """Everything that was paid about the same people; what was paid once is not paid again."""

    _paid: dict[tuple[bytes, str, Budget], int] = field(default_factory=dict)

    def pay(self, release: bytes, costs: Sequence[Cost]) -> bool:
        """Book the costs of a release; False where all of them were paid before."""
        before = dict(self._paid)
        for cost in summed(costs):
            key = (release, cost.what, cost.budget)
            self._paid[key] = max(cost.times, self._paid.get(key, 0))
        return self._paid != before

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was paid, in its order."""
        return tuple(Entry(*key, times) for key, times in self._paid.items())

    @property
    def total(self) -> Total:
        """By basic composition: ε, δ and ρ add up, each for itself.

        Source: Dwork et al. 2006; Bun and Steinke 2016, Lemma 2.3.
        """
        return total_of([(one.budget, one.times) for one in self.entries])

    def lines(self) -> list[Cost]:
        """The entries put together: how often each kind of release was paid with each budget."""
        return summed(Cost(one.what, one.budget, one.times) for one in self.entries)


def summed(costs: Iterable[Cost]) -> list[Cost]:
    """Equal costs put together: one line says how often."""
    times: dict[tuple[str, Budget], int] = {}
    for one in costs:
        key = (one.what, one.budget)
        times[key] = times.get(key, 0) + one.times
    return [Cost(what, budget, count) for (what, budget), count in times.items()]


def total_of(spent: Sequence[tuple[Budget, int]]) -> Total:
    """The sum of budgets, each so many times; fsum rounds it once."""
    concentrated = [(one, times) for one, times in spent if isinstance(one, ZCDP)]
    others = [(one, times) for one, times in spent if not isinstance(one, ZCDP)]
    return Total(
        math.fsum(times * one.epsilon for one, times in others),
        math.fsum(times * one.delta for one, times in others if isinstance(one, ApproxDP)),
        math.fsum(times * one.rho for one, times in concentrated),
    )


def _above(value: float) -> str:
    """Six digits, never less than the value but for the rounding of its own sum."""
    text = f"{value:.6g}"
    if float(text) >= value * (1 - 1e-12):
        return text
    step = 10.0 ** (math.floor(math.log10(value)) - 5)
    return f"{float(text) + step:.6g}"
