"""Budgets for single nodes: the best split along every path for a workload that is known.

A record lies in one path, so what the nodes of each root-to-leaf path take must add up to the
budget; nodes beside each other share nothing. A node with share s of the budget has variance
∝ 1/s² (Laplace noise in ε) or ∝ 1/s (Gaussian noise in ρ).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.covariance import query_covariances, query_variance_by_solve

PURE, CONCENTRATED = 2, 1  # the power of a share in a variance: ε with Laplace, ρ with Gaussian
STEPS = 60
SPREAD = 1e-4  # of the budget, evenly over all nodes: no leaf drops out of the solution
Nodes = tuple[FloatArray, ...]


def canonical_uses(shape: TreeShape, leaf_weights: ArrayLike) -> Nodes:
    """How much each node contributes when queries take the largest nodes inside them.

    Shapes: leaf_weights (q, leaves) in 0 … 1; returns (fanout**l,) a level, the mean over queries
    of the squared weight of a node. A leaf that is cut counts by its fraction.
    Source: Cormode et al. 2012, §4.1.
    """
    weights = _queries(shape, leaf_weights)
    inside = [weights == 1]
    for _ in range(shape.height):
        inside.append(inside[-1].reshape(len(weights), -1, shape.fanout).all(axis=-1))
    inside.reverse()
    uses, covered = [], np.zeros((len(weights), 1), dtype=bool)
    for level, whole in enumerate(inside):
        taken = weights**2 if level == shape.height else whole
        uses.append(np.where(covered, 0.0, taken).mean(axis=0))
        covered = np.repeat(covered | whole, shape.fanout, axis=1)
    return tuple(uses)


def node_shares(uses: Sequence[FloatArray], fanout: int, power: int) -> Nodes:
    """The shares of every path that make Σ uses/share^power least; they sum to 1 on each path.

    With budget e left for its paths, a subtree's least error is c/e^power, and
    c^(1/(power + 1)) = use^(1/(power + 1)) + (Σ of the children's c)^(1/(power + 1)): one pass up
    for c, one down for the shares. Where nobody asks, the split is even: it costs nothing.
    Source: Cormode et al. 2012, §4.2, end, which poses the problem; its solution: this project.
    """
    _checked_power(power)
    root = 1 / (power + 1)
    own = [np.asarray(level, dtype=np.float64) ** root for level in uses]
    below = [np.zeros_like(own[-1])]
    for level in reversed(own[1:]):
        cost = (level + below[0]) ** (power + 1)
        below.insert(0, cost.reshape(-1, fanout).sum(axis=1) ** root)
    left, shares = np.ones(1), []
    for depth, (mine, others) in enumerate(zip(own, below, strict=True)):
        whole, even = mine + others, 1 / (len(own) - depth)
        part = np.divide(mine, whole, out=np.full_like(whole, even), where=whole > 0)
        shares.append(left * part)
        left = np.repeat(left * (1 - part), fanout)
    return tuple(shares)


def best_level_shares(uses: Sequence[FloatArray], power: int) -> FloatArray:
    """One share a level, (h + 1,), that makes Σ uses/share^power least: what nodes compare with."""
    whole = np.array([float(np.sum(level)) for level in uses]) ** (1 / (power + 1))
    return np.asarray(whole / whole.sum())


def node_split(
    shape: TreeShape, leaf_weights: ArrayLike, power: int, *, by_level: bool = False
) -> Nodes:
    """Shares of single nodes, or of levels, for the least mean variance after least squares.

    Takes turns: the best weights of all counts for the queries, then the best shares for these
    weights. Neither turn makes the mean variance larger. In ρ the problem is convex and the turns
    lead to its optimum; in ε it is not, and the result is the best found. Both are up to SPREAD.
    Raises: InvalidParameter for queries that do not fit the tree.
    Source: this project (methods.md §6 for whole levels).
    """
    weights = _queries(shape, leaf_weights)
    _checked_power(power)
    best, least = even_shares(shape), np.inf
    for start in _starts(shape, weights, power, by_level):
        shares = start
        for _ in range(STEPS):
            shares = _turned(shape, weights, shares, power, by_level)
        for one in (start, shares):
            found = fitted_variance(weights, levels_of(shape, one, power))
            best, least = (one, found) if found < least else (best, least)
    return best


def _starts(shape: TreeShape, weights: FloatArray, power: int, by_level: bool) -> list[Nodes]:
    """Where the turns begin: one place is enough in ρ; in ε each leads to an optimum of its own."""
    if power == CONCENTRATED:
        return [even_shares(shape)]
    leaves = level_shares(shape, [0.0] * shape.height + [1.0])
    growing = 2.0 ** np.arange(shape.height + 1)
    uses = canonical_uses(shape, weights)
    canonical = node_shares(uses, shape.fanout, power)
    if by_level:
        canonical = level_shares(shape, best_level_shares(uses, power))
    starts = (leaves, level_shares(shape, growing / growing.sum()), canonical)
    return [even_shares(shape), leaves, *(_spread(shape, one) for one in starts)]


def _turned(
    shape: TreeShape, weights: FloatArray, shares: Nodes, power: int, by_level: bool
) -> Nodes:
    """The best shares for the weights that are best under the given shares."""
    noise = levels_of(shape, shares, power)
    covariances = query_covariances(noise, weights)
    uses = [
        np.where(np.isinf(variance), 0.0, covariance / variance) ** 2
        for covariance, variance in zip(covariances, noise.variances, strict=True)
    ]
    means = [level.mean(axis=0) for level in uses]
    if by_level:
        return _spread(shape, level_shares(shape, best_level_shares(means, power)))
    return _spread(shape, node_shares(means, shape.fanout, power))


def _spread(shape: TreeShape, shares: Nodes) -> Nodes:
    pairs = zip(shares, even_shares(shape), strict=True)
    return tuple((1 - SPREAD) * own + SPREAD * even for own, even in pairs)


def even_shares(shape: TreeShape) -> Nodes:
    """The same share for every node."""
    levels = shape.height + 1
    return tuple(np.full(shape.nodes(level), 1 / levels) for level in range(levels))


def level_shares(shape: TreeShape, shares: ArrayLike) -> Nodes:
    """One share a level, as an array a level."""
    by_level = np.asarray(shares, dtype=np.float64)
    return tuple(np.full(shape.nodes(level), share) for level, share in enumerate(by_level))


def levels_of(shape: TreeShape, shares: Nodes, power: int) -> Levels:
    """A tree of zeros whose nodes have the variances of these shares, in units of the budget.

    A variance is 2/share² for ε = 1, 1/(2 · share) for ρ = 1.
    """
    with np.errstate(divide="ignore", over="ignore"):
        variances = tuple(2 / level**2 if power == PURE else 0.5 / level for level in shares)
    counts = tuple(np.zeros(shape.nodes(level)) for level in range(shape.height + 1))
    return Levels(shape.fanout, counts, variances)


def canonical_variance(uses: Nodes, noise: Levels) -> float:
    """Mean variance of the queries behind uses, each read by its largest nodes."""
    pairs = zip(uses, noise.variances, strict=True)
    return float(sum((use[use > 0] * variance[use > 0]).sum() for use, variance in pairs))


def fitted_variance(leaf_weights: ArrayLike, noise: Levels) -> float:
    """Mean variance of the queries after least squares."""
    return float(query_variance_by_solve(noise, leaf_weights).mean())


def path_sums(shares: Nodes, fanout: int) -> FloatArray:
    """What every root-to-leaf path takes of the budget, (leaves,)."""
    total = np.zeros(1)
    for level, share in enumerate(shares):
        total = (total if level == 0 else np.repeat(total, fanout)) + share
    return total


def _checked_power(power: int) -> None:
    if power not in (PURE, CONCENTRATED):
        raise InvalidParameter(
            f"power must be {PURE} (ε with Laplace noise) or {CONCENTRATED} (ρ with Gaussian "
            f"noise), got {power!r}."
        )


def _queries(shape: TreeShape, leaf_weights: ArrayLike) -> FloatArray:
    weights = np.asarray(leaf_weights, dtype=np.float64)
    if weights.ndim != 2 or weights.shape[1] != shape.leaves or not len(weights):
        raise InvalidParameter(
            f"A workload needs at least one row of {shape.leaves} leaf weights, got shape "
            f"{weights.shape}."
        )
    if not ((weights >= 0) & (weights <= 1)).all() or not weights.any():
        raise InvalidParameter(
            "Leaf weights of a workload must lie in 0 … 1, and one must be above 0. Give the "
            "fraction of each leaf that a query covers."
        )
    return weights
