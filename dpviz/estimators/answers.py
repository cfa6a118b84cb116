"""What is asked of any release by one name: the kind of the release says how it is found."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.checks import checked_kind, found, real_numbers
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.spatial import boxes as spatial_boxes
from dpviz.estimators.spatial import estimate as spatial_estimate
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.estimators.trees import quantile_intervals
from dpviz.estimators.trees import ranges as tree_ranges
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.least_squares import Tree, TreeEstimate, efficient
from dpviz.estimators.trees.place_estimate import PlaceEstimate, estimate_places
from dpviz.estimators.trees.quantile_intervals import LINEAR, NoiseOfCurve
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.estimators.trees.workload import range_variances

MOST_EDGES = 4096  # of a curve that an interval is read from; simulated noise is held at each

Measured = Cdf | Tree | PrefixRelease
Answers = tuple[FloatArray, FloatArray]


@overload
def estimate(release: TreeRelease) -> TreeEstimate: ...
@overload
def estimate(release: SpatialRelease) -> SpatialEstimate: ...
@overload
def estimate(release: Cells) -> Cells: ...
@overload
def estimate(release: PrefixRelease) -> PrefixRelease: ...
@overload
def estimate(release: PlaceRelease) -> PlaceEstimate: ...


@usual_floats
def estimate(release: TreeRelease | SpatialRelease | Cells | PrefixRelease | PlaceRelease) -> Any:
    """Minimum-variance unbiased counts: what range_counts and cdf read best.

    A tree over an interval, a box or named places gives counts of every node with their variances,
    by least squares; exact counts (marked non-private) are taken as they are. Cells and running
    counts come back as they are: no count says anything of another, and what an adaptive grid knows
    of its groups is in its counts already. Units: records, records².

    >>> dp.estimate(plane).levels.counts[1].round()
    array([5627., 7415., 7956., 8997.])

    Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter for anything but such a release, or if the leaves of a map are unknown.
    Source: Honaker 2019, eqs. 10-13; Cormode et al. 2012, §5; Qardaji, Yang and Li 2013 (grids).
    """
    checked_kind(
        release,
        TreeRelease | SpatialRelease | Cells | PrefixRelease | PlaceRelease,
        "estimate",
        "the release of a tree, a map, cells, named places or running counts",
        "Hand over what a mechanism's release(…) returned",
    )
    if isinstance(release, TreeRelease):
        return efficient(release)
    if isinstance(release, SpatialRelease):
        return spatial_estimate.estimate(release)
    if isinstance(release, PlaceRelease):
        return estimate_places(release)
    return release


@usual_floats
def range_counts(tree: Tree | PrefixRelease | spatial_boxes.Readable, boxes: ArrayLike) -> Answers:
    """Private counts of intervals or rectangles, and the exact variance of their noise, each (q,).

    Over an interval, boxes are intervals [low, high), rows (q, 2), or one alone as (2,); they may
    be infinite. On a map they are rectangles (q, 4), columns x_low, x_high, y_low, y_high. What
    sticks out of the bounds is cut off. A release is read by its canonical nodes, an estimate by
    any (they agree), running counts by their differences. A leaf on the border counts by the
    fraction inside (the uniformity assumption), whose error no variance knows about. Variances of a
    pruned tree hold given what was kept.

    >>> counts, variances = dp.range_counts(dp.estimate(plane), [0, 40, 0, 30])
    >>> counts.round()
    array([3514.])

    Units: records, records². Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter for anything but such a release or an estimate, an estimate by
    from_below or from_above, rows of another length, a range with low > high, a side that is NaN,
    or a rectangle that is not finite.
    Source: Cormode et al. 2012, §4.1; variances after estimation: this project (methods.md §6).
    """
    if isinstance(tree, PrefixRelease):
        curve, (low, high) = cdf(tree), _intervals(boxes)
        return np.asarray(curve.count(low, high)), np.asarray(curve.count_error(low, high)) ** 2
    if isinstance(tree, TreeRelease):
        ends = tree_ranges.leaf_units(*_intervals(boxes), tree.bounds, tree.shape)
        return tree_ranges.canonical_ranges(tree.levels, *ends, tree.total)
    if isinstance(tree, TreeEstimate):
        return _estimated_intervals(tree, boxes)
    if not isinstance(tree, SpatialRelease | SpatialEstimate | Cells):
        raise InvalidParameter(
            "tree must be the release of a tree, a map, cells or running counts, or what estimate "
            f"makes of one, got {found(tree)}."
        )
    return spatial_boxes.range_counts(tree, boxes)


def _estimated_intervals(tree: TreeEstimate, boxes: ArrayLike) -> Answers:
    if tree.reading not in LINEAR:
        raise InvalidParameter(
            f"Variances of ranges are known for efficient estimates, not for {tree.reading}. Take "
            "dp.estimate(release)."
        )
    if tree.reading is TreeEstimator.RAW:
        return range_counts(tree.release, boxes)
    noise = tree.release.tree_noise
    ends = tree_ranges.leaf_units(*_intervals(boxes), tree.release.bounds, tree.shape)
    counts = tree_ranges.range_counts(running_counts(tree.levels, tree.total), *ends)
    known = noise.root is Root.PUBLIC
    return counts, range_variances(noise.shape, noise.variances, *ends, public_total=known)


def _intervals(given: ArrayLike) -> Answers:
    """The lower and the upper ends (q,) of intervals (q, 2); one alone may be given as (2,)."""
    rows = np.atleast_2d(real_numbers(given, "boxes"))
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InvalidParameter(
            "Over an interval boxes are intervals, rows of low, high: shape (q, 2) was expected, "
            f"got {np.shape(given)}."
        )
    low, high = rows.T
    if not (low <= high).all():  # also rejects NaN
        raise InvalidParameter("An interval needs low ≤ high, and no end may be NaN.")
    return low, high


@overload
def quantile_interval(
    curve: Measured, q: float, /, *, beta: float = 0.05, sampling: bool = False
) -> tuple[float, float]: ...
@overload
def quantile_interval(
    curve: Cdf,
    tree_noise: TreeNoise | PrefixNoise,
    q: float,
    beta: float = 0.05,
    *,
    sampling: bool = False,
    estimator: TreeEstimator | None = None,
    step: int | None = None,
    sure: FloatArray | None = None,
) -> tuple[float, float]: ...


@usual_floats
def quantile_interval(
    curve: Measured,
    tree_noise: TreeNoise | PrefixNoise | float | None = None,
    q: float | None = None,
    beta: float = 0.05,
    *,
    sampling: bool = False,
    estimator: TreeEstimator | None = None,
    step: int | None = None,
    sure: FloatArray | None = None,
) -> tuple[float, float]:
    """Two values (low, high) between which the column's ⌈qN⌉-th value lies, at confidence 1 − β.

    quantile_interval(release, q) is enough: a tree is read after least squares, an estimate of it
    as it is, running counts as they are, all at up to 4,096 edges. A curve of dp.cdf goes in place
    of the release, too. quantile_interval(curve, tree_noise, q) takes a curve whose noise is given,
    read with this estimator ('efficient' or 'raw') and at every step-th edge; what is left out is
    what the curve knows of itself, else 'efficient' and 1.
    sampling adds n̂ q (1 − q) to the variance of the noise: then the interval is about the
    population that independent records were drawn from, approximately in n̂. sure holds factors
    that were simulated before. Units: the column's.

    >>> low, high = dp.quantile_interval(tree, 0.5)
    >>> low < high
    True

    Guarantee: post-processing, spends nothing.
    Raises: InvalidParameter for anything but a release of a tree or of running counts, an estimate
    or a curve, for q or β outside (0, 1), a smoothed curve, or one whose noise is not known.
    Source: this project.
    """
    if isinstance(tree_noise, TreeNoise | PrefixNoise):
        checked_kind(curve, Cdf, "quantile_interval", "a CDF", "Make one with dp.cdf(release)")
        measured, noise, asked = _as_curve(curve), tree_noise, q
    else:
        measured = _as_curve(curve)
        noise, asked = _noise_of(measured), _only(tree_noise, q)
    own = measured.errors if isinstance(measured.errors, NoiseOfCurve) else NoiseOfCurve(noise)
    return quantile_intervals.quantile_interval(
        measured,
        noise,
        asked,  # type: ignore[arg-type]  # None is refused there in words
        beta,
        sampling=sampling,
        estimator=own.estimator if estimator is None else estimator,
        step=own.step if step is None else step,
        sure=sure,
    )


def _as_curve(measured: Measured) -> Cdf:
    """The curve itself, or that of a release at up to MOST_EDGES edges, before any smoothing."""
    checked_kind(
        measured,
        Cdf | TreeRelease | TreeEstimate | PrefixRelease,
        "quantile_interval",
        "the release of a tree or of running counts, an estimate or a curve",
        "Hand over what CountTree().release(column, budget, rng) returned",
    )
    if isinstance(measured, Cdf):
        return measured
    read = efficient(measured) if isinstance(measured, TreeRelease) else measured
    parts = read.bins if isinstance(read, PrefixRelease) else read.shape.leaves
    return cdf(read, step=-(-parts // MOST_EDGES))


def _noise_of(curve: Cdf) -> TreeNoise | PrefixNoise:
    if isinstance(curve.errors, NoiseOfCurve):
        return curve.errors.noise
    raise InvalidParameter(
        "The noise of this curve is not known. Take dp.cdf(release) or "
        "dp.cdf(dp.efficient(release)), or give tree_noise."
    )


def _only(second: object, q: float | None) -> float | None:
    """q, that stands in the second place or by its name."""
    if second is None:
        return q
    if q is None:
        return second  # type: ignore[return-value]  # what is no share is refused in words
    raise InvalidParameter(
        f"tree_noise must be the noise of a release, got {found(second)}. Write "
        "quantile_interval(release, q, beta=0.05)."
    )
