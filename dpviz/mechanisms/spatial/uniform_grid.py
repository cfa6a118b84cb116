"""Uniform grid: one level of equal cells, as fine as the number of records and ε can bear."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import Rule, checked_share, number, optional, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.spatial import grid_cell
from dpviz.mechanisms.counting.noisy_counts import drawn_from, noise_scale
from dpviz.mechanisms.requests import check_points_request
from dpviz.mechanisms.spatial.median_budget import Division, divide

LARGEST_EPSILON = 100.0  # of a guideline
MAX_SIDE = 2048
# the fields that a guideline is worked out from
GUIDELINE: dict[str, Rule] = {
    "records": optional(number(0, sys.float_info.max)),
    "c": number(sys.float_info.min, sys.float_info.max),
    "size_share": checked_share,
}


@dataclass(frozen=True, slots=True)
class UniformGrid:
    """Noisy counts of side × side equal cells.

    Without a side the guideline m = √(nε/c) chooses it, n being records if declared, else a noisy
    count that gets size_share of the budget. For other noise than Laplace, ε is that of Laplace
    noise with the same variance.

    >>> dp.UniformGrid(side=8).release(points, dp.PureDP(1)).counts.size
    64

    Guarantee: Laplace and discrete Laplace noise: PureDP and ZCDP; Gaussian noise: ZCDP and
    ApproxDP; under either relation. A cell holds a record: counts have sensitivity 1, or 2.
    Raises: InvalidParameter for a side outside 1 … 2048, n < 0, c ≤ 0 or a share outside (0, 1).
    Source: Qardaji, Yang and Li 2013, Guideline 1 (c = 10).
    """

    side: int | None = None
    records: float | None = None
    c: float = 10.0
    size_share: float = 0.05
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "UniformGrid"
    card: ClassVar[Card] = Card(
        key="UniformGrid",
        title="Uniform grid",
        words="uniform grid",
        lead="One level of equal cells, as many as the noise can bear.",
        promises=("pure", "zcdp", "approx"),
        price="one cell size for crowded and empty places",
        use="a baseline, and large rectangles",
        family="Maps",
        summary="One level of equal cells. The guideline takes about $\\sqrt{n\\varepsilon/10}$ "
        "cells on each side, from a declared or noisy number of records.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP, "
        "(ε, δ) (Gaussian, discrete Gaussian)",
        neighbours=BOTH,
        cost="one pass over the points",
        good_for="a baseline; even data and rectangles that are much larger than a cell",
        watch_out="one cell size for crowded and empty places alike",
        source="Qardaji, Yang and Li 2013",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle_choices(self, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        settle(self, side=optional(whole(1, MAX_SIDE)), **GUIDELINE)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def division(self, budget: Budget) -> Division:
        """What the noisy count of all records and the cells may spend."""
        steps = int(self.side is None and self.records is None)
        return divide_size(budget, self.size_share, steps, self.law(budget))

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        noise_scale(self.law(budget), self.division(budget).counts, 1.0, self.neighbours)

    @usual_floats
    def release(self, points: Plane, budget: Budget, rng: Randomness | None = None) -> Cells:
        """Spend the budget once.

        Raises: InvalidData for a side that does not divide that of the grid that points are counted
        on, or that would follow from a noisy number of them.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        self.check(budget)
        if isinstance(points, GridCounts) and self.side is None and self.records is None:
            raise InvalidData(
                "A uniform grid without a side takes it from a noisy number of records, and few "
                f"sides divide the {points.side:,} × {points.side:,} cells that the points are "
                f"counted on. Choose a side that divides {points.side:,}."
            )
        division = self.division(budget)
        noise, bits = self.law(budget), drawn_from(self.law(budget), rng)
        scale = noise_scale(noise, division.counts, 1.0, self.neighbours)
        side = self.side
        if side is None:
            size = known_size(self.records, points, division, noise, self.neighbours, bits)
            side = guideline_side(size, noise.variance(scale), self.c)
        exact = _count(points, side)
        noisy = exact + noise.draw(scale, exact.shape, bits)  # spends the budget
        steps = () if division.step is None else (division.step,)
        return Cells(
            mechanism=self.name,
            parameters={**self.parameters, "side": side, "noise": noise.value},
            box=points.box,
            boxes=grid_boxes(points.box, side),
            counts=noisy,
            variances=np.full(noisy.size, noise.variance(scale)),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
            structure=StructureBudget(self.size_share if steps else 0.0, 0, steps),
        )


def divide_size(budget: Budget, share: float, steps: int, noise: Noise) -> Division:
    """A noisy number of records (steps = 1) or a declared one (0), and the rest for the cells."""
    takes = noise.gaussian
    return divide(budget, share=share, steps=steps, medians_take_delta=takes, noise=noise)


def known_size(
    records: float | None,
    points: Plane,
    division: Division,
    noise: Noise,
    neighbours: Neighbours,
    rng: Randomness,
) -> float:
    """The declared number of records, else a noisy one that spends the structure's step."""
    if records is not None or division.step is None:
        return float(records or 0.0)
    scale = noise_scale(noise, division.step, 1.0, neighbours)
    return float(points.n + noise.draw(scale, (1,), rng)[0])


def guideline_side(records: float, variance: float, c: float) -> int:
    """⌈√(nε/c)⌉ cells a side, 1 … 2048."""
    epsilon = laplace_epsilon(variance)
    return min(max(math.ceil(math.sqrt(max(records, 0.0) * epsilon / c)), 1), MAX_SIDE)


def laplace_epsilon(variance: float) -> float:
    """The ε of Laplace noise with a variance, at most 100.

    Noise on whole numbers all but vanishes at large ε, and no cells are fine enough for none.
    """
    return min(math.sqrt(2 / variance), LARGEST_EPSILON)


def _count(points: Plane, side: int) -> IntArray:
    """Points in each of the cells, columns one after the other, (side²,): confidential."""
    if isinstance(points, GridCounts):
        return points.coarser(side).ravel()
    return np.bincount(grid_places_of(points, side), minlength=side * side)


def grid_places_of(points: Points, side: int) -> IntArray:
    """Number of each point's cell, columns one after the other, (n,)."""
    box = points.box
    column = grid_cell(points.x, box.x, side)
    return column * side + grid_cell(points.y, box.y, side)


def grid_boxes(box: Box, side: int) -> FloatArray:
    """Rectangles of the cells in that order, (side², 4)."""
    x, y = grid_edges(box.x, side), grid_edges(box.y, side)
    column, row = np.divmod(np.arange(side * side), side)
    return np.stack([x[column], x[column + 1], y[row], y[row + 1]], axis=1)
