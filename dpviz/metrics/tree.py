"""Errors of the estimated counts of a tree, and of a private CDF, in records. Confidential."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.column import Column
from dpviz.core.trees.shape import Levels


def node_errors(levels: Levels, truth: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
    """Estimate − truth at every node, in records, shapes as levels.counts; NaN where unknown."""
    return tuple(
        np.asarray(counts - exact) for counts, exact in zip(levels.counts, truth, strict=True)
    )


def mean_squared_errors(levels: Levels, truth: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
    """Mean over all runs of the squared error of each node: (fanout**l,) a level, records²."""
    return tuple(
        np.asarray(np.mean(error.reshape(-1, error.shape[-1]) ** 2, axis=0))
        for error in node_errors(levels, truth)
    )


def true_running_counts(column: Column, edges: FloatArray) -> FloatArray:
    """#{x < edge} for each edge (t + 1,) of a tree, all n at the last, whose interval is closed."""
    below = column.count_below(edges).astype(np.float64)
    below[-1] = column.n
    return below


def points_outside(counts: FloatArray, truth: FloatArray, half_width: ArrayLike) -> IntArray:
    """How many running counts miss the truth by more than α, the first (always 0) left out.

    Shapes: counts (..., t + 1), truth (t + 1,), half_width (t + 1,) or (); returns (...).
    Source: Manohar 2014, "# of points exceeding error".
    """
    outside = np.abs(counts - truth) > np.broadcast_to(half_width, truth.shape)
    return np.asarray(np.count_nonzero(outside[..., 1:], axis=-1))


def largest_error(counts: FloatArray, truth: FloatArray) -> FloatArray:
    """The largest distance over all edges, shape (...), in records."""
    return np.asarray(np.abs(counts - truth).max(axis=-1))
