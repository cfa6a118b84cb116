"""Rectangles of a Hilbert R-tree: functions of where its leaves end on the curve, nothing else."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.spatial.boxes import FANOUT, grid_edges
from dpviz.core.spatial.hilbert_boxes import Corners, range_corners


def curve_boxes(edges: IntArray, order: int, box: Box) -> tuple[FloatArray, ...]:
    """Rectangles of all levels, root first, (4**l, 4), from the ends of the leaves on the curve.

    A node's box is that of its children together, which is the bounding box of its range. A range
    without cells becomes the low corner of its parent's rectangle.
    """
    leaves = _leaf_boxes(edges, order)
    levels = [leaves]
    while levels[-1].shape[0] > 1:
        levels.append(_together(levels[-1]))
    levels = levels[::-1]
    for parents, children in pairwise(levels):
        empty = np.flatnonzero(children[:, 0] + children[:, 2] > 0)
        corner = parents[empty // FANOUT, :2]
        children[empty] = np.concatenate([corner, -corner], axis=1)
    x, y = grid_edges(box.x, 1 << order), grid_edges(box.y, 1 << order)
    return tuple(_in_units(corners, x, y) for corners in levels)


def _in_units(corners: Corners, x: FloatArray, y: FloatArray) -> FloatArray:
    """Low and high of x, then of y, (k, 4), by the edges of the cells on both axes."""
    boxes = np.empty(corners.shape)
    for at, (edges, place) in enumerate(((x, 0), (x, 2), (y, 1), (y, 3))):
        cells = np.abs(corners[:, place]).astype(np.int32)
        edges.take(cells, out=boxes[:, at], mode="clip")
    return boxes


def _together(children: Corners) -> Corners:
    """Unions of the four children of each node: two minima of whole levels, not one over rows."""
    pairs = np.minimum(children[0::2], children[1::2])
    return np.minimum(pairs[0::2], pairs[1::2])


def _leaf_boxes(edges: IntArray, order: int) -> Corners:
    """Column, row, −past column and −past row, so that unions are minima; ∞ without cells."""
    first, last = edges[:-1], edges[1:] - 1
    leaves = range_corners(np.minimum(first, np.maximum(last, 0)), np.maximum(last, 0), order)
    leaves[:, 2:] -= 1  # single precision holds all of them up to order 24
    leaves[last < first] = np.inf
    return leaves
