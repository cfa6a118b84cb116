"""Which measurement weighs how much in an efficient estimate, and the variance of any query.

The leaf estimates have covariance (HᵀWH)⁻¹, H saying which leaves are below a node and W being the
precisions. A tree whose leaves hold σ² c and whose other nodes hold 0 has the efficient estimates
H (HᵀWH)⁻¹ c: one pass of the estimator gives a column of covariances, and no matrix is formed.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import efficient_levels


def query_covariances(
    levels: Levels, leaf_weights: ArrayLike, total: float | None = None
) -> tuple[FloatArray, ...]:
    """Covariance of Σ c·leaf with every node, both estimated efficiently, for any variances.

    Shapes: leaf_weights (..., leaves); returns (..., fanout**l) a level. Units: records² times
    those of c. Only variances of levels are read; total says whether N is public, not which it is.
    Raises: InvalidParameter if c needs a leaf that is not released.
    """
    weights = _leaf_weights(levels, leaf_weights)
    spread = np.broadcast_to(levels.variances[-1], weights.shape)
    needed = weights != 0
    if np.isinf(spread[needed]).any():
        raise InvalidParameter("The query needs a leaf that is not released.")
    leaves = np.where(needed, weights * np.where(needed, spread, 0.0), 0.0)
    batch = weights.shape[:-1]
    empty = (np.zeros((*batch, level.shape[-1])) for level in levels.counts[:-1])
    source = Levels(levels.fanout, (*empty, leaves), levels.variances)
    return efficient_levels(source, None if total is None else 0.0).counts


def query_variance_by_solve(
    levels: Levels, leaf_weights: ArrayLike, total: float | None = None
) -> FloatArray:
    """Variance of Σ c·leaf after the efficient estimator, for any variances by node.

    Shapes: leaf_weights (..., leaves); returns (...). Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter if c needs a leaf that is not released.
    Source: generalised least squares, solved on the tree.
    """
    weights = _leaf_weights(levels, leaf_weights)
    covariances = query_covariances(levels, weights, total)[-1]
    return np.asarray(np.where(weights != 0, weights * covariances, 0.0).sum(axis=-1))


def node_weights(
    levels: Levels, level: int, index: int, total: float | None = None
) -> tuple[FloatArray, ...]:
    """The weight of every node's measurement in one node's efficient estimate, root first.

    Shapes: (fanout**l,) a level. With N public the root's is the weight of N. A level that is not
    released has weight 0. Linear in the number of nodes.
    Raises: InvalidParameter for a node outside the tree, or one whose leaves are not released.
    """
    shape = levels.shape
    if not (0 <= level <= shape.height and 0 <= index < shape.nodes(level)):
        raise InvalidParameter(f"There is no node {index} on level {level} of this tree.")
    wide = shape.leaves // shape.nodes(level)
    below = np.zeros(shape.leaves)
    below[index * wide : (index + 1) * wide] = 1.0
    covariances = query_covariances(levels, below, total)
    weights = [
        np.where(np.isinf(variance), 0.0, covariance / variance)
        for covariance, variance in zip(covariances[1:], levels.variances[1:], strict=True)
    ]
    if total is None:
        root = np.where(np.isinf(levels.variances[0]), 0.0, covariances[0] / levels.variances[0])
    else:  # estimates are unbiased, so the weights above any leaf sum to whether it is below
        root = np.atleast_1d(below[0] - sum(float(one[0]) for one in weights))
    return (root, *weights)


def _leaf_weights(levels: Levels, leaf_weights: ArrayLike) -> FloatArray:
    weights = np.asarray(leaf_weights, dtype=np.float64)
    leaves = levels.shape.leaves
    if weights.ndim == 0 or weights.shape[-1] != leaves or not np.isfinite(weights).all():
        raise InvalidParameter(
            f"A query needs one finite weight for each of the {leaves} leaves, got shape "
            f"{weights.shape}."
        )
    return weights
