"""The CDF of a noisy tree: its curves, its bands, and every number that is read from them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.answers.trees.question import TreeQuestion
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees.band import CdfBand, noise_band, simulated_errors
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.cdf_errors import WITH_ERRORS, CdfErrors
from dpviz.estimators.trees.cdf_summary import Reading, range_reading, summary
from dpviz.estimators.trees.curve import Cdf, edge_positions
from dpviz.estimators.trees.least_squares import estimated
from dpviz.estimators.trees.quantile_intervals import (
    SEED,
    least_runs,
    quantile_interval,
    sure_factors,
)
from dpviz.estimators.trees.readings import TreeEstimator

SIMULATED_EDGES = 1 << 14  # above this a band would take seconds: choose a coarser step
MOST_LEAVES = 1 << 12  # of trees whose quantiles get intervals
QUARTERS = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True)
class CdfChoice:
    """How a CDF is made of the counts: their reading, every step-th edge, bands for 1 − β.

    as_poster: the last count takes part in smoothing; else it is held, and the others end at it.
    """

    reading: TreeEstimator
    step: int = 1
    beta: float = 0.05
    as_poster: bool = False


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a quantile lies: of the column, for noise, and of what it was drawn from."""

    q: float
    noise: tuple[float, float]
    sampling: tuple[float, float]


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class CdfNumbers:
    """Running counts at edges, (k,) each, as read and smoothed, and half-widths around them.

    each (k,) surrounds each count, together all at once, with probability sure; widest is the
    largest of each. readings are empty, and knows_errors is False, where no standard errors are
    known. truth (k,) and off, the smoothed curve's largest error, are confidential, and None while
    the truth is hidden.
    """

    edges: FloatArray
    counts: FloatArray
    smooth: FloatArray
    each: FloatArray
    widest: float
    together: float
    sure: float
    knows_errors: bool
    readings: tuple[Reading, ...]
    intervals: tuple[Interval, ...]
    truth: FloatArray | None
    off: float | None


def answer(asked: TreeQuestion, choice: CdfChoice) -> CdfNumbers:
    """Raises: InvalidParameter for more edges than a band can be simulated at."""
    noise = asked.release.tree_noise
    raw = cdf(estimated(asked.release, choice.reading), step=choice.step)
    smooth = monotone(raw, fit_total=choice.as_poster)
    band, factors = simulated(noise, choice.reading, choice.step, choice.beta)
    below, known = asked.true_running, choice.reading in WITH_ERRORS
    truth = None if below is None else below[edge_positions(asked.release.shape, choice.step)]
    errors = CdfErrors(noise, choice.reading, choice.step) if known else None
    return CdfNumbers(
        edges=raw.edges,
        counts=raw.counts,
        smooth=smooth.counts,
        each=band.pointwise,
        widest=float(band.pointwise.max()),
        together=band.simultaneous,
        sure=1 - choice.beta,
        knows_errors=known,
        readings=() if errors is None else tuple(summary(smooth, errors)),
        intervals=_intervals(raw, factors, asked, choice),
        truth=truth,
        off=None if truth is None else float(np.abs(smooth.counts - truth).max()),
    )


def in_range(asked: TreeQuestion, choice: CdfChoice, low: float, high: float) -> Reading:
    """Records in [low, high), from the counts before smoothing; for readings with known errors."""
    raw = cdf(estimated(asked.release, choice.reading), step=choice.step)
    errors = CdfErrors(asked.release.tree_noise, choice.reading, choice.step)
    return range_reading(raw, errors, low, high)


@lru_cache(maxsize=32)
def simulated(
    noise: TreeNoise, reading: TreeEstimator, step: int, beta: float
) -> tuple[CdfBand, tuple[FloatArray, ...]]:
    """The band, and the factors of intervals if the tree gets some: of the noise's law alone.

    One simulation serves both, every draw, and everybody who asks.
    """
    leaves = noise.shape.leaves
    if leaves / step > SIMULATED_EDGES:
        raise InvalidParameter(
            f"A band over {leaves // step:,} points would take too long to simulate. "
            f"Choose a step of at least {-(-leaves // SIMULATED_EDGES)}."
        )
    rng = np.random.default_rng(SEED)  # as the package takes it: the same intervals
    errors = simulated_errors(noise, reading, rng, runs=least_runs(beta), step=step)
    band = noise_band(noise, reading, rng, beta=beta, errors=errors, step=step)
    if reading not in WITH_ERRORS or leaves > MOST_LEAVES:
        return band, ()
    factors = sure_factors(noise, QUARTERS, beta, estimator=reading, errors=errors, step=step)
    return band, tuple(factors)


def _intervals(
    raw: Cdf, factors: tuple[FloatArray, ...], asked: TreeQuestion, choice: CdfChoice
) -> tuple[Interval, ...]:
    noise = asked.release.tree_noise
    found = []
    for q, sure in zip(QUARTERS[: len(factors)], factors, strict=True):
        alone, drawn = (
            quantile_interval(
                raw,
                noise,
                q,
                choice.beta,
                estimator=choice.reading,
                step=choice.step,
                sampling=sampling,
                sure=sure,
            )
            for sampling in (False, True)
        )
        found.append(Interval(q, alone, drawn))
    return tuple(found)
