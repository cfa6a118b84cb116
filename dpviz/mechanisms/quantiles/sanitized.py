"""A private synthetic column: many quantiles of ApproximateQuantiles stand in for the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_share, checked_whole, found, optional, settle
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import as_written, written_down
from dpviz.core.quantiles import uniform_quantiles
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import QuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.requests import check_column_request

LARGEST = 1_000_000  # points of one synthetic column


@dataclass(frozen=True, slots=True)
class SanitizedColumn:
    """n̂ synthetic points, the private i/(n̂+1) quantiles for i = 1..n̂.

    size is n̂ when it is declared in advance; with size None a noisy count is paid for with
    count_share of the budget, under either relation: the true n never shows.

    >>> dp.SanitizedColumn(size=31).release(column, dp.PureDP(1)).values.size
    31

    Guarantee: that of quantiles, composed with the count's (discrete Laplace noise, discrete
    Gaussian for ZCDP).
    Under replace-one the count would be free; its noise still keeps n out of the release.
    Source: Kaplan, Schnapp and Stemmer 2021, Corollary 3.6.
    """

    size: int | None = None
    count_share: float = 0.1
    quantiles: ApproximateQuantiles = field(default_factory=ApproximateQuantiles)

    name: ClassVar[str] = "SanitizedColumn"
    card: ClassVar[Card] = Card(
        key="SanitizedColumn",
        title="Sanitised column",
        lead="A column of invented people with nearly the same distribution.",
        promises=("pure", "zcdp", "approx"),
        price="as recursive halving, plus a noisy count",
        use="tools that expect one row for each person",
        words="made-up column",
        family="Quantiles",
        summary="A synthetic column of $\\hat n$ points, the private $i/(\\hat n+1)$ quantiles of "
        "ApproximateQuantiles. $\\hat n$ is declared, or a noisy count that is paid for.",
        guarantee="as ApproximateQuantiles, composed with the count",
        neighbours=BOTH,
        cost="$\\hat n$ draws",
        good_for="feeding tools that expect records, such as a histogram or a fit",
        watch_out="points are not records: nothing about one person can be read from a point",
        source="Kaplan, Schnapp and Stemmer 2021, Corollary 3.6",
        holds="exact",
        hue="violet",
    )

    def __post_init__(self) -> None:
        settle(
            self, size=optional(_synthetic_size), count_share=checked_share, quantiles=_a_mechanism
        )

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once; the values of the release are the synthetic points.

        Raises: InvalidBudget where the count's noise would have a scale above 2^40.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        size, rest = self._size_and_rest(column, budget, rng)
        drawn = self.quantiles.release(column, uniform_quantiles(size), rest, rng)
        return QuantileRelease(
            mechanism=self.name,
            parameters={
                **drawn.parameters,
                "size": self.size,
                "count_share": None if self.size else self.count_share,
            },
            quantiles=drawn.quantiles,
            values=drawn.values,
            bounds=drawn.bounds,
            resolution=drawn.resolution,
            neighbours=drawn.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    def _size_and_rest(self, column: Column, budget: Budget, rng: Randomness) -> tuple[int, Budget]:
        """n̂ and what is left for the quantiles; the two parts never add up to more than all."""
        if self.size is not None:
            return self.size, budget
        share = as_written(self.count_share)
        paying = budget if isinstance(budget, ZCDP) else PureDP(budget.size)
        noise = Noise.for_budget(paying)
        scale = noise_scale(noise, paying, share, Neighbours.ADD_REMOVE)
        noisy = column.n + noise.draw(scale, (1,), bits_of(rng))[0]  # spends the count's share
        rest = written_down((1 - share) * as_written(budget.size))
        return int(np.clip(noisy, 1, LARGEST)), budget.resized(rest)


def _synthetic_size(value: Any, name: str) -> int:
    return checked_whole(value, f"{name} of the synthetic column", 1, LARGEST)


def _a_mechanism(value: Any, name: str) -> ApproximateQuantiles:
    if isinstance(value, type) or not callable(getattr(value, "release", None)):
        raise InvalidParameter(
            f"{name} must be a mechanism, ApproximateQuantiles(), got {found(value)}."
        )
    mechanism: ApproximateQuantiles = value
    return mechanism
