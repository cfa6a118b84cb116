"""Quantiles read from the counts of a tree over an interval: post-processing, costs no budget."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.core.usual_floats import usual_floats


def running_counts(levels: Levels, total: float | None = None) -> FloatArray:
    """Counts of [low, c) for every leaf edge c, each from the fewest nodes that make it up.

    Whole high nodes are used first (the canonical decomposition): a count adds at most fanout − 1
    nodes of each released level. The last one is total if given, else the root, else (root not
    released) the sum of the first released level. Levels of infinite variance are left out.
    Shapes: (..., leaves + 1), starting with 0. Units: records. Guarantee: post-processing.
    Raises: InvalidParameter if the leaves, or only parts of a level, are not released.
    Source: Kaplan, Schnapp and Stemmer 2021, §4 (AggTree); Cormode et al. 2012, §4.
    """
    released = released_levels(levels)
    fanout, batch = levels.fanout, levels.counts[0].shape[:-1]
    starts, above = np.zeros((*batch, 1)), 0  # running counts at the left edges of a level's nodes
    for level in (level for level in released if level > 0):
        siblings = levels.counts[level].reshape(*batch, starts.shape[-1], fanout ** (level - above))
        running = np.cumsum(siblings, axis=-1)
        running -= siblings
        running += starts[..., None]
        starts, above = running.reshape(*batch, -1), level
    everything = levels.counts[released[0]].sum(axis=-1, keepdims=True) if released else None
    if total is not None:
        everything = np.full((*batch, 1), float(total))
    if everything is None:
        raise InvalidParameter("No level is released and N is not public: nothing can be read.")
    return np.concatenate([starts, everything], axis=-1)


def released_levels(levels: Levels) -> list[int]:
    """Levels with information, root first; the others have infinite variance throughout.

    Raises: InvalidParameter if the leaves, or only parts of a level, are not released.
    """
    unknown = [np.isinf(variance) for variance in levels.variances]
    if any(level.any() and not level.all() for level in unknown):
        raise InvalidParameter(
            "Running counts need levels that are released as a whole. Apply efficient() first."
        )
    if levels.height > 0 and unknown[-1].any():
        raise InvalidParameter("The leaves are not released. Take a tree of smaller height.")
    return [level for level, left_out in enumerate(unknown) if not left_out.any()]


@usual_floats
def interpolated_quantiles(
    running: FloatArray, edges: FloatArray, quantiles: FloatArray
) -> FloatArray:
    """Quantiles by linear interpolation in the leaf where the running count passes q · n̂.

    n̂ is the last running count. In the leftmost leaf z with C_z ≥ q n̂ the value lies at the
    fraction p = (q n̂ − C_{z−1})/(C_z − C_{z−1}); n̂ ≤ 0 gives low + q · width. C_z ≥ q n̂ holds at
    the last leaf at the latest, and C_{z−1} < q n̂, so 0 < p ≤ 1 however noisy the counts are.
    Shapes: running (..., leaves + 1) starting with 0, edges (leaves + 1,) ascending, quantiles (m,)
    in (0, 1); returns (..., m), inside the edges and monotone in q. Units: those of edges.
    Guarantee: post-processing. Source: Kaplan, Schnapp and Stemmer 2021, §4 (AggTree).
    """
    total = running[..., -1:]
    targets = quantiles * np.maximum(total, 0.0)
    leaf = _leftmost_crossing(np.maximum.accumulate(running, axis=-1), targets)
    before = np.take_along_axis(running, leaf - 1, axis=-1)
    after = np.take_along_axis(running, leaf, axis=-1)
    step = after - before  # 0 for n̂ ≤ 0, which is answered below, and where q n̂ is no double
    fraction = np.divide(targets - before, step, out=np.ones(step.shape), where=step > 0)
    left, right = edges[leaf - 1], edges[leaf]
    inside = np.minimum(left + fraction * (right - left), right)  # may round past its leaf
    uniform = np.minimum(edges[0] + quantiles * (edges[-1] - edges[0]), edges[-1])
    return np.where(total > 0, inside, uniform)


def _leftmost_crossing(highest: FloatArray, targets: FloatArray) -> IntArray:
    """The first leaf 1..leaves whose running maximum reaches the target, by bisection.

    All targets of all runs take their halving steps together: log2(leaves) steps in all.
    """
    low = np.zeros(targets.shape, dtype=np.int64)  # below the target, or the start
    high = np.full(targets.shape, highest.shape[-1] - 1, dtype=np.int64)
    for _ in range((highest.shape[-1] - 1).bit_length()):
        middle = np.maximum((low + high) // 2, 1)
        reached = np.take_along_axis(highest, middle, axis=-1) >= targets
        high = np.where(reached, np.minimum(high, middle), high)
        low = np.where(reached, low, np.maximum(low, middle))
    return high
