"""Exact counts of the nodes of a tree over an interval."""

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.trees.shape import TreeShape


def count_levels(column: Column, shape: TreeShape) -> tuple[FloatArray, ...]:
    """Exact counts of all nodes, root first; level l is (fanout**l,). Confidential.

    Node intervals are [c_{j−1}, c_j), the last one closed. The column is sorted, so this takes one
    binary search a leaf edge, whatever n is.
    """
    below = count_below_edges(column, shape)
    steps = (shape.nodes(shape.height - level) for level in range(shape.height + 1))
    return tuple(np.diff(below[::step]) for step in steps)


def count_below_edges(column: Column, shape: TreeShape) -> FloatArray:
    """Exact running counts at the leaf edges, (leaves + 1,): the last one is n. Confidential.

    Whichever are fewer are searched for among the others: the edges, or the distinct values.
    """
    edges = shape.edges(column.bounds)
    if column.held.size < shape.leaves:
        first_above = np.searchsorted(edges, column.held, side="right")
        records = np.ones(column.held.size) if column.counts is None else column.counts
        new = np.bincount(first_above, records, shape.leaves + 2)[: shape.leaves + 1]
        below = np.asarray(new, dtype=np.float64)  # whole numbers up to 2^53: exact
        np.cumsum(below, out=below)
    else:
        below = column.count_below(edges).astype(np.float64)
    below[-1] = column.n
    return below
