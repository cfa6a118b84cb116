"""Privacy budgets in three notions, validated at birth: their arithmetic, and plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dpviz.core.checks import checked_number
from dpviz.core.errors import InvalidBudget


def _require_positive(symbol: str, value: float) -> float:
    number = checked_number(value, symbol, InvalidBudget)
    if not 0 < number < math.inf:  # also rejects NaN
        raise InvalidBudget(f"{symbol} must be a positive finite number, got {number}.")
    return number


@dataclass(frozen=True, slots=True)
class PureDP:
    """ε-differential privacy."""

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
class ApproxDP:
    """(ε, δ)-differential privacy with 0 < δ < 1."""

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
class ZCDP:
    """ρ-zero-concentrated differential privacy (Bun and Steinke 2016)."""

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

    Guarantee: parameters add within one notion; notions are never mixed silently.
    Raises: InvalidBudget for no budgets or for mixed notions.
    Source: Dwork et al. 2006; Bun and Steinke 2016, Lemma 2.3.
    """
    notions = {type(budget) for budget in budgets}
    if len(notions) != 1:
        found = ", ".join(sorted(type_names[notion] for notion in notions)) or "none"
        raise InvalidBudget(
            f"Only budgets of one notion compose, found {found}. Convert them first."
        )
    first, whole = budgets[0], math.fsum(budget.size for budget in budgets)
    if isinstance(first, ApproxDP):
        return ApproxDP(whole, math.fsum(b.delta for b in budgets if isinstance(b, ApproxDP)))
    return first.resized(whole)


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
