"""Least squares on the levels of noisy trees, many runs at once: costs no budget.

Every estimate is a weighted sum of independent noisy counts, and comes with its variance. All three
are linear in the number of nodes and work on whole levels and whole batches of runs; a level whose
variances are constant is treated with one number. Nodes that nothing determines (those below the
deepest released level, say) get variance ∞ and count NaN.
"""

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels

Estimate = tuple[FloatArray, FloatArray]  # counts (..., nodes) and variances () or (nodes,)
Total = float | FloatArray  # a public N: one for all runs, or (..., 1)


def from_below_levels(levels: Levels) -> Levels:
    """Counts of every node from the node itself and its descendants, with variances.

    t⁻ = t ⊕ Σ_children t⁻, and t⁻ = t on the leaves; ⊕ is inverse-variance weighting.
    Shapes and units: as the input. Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter if a noisy count has variance 0.
    Source: Honaker 2019, §3.1.
    """
    return _finished(levels, _upwards(_informative(levels), levels.fanout))


def from_above_levels(levels: Levels, total: Total | None = None) -> Levels:
    """Counts of every node from the node itself and everything outside its subtree.

    t⁺ = t ⊕ (t⁺_parent − Σ_siblings t⁻); t⁺ = t on the root, or exactly total when N is public.
    Shapes, units, guarantee and errors: as from_below_levels. Source: Honaker 2019, §3.2.
    """
    fanout, noisy = levels.fanout, _informative(levels, total)
    below = _upwards(noisy, fanout)
    above = [noisy[0] if total is None else _exactly(total, noisy[0])]
    for own, (counts, variance) in zip(noisy[1:], below[1:], strict=True):
        parent_counts, parent_variance = above[-1]
        rest = parent_counts - _sibling_sum(counts, fanout)
        outside = (
            _add_to_children(counts, rest, fanout),
            _per_child(parent_variance, fanout) + _others(variance, fanout),
        )
        above.append(_combined(own, outside))
    return _finished(levels, above)


def efficient_levels(levels: Levels, total: Total | None = None) -> Levels:
    """Minimum-variance unbiased counts of every node: generalised least squares.

    t* = t⁻ ⊕ (t⁺_parent − Σ_siblings t⁻). Computed as t⁻ plus the node's share v⁻/Σ v⁻ of what its
    parent's t* has left over: the same numbers in one pass fewer, and children sum to their parent
    to the last digits. total is N where it is public: exact, at no cost.
    Shapes, units, guarantee and errors: as from_below_levels.
    Source: Honaker 2019, eqs. 10-13; equals Cormode et al. 2012, Theorem 5, for level-constant
    noise; the downward pass is that of Hay et al. 2010 with unequal variances.
    """
    fanout, noisy = levels.fanout, _informative(levels, total)
    below = _upwards(noisy, fanout)
    best = [below[0] if total is None else _exactly(total, below[0])]
    for counts, variance in below[1:]:
        parent_counts, parent_variance = best[-1]
        others = _others(variance, fanout)
        share = _weight_of_second(variance, others)
        rest = parent_counts - _sibling_sum(counts, fanout)
        with np.errstate(invalid="ignore"):  # an undetermined parent gives share 0 · variance ∞
            inherited = share**2 * _per_child(parent_variance, fanout)
        best.append(
            (
                _add_to_children(counts, rest, fanout, share),
                _weighted_variance(variance, others) + np.where(share > 0, inherited, 0.0),
            )
        )
    return _finished(levels, best)


def _informative(levels: Levels, total: Total | None = None) -> list[Estimate]:
    """Noisy counts with a harmless 0 in place of those that carry no information."""
    for level, variance in enumerate(levels.variances):
        replaced = level == 0 and total is not None
        if not replaced and not (variance > 0).all():
            raise InvalidParameter(
                f"Level {level} has a noisy count of variance 0. Pass an exactly known N as total."
            )
    pairs = zip(levels.counts, levels.variances, strict=True)
    return [(_replaced(counts, variance, 0.0), variance) for counts, variance in pairs]


def _finished(levels: Levels, estimates: list[Estimate]) -> Levels:
    counts = (_replaced(counts, variance, np.nan) for counts, variance in estimates)
    return Levels(levels.fanout, tuple(counts), tuple(variance for _, variance in estimates))


def _replaced(counts: FloatArray, variance: FloatArray, filler: float) -> FloatArray:
    unknown = np.isinf(variance)
    return np.where(unknown, filler, counts) if unknown.any() else counts


def _exactly(total: Total, root: Estimate) -> Estimate:
    return np.full_like(root[0], total), np.zeros(())


def _upwards(noisy: list[Estimate], fanout: int) -> list[Estimate]:
    below = [noisy[-1]]
    for own in noisy[-2::-1]:
        counts, variance = below[-1]
        children = _sibling_sum(counts, fanout), _sibling_variance(variance, fanout)
        below.append(_combined(own, children))
    return below[::-1]


def _combined(first: Estimate, second: Estimate) -> Estimate:
    """The two, independent estimates of the same counts, weighted by inverse variance: ⊕."""
    weight = _weight_of_second(first[1], second[1])
    counts = (1 - weight) * first[0] + weight * second[0]
    return counts, _weighted_variance(first[1], second[1])


def _weight_of_second(first: FloatArray, second: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(first), 1.0, first / (first + second))


def _weighted_variance(first: FloatArray, second: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):  # in precisions, 0 and ∞ need no cases of their own
        return np.asarray(1 / (1 / first + 1 / second))


def _sibling_sum(counts: FloatArray, fanout: int) -> FloatArray:
    # a product with ones is ten times as fast as a sum over a short last axis
    grouped: FloatArray = counts.reshape(*counts.shape[:-1], -1, fanout) @ np.ones(fanout)
    return grouped


def _add_to_children(
    counts: FloatArray, rest: FloatArray, fanout: int, share: FloatArray | None = None
) -> FloatArray:
    """Give each child its share of the parent's rest."""
    if share is None or share.ndim == 0:
        added = np.repeat(rest if share is None else rest * share, fanout, axis=-1)
    else:
        added = (rest[..., None] * share.reshape(-1, fanout)).reshape(counts.shape)
    added += counts
    return added


def _per_child(variance: FloatArray, fanout: int) -> FloatArray:
    return variance if variance.ndim == 0 else np.repeat(variance, fanout)


def _sibling_variance(variance: FloatArray, fanout: int) -> FloatArray:
    if variance.ndim == 0:
        return np.asarray(fanout * variance)
    return np.asarray(variance.reshape(-1, fanout).sum(axis=1))


def _others(variance: FloatArray, fanout: int) -> FloatArray:
    """Σ over a node's siblings. Never sum − own: that cancels, and is ∞ − ∞ for unknown nodes."""
    if variance.ndim == 0:
        return np.asarray((fanout - 1) * variance)
    grouped = variance.reshape(-1, fanout)
    others = np.zeros_like(grouped)
    others[:, 1:] = np.cumsum(grouped[:, :-1], axis=1)
    others[:, :-1] += np.cumsum(grouped[:, :0:-1], axis=1)[:, ::-1]
    return others.reshape(-1)
