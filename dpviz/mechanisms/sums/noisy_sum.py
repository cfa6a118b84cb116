"""A sum with noise: values are clipped to declared bounds, and the bounds decide the noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import settle, wanted
from dpviz.core.choices import choice
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidBounds, InvalidParameter
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.requests import check_column_request

LARGEST_END, LARGEST_SCALE = 1e290, 1e300


def sum_sensitivity(bounds: Bounds, neighbours: Neighbours) -> float:
    """The most that one record changes a clipped sum, in the column's units.

    A record that joins or leaves moves it by at most max(|low|, |high|), a replaced one by at most
    high − low.
    """
    if neighbours is Neighbours.REPLACE_ONE:
        return bounds.width
    return max(abs(bounds.low), abs(bounds.high))


@dataclass(frozen=True, slots=True)
class NoisySum:
    """The sum of a column's clipped values, with noise for the most that one record can add.

    noise is Laplace or Gaussian; None picks the one that suits the budget.

    >>> round(dp.NoisySum().release(column, dp.PureDP(1), rng).value, -3)
    343000.0

    Guarantee: the budget, under the neighbours given. Errors: exact, see metrics.clipped_sums.
    Source: Dwork, McSherry, Nissim and Smith 2006 (Laplace); Bun and Steinke 2016 (Gaussian).
    """

    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "NoisySum"
    card: ClassVar[Card] = Card(
        key="NoisySum",
        title="Noisy sum",
        family="Sums",
        summary="Clips every value to the declared bounds, adds them up, and adds noise for the "
        "most that one record can contribute.",
        guarantee="Pure ε (Laplace noise), ρ-zCDP or (ε, δ) (Gaussian noise).",
        neighbours=BOTH,
        cost="One pass over the column.",
        good_for="Totals and averages of many people, when a public bound is near the values.",
        watch_out="Wide bounds drown the answer in noise, tight ones cut off large values; a "
        "median forgives both.",
        source="Dwork, McSherry, Nissim and Smith 2006",
        label="sum",
        words="noisy sum",
        lead="Values clipped to public bounds, added up, and noise for the most of one record.",
        promises=("pure", "zcdp", "approx"),
        price="noise as large as the bound",
        use="totals of many people",
        hue="teal",
    )

    def __post_init__(self) -> None:
        settle(
            self, neighbours=lambda value, name: choice(Neighbours, value, name), noise=continuous
        )

    def scale(self, bounds: Bounds, budget: Budget) -> float:
        """The noise's scale, in the column's units.

        Raises: UnsupportedBudget for noise that does not give the notion; InvalidBounds where the
        sum of 2^53 records, the most of any column, or its noise would be beyond all numbers.
        """
        moved = sum_sensitivity(wanted(Bounds, bounds, "bounds"), self.neighbours)
        scale = moved * noise_scale(self.law(budget), budget, 1.0, Neighbours.ADD_REMOVE)
        if max(moved, abs(bounds.low), abs(bounds.high)) > LARGEST_END or scale > LARGEST_SCALE:
            raise InvalidBounds(
                f"Sums are released of columns within ±{LARGEST_END:g}, with noise up to "
                f"{LARGEST_SCALE:g}: beyond, a sum of many records overflows. Change the units, or "
                "choose a larger budget."
            )
        return scale

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.continuous_for(budget) if self.noise is None else self.noise

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> NumberRelease:
        """One noisy sum.

        Raises: as release_many; InvalidParameter for secure bits: a sum's noise is continuous.
        """
        rng = or_secure(rng)
        rng = only_seeded(rng, f"{self.card.title} with its continuous noise")
        (value,) = self.release_many(column, budget, rng, 1)
        return number_release(self.name, {}, float(value), self, column, budget, 1.0)

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent noisy sums (runs,), each spending the whole budget.

        Raises: InvalidData for anything but a Column, InvalidBudget, InvalidParameter; as scale.
        """
        check_column_request(column, budget, rng, runs)
        scale = self.scale(column.bounds, budget)  # refuses before the records are looked at
        return column.total + self.law(budget).draw(scale, (runs,), rng)  # spends the budget


def number_release(
    name: str,
    parameters: dict[str, object],
    value: float,
    drawn: NoisySum,
    column: Column,
    budget: Budget,
    divisor: float,
) -> NumberRelease:
    """The release of a noisy sum over a public divisor."""
    return NumberRelease(
        mechanism=name,
        parameters=parameters,
        value=value,
        noise=drawn.law(budget),
        scale=drawn.scale(column.bounds, budget) / divisor,
        bounds=column.bounds,
        neighbours=drawn.neighbours,
        spent=budget,
    )


def continuous(value: Any, name: str) -> Noise | None:
    """The rule that noise suits a sum: Laplace, Gaussian, or None for the budget's own."""
    if value is None:
        return None
    noise = choice(Noise, value, name)
    if noise.whole:
        raise InvalidParameter(
            f"{name} of a sum must be laplace or gaussian: its values need not be whole numbers."
        )
    return noise
