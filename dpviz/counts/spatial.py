"""Exact counts of the nodes of a spatial tree: confidential until noise is added."""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.data.points import Points
from dpviz.core.spatial.boxes import FANOUT, edges_at, grid_edges
from dpviz.core.spatial.geometry import HilbertCut, Midpoints, Rectangles
from dpviz.core.spatial.hilbert import hilbert_index
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.shape import TreeShape
from dpviz.core.usual_floats import usual_floats

TABLE_BITS = 12
CHUNK = 1 << 15  # points that are given their cells at once
CLOSE, CLOSE_MOST = 1e-7, 0.25  # of a cell
MOST_NARROW = 1 << 30  # cells whose numbers are held in 32 bits

Cell = NDArray[np.int32] | IntArray


def count_leaves(
    leaf_index: IntArray, height: int, weights: IntArray | None = None
) -> tuple[FloatArray, ...]:
    """Counts of all nodes, root first, level l (4**l,), from every point's leaf (n,).

    weights (n,) says how many points each stands for.
    """
    shape = TreeShape(FANOUT, height)
    leaves = np.bincount(leaf_index, weights, minlength=shape.leaves)
    return level_sums(leaves.astype(np.float64))


def level_sums(leaves: FloatArray) -> tuple[FloatArray, ...]:
    """Counts of all nodes, root first, from those of the leaves (4**h,); exact up to 2^53."""
    levels = [leaves]
    while levels[-1].size > 1:
        levels.append(levels[-1].reshape(-1, FANOUT) @ np.ones(FANOUT))
    return tuple(levels[::-1])


def quadtree_leaves(points: Points, height: int) -> IntArray:
    """Each point's leaf (n,) when all splits are midpoints; x < v goes left, x ≥ v right."""
    leaves = np.empty(points.n, dtype=np.int64)
    cells = 1 << height
    for start in range(0, points.n, CHUNK):  # what a chunk needs stays in fast memory
        part = slice(start, start + CHUNK)
        column = _narrow_cell(points.x[part], points.box.x, cells)
        row = _narrow_cell(points.y[part], points.box.y, cells)
        leaves[part] = interleaved(column, row, height)
    return leaves


@usual_floats
def grid_cell(values: FloatArray, bounds: Bounds, cells: int) -> IntArray:
    """The equal cell [edge, next edge) of bounds that holds each value, the last one closed; (n,).

    Edges are those of grid_edges to the last digit: a value on one goes right, however the division
    was rounded.
    """
    return _narrow_cell(values, bounds, cells).astype(np.int64)


def _narrow_cell(values: FloatArray, bounds: Bounds, cells: int) -> Cell:
    """As grid_cell, in 32 bits where they are enough: doubles become those twice as fast."""
    # what an edge is rounded to; NumPy has a warning for the largest double, where there is a point
    spacing = math.ulp(max(abs(bounds.low), abs(bounds.high)))
    close = CLOSE + 2 * cells * (spacing / bounds.width)
    if close > CLOSE_MOST:  # hardly any doubles lie between two edges
        found = np.searchsorted(grid_edges(bounds, cells), values, side="right") - 1
        return np.minimum(found, cells - 1)
    scaled = values - bounds.low
    scaled *= cells / bounds.width
    scaled += close
    narrow = cells <= MOST_NARROW
    place: Cell = scaled.astype(np.int32) if narrow else scaled.astype(np.int64)
    scaled -= place
    if not scaled.size or scaled.min() >= 2 * close:
        return place
    doubtful = np.flatnonzero(scaled < 2 * close)  # so near to an edge that rounding may decide
    edge = place[doubtful].astype(np.int64)
    exact = edge - (values[doubtful] < edges_at(bounds, edge, cells))
    place[doubtful] = np.clip(exact, 0, cells - 1)
    return place


def interleaved(column: Cell, row: Cell, height: int) -> IntArray:
    """Tree index of grid cells: the bits of column and row in turn, column first."""
    index = _spread(column, height)
    index <<= 1
    return index | _spread(row, height)


def _spread(numbers: Cell, bits: int) -> IntArray:
    low = min(bits, TABLE_BITS)
    table = _spread_bits(low)
    if bits <= TABLE_BITS:
        return np.asarray(table.take(numbers))
    rest = _spread(numbers >> low, bits - low)
    return np.asarray((rest << 2 * low) | table[numbers & ((1 << low) - 1)])


@cache
def _spread_bits(bits: int) -> IntArray:
    """For 0 .. 2**bits − 1, the number with a zero put before every binary digit."""
    spread = np.zeros(1, dtype=np.int64)
    for _ in range(bits):
        spread = (4 * spread[:, None] + np.arange(2)).ravel()
    return frozen(spread)


def locate(release: SpatialRelease, points: Points) -> IntArray:
    """The leaf of a released tree that each point lies in, (n,). Confidential.

    By midpoints, by the order on the Hilbert curve, or by the splits that the rectangles show.
    """
    match release.geometry:
        case Midpoints():
            return quadtree_leaves(points, release.shape.height)
        case HilbertCut() as cut:
            places = hilbert_places(points, cut.order)
            leaf = np.searchsorted(cut.edges, places, side="right") - 1
            return np.clip(leaf, 0, release.shape.leaves - 1)
        case Rectangles(_, boxes):
            return _by_splits(points, boxes)


def _by_splits(points: Points, boxes: tuple[FloatArray, ...]) -> IntArray:
    """Down from the root: each child begins where the low one of its pair ends."""
    node = np.zeros(points.n, dtype=np.int64)
    for level in boxes[1:]:
        node = FANOUT * node
        node += 2 * (points.x >= level[node, 1])
        node += points.y >= level[node, 3]
    return node


def hilbert_places(points: Points, order: int) -> IntArray:
    """Each point's cell number along the Hilbert curve of this order over the box, (n,)."""
    cells = 1 << order
    column = grid_cell(points.x, points.box.x, cells)
    row = grid_cell(points.y, points.box.y, cells)
    return hilbert_index(column, row, order)
