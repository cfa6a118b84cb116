"""Cells of a fixed grid, and sums over blocks of them."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray


def cells_of(values: FloatArray, edges: FloatArray) -> IntArray:
    """The cell [edges[j], edges[j + 1]) of each value, the last one closed, (n,).

    edges are those of equal cells; the guess by division is put right where rounding misled it.
    """
    top = edges.size - 2
    width = edges[-1] - edges[0]
    guess = ((values - edges[0]) * ((top + 1) / width)).astype(np.int64)
    np.clip(guess, 0, top, out=guess)
    guess -= values < edges[guess]
    guess += (values >= edges[guess + 1]) & (guess < top)
    return np.asarray(guess)


def running_sums(grid: FloatArray) -> FloatArray:
    """Sums of grid[:i, :j] at [i, j], shape (columns + 1, rows + 1)."""
    sums = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1))
    np.cumsum(grid, axis=0, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], axis=1, out=sums[1:, 1:])
    return sums


def block_sums(running: FloatArray, blocks: IntArray) -> FloatArray:
    """Sums over blocks of cells, shape of blocks without its last axis.

    The last axis of blocks holds column begin and end, row begin and end; running is of
    running_sums.
    """
    left, right, low, high = np.moveaxis(blocks, -1, 0)
    return np.asarray(
        running[right, high] - running[left, high] - running[right, low] + running[left, low]
    )
