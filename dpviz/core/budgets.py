"""Privacy budgets in three notions, validated at birth, and their composition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.core.errors import InvalidBudget


def _require_positive(symbol: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidBudget(f"{symbol} must be a number, got {value!r}.") from None
    if not 0 < number < math.inf:  # also rejects NaN
        raise InvalidBudget(f"{symbol} must be a positive finite number, got {number}.")
    return number


@dataclass(frozen=True, slots=True)
class PureDP:
    """ε-differential privacy."""

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _require_positive("ε", self.epsilon))

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}"


@dataclass(frozen=True, slots=True)
class ApproxDP:
    """(ε, δ)-differential privacy with 0 < δ < 1."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _require_positive("ε", self.epsilon))
        object.__setattr__(self, "delta", _require_positive("δ", self.delta))
        if self.delta >= 1:
            raise InvalidBudget(f"δ must lie strictly between 0 and 1, got {self.delta}.")

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}, δ = {self.delta:g}"


@dataclass(frozen=True, slots=True)
class ZCDP:
    """ρ-zero-concentrated differential privacy (Bun and Steinke 2016)."""

    rho: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", _require_positive("ρ", self.rho))

    def __str__(self) -> str:
        return f"ρ = {self.rho:g}"


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
    first = budgets[0]
    if isinstance(first, PureDP):
        return PureDP(math.fsum(b.epsilon for b in budgets if isinstance(b, PureDP)))
    if isinstance(first, ZCDP):
        return ZCDP(math.fsum(b.rho for b in budgets if isinstance(b, ZCDP)))
    approx = [b for b in budgets if isinstance(b, ApproxDP)]
    return ApproxDP(math.fsum(b.epsilon for b in approx), math.fsum(b.delta for b in approx))
