"""Adaptive grid: a coarse grid, and in each of its cells a finer one where records are many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_share, settle
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.ragged import offsets, ragged
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.trees.shape import MAX_LEAVES
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import drawn_from, level_scales, noise_scale
from dpviz.mechanisms.requests import check_points_request, points_apart
from dpviz.mechanisms.spatial.median_budget import Division
from dpviz.mechanisms.spatial.uniform_grid import (
    GUIDELINE,
    divide_size,
    grid_boxes,
    grid_places_of,
    guideline_side,
    known_size,
    laplace_epsilon,
)

LEAST_SIDE, MAX_FIRST_SIDE = 10, 512


@dataclass(frozen=True, slots=True)
class AdaptiveGrid:
    """m1 × m1 cells with noisy counts N'; each is then cut into m2 × m2 cells of their own.

    m1 = max(10, ⌈√(nε/c)⌉/4) and m2 = ⌈√(N' (1−α) ε/c2)⌉ with c = 10, c2 = c/2 = 5. The first
    counts spend α = ½ of the budget, the second the rest; both are then fitted to each other by
    inverse variance, and a first cell's sum is the fitted one. n is records if declared, else a
    noisy count that gets size_share. m2 is capped so that there are never more than 2^22 cells.

    >>> dp.AdaptiveGrid().release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: as UniformGrid; the second grid depends on the first counts, which are paid for.
    Raises: InvalidParameter for parameters outside their ranges.
    Source: Qardaji, Yang and Li 2013, §IV-C; the fixed weight: this project.
    """

    records: float | None = None
    alpha: float = 0.5
    c: float = 10.0
    size_share: float = 0.05
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "AdaptiveGrid"
    card: ClassVar[Card] = Card(
        key="AdaptiveGrid",
        title="Adaptive grid",
        words="adaptive grid",
        lead="A coarse grid; each of its cells gets as fine a one as its count can bear.",
        promises=("pure", "zcdp", "approx"),
        price="two levels only",
        use="maps without a height to choose",
        family="Maps",
        summary="A coarse grid, and inside each of its cells a finer one, as fine as the cell's "
        "noisy count can bear; both counts of a cell are then averaged.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP, "
        "(ε, δ) (Gaussian, discrete Gaussian)",
        neighbours=BOTH,
        cost="two passes over the points",
        good_for="maps without a height to choose",
        watch_out="two levels only, and the split of the budget between them is a guideline",
        source="Qardaji, Yang and Li 2013",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle_choices(self, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        settle(self, alpha=checked_share, **GUIDELINE)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def division(self, budget: Budget) -> Division:
        """What the noisy count of all records and the two grids may spend."""
        return divide_size(budget, self.size_share, int(self.records is None), self.law(budget))

    def scales(self, budget: Budget) -> tuple[float, float]:
        """Noise scales of the first and the second counts."""
        counts = self.division(budget).counts
        shares = (self.alpha, 1 - self.alpha)
        first, second = level_scales(self.law(budget), counts, shares, self.neighbours)
        return first, second

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        self.scales(budget)

    @usual_floats
    def release(self, points: Plane, budget: Budget, rng: Randomness | None = None) -> Cells:
        """Spend the budget once: size, first counts, second counts.

        Raises: InvalidData for counts on a grid.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        points = points_apart(
            points, "An adaptive grid cuts each cell as finely as its noisy count can bear"
        )
        self.check(budget)
        division = self.division(budget)
        scales = self.scales(budget)
        noise, bits = self.law(budget), drawn_from(self.law(budget), rng)
        variances = noise.variance(scales[0]), noise.variance(scales[1])
        size = known_size(self.records, points, division, noise, self.neighbours, bits)
        whole = noise.variance(noise_scale(noise, division.counts, 1.0, self.neighbours))
        side = min(max(LEAST_SIDE, guideline_side(size, whole, self.c) // 4), MAX_FIRST_SIDE)
        home = grid_places_of(points, side)
        coarse = np.bincount(home, minlength=side * side)
        first = coarse + noise.draw(scales[0], coarse.shape, bits)  # spends α
        sides = self._second_sides(first, variances[1], side)
        places, starts = _places(points, home, side, sides)
        exact = np.bincount(places, minlength=int(starts[-1]))
        second = exact + noise.draw(scales[1], exact.shape, bits)  # spends 1 − α
        groups = np.repeat(np.arange(side * side), sides**2)
        weight = self._first_weight(size, variances, side)
        counts, fitted = _fit(first, second, groups, sides**2, variances, weight)
        steps = () if division.step is None else (division.step,)
        return Cells(
            mechanism=self.name,
            parameters={**self.parameters, "side": side, "noise": noise.value},
            box=points.box,
            boxes=_boxes(points.box, side, sides),
            counts=counts,
            variances=np.full(counts.size, variances[1]),
            groups=groups,
            group_variances=fitted,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
            structure=StructureBudget(self.size_share if steps else 0.0, 0, steps),
        )

    def _first_weight(self, size: float, variances: tuple[float, float], side: int) -> float:
        """What a first count weighs: by inverse variance at the average count of a cell.

        It depends on the number of records alone, never on the counts that it weighs.
        """
        average = np.array([max(size, 0.0) / side**2])
        cells = float(self._second_sides(average, variances[1], side)[0]) ** 2
        return cells * variances[1] / (variances[0] + cells * variances[1])

    def _second_sides(self, first: FloatArray, variance: float, side: int) -> IntArray:
        """m2 of every first cell, from released numbers alone."""
        epsilon = laplace_epsilon(variance)  # (1 − α) ε for Laplace noise
        wanted = np.ceil(np.sqrt(np.maximum(first, 0.0) * epsilon / (self.c / 2)))
        most = math.isqrt(MAX_LEAVES // side**2)
        return np.clip(wanted, 1, most).astype(np.int64)


def _places(
    points: Points, home: IntArray, side: int, sides: IntArray
) -> tuple[IntArray, IntArray]:
    """Each point's second cell (n,), and where the cells of every first one begin."""
    starts, here = offsets(sides**2), sides[home]
    x, y = grid_edges(points.box.x, side), grid_edges(points.box.y, side)
    column = _within(points.x, x, home // side, here)
    row = _within(points.y, y, home % side, here)
    places: IntArray = starts[home] + column * here + row
    return places, starts


def _within(values: FloatArray, edges: FloatArray, at: IntArray, cells: IntArray) -> IntArray:
    """The equal part of the interval from edge `at` to the next that holds each value."""
    low, high = edges[at], edges[at + 1]
    share = np.zeros(values.size)  # where a cell is no wider than a rounding, all lies at its left
    np.divide(values - low, high - low, out=share, where=high > low)
    part = np.clip((share * cells).astype(np.int64), 0, cells - 1)
    # a value on an edge goes right, however the division was rounded
    part -= values < _cut(low, high, part, cells)
    part += (values >= _cut(low, high, part + 1, cells)) & (part < cells - 1)
    return np.maximum(part, 0)


def _cut(low: FloatArray, high: FloatArray, at: IntArray, cells: IntArray) -> FloatArray:
    """Edge number `at` of the equal parts of [low, high)."""
    return np.where(at == cells, high, low + at * ((high - low) / cells))


def _boxes(box: Box, side: int, sides: IntArray) -> FloatArray:
    first, place = ragged(sides**2)
    here, outer = sides[first], grid_boxes(box, side)[first]
    column, row = place // here, place % here
    x, y = (outer[:, 0], outer[:, 1]), (outer[:, 2], outer[:, 3])
    ends = [(x, column), (x, column + 1), (y, row), (y, row + 1)]
    return np.stack([_cut(low, high, at, here) for (low, high), at in ends], axis=1)


def _fit(
    first: FloatArray,
    second: FloatArray,
    groups: IntArray,
    sizes: IntArray,
    variances: tuple[float, float],
    weight: float,
) -> tuple[FloatArray, FloatArray]:
    """Second counts moved evenly so that they sum to a weighted mean of both; its variances.

    weight is that of the first counts and fixed beforehand, so the mean is exact, and the variance
    stated from the number of second cells is an unbiased estimate of the true one.
    """
    summed = np.bincount(groups, second, minlength=sizes.size)
    fitted = weight**2 * variances[0] + (1 - weight) ** 2 * sizes * variances[1]
    return second + (weight * (first - summed) / sizes)[groups], np.asarray(fitted)
