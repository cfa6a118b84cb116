"""Quantiles of many columns under one budget: each column gets a share of it, by weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from dpviz.core.budgets import Budget
from dpviz.core.checks import checked_number, wanted
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.randomness.bits import Randomness, or_secure
from dpviz.core.releases import ProfileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism, Quantiles
from dpviz.mechanisms.requests import checked_budget

MOST_COLUMNS = 50


@dataclass(frozen=True, slots=True)
class Profile:
    """The same quantiles of up to 50 columns.

    >>> profile = dp.Profile().release({'mark': column}, [0.5], dp.PureDP(1))
    >>> profile.releases['mark'].spent
    PureDP(epsilon=1.0)

    Guarantee: the budget, by basic composition: shares of ε (with δ) or ρ add up to it and are
    never rounded up. Neighbours are those of the mechanism; people are the same in all columns, so
    one who joins or leaves changes every column by a record.
    """

    mechanism: QuantileMechanism = field(
        default_factory=lambda: ApproximateQuantiles(round_to_grid=True)
    )

    name: ClassVar[str] = "Profile"

    @usual_floats
    def release(
        self,
        columns: Mapping[str, Column],
        quantiles: Quantiles,
        budget: Budget,
        rng: Randomness | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> ProfileRelease:
        """Spend the budget once, in shares proportional to the weights, equal ones if none.

        Raises: InvalidData for no column or more than 50; InvalidParameter for weights that are not
        positive numbers, one for each column; DpvizError as the mechanism's release does.
        """
        rng = or_secure(rng)
        wanted(Mapping, columns, "columns", InvalidData)  # type: ignore[type-abstract]
        if not 1 <= len(columns) <= MOST_COLUMNS:
            raise InvalidData(
                f"A profile takes 1 to {MOST_COLUMNS} columns, got {len(columns)}. Choose the "
                "columns that matter: each one more takes its share from all others."
            )
        for name, column in columns.items():
            wanted(Column, column, f"column '{name}'", InvalidData)
        parts = shares(budget, checked_weights(columns, weights))
        for part in parts.values():
            self.mechanism.check(part, quantiles)
        drawn = {
            name: self.mechanism.release(column, quantiles, parts[name], rng)
            for name, column in columns.items()
        }
        return ProfileRelease(drawn, budget)


def checked_weights(
    columns: Mapping[str, object], weights: Mapping[str, float] | None
) -> dict[str, float]:
    """A positive weight for each column, 1 where none are given.

    Raises: InvalidParameter for anything else.
    """
    if weights is None:
        return dict.fromkeys(columns, 1.0)
    wanted(Mapping, weights, "weights")  # type: ignore[type-abstract]
    if set(weights) != set(columns):
        raise InvalidParameter("weights must have one number for each column, by its name.")
    settled = {name: checked_number(weights[name], f"the weight of '{name}'") for name in columns}
    for name, weight in settled.items():
        if not 0 < weight < float("inf"):
            raise InvalidParameter(f"The weight of '{name}' must be positive, got {weight}.")
    return settled


def shares(budget: Budget, weights: Mapping[str, float]) -> dict[str, Budget]:
    """What each column may spend: as decimals they add up to the budget or a little less."""
    parts = checked_budget(budget).split(*weights.values())
    return dict(zip(weights, parts, strict=True))
