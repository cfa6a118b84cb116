"""The account of a visit: every release that was paid, and what they add up to."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from dpviz.core.budgets import Budget
from dpviz.core.grid import written_up
from dpviz.people.spending import Loss, added, tight_epsilon

DUST = Decimal("1e-15")  # of a sum of doubles: three tenths are 0.3, not 0.301
GROUPED = 1_000  # from here on thousands are grouped


@dataclass(frozen=True, slots=True)
class Cost:
    """What a draw spends: so many runs, each with the whole budget; what is for people.

    simulated runs are looked at beside the truth alone and leave in no form. They are counted and
    not added up: like a look at the truth itself they are covered by no budget. persons is the
    column that names the people it is promised to, empty where each row is one; replaced says that
    it is promised to a record that is replaced, and to none that is added.
    """

    what: str
    budget: Budget
    times: int = 1
    simulated: bool = False
    persons: str = ""
    replaced: bool = False

    def __str__(self) -> str:
        if self.simulated:
            return f"{self.what}: {simulated_words(self.times)}"
        relation = ", one replaced" if self.replaced else ""
        once = total_of([replace(self, times=1)], replaced=self.replaced)
        return f"{self.what}{relation}: {self.times:,} × {once}"


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

    def holds(self, release: bytes) -> bool:
        """Whether a release was paid."""
        return any(name == release for name, _ in self._paid)

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
    drawn, which promises these people nothing; has_other that there are draws under replace one
    while records are added and removed, which promise nothing there. losses are those of the
    releases that the total adds up, with how often each was made.
    """

    total: Total
    simulated: int = 0
    jointly: Total = Total()
    has_more: bool = False
    has_other: bool = False
    losses: tuple[tuple[Loss, int], ...] = ()

    @classmethod
    def of_rows(
        cls, rows: Account, people: Account, more: Sequence[Cost] = (), *, replaced: bool = False
    ) -> "Balance":
        """Of people with one row: draws as rows and draws as people add up; more is to come.

        replaced is the relation in use: whether a record is replaced.
        """
        paid = [*rows.entries, *people.entries, *more]
        losses = tuple(losses_of(paid, replaced=replaced))
        return cls(
            _total(losses),
            rows.simulated,
            total_of(people.entries, replaced=replaced),
            has_other=not replaced and any(one.replaced and not one.simulated for one in paid),
            losses=losses,
        )

    @classmethod
    def of_people(
        cls, rows: Account, people: Account, more: Sequence[Cost] = (), *, persons: str = ""
    ) -> "Balance":
        """Of the people whom one column names: no other draw promises them anything together."""
        paid = [*people.entries, *more]
        own = [one for one in paid if one.persons == persons]
        others = [*rows.entries, *(one for one in paid if one.persons != persons)]
        return cls(
            total_of(own),
            sum(one.times for one in own if one.simulated),
            has_more=not all(one.simulated for one in others),
            losses=tuple(losses_of(own)),
        )

    def tight(self, delta: float) -> float | None:
        """The least ε at a δ that is known for several releases; None where it says nothing new.

        Budgets that are chosen on the way keep the total alone: this holds for a plan of them.
        """
        if sum(times for _, times in self.losses) < 2:
            return None
        found = _tight(self.losses, delta)
        is_new = self.total.rho > 0 or self.total.delta > 0 or found < self.total.epsilon
        return found if is_new and math.isfinite(found) else None

    def __str__(self) -> str:
        return f"{self.total}{self.rest}"

    @property
    def rest(self) -> str:
        """What stands behind a total that is not all that was drawn."""
        more = ", and draws without a promise to people" if self.has_more else ""
        return f"{more}, and draws under replace one" if self.has_other else more


def summed(costs: Iterable[Cost]) -> list[Cost]:
    """Equal costs put together: one line says how often."""
    times: dict[Cost, int] = {}
    for one in costs:
        kind = replace(one, times=1)
        times[kind] = times.get(kind, 0) + one.times
    return [replace(kind, times=count) for kind, count in times.items()]


@lru_cache(maxsize=256)
def _tight(losses: tuple[tuple[Loss, int], ...], delta: float) -> float:
    return tight_epsilon([loss for loss, times in losses for _ in range(times)], delta)


def losses_of(costs: Iterable[Cost], *, replaced: bool = False) -> Iterator[tuple[Loss, int]]:
    """What each kind of release that is published loses, and how often.

    replaced says whether they are promised to a replaced record. Replacing one removes it and
    adds another, so that a draw for added records spends 2ε, 4ρ and (1 + e^ε) δ there. A draw for
    replaced ones promises nothing to an added one, and is left out.
    """
    for one in costs:
        if not one.simulated and (replaced or not one.replaced):
            yield Loss.of(one.budget, 2 if replaced and not one.replaced else 1), one.times


def total_of(costs: Iterable[Cost], *, replaced: bool = False) -> Total:
    """The sum of what is published, each budget so many times, never rounded down."""
    return _total(losses_of(costs, replaced=replaced))


def _total(losses: Iterable[tuple[Loss, int]]) -> Total:
    whole = added(loss * times for loss, times in losses)
    return Total(written_up(whole.epsilon), written_up(whole.delta), written_up(whole.rho))


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
