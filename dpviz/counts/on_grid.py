"""Exact counts of what trees and grids count, from points or from counts on a grid. Confidential.

A grid of side 2^k holds all that structures need whose borders are its own: the same numbers come
out as from the points themselves.
"""

from collections.abc import Callable

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.grid_counts import GridCounts, Plane, held_apart
from dpviz.core.spatial.boxes import FANOUT
from dpviz.counts.spatial import (
    count_leaves,
    hilbert_places,
    interleaved,
    level_sums,
    quadtree_leaves,
)


def quadtree_counts(points: Plane, height: int) -> tuple[FloatArray, ...]:
    """Counts of all nodes of a quadtree, root first, level l (4**l,).

    Raises: InvalidData for a tree that is finer than the grid.
    """
    if isinstance(points, GridCounts):
        return level_sums(leaf_counts(points, height).astype(np.float64))
    return count_leaves(quadtree_leaves(points, height), height)


def leaf_counts(grid: GridCounts, height: int) -> IntArray:
    """Points in the leaves of a quadtree, in the tree's order, (4**height,).

    Raises: InvalidData for a tree that is finer than the grid.
    """
    counts, at = grid.coarser(1 << height), np.arange(1 << height)
    leaves = np.empty(counts.size, dtype=np.int64)
    leaves[interleaved(at[:, None], at[None, :], height)] = counts
    return leaves


def places_below(points: Plane, depth: int) -> Callable[[IntArray], IntArray]:
    """How many points lie in the leaves before a number, for all numbers 0 … 4**depth.

    Leaves are those of a quadtree of this depth, in its order. Raises: as leaf_counts.
    """
    if isinstance(points, GridCounts):
        running = np.zeros(FANOUT**depth + 1, dtype=np.int64)
        np.cumsum(leaf_counts(points, depth), out=running[1:])
        return lambda at: running[at]
    places = np.sort(quadtree_leaves(points, depth))
    return lambda at: np.searchsorted(places, at)


def curve_places(points: Plane, order: int) -> tuple[FloatArray, IntArray | None]:
    """Places of points on a Hilbert curve over the box, ascending, (n,), and the points at each.

    Counts are None where each place is that of one point. The order must be at most the height of
    the grid that points are counted on.
    """
    middles, counts = held_apart(points)
    places = hilbert_places(middles, order)
    if counts is None:
        return np.sort(places).astype(np.float64), None
    ascending = np.argsort(places)
    return places[ascending].astype(np.float64), counts[ascending]
