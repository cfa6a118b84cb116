"""What a guarantee is stated in: budgets of three notions, validated at birth, and neighbours.

Budgets add, are divided and become plain values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeVar, cast

from dpviz.core.checks import checked_number, checked_whole
from dpviz.core.choices import Choice
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written, written_down, written_up

B = TypeVar("B", bound="Arithmetic")

MOST_PARTS = 10**9


class Neighbours(Choice):
    """The neighbouring relation that a guarantee is stated under.

    >>> dp.Neighbours('replace-one') is dp.Neighbours.REPLACE_ONE
    True
    """

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"

    @property
    def counts_changed(self) -> int:
        """How many of several disjoint counts (a level of a tree, say) one change touches: 1 or 2.

        A record that is replaced leaves one count and enters another.
        """
        return {Neighbours.ADD_REMOVE: 1, Neighbours.REPLACE_ONE: 2}[self]


def _require_positive(symbol: str, value: float) -> float:
    number = checked_number(value, symbol, InvalidBudget)
    if not 0 < number < math.inf:  # also rejects NaN
        raise InvalidBudget(f"{symbol} must be a positive finite number, got {number}.")
    return number


class Arithmetic:
    """What budgets have in common: they add, and they are divided, as decimals are."""

    __slots__ = ()

    def __add__(self: B, other: Any) -> B:
        """The guarantee of both together, as compose gives it."""
        if not isinstance(other, Arithmetic):
            return NotImplemented
        whole: Any = compose([cast("Budget", self), cast("Budget", other)])
        return cast("B", whole)

    def __radd__(self: B, other: Any) -> B:
        """For sum(), which starts at 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __truediv__(self: B, parts: Any) -> B:
        """One of so many equal parts, which together spend no more than the whole.

        Raises: InvalidBudget for a number of parts that is not a whole number from 1.
        """
        number = checked_whole(parts, "parts", 1, MOST_PARTS, InvalidBudget)
        return cast("B", _scaled(cast("Budget", self), Fraction(1, number)))

    def split(self: B, weight: float, *others: float) -> tuple[B, ...]:
        """Parts in proportion to some weights: three quarters and one quarter by 3 and 1.

        Together they spend no more than the whole. δ is split as ε is.
        Raises: InvalidBudget for a weight that is no positive finite number.
        """
        weights = (_require_positive("A weight", one) for one in (weight, *others))
        written = [as_written(one) for one in weights]
        whole = sum(written, Fraction(0))
        return tuple(cast("B", _scaled(cast("Budget", self), one / whole)) for one in written)


@dataclass(frozen=True, slots=True)
class PureDP(Arithmetic):
    """ε-differential privacy.

    >>> dp.PureDP(1) / 4
    PureDP(epsilon=0.25)
    >>> sum([dp.PureDP(0.1)] * 3)
    PureDP(epsilon=0.3)
    """

    epsilon: float

    symbol: ClassVar[str] = "ε"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _require_positive("ε", self.epsilon))

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}"

    @property
    def size(self) -> float:
        """ε."""
        return self.epsilon

    def resized(self, size: float) -> PureDP:
        """The budget with another ε."""
        return PureDP(size)

    def to_dict(self) -> dict[str, float | str]:
        """Plain values, tagged with the notion."""
        return {"notion": "pure", "epsilon": self.epsilon}


@dataclass(frozen=True, slots=True)
class ApproxDP(Arithmetic):
    """(ε, δ)-differential privacy with 0 < δ < 1.

    >>> dp.ApproxDP(1, 1e-6) / 2
    ApproxDP(epsilon=0.5, delta=5e-07)
    """

    epsilon: float
    delta: float

    symbol: ClassVar[str] = "ε"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _require_positive("ε", self.epsilon))
        object.__setattr__(self, "delta", _require_positive("δ", self.delta))
        if self.delta >= 1:
            raise InvalidBudget(f"δ must lie strictly between 0 and 1, got {self.delta}.")

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}, δ = {self.delta:g}"

    @property
    def size(self) -> float:
        """ε."""
        return self.epsilon

    def resized(self, size: float) -> ApproxDP:
        """The budget with another ε; δ stays."""
        return replace(self, epsilon=size)

    def to_dict(self) -> dict[str, float | str]:
        """Plain values, tagged with the notion."""
        return {"notion": "approximate", "epsilon": self.epsilon, "delta": self.delta}


@dataclass(frozen=True, slots=True)
class ZCDP(Arithmetic):
    """ρ-zero-concentrated differential privacy (Bun and Steinke 2016).

    >>> dp.ZCDP(0.5).split(3, 1)
    (ZCDP(rho=0.375), ZCDP(rho=0.125))
    """

    rho: float

    symbol: ClassVar[str] = "ρ"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", _require_positive("ρ", self.rho))

    def __str__(self) -> str:
        return f"ρ = {self.rho:g}"

    @property
    def size(self) -> float:
        """ρ."""
        return self.rho

    def resized(self, size: float) -> ZCDP:
        """The budget with another ρ."""
        return ZCDP(size)

    def to_dict(self) -> dict[str, float | str]:
        """Plain values, tagged with the notion."""
        return {"notion": "zcdp", "rho": self.rho}


type_names: dict[type, str] = {PureDP: "pure", ApproxDP: "approximate", ZCDP: "zCDP"}

Budget = PureDP | ApproxDP | ZCDP


def compose(budgets: Sequence[Budget]) -> Budget:
    """The guarantee of several releases about the same people, by basic composition.

    Guarantee: parameters add within one notion, as the decimals that they are written as, and the
    sum is never rounded down: .1 and .2 are .3. Notions are never mixed silently.
    Raises: InvalidBudget for no budgets or for mixed notions, and where δ adds up to 1 or more.
    Source: Dwork et al. 2006; Bun and Steinke 2016, Lemma 2.3.
    """
    notions = {type(budget) for budget in budgets}
    if len(notions) != 1:
        found = ", ".join(sorted(type_names[notion] for notion in notions)) or "none"
        raise InvalidBudget(
            f"Only budgets of one notion compose, found {found}. Convert them first."
        )
    first, whole = budgets[0], _sum(budget.size for budget in budgets)
    if isinstance(first, ApproxDP):
        delta = _sum(b.delta for b in budgets if isinstance(b, ApproxDP))
        if delta >= 1:
            raise InvalidBudget(
                f"The δ of {len(budgets):,} releases add up to {delta:.10g}, and from 1 on nothing "
                "is promised. Compose fewer of them, or give each a smaller δ."
            )
        return ApproxDP(whole, delta)
    return first.resized(whole)


def _sum(sizes: Iterable[float]) -> float:
    try:
        return written_up(sum(map(as_written, sizes), Fraction(0)))
    except OverflowError:
        return math.inf  # which no budget takes


def _scaled(budget: Budget, share: Fraction) -> Budget:
    """A share of a budget, rounded down as it is written."""
    if isinstance(budget, ApproxDP):
        epsilon, delta = (
            written_down(share * as_written(size)) for size in (budget.epsilon, budget.delta)
        )
        return ApproxDP(epsilon, delta)
    return budget.resized(written_down(share * as_written(budget.size)))


def budget_from_dict(stored: Mapping[str, Any]) -> Budget:
    """The budget whose to_dict gave these plain values.

    Raises: InvalidBudget for an unknown notion, KeyError if a parameter is missing.
    """
    match stored["notion"]:
        case "pure":
            return PureDP(stored["epsilon"])
        case "approximate":
            return ApproxDP(stored["epsilon"], stored["delta"])
        case "zcdp":
            return ZCDP(stored["rho"])
        case unknown:
            raise InvalidBudget(
                f"Unknown notion of privacy {unknown!r}. Choose 'pure', 'approximate' or 'zcdp'."
            )
