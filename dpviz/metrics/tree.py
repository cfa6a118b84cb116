"""Errors of the estimated counts of a tree. Confidential."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpviz.core.arrays import FloatArray
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
