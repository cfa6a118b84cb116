"""A count with noise: how many records of a column lie above, below or between thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import Card
from dpviz.core.checks import finite, optional, settle
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.requests import check_column_request


@dataclass(frozen=True, slots=True)
class NoisyCount:
    """How many values of a column are > above and < below, with noise; all of them without either.

    Values equal to a threshold are not counted: of whole ages, above=49 counts those from 50 up.
    Values are clipped to the column's bounds before they are counted; missing ones never are.
    One record changes the count by at most 1, whether it joins, leaves or is replaced. Without a
    noise it is drawn on whole numbers, exactly: discrete Laplace in ε, discrete Gaussian in ρ and
    (ε, δ). Continuous noise is a teaching choice, for seeds alone.

    >>> dp.NoisyCount(above=50).release(column, dp.PureDP(0.5), rng).value
    3932.0

    Guarantee: Laplace noise, discrete or not: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP.
    Raises: InvalidParameter if above ≥ below, and for a count of all records under replace-one
    neighbours, where it is public.
    Source: Dwork, McSherry, Nissim and Smith 2006; Ghosh, Roughgarden and Sundararajan 2009
    (discrete Laplace); Canonne, Kamath and Steinke 2020 (discrete Gaussian).
    """

    above: float | None = None
    below: float | None = None
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "NoisyCount"
    card: ClassVar[Card] = Card(
        key="NoisyCount",
        title="Noisy count",
        family="Sums",
        summary="Counts the records above, below or between public thresholds, and adds noise on "
        "whole numbers for the one by which a record can change the count.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), (ε, δ) (Gaussian, "
        "discrete Gaussian)",
        neighbours="add/remove one record, replace one record (then with a threshold)",
        cost="One or two searches in the sorted column.",
        good_for="How many people are over, under or between limits that are public.",
        watch_out="Each further count costs a budget of its own; for many ranges a tree of counts "
        "errs less.",
        source="Dwork, McSherry, Nissim and Smith 2006; Ghosh, Roughgarden and Sundararajan 2009",
        label="count",
        words="noisy count",
        lead="Records above, below or between public thresholds, and noise for one record.",
        promises=("pure", "zcdp", "approx"),
        price="noise of about 1/ε records, whatever the bounds",
        use="how many people are over a limit",
        hue="teal dot",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(self, above=optional(finite), below=optional(finite), noise=Noise.or_none)
        settle_choices(self, neighbours=Neighbours)
        if self.above is not None and self.below is not None and not self.above < self.below:
            raise InvalidParameter(
                f"above must be less than below, got above = {self.above:g} and below = "
                f"{self.below:g}: no value lies between them."
            )
        counts_all = self.above is None and self.below is None
        if counts_all and self.neighbours is Neighbours.REPLACE_ONE:
            raise InvalidParameter(
                "Under replace-one neighbours the number of all records is public, and no budget "
                "need be spent on it. Choose above or below, or neighbours=ADD_REMOVE."
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    def scale(self, budget: Budget) -> float:
        """The noise's scale, in records: the same under either relation.

        Raises: UnsupportedBudget for noise that does not give the notion.
        """
        # a replaced record leaves one side of a threshold for the other: one count, changed by 1
        (scale,) = level_scales(self.law(budget), budget, (1.0,), Neighbours.ADD_REMOVE)
        return scale

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> NumberRelease:
        """One noisy count.

        Raises: InvalidData for anything but a Column, InvalidBudget; InvalidParameter for
        thresholds that no value within the column's bounds lies beyond, or that all do, and for
        continuous noise with secure bits; as scale.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        (value,) = self._drawn(column, budget, rng, 1)
        return NumberRelease(
            mechanism=self.name,
            parameters={**self.parameters, "noise": self.law(budget).value},
            value=float(value),
            noise=self.law(budget),
            scale=self.scale(budget),
            bounds=column.bounds,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent noisy counts (runs,), each spending the whole budget.

        Raises: as release; InvalidParameter for fewer runs than 1.
        """
        check_column_request(column, budget, rng, runs)
        return self._drawn(column, budget, rng, runs)

    def _drawn(self, column: Column, budget: Budget, rng: Randomness, runs: int) -> FloatArray:
        self._check_within(column.bounds)
        scale = self.scale(budget)  # refuses before the records are looked at
        return self._count(column) + self.law(budget).draw(scale, (runs,), rng)  # spends the budget

    def _count(self, column: Column) -> int:
        """The exact count; confidential."""
        until = column.n if self.below is None else int(column.count_below(self.below))
        return until - (0 if self.above is None else int(column.count_up_to(self.above)))

    def _check_within(self, bounds: Bounds) -> None:
        """Refuse thresholds whose count is known from the declared bounds, or misses clipping."""
        low, high = bounds.low, bounds.high
        if self.above is not None and not low <= self.above < high:
            raise InvalidParameter(
                f"above must lie in [{low:g}, {high:g}), the column's bounds, got {self.above:g}: "
                "values are clipped to the bounds, so that all lie above it or none."
            )
        if self.below is not None and not low < self.below <= high:
            raise InvalidParameter(
                f"below must lie in ({low:g}, {high:g}], the column's bounds, got {self.below:g}: "
                "values are clipped to the bounds, so that all lie below it or none."
            )
