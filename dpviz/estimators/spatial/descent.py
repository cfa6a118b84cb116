"""The descent that answers rectangles on any tree of rectangles, all queries a level at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.estimate import SpatialEstimate

SpatialTree = SpatialRelease | SpatialEstimate


@dataclass(frozen=True, eq=False)
class Visited:
    """The nodes of one level that some query reached, one row for each pair (query, node).

    Shapes: all (m,). parent is the row of the level above; part the fraction of the node's area
    inside the query; ends says that the node answers, whole or, as a leaf, by its part.
    """

    level: int
    query: IntArray
    node: IntArray
    parent: IntArray
    part: FloatArray
    ends: BoolArray


def descend(
    tree: SpatialTree, boxes: FloatArray, released: Sequence[bool] | None = None
) -> Iterator[Visited]:
    """Levels from the root: whole nodes answer, others are opened, leaves answer by their part.

    boxes (q, 4). A level that is not released cannot answer, and passes the query on.
    Source: Cormode et al. 2012, §4.1.
    """
    height = tree.level_count - 1
    query = np.arange(boxes.shape[0])
    node, parent = np.zeros_like(query), np.zeros_like(query)
    for level in range(height + 1):
        part, touched, whole = _overlap(tree.node_boxes(level, node), boxes[query])
        query, node, parent = query[touched], node[touched], parent[touched]
        known = level == height or released is None or released[level]
        ends = (whole[touched] & known) | _leaves(tree, level, node)
        yield Visited(level, query, node, parent, part[touched], ends)
        opened = np.flatnonzero(~ends)
        query = np.repeat(query[opened], FANOUT)
        node = (FANOUT * node[opened][:, None] + np.arange(FANOUT)).ravel()
        parent = np.repeat(opened, FANOUT)


def _leaves(tree: SpatialTree, level: int, node: IntArray) -> BoolArray:
    last: BoolArray = np.full(node.shape, level == tree.level_count - 1)
    leaf = tree.is_leaf(level) if isinstance(tree, SpatialEstimate) else None
    return last if leaf is None else last | leaf[node]


def _overlap(nodes: FloatArray, queries: FloatArray) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Fractions of nodes (m, 4) inside queries (m, 4), whether they touch, whether all is in."""
    part_x, whole_x = _overlap_1d(nodes[:, 0], nodes[:, 1], queries[:, 0], queries[:, 1])
    part_y, whole_y = _overlap_1d(nodes[:, 2], nodes[:, 3], queries[:, 2], queries[:, 3])
    part = part_x * part_y
    return part, part > 0, whole_x & whole_y


def _overlap_1d(
    low: FloatArray, high: FloatArray, start: FloatArray, end: FloatArray
) -> tuple[FloatArray, BoolArray]:
    width, inside = high - low, np.minimum(high, end) - np.maximum(low, start)
    whole = (start <= low) & (high <= end)
    # a node without width is in or out as a whole
    part = np.divide(inside, width, out=whole.astype(np.float64), where=width > 0)
    return np.where(whole, 1.0, np.maximum(part, 0.0)), whole
