"""A histogram with noise: counts between declared edges, or of bins of equal width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import optional, real_numbers, settle, wanted, whole
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.shape import TreeShape
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.requests import check_column_request

MOST_BINS = 1 << 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """Noisy counts of bins: between given edges, or bins of equal width over the column's bounds.

    Bin i holds the values in [edges[i], edges[i + 1]), the last one its upper edge, too. Values
    are clipped to the bounds before they are counted; those outside the edges are in no bin.
    A record that joins or leaves changes one count by 1; a replaced one two of them, so that L1 is
    2 and L2 is √2. Without a noise it is drawn on whole numbers, exactly: discrete Laplace in ε,
    discrete Gaussian in ρ and (ε, δ). Continuous noise is a teaching choice, for seeds alone.
    By a tree, which errs less on ranges of many bins: CountTree, whose leaves are equal bins.

    >>> dp.Histogram(edges=(0, 50, 80, 100)).release(column, dp.PureDP(1), rng).counts
    array([1713., 3554.,  732.])

    Guarantee: Laplace noise, discrete or not: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP.
    Raises: InvalidParameter unless edges or bins are given, and not both; for edges that do not
    ascend, and for fewer than 2 bins or more than 2^20.
    Source: Dwork, McSherry, Nissim and Smith 2006.
    """

    edges: Sequence[float] | None = None
    bins: int | None = None
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "Histogram"
    card: ClassVar[Card] = Card(
        key="Histogram",
        title="Noisy histogram",
        family="Trees",
        summary="Counts the records between public edges, each count with noise of its own. One "
        "record changes one count, so every bin has the whole budget.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), (ε, δ) (Gaussian, "
        "discrete Gaussian)",
        neighbours=BOTH,
        cost="One search for each edge.",
        good_for="Groups that are public, such as ages by decade, or a picture of a column.",
        watch_out="The noise of a range grows with its number of bins; a tree of counts adds up "
        "fewer of them.",
        source="Dwork, McSherry, Nissim and Smith 2006",
        label="histogram",
        words="noisy histogram",
        lead="Counts between public edges, each with noise for one record.",
        promises=("pure", "zcdp", "approx"),
        price="noise of about 1/ε records in every bin",
        use="counts of public groups",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(
            self,
            edges=optional(_ascending),
            bins=optional(whole(2, MOST_BINS)),
            noise=Noise.or_none,
        )
        settle_choices(self, neighbours=Neighbours)
        if (self.edges is None) == (self.bins is None):
            given = "neither was" if self.edges is None else "both were"
            raise InvalidParameter(
                f"A histogram needs either edges or a number of bins, and {given} given. Write "
                "Histogram(edges=[0, 18, 65, 120]) or Histogram(bins=20)."
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values; the edges stand in the release."""
        return {"bins": self.bins, "noise": None if self.noise is None else self.noise.value}

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    def scale(self, budget: Budget) -> float:
        """The scale of the noise on each count, in records.

        Raises: UnsupportedBudget for noise that does not give the notion.
        """
        (scale,) = level_scales(self.law(budget), budget, (1.0,), self.neighbours)
        return scale

    def edges_within(self, bounds: Bounds) -> FloatArray:
        """The edges of the bins of a column with these bounds, (k + 1,).

        Raises: InvalidParameter for given edges that reach beyond the bounds, where no value is,
        and for more bins than there are doubles between the bounds.
        """
        low, high = wanted(Bounds, bounds, "bounds").low, bounds.high
        if self.edges is None:
            assert self.bins is not None
            edges = TreeShape(self.bins, 1).edges(bounds)
            if not (np.diff(edges) > 0).all():
                raise InvalidParameter(
                    f"Bounds ({low:g}, {high:g}) are too close for {self.bins:,} bins: some would "
                    "be empty. Choose fewer."
                )
            return edges
        if not low <= self.edges[0] < self.edges[-1] <= high:
            raise InvalidParameter(
                f"Edges must lie within the column's bounds ({low:g}, {high:g}), got edges from "
                f"{self.edges[0]:g} to {self.edges[-1]:g}: values are clipped to the bounds."
            )
        return np.array(self.edges)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> HistogramRelease:
        """Spend the budget once.

        Raises: InvalidData for anything but a Column, InvalidBudget; InvalidParameter for
        continuous noise with secure bits; as scale and edges_within.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        (counts,) = self._drawn(column, budget, rng, 1)
        return HistogramRelease(
            mechanism=self.name,
            parameters={**self.parameters, "noise": self.law(budget).value},
            edges=self.edges_within(column.bounds),
            counts=counts,
            noise=self.law(budget),
            scale=self.scale(budget),
            bounds=column.bounds,
            resolution=column.resolution,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Counts of independent histograms (runs, k), each spending the whole budget.

        Raises: as release; InvalidParameter for fewer runs than 1.
        """
        check_column_request(column, budget, rng, runs)
        return self._drawn(column, budget, rng, runs)

    def _drawn(self, column: Column, budget: Budget, rng: Randomness, runs: int) -> FloatArray:
        edges, scale = self.edges_within(column.bounds), self.scale(budget)
        below = column.count_below(edges)  # confidential
        below[-1] = column.count_up_to(edges[-1])
        size = runs, edges.size - 1
        return np.diff(below) + self.law(budget).draw(scale, size, rng)  # spends the budget


def _ascending(value: Any, name: str) -> tuple[float, ...]:
    """The rule that a value is a row of finite numbers that ascend, 3 of them or more."""
    numbers = real_numbers(value, name)
    if numbers.ndim != 1 or not 3 <= numbers.size <= MOST_BINS + 1:
        raise InvalidParameter(
            f"{name} must be from 3 to 2^20 + 1 numbers in a row, got an array of shape "
            f"{numbers.shape}. For a single range take NoisyCount(above, below)."
        )
    if not (np.isfinite(numbers).all() and (np.diff(numbers) > 0).all()):
        raise InvalidParameter(f"{name} must be finite numbers that ascend, each above the last.")
    return tuple(numbers.tolist())
