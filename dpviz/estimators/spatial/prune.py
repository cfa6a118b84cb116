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


def prune(tree: SpatialEstimate, threshold: float = 32.0) -> SpatialEstimate:
    """Drop the descendants of every node whose estimate is below the threshold.

    A dropped node holds the share of its nearest kept ancestor that its area is, which is what the
    uniformity assumption says; so every reading of the tree goes on unchanged. Variances hold given
    what was kept: that the noise also decided this, they do not know.
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
        own = tree.levels.counts[level], tree.levels.variances[level]
        above = counts[-1], variances[-1]
        count, variance = _settled(tree, level, own, above, kept[level][::FANOUT])
        counts.append(count)
        variances.append(variance)
    return replace(tree, levels=Levels(FANOUT, tuple(counts), tuple(variances)), kept=kept)


def _settled(
    tree: SpatialEstimate, level: int, own: Counts, parents: Counts, stays: BoolArray
) -> Counts:
    """A level's counts and variances, areas' shares where a parent lost its children."""
    if stays.all():
        return own
    share = _shares(tree, level)
    open_, count = stays[:, None], own[0].reshape(-1, FANOUT)
    variance = own[1] if own[1].ndim == 0 else own[1].reshape(-1, FANOUT)
    above = np.broadcast_to(parents[1], stays.shape)[:, None]
    settled = np.where(open_, variance, share**2 * above)
    return (
        np.where(open_, count, share * parents[0][:, None]).ravel(),
        np.broadcast_to(settled, count.shape).ravel(),
    )


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
