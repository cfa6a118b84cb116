"""Where a quantile of the column lies, from a noisy CDF and its noise alone: costs no budget."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.card import Card
from dpviz.core.checks import checked_flag, checked_kind, checked_share, found, real_numbers
from dpviz.core.choices import choice
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.band import checked_beta, edge_blocks, simulated_errors
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.curve import Cdf, edge_positions
from dpviz.estimators.trees.quantiles import released_levels
from dpviz.estimators.trees.readings import TreeEstimator, with_total
from dpviz.estimators.trees.workload import range_variances

CARD = Card(
    key="quantile_interval",
    title="Intervals for quantiles",
    words="intervals for quantiles",
    lead="Says between which two values a quantile lies, from the release alone.",
    promises=("free",),
    price="nothing; whole parts make it wide",
    use="what an outsider may say of a quantile",
    family="Estimators",
    role="public statement",
    summary="$U_t = \\hat C_t - q\\hat N$ is linear in the noise, so its standard error $s_t$ is "
    "known. The interval runs from the edge before the first $t$ with $U_t \\ge -z s_t$ to the "
    "edge after the last with $U_t \\le z s_t$. With $s_t^2 + \\hat n q(1-q)$ in place of $s_t^2$ "
    "it is one for the people that the column was drawn from.",
    guarantee="post-processing: spends nothing",
    neighbours="as the release",
    cost="one pass over the edges, and 2,000 simulated runs or more for all noise but continuous "
    "Gaussian",
    good_for="intervals that hold with the stated confidence whatever the column is",
    watch_out="of a tree or of running counts; no value of ApproximateQuantiles alone has one",
    source="this project",
)
RUNS = 2_000  # of noise that is not Gaussian
SEED = 13  # public: the noise is simulated, and no data goes into it
LINEAR = (TreeEstimator.EFFICIENT, TreeEstimator.RAW)


class Reading(TypedDict):
    """How a curve was read from a release."""

    estimator: TreeEstimator
    step: int


@dataclass(frozen=True, slots=True)
class NoiseOfCurve:
    """The law of the noise in a curve's counts, and how these were read; it holds no count.

    estimator is RAW or EFFICIENT on a tree, and has no meaning for running counts.
    """

    noise: TreeNoise | PrefixNoise
    estimator: TreeEstimator = TreeEstimator.EFFICIENT
    step: int = 1

    def linear_error(self, weights: ArrayLike) -> FloatArray:
        """Standard error (...) of Σ d_i·C_i from weights d (..., t + 1) on the running counts."""
        if isinstance(self.noise, TreeNoise):
            return CdfErrors(self.noise, self.estimator, self.step).linear_error(weights)
        given = np.asarray(weights, dtype=np.float64)
        spread = np.zeros((*given.shape[:-1], self.noise.bins + 1))
        spread[..., edge_positions(self.noise.shape, self.step)] = given
        return self.noise.linear_error(spread)

    def intervals(self, curve: Cdf, quantiles: FloatArray, beta: float) -> FloatArray:
        """Two edges (k, 2) for each quantile, as quantile_interval; its noise is simulated once."""
        how: Reading = {"estimator": self.estimator, "step": self.step}
        factors = sure_factors(self.noise, quantiles.tolist(), beta, **how)
        ends = [
            quantile_interval(curve, self.noise, q, beta, sure=sure, **how)
            for q, sure in zip(quantiles.tolist(), factors, strict=True)
        ]
        return np.array(ends).reshape(-1, 2)


def quantile_interval(
    curve: Cdf,
    tree_noise: TreeNoise | PrefixNoise,
    q: float,
    beta: float = 0.05,
    *,
    sampling: bool = False,
    estimator: TreeEstimator = TreeEstimator.EFFICIENT,
    step: int = 1,
    sure: FloatArray | None = None,
) -> tuple[float, float]:
    """Two edges (low, high) between which the column's ⌈qN⌉-th value lies, with confidence 1 − β.

    curve (t + 1,) is the CDF before smoothing, read with this estimator and step from a release
    whose noise tree_noise is. U_t = Ĉ_t − q N̂ is linear in the noise, so its standard error s_t is
    known without data. low is the edge before the first t with U_t ≥ −z s_t, high the edge after
    the last with U_t ≤ z s_t: a miss needs a false verdict at the one edge beside the value, so
    that the level of a single edge is enough. Whole intervals between edges make it wide.
    z is the normal 1 − β/2 quantile for Gaussian noise, a simulated one for all other noise.
    sure is what sure_factors gave for the same noise, q and β, where several curves are read.
    sampling adds n̂ q (1 − q) to s_t²: then the interval is about the population that independent
    records were drawn from, approximately in n̂.
    Guarantee: post-processing, spends nothing.
    Raises: InvalidParameter for q or β outside (0, 1), a smoothed curve, one whose edges do not fit
    the noise and step, or a reading without known errors.
    Source: this project.
    """
    q, beta = checked_share(q, "q"), checked_beta(beta)
    checked_flag(sampling, "sampling")
    estimator = choice(TreeEstimator, estimator, "estimator")
    if not isinstance(tree_noise, TreeNoise | PrefixNoise):
        raise InvalidParameter(
            f"tree_noise must be the noise of a release, got {found(tree_noise)}. Write "
            "release.tree_noise, or .noise for PrefixSums."
        )
    checked_kind(curve, Cdf, "quantile_interval", "a CDF", "Make one with dp.cdf(release)")
    if curve.monotone:
        raise InvalidParameter(
            "The curve was smoothed, and its errors are not those of its noise. Give the one "
            "before smoothing."
        )
    if curve.counts.ndim != 1 or curve.counts.size != edge_positions(tree_noise.shape, step).size:
        raise InvalidParameter(
            f"A curve at every {step}-th edge of {tree_noise.shape.leaves:,} parts was expected, "
            f"got {found(curve.counts.shape)} counts. Give the step of the curve."
        )
    if isinstance(tree_noise, TreeNoise) and estimator not in LINEAR:
        raise InvalidParameter(
            f"Errors are known for raw and efficient readings, not for {estimator}."
        )
    spread = target_errors(tree_noise, q, estimator=estimator, step=step)
    if sure is None:
        (sure,) = sure_factors(tree_noise, [q], beta, estimator=estimator, step=step)
    sure = real_numbers(sure, "sure")
    if sure.shape != spread.shape:
        raise InvalidParameter(
            f"sure must be one number for each of {spread.size:,} edges, got shape {sure.shape}."
        )
    if sampling:
        spread = np.sqrt(spread**2 + max(float(curve.total), 1.0) * q * (1 - q))
    above = curve.counts - q * float(curve.total)
    first = np.append(np.flatnonzero(above[:-1] >= -sure[:-1] * spread[:-1]), above.size - 1)[0]
    last = np.append(0, 1 + np.flatnonzero(above[1:] <= sure[1:] * spread[1:]))[-1]
    low, high = max(first - 1, 0), min(last + 1, above.size - 1)
    return float(curve.edges[low]), float(curve.edges[high])


def target_errors(
    noise: TreeNoise | PrefixNoise,
    q: float,
    *,
    estimator: TreeEstimator = TreeEstimator.EFFICIENT,
    step: int = 1,
) -> FloatArray:
    """Standard errors of Ĉ_t − q N̂ at the edges, (t + 1,): Var(t) + q² Var(K) − 2q Cov(t, K)."""
    kept = edge_positions(noise.shape, step)
    if isinstance(noise, PrefixNoise):
        own = np.concatenate(([0.0], noise.variances))[kept]
        joint = noise.covariances_with_last[kept]
        return np.asarray(np.sqrt(np.maximum(own + q * q * own[-1] - 2 * q * joint, 0.0)))
    if TreeEstimator(estimator) is TreeEstimator.RAW:
        return _raw_errors(noise, q, kept, step)
    own, rest = _edge_variances(noise, step)
    # with the rest of the records: Cov(t, K) = (Var(t) + Var(K) − Var(K − t))/2
    variance = own + q * q * own[-1] - q * (own + own[-1] - rest)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


@lru_cache(maxsize=16)  # of public numbers: every quantile asks for the same
def _edge_variances(noise: TreeNoise, step: int) -> tuple[FloatArray, FloatArray]:
    """Efficient variances of Ĉ_t and of N̂ − Ĉ_t at the edges, (t + 1,) each, read-only."""
    ends = edge_positions(noise.shape, step).astype(np.float64)
    own, rest = (
        range_variances(
            noise.shape, noise.variances, starts, stops, public_total=noise.root is Root.PUBLIC
        )
        for starts, stops in ((np.zeros(ends.size), ends), (ends, np.full(ends.size, ends[-1])))
    )
    return frozen(own), frozen(rest)


def _raw_errors(noise: TreeNoise, q: float, kept: IntArray, step: int) -> FloatArray:
    """N̂ is the sum of the first released level, and Ĉ_t holds so many whole nodes of it."""
    levels = with_total(noise.blank(), noise.total)
    first = released_levels(levels)[0]
    each = float(levels.variances[first])
    nodes = noise.shape.nodes(first)
    joint = each * (kept // (noise.shape.leaves // nodes))
    own = CdfErrors(noise, TreeEstimator.RAW, step).running_errors() ** 2
    return np.asarray(np.sqrt(np.maximum(own + q * q * each * nodes - 2 * q * joint, 0.0)))


def sure_factors(
    noise: TreeNoise | PrefixNoise,
    quantiles: Sequence[float],
    beta: float = 0.05,
    *,
    estimator: TreeEstimator = TreeEstimator.EFFICIENT,
    step: int = 1,
    errors: FloatArray | None = None,
) -> list[FloatArray]:
    """How many standard errors Ĉ_t − q N̂ stays within with chance 1 − β: an array (t + 1,) each q.

    errors (runs, t + 1) is what simulated_errors gave for the same noise, reading and step, for
    least_runs(β) runs at least; without it they are simulated here.

    The normal quantile for Gaussian noise; for all other noise the ⌈(1 − β)(runs + 1)⌉-th smallest
    of as many simulated sizes, since its law is symmetric. Public: it depends on choices alone.
    """
    beta = checked_beta(beta)
    size = edge_positions(noise.shape, step).size
    if isinstance(noise, PrefixNoise) or noise.noise is Noise.GAUSSIAN:
        return [np.full(size, NormalDist().inv_cdf(1 - beta / 2)) for _ in quantiles]
    if errors is None:
        rng = np.random.default_rng(SEED)
        errors = simulated_errors(noise, estimator, rng, step=step, runs=least_runs(beta))
    order = math.ceil((1 - beta) * (errors.shape[0] + 1) - 1e-9) - 1
    # a simulated factor is good to two digits: seven are enough, and twice as fast
    last, reach = errors[:, -1].astype(np.float32), np.empty((len(quantiles), size))
    for part in edge_blocks(size):
        drawn = np.ascontiguousarray(errors[:, part].T, dtype=np.float32)
        for at, q in enumerate(quantiles):
            sizes = np.abs(drawn - np.float32(q) * last)
            sizes.partition(order, axis=1)
            reach[at, part] = sizes[:, order]
    found = []
    for q, sizes in zip(quantiles, reach, strict=True):
        spread = target_errors(noise, q, estimator=estimator, step=step)
        sure = np.zeros(size)
        np.divide(sizes, spread, out=sure, where=spread > 0)
        found.append(sure)
    return found


def least_runs(beta: float) -> int:
    """How many runs of noise that is not Gaussian stand behind a factor at confidence 1 − β."""
    return max(RUNS, math.ceil(20 / beta))
