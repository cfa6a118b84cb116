"""The variance of linear queries on a tree whose noise is constant by level, and of workloads.

Leaf space splits into V_0 (constants) and V_k (constant on level-k nodes, summing to zero below
each node above), k = 1..h. The precision matrix of all noisy counts acts on V_k as one number,
Λ_k = Σ_{l≥k} λ_l f^{h−l}, λ_l being the precision of a node on level l. A query with leaf weights c
therefore has variance Σ_k ‖P_k c‖²/Λ_k after the efficient estimator, and h + 1 numbers, the
energies ‖P_k c‖² averaged over a workload, say all there is to know about it.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.covariance import query_variance_by_solve
from dpviz.estimators.trees.ranges import checked_ranges


def query_variance(
    levels: Levels, leaf_weights: ArrayLike, total: float | None = None
) -> FloatArray:
    """Exact variance of Σ c·leaf after the efficient estimator.

    One pass over the leaves when the noise is constant by level, else by a solve on the tree.
    Shapes: leaf_weights (..., leaves); returns (...). Units: records² times those of c.
    total says whether N is public. Guarantee: post-processing; spends nothing.
    """
    if any(variance.ndim for variance in levels.variances):
        return query_variance_by_solve(levels, leaf_weights, total)
    energies = query_energies(levels.shape, leaf_weights)
    return energies_variance(
        energies, levels.fanout, levels.variances, public_total=total is not None
    )


def eigenvalues(fanout: int, variances: Sequence[ArrayLike]) -> FloatArray:
    """Λ_k for k = 0..h, from a variance for each level, root first (∞: not released)."""
    with np.errstate(divide="ignore"):
        precisions = 1 / np.array([float(np.asarray(variance)) for variance in variances])
    height = precisions.size - 1
    parts = precisions * float(fanout) ** (height - np.arange(height + 1))
    return np.asarray(np.cumsum(parts[::-1])[::-1])


def energies_variance(
    energies: FloatArray, fanout: int, variances: Sequence[ArrayLike], *, public_total: bool
) -> FloatArray:
    """Σ_k a_k/Λ_k, shape (...) from energies (..., h + 1); ∞ where nothing tells the answer.

    With N public the constants V_0 are known and cost nothing.
    """
    strengths = eigenvalues(fanout, variances)
    first = int(public_total)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(energies > 0, energies / strengths, 0.0)
    return np.asarray(parts[..., first:].sum(axis=-1))


def query_energies(shape: TreeShape, leaf_weights: ArrayLike) -> FloatArray:
    """‖P_k c‖² for k = 0..h, shape (..., h + 1), in one pass over the leaves (..., leaves)."""
    sums = np.asarray(leaf_weights, dtype=np.float64)
    if sums.shape[-1:] != (shape.leaves,):
        raise InvalidParameter(f"A query needs {shape.leaves} leaf weights, got {sums.shape}.")
    energies, width = [], 1
    for _ in range(shape.height):
        children = sums.reshape(*sums.shape[:-1], -1, shape.fanout)
        sums = children.sum(axis=-1)
        # deviations, not a difference of squares: that would cancel for nearly constant queries
        deviations = children - sums[..., None] / shape.fanout
        energies.append((deviations**2).sum(axis=(-2, -1)) / width)
        width *= shape.fanout
    energies.append(sums[..., 0] ** 2 / width)
    return np.stack(energies[::-1], axis=-1)


def range_variances(
    shape: TreeShape,
    variances: Sequence[ArrayLike],
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    public_total: bool,
) -> FloatArray:
    """Exact variance (q,) of ranges in leaf units after the efficient estimator.

    Needs h steps for all ranges together, whatever the number of leaves; noise by level only.
    """
    result = np.zeros(np.atleast_1d(np.asarray(starts)).shape)
    strengths = eigenvalues(shape.fanout, variances)
    for level, energies in _by_level(shape, starts, ends):
        if level > 0 or not public_total:
            with np.errstate(divide="ignore", invalid="ignore"):
                result += np.where(energies > 0, energies / strengths[level], 0.0)
    return result


def range_energies(
    shape: TreeShape, starts: ArrayLike, ends: ArrayLike, weights: ArrayLike | None = None
) -> FloatArray:
    """Mean energies (h + 1,) of ranges in leaf units: the workload of a user's list.

    weights (q,) say how much each range matters, all the same by default.
    Raises: InvalidParameter for an empty list or weights that do not fit.
    """
    count = np.atleast_1d(np.asarray(starts)).size
    mass = np.ones(count) if weights is None else np.asarray(weights, dtype=np.float64)
    if count == 0 or mass.shape != (count,) or not (mass >= 0).all() or not mass.any():
        raise InvalidParameter("A workload needs at least one range, and a weight ≥ 0 for each.")
    mass = mass / mass.sum()
    return np.array([float(mass @ energies) for _, energies in _by_level(shape, starts, ends)])


def _by_level(
    shape: TreeShape, starts: ArrayLike, ends: ArrayLike
) -> Iterator[tuple[int, FloatArray]]:
    """(k, ‖P_k c‖² of each range (q,)): only the two nodes that the ends cut contribute."""
    s, e = checked_ranges(shape.leaves, starts, ends)
    yield 0, (e - s) ** 2 / shape.leaves
    for level in range(1, shape.height + 1):
        width = shape.leaves // shape.nodes(level)  # of a level-k node, a child here
        parent = width * shape.fanout
        left = np.minimum(np.floor(s / parent), shape.nodes(level - 1) - 1)
        right = np.minimum(np.floor(e / parent), shape.nodes(level - 1) - 1)
        low, high = (s - left * parent) / width, (e - right * parent) / width
        one = _within(low, high, shape.fanout)
        both = _within(low, shape.fanout, shape.fanout) + _within(0.0, high, shape.fanout)
        yield level, width * np.where(left == right, one, both)


def _within(low: FloatArray | float, high: FloatArray | float, fanout: int) -> FloatArray:
    """Σ_children coverage² − (Σ coverage)²/f , [low, high) in units of a child."""
    first, last = np.ceil(low), np.floor(high)
    apart = (first - low) ** 2 + (last - first) + (high - last) ** 2
    length = np.subtract(high, low)
    squares = np.where(first > last, length**2, apart)
    return np.asarray(np.maximum(squares - length**2 / fanout, 0.0))
