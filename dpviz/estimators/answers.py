"""What is asked of any release by one name: the kind of the release says how it is found."""

from __future__ import annotations

from typing import overload

from dpviz.core.arrays import FloatArray
from dpviz.core.checks import checked_kind, found
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees import quantile_intervals
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.least_squares import Tree, TreeEstimate, efficient
from dpviz.estimators.trees.quantile_intervals import NoiseOfCurve
from dpviz.estimators.trees.readings import TreeEstimator

MOST_EDGES = 4096  # of a curve that an interval is read from; simulated noise is held at each

Measured = Cdf | Tree | PrefixRelease


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
