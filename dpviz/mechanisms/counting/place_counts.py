"""Noisy counts of named places on all levels of a public list, for one budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.requests import check_column_request


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """Counts of every place of a list, each with noise for one record on each level.

    The column holds the numbers of places of the last level, from 0; starts has for each level the
    number of the first one in each of its places. shares are the levels' parts of the budget. The
    list is public: a record elsewhere is in no count, whoever else is in the data. One that joins
    or leaves changes a count by 1 on each level, a replaced one up to two.
    Guarantee: discrete Laplace noise in ε, discrete Gaussian in ρ and (ε, δ).
    Source: Cormode et al. 2012, §4, on a tree that is given.
    """

    levels: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    starts: tuple[tuple[int, ...], ...]
    shares: tuple[float, ...]
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "PlaceCounts"

    def scales(self, budget: Budget) -> tuple[float, ...]:
        """Of the noise of each level, in records. Raises: as noise_scale."""
        return level_scales(Noise.for_budget(budget), budget, self.shares, self.neighbours)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> PlaceRelease:
        """Spend the budget once.

        Raises: InvalidData for anything but a Column, InvalidBudget; as scales.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        noise, scales, bits = Noise.for_budget(budget), self.scales(budget), bits_of(rng)
        counts = []
        for starts, scale in zip(self.starts, scales, strict=True):
            edges = np.array([*starts, len(self.names[-1])], dtype=np.float64)
            exact = np.diff(column.count_below(edges)).astype(np.float64)  # confidential
            if np.isfinite(scale):
                counts.append(exact + noise.draw(scale, exact.shape, bits))  # spends the budget
            else:
                counts.append(np.full(exact.shape, np.nan))
        return PlaceRelease(
            parameters={"shares": list(self.shares)},
            levels=self.levels,
            names=self.names,
            counts=tuple(counts),
            noise=noise,
            scales=scales,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )
