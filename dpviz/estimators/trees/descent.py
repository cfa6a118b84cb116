"""Quantiles by walking down a tree of noisy counts: post-processing, costs no budget."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels


def descended_quantiles(levels: Levels, edges: FloatArray, quantiles: FloatArray) -> FloatArray:
    """Quantiles by a descent from the root, by shares of the children.

    In a node with children c_1, …, c_f and T = Σ c_j the walk goes to the first child j with
    c_1 + … + c_j ≥ q T, and q becomes (q T − c_1 − … − c_{j−1})/c_j, the share inside that child.
    It ends in a leaf, or in a node with T ≤ 0, and returns the place at the share q of that node.
    Then 0 < q ≤ 1 at every step however noisy the counts are. The root's own count plays no part.
    Shapes: edges (leaves + 1,) ascending, quantiles (m,) in (0, 1); returns (..., m), inside the
    edges and monotone in q. Units: those of edges. Guarantee: post-processing.
    Raises: InvalidParameter if a level below the root is not released as a whole.
    Source: the reading of the program that Kaplan, Schnapp and Stemmer 2021, §4, compare with
    (tree.py of Gillenwater et al. 2021, after the quantile trees of Google's library).
    """
    if not all(np.isfinite(variance).all() for variance in levels.variances[1:]):
        raise InvalidParameter(
            "A descent reads every level below the root, and one is not released. Release all of "
            "them, or read the tree by running counts (estimator 'raw')."
        )
    leaves, fanout = levels.shape.leaves, levels.fanout
    shape = (*levels.counts[0].shape[:-1], quantiles.size)
    share = np.broadcast_to(quantiles, shape).astype(np.float64)
    walks = np.ones(shape, dtype=np.bool_)
    node, left, right = (np.full(shape, at, dtype=np.int64) for at in (0, 0, leaves))
    for level, counts in enumerate(levels.counts[1:], start=1):
        running = counts.reshape(*shape[:-1], -1, fanout).cumsum(axis=-1)
        total = np.take_along_axis(running[..., -1], node, axis=-1)
        walks &= total > 0
        child, before, after = _first_crossing(running, node, share * total)
        with np.errstate(divide="ignore", invalid="ignore"):  # of walks that have ended
            inside = np.minimum((share * total - before) / (after - before), 1.0)
        node = node * fanout + child
        width = leaves // fanout**level
        share = np.where(walks, inside, share)
        left = np.where(walks, node * width, left)
        right = np.where(walks, (node + 1) * width, right)
    low, high = edges[left], edges[right]
    return np.minimum(low + share * (high - low), high)


def _first_crossing(
    running: FloatArray, node: IntArray, target: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """The first child whose running count reaches the target, and the counts before and at it.

    By bisection of running maxima, all walks of all runs together: log2(fanout) steps.
    Shapes: running (..., nodes, fanout); the others (..., m).
    """
    fanout = running.shape[-1]
    highest = np.maximum.accumulate(running, axis=-1).reshape(*running.shape[:-2], -1)
    flat = running.reshape(highest.shape)
    first = node * fanout
    low, high = np.zeros_like(node), np.full_like(node, fanout - 1)
    for _ in range((fanout - 1).bit_length()):
        middle = (low + high) // 2
        reached = np.take_along_axis(highest, first + middle, axis=-1) >= target
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    after = np.take_along_axis(flat, first + high, axis=-1)
    before = np.take_along_axis(flat, np.maximum(first + high - 1, 0), axis=-1)
    return high, np.where(high > 0, before, 0.0), after
