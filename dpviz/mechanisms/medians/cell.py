"""Medians read from noisy counts on a fixed grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import settle, whole
from dpviz.core.ragged import first_true, offsets, ragged
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.fixed_grid import cells_of
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.medians.noisy_mean import histogram_noise, noise_cost
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step

MAX_CELLS = 2**20


@dataclass(frozen=True, slots=True)
class CellMedian:
    """Noisy counts of equal cells; linear interpolation where they pass half of their sum.

    The grid lies over the whole declared axis and is fixed; a node counts anew in those cells (or
    parts of cells) that lie in its range, with the step's whole budget. A noisy sum ≤ 0 gives the
    middle of the node.

    >>> dp.KdTree(3, dp.CellMedian()).release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP (discrete Laplace noise) and ZCDP (discrete Gaussian noise) under either
    relation, exact in the program.
    Raises: InvalidParameter for fewer than 1 or more than 2^20 cells.
    Source: Xiao et al. 2010; Cormode et al. 2012, §6.1.
    """

    cells: int = 1024

    name: ClassVar[str] = "cell"
    card: ClassVar[Card] = Card(
        key="CellMedian",
        title="Median of noisy cells",
        words="noisy cells",
        lead="Noisy counts on a fixed grid; the median is read from them.",
        promises=("pure", "zcdp"),
        price="empty cells carry as much noise as full ones",
        use="cuts that come from a release",
        label="cell",
        family="Maps",
        summary="Noisy counts on a fixed grid; the median is read from them.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="cells of the grid",
        good_for="showing that splits may come from a release",
        watch_out="cells without records carry as much noise as full ones",
        source="Xiao, Xiong and Yuan 2010; Cormode et al. 2012, §6",
        holds="exact",
    )
    needs_order: ClassVar[bool] = False
    takes_delta: ClassVar[bool] = False

    def __post_init__(self) -> None:
        settle(self, cells=whole(1, MAX_CELLS))

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name, "cells": self.cells}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        self.scale(budget, neighbours)

    def scale(self, budget: Budget, neighbours: Neighbours) -> float:
        """Noise scale of every cell's count."""
        check_step(budget, neighbours)
        return noise_scale(histogram_noise(self.name, budget), budget, 1.0, neighbours)

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """What counts of disjoint cells cost."""
        scale = self.scale(budget, neighbours)
        return noise_cost(histogram_noise(self.name, budget), scale, neighbours)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,)."""
        edges = grid_edges(groups.axis, self.cells)
        first, last = _cell_ranges(groups, edges)
        begins = offsets(last - first + 1)
        exact = _count_cells(groups, edges, first, last, begins)
        noise, scale = histogram_noise(self.name, budget), self.scale(budget, neighbours)
        noisy = exact + noise.draw(scale, (exact.size,), bits_of(rng))  # spends the step's budget
        return _read(noisy, begins, first, groups, edges)


def _cell_ranges(groups: Groups, edges: FloatArray) -> tuple[IntArray, IntArray]:
    """The first and last cell of positive width (if there is one) in each node's range."""
    top = edges.size - 2
    first = np.searchsorted(edges, groups.low, side="right") - 1
    last = np.searchsorted(edges, groups.high, side="left") - 1
    first = np.minimum(first, top)
    return first, np.maximum(last, first)


def _count_cells(
    groups: Groups, edges: FloatArray, first: IntArray, last: IntArray, begins: IntArray
) -> FloatArray:
    cell = cells_of(groups.values, edges)
    owner = groups.owner
    cell = np.clip(cell, first[owner], last[owner])  # a value on the upper end is in the last cell
    flat = begins[owner] + cell - first[owner]
    return np.bincount(flat, groups.weights, int(begins[-1])).astype(np.float64)


def _read(
    noisy: FloatArray, begins: IntArray, first: IntArray, groups: Groups, edges: FloatArray
) -> FloatArray:
    """The point in each node where the running noisy count first reaches half of the last one."""
    owner, _ = ragged(np.diff(begins))
    running = np.cumsum(noisy)
    running -= np.concatenate(([0.0], running))[begins[:-1]][owner]
    total = running[begins[1:] - 1]
    half = np.maximum(total, 0.0) / 2
    at = first_true(running >= np.minimum(half, total)[owner], begins)
    inside = at > begins[:-1]
    before = np.where(inside, running[np.maximum(at - 1, 0)], 0.0)
    cell = at - begins[:-1] + first
    left = np.maximum(edges[cell], groups.low)
    right = np.minimum(edges[cell + 1], groups.high)
    fraction = np.full(total.size, 0.5)
    np.divide(half - before, running[at] - before, out=fraction, where=total > 0)
    point = np.where(
        total > 0,
        left + np.clip(fraction, 0.0, 1.0) * (right - left),
        groups.low + (groups.high - groups.low) / 2,
    )
    return np.clip(point, groups.low, groups.high)
