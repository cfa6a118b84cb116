"""Exact counts of the nodes of a spatial tree: confidential until noise is added."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data import Points
from dpviz.core.spatial_boxes import FANOUT
from dpviz.core.tree import TreeShape


def count_leaves(leaf_index: IntArray, height: int) -> tuple[FloatArray, ...]:
    """Counts of all nodes, root first, level l (4**l,), from every point's leaf (n,)."""
    shape = TreeShape(FANOUT, height)
    leaves = np.bincount(leaf_index, minlength=shape.leaves).astype(np.float64)
    levels = [leaves]
    for _ in range(height):
        levels.append(levels[-1].reshape(-1, FANOUT) @ np.ones(FANOUT))
    return tuple(levels[::-1])


def quadtree_leaves(points: Points, height: int) -> IntArray:
    """Each point's leaf (n,) when all splits are midpoints; x < v goes left, x ≥ v right."""
    return interleaved(
        grid_cell(points.x, points.box.x.low, points.box.x.high, 1 << height),
        grid_cell(points.y, points.box.y.low, points.box.y.high, 1 << height),
        height,
    )


def grid_cell(values: FloatArray, low: float, high: float, cells: int) -> IntArray:
    """The equal cell of (low, high) that holds each value, the last one closed; (n,)."""
    scaled = (values - low) * (cells / (high - low))
    return np.minimum(scaled.astype(np.int64), cells - 1)


def interleaved(column: IntArray, row: IntArray, height: int) -> IntArray:
    """Tree index of grid cells: the bits of column and row in turn, column first."""
    spread = _spread_bits(height)
    return np.asarray((spread[column] << 1) | spread[row])


def _spread_bits(bits: int) -> IntArray:
    """For 0 .. 2**bits − 1, the number with a zero put before every binary digit."""
    spread = np.zeros(1, dtype=np.int64)
    for _ in range(bits):
        spread = (4 * spread[:, None] + np.arange(2)).ravel()
    return spread
