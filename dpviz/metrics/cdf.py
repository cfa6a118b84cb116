"""How far a private CDF is from the true one, in records. Confidential."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.column import Column


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
