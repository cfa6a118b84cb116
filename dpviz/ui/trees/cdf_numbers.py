"""All numbers of the CDF view, worked out in one place before anything of them is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.estimators.trees.band import CdfBand, noise_band, simulated_errors
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.cdf_errors import CdfErrors
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
from dpviz.experiments.papers.tree_study import cdf_trials
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.trees.page import TreePage

SIMULATED_EDGES = 1 << 14  # above this a band would take seconds: choose a coarser step
MOST_LEAVES = 1 << 12  # of trees whose quantiles get intervals
TRIALS = 10
QUARTERS = (0.1, 0.25, 0.5, 0.75, 0.9)
WITH_ERRORS = {TreeEstimator.RAW, TreeEstimator.EFFICIENT}


@dataclass(frozen=True, slots=True)
class CdfChoice:
    """How a CDF is made of the counts: their reading, every step-th edge, bands for 1 − β.

    as_poster: the last count takes part in smoothing; else it is held, and the others end at it.
    """

    reading: TreeEstimator
    step: int
    beta: float
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
    """A CDF before and after smoothing, its bands, and what is read from it.

    errors is None where no standard errors are known; summary and intervals are then empty. truth,
    the exact running counts, is confidential, and None while it is hidden.
    """

    raw: Cdf
    smooth: Cdf
    band: CdfBand
    errors: CdfErrors | None
    summary: tuple[Reading, ...]
    truth: FloatArray | None
    intervals: tuple[Interval, ...] = ()

    @classmethod
    def of(cls, page: TreePage, asked: CdfChoice) -> CdfNumbers:
        """Raises: InvalidParameter for more edges than a band can be simulated at."""
        release = page.release
        raw = cdf(estimated(release, asked.reading), step=asked.step)
        smooth = monotone(raw, fit_total=asked.as_poster)
        band = _band(page, asked)
        if asked.reading not in WITH_ERRORS:
            return cls(raw, smooth, band, None, (), _truth(page, asked.step))
        errors = CdfErrors(release.tree_noise, asked.reading, asked.step)
        found = summary(smooth, errors)
        between = page.once("intervals", lambda: _intervals(raw, page, asked), asked)
        return cls(raw, smooth, band, errors, found, _truth(page, asked.step), between)

    def in_range(self, low: float, high: float) -> Reading:
        """Records in [low, high), from the counts before smoothing."""
        assert self.errors is not None
        return range_reading(self.raw, self.errors, low, high)


def _intervals(raw: Cdf, page: TreePage, asked: CdfChoice) -> tuple[Interval, ...]:
    noise = page.release.tree_noise
    if noise.shape.leaves > MOST_LEAVES:
        return ()
    read: dict[str, Any] = {"estimator": asked.reading, "step": asked.step}
    factors = _simulated(page, asked)[1]
    found = []
    for q, sure in zip(QUARTERS, factors, strict=True):
        alone, drawn = (
            quantile_interval(raw, noise, q, asked.beta, sampling=also, sure=sure, **read)
            for also in (False, True)
        )
        found.append(Interval(q, alone, drawn))
    return tuple(found)


def _truth(page: TreePage, step: int) -> FloatArray | None:
    exact = page.truth
    if exact is None:
        return None
    running = np.concatenate([[0.0], np.cumsum(exact[-1])])
    return np.asarray(running[edge_positions(page.release.shape, step)])


def _band(page: TreePage, asked: CdfChoice) -> CdfBand:
    leaves = page.release.shape.leaves
    if leaves / asked.step > SIMULATED_EDGES:
        raise InvalidParameter(
            f"A band over {leaves // asked.step:,} points would take too long to simulate. "
            f"Choose a step of at least {-(-leaves // SIMULATED_EDGES)}."
        )
    return _simulated(page, asked)[0]


def _simulated(page: TreePage, asked: CdfChoice) -> tuple[CdfBand, list[FloatArray]]:
    """The band, and the factors of intervals for quantiles if the tree gets some: of noise alone.

    One simulation serves both, and every draw.
    """
    noise, read = page.release.tree_noise, {"step": asked.step}

    def simulated() -> tuple[CdfBand, list[FloatArray]]:
        rng = np.random.default_rng(SEED)  # as the package takes it: the same intervals
        errors = simulated_errors(noise, asked.reading, rng, runs=least_runs(asked.beta), **read)
        band = noise_band(noise, asked.reading, rng, beta=asked.beta, errors=errors, **read)
        if asked.reading not in WITH_ERRORS or noise.shape.leaves > MOST_LEAVES:
            return band, []
        factors = sure_factors(
            noise, QUARTERS, asked.beta, estimator=asked.reading, errors=errors, **read
        )
        return band, factors

    return memory.remembered(("band", noise, asked), simulated)


def trials(page: TreePage, asked: CdfChoice) -> pd.DataFrame:
    """How often the truth left the pointwise band in ten further releases. Confidential."""
    tree, budget = page.choice.tree, page.choice.budget
    purpose = purpose_of(tree, page.column, budget, "trials", asked)
    paid = [Cost("tree, further trials", budget, TRIALS, simulated=True)]
    page.draw.book(purpose, 5, paid=paid)
    return memory.remembered(
        ("trials", *purpose, page.draw),
        lambda: cdf_trials(
            page.column,
            tree,
            budget,
            page.draw.generator(purpose, 5),  # a look at the truth: it never leaves
            estimator=asked.reading,
            step=asked.step,
            beta=asked.beta,
            trials=TRIALS,
            fit_total=asked.as_poster,
            band=_band(page, asked),
        ),
    )
