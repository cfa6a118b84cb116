"""kd-cell: a kd-tree grown on a noisy grid, with fresh noisy counts at its leaves.

The tree grows on the noisy counts alone: that is post-processing and sees no data.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import (
    checked_flag,
    checked_number,
    checked_share,
    checked_whole,
    found,
    number,
    optional,
    settle,
    wanted,
    whole,
)
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.ragged import first_true, offsets, ragged, row_max
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.fixed_grid import block_sums, cells_of, running_sums
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import drawn_from, level_scales
from dpviz.mechanisms.requests import check_points_request
from dpviz.mechanisms.spatial.quadtree import MAX_HEIGHT

MAX_CELLS = 2**24
PARTS = 4  # a node is tested on PARTS × PARTS blocks


@dataclass(frozen=True, slots=True)
class KdCell:
    """Noisy counts on a fixed grid, a kd-tree grown on them alone, fresh counts at its leaves.

    The grid has cells = (columns, rows); the default is PSD's cell length .01 on its domain of
    21.82 × 17.67 (see of_size). grid_share of the budget goes to the grid, the rest to the leaves;
    half each unless told otherwise, as the paper leaves the split open. clamped sets negative noisy
    cells to 0 before the tree is grown, as the authors' prototype does. The tree is grown to at
    most `height` levels of fanout 4; a node whose noisy count is at most `smallest` is a leaf.
    tolerance adds a test of this project: a node that looks uniform is a leaf as well, by a χ² test
    on 4 × 4 blocks of noisy counts, `tolerance` standard deviations above its mean; None is no
    test, since cutting an even node costs one more count, and missing a clump costs a uniformity
    error. The test knows the noise of cells that were not clamped.
    Growing is post-processing of the noisy grid. Leaf counts are the fresh ones alone.

    >>> dp.KdCell(height=3).release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP and ZCDP for Laplace noise, ZCDP for Gaussian noise; either relation.
    Raises: InvalidParameter for a grid without cells or with more than 2^24, a share outside
    (0, 1), or a negative tolerance or smallest count.
    Source: Xiao, Xiong and Yuan 2010; Cormode et al. 2012, §8.2. Test and shares: this project.
    """

    height: int = 8
    cells: tuple[int, int] = (2182, 1767)
    grid_share: float = 0.5
    tolerance: float | None = None
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    clamped: bool = True
    smallest: float = 32.0

    name: ClassVar[str] = "KdCell"
    card: ClassVar[Card] = Card(
        key="KdCell",
        title="kd-cell",
        words="cells first",
        lead="Noisy counts on a fine grid; a tree grows on them and is counted again.",
        promises=("pure", "zcdp"),
        price="half of the budget goes to the grid",
        use="a structure that comes from a release",
        family="Maps",
        summary="Noisy counts on a fixed grid, negative ones set to 0; a kd-tree grown on them "
        "alone; fresh noisy counts at its leaves.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="cells of the grid, and one pass over the points",
        good_for="showing that a structure may come from a release",
        watch_out="how the budget is split, grid and leaves, is a choice of this project",
        source="Xiao, Xiong and Yuan 2010; Cormode et al. 2012, §8.2",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle_choices(self, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        settle(
            self,
            height=whole(0, MAX_HEIGHT),
            cells=_checked_cells,
            grid_share=checked_share,
            tolerance=optional(number(0, sys.float_info.max)),
            clamped=checked_flag,
            smallest=number(0, sys.float_info.max),
        )

    @classmethod
    def of_size(cls, box: Box, size: float, **others: Any) -> KdCell:
        """A grid over a box with cells of about this length in its units, such as PSD's .01.

        Raises: InvalidParameter for a size that is not positive.
        """
        return cls(cells=_cells_of_size(box, size), **others)

    @staticmethod
    def square_cells(box: Box, columns: int) -> tuple[int, int]:
        """A grid of so many columns over a box, with cells as near to squares as can be."""
        wanted(Box, box, "box")
        return _cells_of_size(box, box.x.width / checked_whole(columns, "columns", 1, MAX_CELLS))

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(
            self, "height", "cells", "grid_share", "tolerance", "clamped", "smallest", "noise"
        )

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        self.scales(budget)

    def scales(self, budget: Budget) -> tuple[float, float]:
        """Noise scale of a grid cell and of a leaf.

        Raises: UnsupportedBudget for (ε, δ), or for pure ε with Gaussian noise.
        """
        if isinstance(budget, ApproxDP):
            raise UnsupportedBudget("kd-cell makes no use of δ. Choose a budget in ε or ρ.")
        shares = (self.grid_share, 1 - self.grid_share)
        grid, leaf = level_scales(self.law(budget), budget, shares, self.neighbours)
        return grid, leaf

    @usual_floats
    def release(self, points: Plane, budget: Budget, rng: Randomness | None = None) -> Cells:
        """Spend the budget once: the grid, then the leaves.

        Raises: InvalidData for cells that do not divide the grid that points are counted on.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        grid_scale, leaf_scale = self.scales(budget)
        noise, bits = self.law(budget), drawn_from(self.law(budget), rng)
        edges = [
            grid_edges(axis, count)
            for axis, count in zip((points.box.x, points.box.y), self.cells, strict=True)
        ]
        exact = _count_grid(points, edges)
        noisy = exact + noise.draw(grid_scale, exact.shape, bits)  # spends the grid's share
        if self.clamped:
            noisy = np.maximum(noisy, 0.0)  # post-processing: free
        grid = NoisyGrid(running_sums(noisy), noise.variance(grid_scale))
        leaves = grow_leaves(grid, 2 * self.height, self.tolerance, self.smallest)
        counts = block_sums(running_sums(exact), leaves)
        counts = counts + noise.draw(leaf_scale, counts.shape, bits)  # spends the rest
        return Cells(
            mechanism=self.name,
            parameters={**self.parameters, "noise": noise.value},
            box=points.box,
            boxes=_rectangles(leaves, edges),
            counts=counts,
            variances=np.full(counts.shape, noise.variance(leaf_scale)),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
            structure=StructureBudget(
                self.grid_share, self.height, (_part(budget, self.grid_share),)
            ),
        )


def _checked_cells(cells: Any, name: str) -> tuple[int, int]:
    try:
        columns, rows = cells
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"{name} must be two whole numbers, columns and rows, got {found(cells)}."
        ) from None
    for side in (columns, rows):
        checked_whole(side, name, 1, MAX_CELLS)
    if columns * rows > MAX_CELLS:
        raise InvalidParameter(
            f"{name}: the grid needs 1 … {MAX_CELLS:,} cells, got {columns} × {rows}."
        )
    return int(columns), int(rows)


def _count_grid(points: Plane, edges: list[FloatArray]) -> FloatArray:
    columns, rows = edges[0].size - 1, edges[1].size - 1
    if isinstance(points, GridCounts):
        return points.coarser(columns, rows).astype(np.float64)
    flat = cells_of(points.x, edges[0]) * rows + cells_of(points.y, edges[1])
    counts = np.bincount(flat, minlength=columns * rows).astype(np.float64)
    return counts.reshape(columns, rows)


def _rectangles(leaves: IntArray, edges: list[FloatArray]) -> FloatArray:
    x, y = edges
    return np.stack((x[leaves[:, 0]], x[leaves[:, 1]], y[leaves[:, 2]], y[leaves[:, 3]]), axis=1)


def _part(budget: Budget, share: float) -> Budget:
    if isinstance(budget, ApproxDP):
        raise UnsupportedBudget("kd-cell makes no use of δ.")
    return budget.resized(budget.size * share)


def _cells_of_size(box: Box, size: float) -> tuple[int, int]:
    wanted(Box, box, "box")
    length = checked_number(size, "size")
    if not 0 < length < sys.float_info.max:  # also rejects NaN
        raise InvalidParameter(
            f"size, the length of a cell, must be positive and finite, got {found(size)}."
        )
    columns, rows = (max(1, round(min(axis.width / length, 2.0**40))) for axis in (box.x, box.y))
    return columns, rows


@dataclass(frozen=True, eq=False)
class NoisyGrid:
    """running sums (columns + 1, rows + 1) of noisy cell counts, of this variance each."""

    running: FloatArray
    variance: float

    @property
    def whole(self) -> IntArray:
        """All cells as one block, (1, 4): column begin and end, row begin and end."""
        columns, rows = self.running.shape
        return np.array([[0, columns - 1, 0, rows - 1]])


def grow_leaves(
    grid: NoisyGrid, steps: int, tolerance: float | None, smallest: float = -np.inf
) -> IntArray:
    """The blocks of cells that a kd-tree ends in, (k, 4), after at most `steps` binary splits.

    Splits go along x and y in turn, at the grid line that halves the noisy count best. A node with
    a noisy count of at most `smallest` is a leaf after a whole level (two splits), a single cell at
    once, and so is a node that looks uniform unless tolerance is None.
    """
    growing, leaves = grid.whole, []
    for step in range(steps):
        done = _single(growing)
        if tolerance is not None:
            done |= looks_uniform(grid, growing, tolerance)
        if step % 2 == 0:
            done |= block_sums(grid.running, growing) <= smallest
        leaves.append(growing[done])
        growing = _split(grid, growing[~done], step % 2)
    return np.concatenate([*leaves, growing])


def looks_uniform(grid: NoisyGrid, blocks: IntArray, tolerance: float) -> BoolArray:
    """Whether a node's noisy counts may be those of points spread evenly, (k,).

    The node is cut into up to 4 × 4 blocks. With n̂ its noisy count and a_b the block's share of its
    cells, T = Σ_b (c_b − n̂ a_b)²/(cells_b · variance + max(n̂ a_b, 0)) is about χ² with B − 1
    degrees of freedom for evenly spread points and noise; T ≤ B − 1 + tolerance · √(2(B − 1)) looks
    uniform. The test is this project's: Xiao et al. leave it open.
    """
    parts = _parts(blocks)
    cells = np.prod(parts[..., 1::2] - parts[..., ::2], axis=-1).astype(np.float64)
    share = cells / cells.sum(axis=1, keepdims=True)
    expected = block_sums(grid.running, blocks)[:, None] * share
    spread = cells * grid.variance + np.maximum(expected, 0.0)
    departures = (block_sums(grid.running, parts) - expected) ** 2
    statistic = np.divide(departures, spread, out=np.zeros_like(spread), where=cells > 0).sum(
        axis=1
    )
    freedom = (cells > 0).sum(axis=1) - 1
    return np.asarray(statistic <= freedom + tolerance * np.sqrt(2 * freedom))


def _parts(blocks: IntArray) -> IntArray:
    """PARTS × PARTS blocks of each node, (k, PARTS², 4); some are empty in a small node."""
    at = np.arange(PARTS + 1)
    columns = blocks[:, :1] + (blocks[:, 1:2] - blocks[:, :1]) * at // PARTS
    rows = blocks[:, 2:3] + (blocks[:, 3:] - blocks[:, 2:3]) * at // PARTS
    shape = (blocks.shape[0], PARTS, PARTS)
    sides = (columns[:, :-1, None], columns[:, 1:, None], rows[:, None, :-1], rows[:, None, 1:])
    return np.stack([np.broadcast_to(side, shape) for side in sides], -1).reshape(
        -1, PARTS * PARTS, 4
    )


def _single(blocks: IntArray) -> BoolArray:
    return np.asarray((np.diff(blocks[:, :2], axis=1) * np.diff(blocks[:, 2:], axis=1))[:, 0] == 1)


def _split(grid: NoisyGrid, blocks: IntArray, axis: int) -> IntArray:
    """Both halves of every block, (2k, 4); one that is a single cell wide is cut the other way."""
    sides = blocks.reshape(-1, 2, 2)
    widths = sides[..., 1] - sides[..., 0]
    axes = np.where(widths[:, axis] > 1, axis, 1 - axis)
    node = np.arange(axes.size)
    lines, candidates = ragged(widths[node, axes] - 1)
    cut = sides[node, axes, 0][lines] + 1 + candidates
    lower = sides[lines]
    lower[np.arange(cut.size), axes[lines], 1] = cut
    half = block_sums(grid.running, blocks) / 2
    closeness = -np.abs(block_sums(grid.running, lower.reshape(-1, 4)) - half[lines])
    begins = offsets(widths[node, axes] - 1)
    best = cut[first_true(closeness == row_max(closeness, begins)[lines], begins)]
    halves = np.repeat(sides, 2, axis=0)
    halves[2 * node, axes, 1] = best
    halves[2 * node + 1, axes, 0] = best
    return halves.reshape(-1, 4)
