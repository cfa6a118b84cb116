"""A CDF from a noisy tree or from running counts, made monotone, and what is read: no budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.card import Card
from dpviz.core.checks import checked_flag, checked_kind
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.curve import Cdf, edge_positions
from dpviz.estimators.trees.least_squares import Tree, as_estimate
from dpviz.estimators.trees.quantile_intervals import LINEAR, NoiseOfCurve
from dpviz.estimators.trees.quantiles import running_counts

CARD = Card(
    key="cdf",
    title="CDF from a tree, smoothed",
    words="a smoothed CDF",
    lead="Adds up the leaves and takes the closest curve that never falls.",
    promises=("free",),
    price="a small bias where the curve is flat",
    use="any number of quantiles from one release",
    family="Estimators",
    role="post-processing",
    summary="Running counts at the leaf edges, then the closest monotone ones in squares (isotonic "
    "regression). Quantiles, mean, variance, mode and range counts are read from it.",
    guarantee="post-processing: spends nothing",
    neighbours="as the tree",
    cost="linear in the number of edges",
    good_for="any number of quantiles from one release",
    watch_out="after smoothing the curve is biased where it is flat, and only the simultaneous "
    "band keeps its meaning",
    source="Manohar 2014; Barlow and Brunk 1972",
)


def cdf(tree: Tree | PrefixRelease, *, step: int = 1) -> Cdf:
    """Running counts at the leaf edges of a tree, or at every step-th of them (and the last).

    tree is a release, read by its noisy counts as they are, or an estimate of it, or a release of
    running counts, read as it is. Not monotone yet. The curve knows the law of its noise, if tree
    is a release or an efficient estimate, and gives its numbers with their errors.

    >>> curve = dp.cdf(dp.estimate(tree))
    >>> round(curve.below(50)), round(curve.below_error(50))
    (1716, 4)

    Guarantee: post-processing. Raises: InvalidParameter for another tree or step, or if the leaves
    are not released. Source: Manohar 2014, binary tree algorithm.
    """
    if isinstance(tree, PrefixRelease):
        curve = cdf_of_prefixes(tree.counts, tree.bounds, tree.total, step=step)
        return replace(curve, errors=NoiseOfCurve(tree.noise, step=step))
    read = as_estimate(tree, "cdf")
    curve = cdf_of_levels(read.levels, read.release.bounds, read.total, step=step)
    if read.reading not in LINEAR:
        return curve
    return replace(curve, errors=NoiseOfCurve(read.release.tree_noise, read.reading, step))


def cdf_of_levels(
    levels: Levels, bounds: Bounds, total: float | None = None, *, step: int = 1
) -> Cdf:
    """The CDFs of whole batches of runs, (..., t + 1); total is N where it is public.

    levels may be raw or after any estimator. Guarantee and errors: as cdf.
    """
    kept = edge_positions(levels.shape, step)
    edges = levels.shape.edges(bounds)[kept]
    running = running_counts(levels, total)[..., kept]
    return Cdf(frozen(edges), running, public_total=total is not None)


def cdf_of_prefixes(
    counts: FloatArray, bounds: Bounds, total: float | None = None, *, step: int = 1
) -> Cdf:
    """The CDFs of running counts (..., K) at edges 1 … K; total is N where it is public.

    Guarantee and errors: as cdf.
    """
    shape = shape_of(counts.shape[-1])
    kept = edge_positions(shape, step)
    running = np.zeros((*counts.shape[:-1], kept.size))
    running[..., 1:] = counts[..., kept[1:] - 1]
    return Cdf(frozen(shape.edges(bounds)[kept]), running, public_total=total is not None)


def monotone(raw: Cdf, *, fit_total: bool = False) -> Cdf:
    """The closest running counts, in squares, that never fall, start at 0 and end at n̂.

    Isotonic regression, v'_k = min_{j≥k} max_{i≤j} mean(v_i..v_j), clipped to [0, n̂]; n̂, the last
    running count, stays as it is (0 if negative). fit_total lets it take part in the fit, as in the
    poster, unless N is public: with long flat tails that pulls n̂ up and doubles its error.
    No step moves a count further from the truth than the largest error there was, so a
    simultaneous band stays valid; a pointwise one does not.

    >>> curve = dp.monotone(dp.cdf(tree))
    >>> bool((np.diff(curve.counts) >= 0).all())
    True

    Raises: InvalidParameter for anything but a CDF.
    Source: Manohar 2014, smoothing algorithm; Barlow and Brunk 1972.
    """
    checked_kind(raw, Cdf, "monotone", "the CDF of a tree", "Hand over what cdf(release) returned")
    checked_flag(fit_total, "fit_total")
    fitted = raw.counts.copy()
    inside = fitted[..., 1:] if fit_total and not raw.public_total else fitted[..., 1:-1]
    if inside.size:
        inside[...] = isotonic_rows(inside)
    highest = np.maximum(fitted[..., -1:], 0.0)
    np.clip(fitted, 0.0, highest, out=fitted)
    return replace(raw, counts=fitted, monotone=True)


def isotonic_rows(rows: FloatArray) -> FloatArray:
    """Isotonic regression of each row in one call: rows lifted apart can never be pooled."""
    from scipy.optimize import isotonic_regression  # noqa: PLC0415  # half a second to import

    flat = rows.reshape(-1, rows.shape[-1])
    lift = np.arange(flat.shape[0])[:, None] * (float(np.ptp(flat)) + 1.0)
    fit = isotonic_regression((flat + lift).ravel())
    return np.asarray((fit.x.reshape(flat.shape) - lift).reshape(rows.shape))
