"""Sums over rectangles of a quadtree's leaves, without putting the leaves in reading order.

The leaves lie in the tree's own order, so 64 in a row are a block of 8 × 8. One product with a
constant matrix gives every block's column and row sums; running sums of those answer a rectangle
up to a corner's own block, of which at most 64 leaves are read.
"""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.spatial.boxes import grid_places

BLOCK_LEVELS = 3


def rectangle_sums(
    leaves: FloatArray, height: int, x: tuple[FloatArray, FloatArray], y: tuple[FloatArray, ...]
) -> FloatArray:
    """Σ of leaves (4**height,) over rectangles [x0, x1) × [y0, y1) in leaf units, shape (q,).

    Leaves on a border count by the fraction inside. Cost: one pass over the leaves, then 256 of
    them a rectangle.
    """
    blocks = _Blocks(leaves, height)
    (x0, x1), (y0, y1) = x, y
    corners = blocks.below(np.concatenate([x1, x0, x1, x0]), np.concatenate([y1, y1, y0, y0]))
    upper_right, upper_left, lower_right, lower_left = corners.reshape(4, -1)
    return np.asarray((upper_right - upper_left) - (lower_right - lower_left))


class _Blocks:
    """Running sums of leaves, complete up to the edges of blocks."""

    def __init__(self, leaves: FloatArray, height: int) -> None:
        inner = min(BLOCK_LEVELS, height)
        self.side, self.across = 1 << inner, 1 << (height - inner)
        self.column, self.row = grid_places(inner)
        self.leaves = leaves.reshape(-1, 4**inner)
        self.place = _places(height - inner, self.across)
        sums = self.leaves @ np.concatenate(
            [np.eye(self.side)[self.column], np.eye(self.side)[self.row]], axis=1
        )
        grid = sums[self.place].reshape(self.across, self.across, 2, self.side)
        # [x, Y]: all columns before x, in block rows before Y; and the other way round
        self.columns = _running(grid[:, :, 0].transpose(0, 2, 1).reshape(-1, self.across))
        self.rows = _running(grid[:, :, 1].reshape(self.across, -1))

    def below(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Σ of the leaves in [0, x) × [0, y), shape (c,)."""
        across, x_in = self._split(x)
        up, y_in = self._split(y)
        strip = _interpolated(self.columns, across * self.side + x_in, up)
        strip += _interpolated(self.rows.T, up * self.side + y_in, across)
        strip -= self.columns[across * self.side, up]
        block = self.leaves[self.place[across, up]]
        steps = np.arange(self.side)
        in_x = np.clip(x_in[:, None] - steps, 0.0, 1.0)[:, self.column]
        in_y = np.clip(y_in[:, None] - steps, 0.0, 1.0)[:, self.row]
        return np.asarray(strip + np.einsum("cl,cl,cl->c", block, in_x, in_y))

    def _split(self, at: FloatArray) -> tuple[IntArray, FloatArray]:
        """The block of a position and the place in it; the far end belongs to the last block."""
        block = np.minimum((at / self.side).astype(np.int64), self.across - 1)
        return block, at - block * self.side


def _places(level: int, across: int) -> IntArray:
    """Tree index of the node at (column, row), shape (across, across)."""
    column, row = grid_places(level)
    places = np.empty((across, across), dtype=np.int64)
    places[column, row] = np.arange(column.size)
    return places


def _running(grid: FloatArray) -> FloatArray:
    running = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1))
    np.cumsum(grid, axis=0, out=running[1:, 1:])
    np.cumsum(running[1:, 1:], axis=1, out=running[1:, 1:])
    return running


def _interpolated(running: FloatArray, at: FloatArray, other: IntArray) -> FloatArray:
    whole = np.minimum(at.astype(np.int64), running.shape[0] - 2)
    part = at - whole
    return np.asarray((1 - part) * running[whole, other] + part * running[whole + 1, other])
