"""AggTree: quantiles read from noisy counts on a tree of equal-width intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.choices import settle_choices
from dpviz.core.data import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.tree import TreeShape
from dpviz.estimators.quantiles import interpolated_quantiles, running_counts
from dpviz.estimators.tree import efficient
from dpviz.mechanisms.protocol import Quantiles
from dpviz.mechanisms.ties import declared_outputs
from dpviz.mechanisms.tree import Noise, add_noise, count_levels, noise_scale

CHUNK = 2**18  # noisy leaves worked on at once: 2 MB arrays, small against 100 MB and in cache


class Root(StrEnum):
    """What happens to the count of all records, N.

    RELEASED: N is private and noised like any node; height + 1 levels share the budget.
    SUM: N is private, and estimated from the levels below; height levels share (the paper's split).
    PUBLIC: N is exact and costs nothing, under replace-one neighbours only; height levels share.
    """

    RELEASED = "released"
    SUM = "sum"
    PUBLIC = "public"


class Estimator(StrEnum):
    """RAW reads running counts off the noisy nodes (the paper), EFFICIENT after least squares."""

    RAW = "raw"
    EFFICIENT = "efficient"


@dataclass(frozen=True, slots=True)
class AggTree:
    """Noisy counts of fanout**height equal intervals and of their groups, read by interpolation.

    Guarantee: Laplace noise: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP (the analytic
    Gaussian mechanism on the whole tree); under either relation. The released levels share the
    budget evenly: Laplace scale levels/ε, or 1/√(2ρ/levels); Gaussian variance levels/(2ρ).
    Replace-one doubles Laplace scales and Gaussian variances.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Kaplan, Schnapp and Stemmer 2021, §4; efficient: Honaker 2019, Cormode et al. 2012.
    """

    fanout: int = 10
    height: int = 3
    root: Root = Root.SUM
    noise: Noise = Noise.LAPLACE
    estimator: Estimator = Estimator.EFFICIENT
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    round_to_grid: bool = False

    name: ClassVar[str] = "AggTree"

    def __post_init__(self) -> None:
        TreeShape(self.fanout, self.height)
        settle_choices(self, root=Root, noise=Noise, estimator=Estimator, neighbours=Neighbours)
        if self.root is Root.SUM and self.height == 0:
            raise InvalidParameter(
                "A tree of height 0 is its root alone: with root='sum' nothing is released. "
                "Choose root='released', or a height of at least 1."
            )
        if self.root is Root.PUBLIC and self.neighbours is Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "A public N means replace-one neighbours: adding or removing a record changes N. "
                "Choose neighbours=REPLACE_ONE, or root='sum' or 'released'."
            )

    @property
    def shape(self) -> TreeShape:
        """The shape of the tree."""
        return TreeShape(self.fanout, self.height)

    @property
    def released_levels(self) -> int:
        """How many levels share the budget."""
        return self.height + (self.root is Root.RELEASED)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return {
            "fanout": self.fanout,
            "height": self.height,
            "root": self.root.value,
            "noise": self.noise.value,
            "estimator": self.estimator.value,
            "round_to_grid": self.round_to_grid,
        }

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise.
        """
        QuantileSet.of(quantiles)
        self.level_scales(budget)

    def level_scales(self, budget: Budget) -> tuple[float, ...]:
        """Noise scale of each level, root first; ∞ where a level is not released."""
        share = 1 / max(self.released_levels, 1)
        scale = noise_scale(self.noise, budget, share, self.neighbours)
        root = scale if self.root is Root.RELEASED else math.inf
        return (root,) + (scale,) * self.height

    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: np.random.Generator
    ) -> QuantileRelease:
        """Spend the budget once."""
        wanted = QuantileSet.of(quantiles)
        return QuantileRelease(
            mechanism=self.name,
            parameters=self.parameters,
            quantiles=wanted.asked,
            values=self.release_many(column, wanted, budget, rng, runs=1)[0],
            bounds=column.bounds,
            resolution=column.resolution,
            neighbours=self.neighbours,
            spent=budget,
        )

    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget. Counts once.

        Memory does not grow with runs beyond the result: noise is drawn for a few runs at a time.
        """
        wanted = QuantileSet.of(quantiles)
        scales = self.level_scales(budget)
        exact = count_levels(column, self.shape)
        edges = self.shape.edges(column.bounds)
        public_total = float(column.n) if self.root is Root.PUBLIC else None
        values = np.empty((runs, wanted.count))
        for part in _chunks(runs, self.shape.leaves):
            size = part.stop - part.start
            noisy = add_noise(exact, self.fanout, self.noise, scales, rng, runs=size)
            if self.estimator is Estimator.EFFICIENT:
                noisy = efficient(noisy, public_total)
            running = running_counts(noisy, public_total)
            values[part] = interpolated_quantiles(running, edges, wanted.distinct)
        return wanted.in_order_asked(declared_outputs(values, column, self.round_to_grid))


def _chunks(runs: int, leaves: int) -> Iterator[slice]:
    size = max(1, CHUNK // leaves)
    for start in range(0, runs, size):
        yield slice(start, min(runs, start + size))
