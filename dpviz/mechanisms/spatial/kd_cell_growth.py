"""Growing a kd-tree on the noisy counts of a grid: post-processing, it sees no data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.ragged import first_true, offsets, ragged, row_max
from dpviz.core.spatial.fixed_grid import block_sums

PARTS = 4  # a node is tested on PARTS × PARTS blocks


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
