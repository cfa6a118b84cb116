"""A mean with noise: a noisy clipped sum over a number of records that is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import settle, whole
from dpviz.core.choices import choice
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.sums.noisy_sum import NoisySum, continuous, number_release


@dataclass(frozen=True, slots=True)
class NoisyMean:
    """The noisy clipped sum divided by a public number of records.

    records comes from public knowledge, never from the column: under add/remove neighbours its true
    number is confidential. An unknown number would need a count of its own.

    >>> round(dp.NoisyMean(6000).release(column, dp.PureDP(1), rng).value)
    57

    Guarantee: as NoisySum, of which this is post-processing.
    """

    records: int
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "NoisyMean"
    card: ClassVar[Card] = Card(
        key="NoisyMean",
        title="Noisy mean",
        family="Sums",
        summary="Divides a noisy clipped sum by a public number of records.",
        guarantee="That of the sum: dividing by a public number costs nothing.",
        neighbours=BOTH,
        cost="One pass over the column.",
        good_for="Averages per head where the number of people is known from elsewhere.",
        watch_out="The bounds decide the error: the best ones depend on ε and on the number of "
        "people, and may be sought on other, public data only.",
        source="Dwork, McSherry, Nissim and Smith 2006",
        label="mean",
        words="noisy mean",
        lead="A noisy clipped sum divided by a public number of records.",
        promises=("pure", "zcdp", "approx"),
        price="noise as large as the bound over n",
        use="averages where n is public",
        hue="teal dash",
    )

    def __post_init__(self) -> None:
        settle(
            self,
            records=whole(1, 2**53),
            neighbours=lambda value, name: choice(Neighbours, value, name),
            noise=continuous,
        )

    @property
    def total(self) -> NoisySum:
        """The sum that is divided."""
        return NoisySum(self.noise, self.neighbours)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> NumberRelease:
        """One noisy mean.

        Raises: as NoisySum.release.
        """
        rng = or_secure(rng)
        rng = only_seeded(rng, f"{self.card.title} with its continuous noise")
        (value,) = self.release_many(column, budget, rng, 1)
        parameters: dict[str, object] = {"records": self.records}
        return number_release(
            self.name, parameters, float(value), self.total, column, budget, self.records
        )

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent noisy means (runs,), each spending the whole budget.

        Raises: as NoisySum.release_many.
        """
        return self.total.release_many(column, budget, rng, runs) / self.records
