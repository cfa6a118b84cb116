"""Exact standard errors of running counts and their weighted sums, from public numbers alone.

A running count is a weighted sum of independent noisy counts, so Σ d_i·C_i of the running counts C
has an exact variance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.quantiles import released_levels
from dpviz.estimators.trees.ranges import canonical_ranges
from dpviz.estimators.trees.readings import TreeEstimator, with_total
from dpviz.estimators.trees.workload import query_variance, range_variances

WITH_ERRORS = frozenset({TreeEstimator.RAW, TreeEstimator.EFFICIENT})  # readings that it takes


@dataclass(frozen=True, slots=True)
class CdfErrors:
    """Exact variances of linear readings of a tree's CDF, before any smoothing.

    estimator is RAW (canonical nodes) or EFFICIENT; step is the CDF's. Errors depend on the noise
    alone, never on counts.
    Raises: InvalidParameter for another estimator: its band can be simulated instead.
    """

    noise: TreeNoise
    estimator: TreeEstimator = TreeEstimator.EFFICIENT
    step: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "estimator", TreeEstimator(self.estimator))
        if self.estimator not in WITH_ERRORS:
            raise InvalidParameter(
                f"Exact errors exist for raw and efficient readings, not for {self.estimator}. "
                "Simulate a band."
            )

    def running_errors(self) -> FloatArray:
        """Standard error of every running count, shape (t + 1,), the first 0."""
        shape, known = self.noise.shape, self.noise.root is Root.PUBLIC
        ends = edge_positions(shape, self.step).astype(np.float64)
        starts = np.zeros(ends.size)
        if self.estimator is TreeEstimator.EFFICIENT:
            variances = range_variances(
                shape, self.noise.variances, starts, ends, public_total=known
            )
        else:
            _, variances = canonical_ranges(self.noise.blank(), starts, ends, self.noise.total)
        return np.asarray(np.sqrt(variances))

    def linear_error(self, weights: ArrayLike) -> FloatArray:
        """Standard error (...) of Σ d_i·C_i from weights d (..., t + 1) on the running counts."""
        given = np.asarray(weights, dtype=np.float64)
        shape = self.noise.shape
        spread = np.zeros((*given.shape[:-1], shape.leaves + 1))
        spread[..., edge_positions(shape, self.step)] = given
        if self.estimator is TreeEstimator.EFFICIENT:
            after = np.cumsum(spread[..., ::-1], axis=-1)[..., ::-1]  # leaf j is in C_i for i > j
            variance = query_variance(self.noise.blank(), after[..., 1:], self.noise.total)
        else:
            variance = _raw_variance(self.noise, spread)
        return np.asarray(np.sqrt(variance))


def _raw_variance(noise: TreeNoise, weights: FloatArray) -> FloatArray:
    """Variance of Σ d_i·C_i, every C_i being a sum of canonical nodes; d is (..., leaves + 1).

    A node is part of C_i for the edges i that start inside a later node of its group, the children
    of one released node.
    """
    levels = with_total(noise.blank(), noise.total)
    released, shape = released_levels(levels), noise.shape
    variance = np.zeros(weights.shape[:-1])
    whole, above = weights[..., -1:], 0
    for level in released:
        starts = weights[..., :-1].reshape(*weights.shape[:-1], shape.nodes(level), -1).sum(axis=-1)
        groups = starts.reshape(*starts.shape[:-1], -1, shape.fanout ** (level - above))
        later = np.cumsum(groups[..., ::-1], axis=-1)[..., ::-1] - groups
        used = later.reshape(starts.shape)
        if level == released[0]:
            used = used + whole  # C_n, all records, is the sum of the first released level
        variance += (used**2).sum(axis=-1) * float(levels.variances[level])
        above = level
    return variance
