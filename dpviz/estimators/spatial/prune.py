"""Pruning of a tree of rectangles by its noisy estimates: post-processing, costs no budget."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.card import Card
from dpviz.core.checks import checked_number, wanted
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import FANOUT, areas
from dpviz.core.spatial.geometry import Midpoints
from dpviz.core.trees.shape import Levels
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.spatial.estimate import SpatialEstimate

CARD = Card(
    key="prune",
    title="Pruning",
    words="pruning",
    lead="Drops what lies below a cell whose count is too small to trust.",
    promises=("free",),
    price="detail where few people are",
    use="maps with large empty parts",
    family="Estimators",
    role="post-processing",
    summary="Drops what lies below a node whose noisy estimate is under a threshold (32 by "
    "default); the node's area answers for it.",
    guarantee="post-processing: spends nothing",
    neighbours="as the tree",
    cost="linear in the number of nodes",
    good_for="maps with large empty parts",
    watch_out="a selection: error bars hold only given what was kept",
    source="Cormode et al. 2012, §7",
)


Counts = tuple[FloatArray, FloatArray]


@usual_floats
def prune(tree: SpatialEstimate, threshold: float = 32.0) -> SpatialEstimate:
    """Drop the descendants of every node whose estimate is below the threshold.

    A dropped node holds the share of its nearest kept ancestor that its area is, which is what the
    uniformity assumption says; so every reading of the tree goes on unchanged. Variances hold given
    what was kept: that the noise also decided this, they do not know.

    >>> dp.prune(dp.estimate(plane), threshold=32).levels.height
    3

    Guarantee: post-processing; spends nothing. Raises: InvalidParameter for a threshold of NaN.
    Source: Cormode et al. 2012, §7 and §8.2 (m = 32).
    """
    wanted(SpatialEstimate, tree, "tree")
    if math.isnan(checked_number(threshold, "threshold")):
        raise InvalidParameter("threshold must be a number, got nan.")
    kept = [np.ones(1, dtype=bool)]
    for counts in tree.levels.counts[:-1]:
        kept.append(np.repeat(kept[-1] & (counts >= threshold), FANOUT))
    return keep_only(tree, tuple(kept))


def keep_only(tree: SpatialEstimate, kept: tuple[BoolArray, ...]) -> SpatialEstimate:
    """Drop all nodes but those kept (4**l,), siblings together; as prune."""
    counts, variances = [tree.levels.counts[0]], [tree.levels.variances[0]]
    for level in range(1, tree.levels.height + 1):
        above = counts[-1], variances[-1]
        count, variance = _settled(tree, level, above, kept[level])
        counts.append(count)
        variances.append(variance)
    return replace(tree, levels=Levels(FANOUT, tuple(counts), tuple(variances)), kept=kept)


def _settled(tree: SpatialEstimate, level: int, parents: Counts, kept: BoolArray) -> Counts:
    """A level's counts and variances, areas' shares where a parent lost its children."""
    own = tree.levels.counts[level], tree.levels.variances[level]
    if kept.all():
        return own
    share = _shares(tree, level)
    count = _shared_out(parents[0], share)
    variance = _shared_out(np.broadcast_to(parents[1], parents[0].shape), share**2)
    np.copyto(count, own[0], where=kept)
    np.copyto(variance, own[1], where=kept)
    return count, variance


def _shared_out(parents: FloatArray, share: FloatArray) -> FloatArray:
    """Each child's share () or (m, 4) of its parent's number (m,), as (4 m,)."""
    if share.ndim == 0:  # several times as fast as an outer product with rows of four
        return np.repeat(share * parents, FANOUT)
    return (share * parents[:, None]).ravel()


def _shares(tree: SpatialEstimate, level: int) -> FloatArray:
    """Each child's part of its siblings' area, () or (4**(level − 1), 4); equal if they have none.

    Of the siblings' areas, not of the parent's, so that shares sum to 1 even where rectangles
    overlap (a Hilbert R-tree).
    """
    if isinstance(tree.release.geometry, Midpoints):
        return np.array(1 / FANOUT)
    area = areas(tree.level_boxes(level)).reshape(-1, FANOUT)
    whole = area.sum(axis=1, keepdims=True)
    equal = np.full_like(area, 1 / FANOUT)
    return np.asarray(np.divide(area, whole, out=equal, where=whole > 0))
