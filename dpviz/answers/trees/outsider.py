"""What an outsider gets of a noisy tree: rows, running counts with a band, errors from theory."""

import math
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np

from dpviz.answers.trees.question import SURE, TreeQuestion
from dpviz.answers.trees.rows import Row, errors_by_level, largest_error, rows_of
from dpviz.core.arrays import FloatArray
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees.band import noise_band
from dpviz.estimators.trees.cdf_errors import WITH_ERRORS, CdfErrors
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.quantile_intervals import SEED
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator

SIMULATED = 1024  # leaves up to which the band is simulated; beyond, its standard errors are exact


class BandKind(Enum):
    """What the band around a running count holds."""

    NONE = "none"
    SIMULATED = "the truth 19 times in 20"
    NORMAL = "two standard errors"


@dataclass(frozen=True, slots=True, eq=False)
class RunningCounts:
    """Running counts (k,) at edges (k,), and half-widths (k,) around each of them, or None."""

    edges: FloatArray
    counts: FloatArray
    band: FloatArray | None
    kind: BandKind


@dataclass(frozen=True, slots=True, eq=False)
class FullestPart:
    """The part that holds most: its ends, its count, and the count's margin, 19 times in 20.

    Of the first level below the root whose counts are known, else of the root.
    """

    ends: tuple[float, float]
    count: float
    margin: float


@dataclass(frozen=True, slots=True, eq=False)
class OutsiderNumbers:
    """One reading, thinned to a screen, made from the release alone.

    errors are standard errors by level, root first; noisiest is the largest as measured, finest
    the median of the leaves'; parts is how many fullest was chosen among. counts is how many noisy
    counts were released.
    """

    rows: tuple[Row, ...]
    errors: tuple[float, ...]
    noisiest: float
    finest: float
    running: RunningCounts
    fullest: FullestPart
    parts: int
    counts: int
    combined: bool


def answer(asked: TreeQuestion) -> OutsiderNumbers:
    """Worked out of the release; the truth is not looked at."""
    raw, levels = asked.read(TreeEstimator.RAW), asked.read(asked.reading)
    errors = errors_by_level(levels)
    known = [level for level in range(1, levels.height + 1) if math.isfinite(errors[level])]
    level = known[0] if known else 0
    return OutsiderNumbers(
        rows=rows_of(levels),
        errors=errors,
        noisiest=largest_error(rows_of(raw)),
        finest=float(np.sqrt(np.median(levels.node_variances(levels.height)))),
        running=_running(asked, levels),
        fullest=_fullest(asked.ends, levels.counts[level], errors[level]),
        parts=levels.counts[level].size,
        counts=sum(int(np.isfinite(counts).sum()) for counts in asked.release.counts),
        combined=asked.reading is not TreeEstimator.RAW,
    )


@lru_cache(maxsize=32)
def simulated_band(noise: TreeNoise, reading: TreeEstimator) -> FloatArray:
    """Half-widths around each running count: of the noise's law alone, so kept for everybody."""
    return noise_band(noise, reading, np.random.default_rng(SEED)).pointwise


def _fullest(ends: tuple[float, float], parts: FloatArray, error: float) -> FullestPart:
    best = int(parts.argmax())
    low, high = (ends[0] + (best + side) / parts.size * (ends[1] - ends[0]) for side in (0, 1))
    return FullestPart((low, high), float(parts[best]), SURE * error)


def _running(asked: TreeQuestion, levels: Levels) -> RunningCounts:
    release, noise = asked.release, asked.release.tree_noise
    leaves, (low, high) = release.shape.leaves, asked.ends
    step = max(1, leaves // SIMULATED)
    kept = edge_positions(release.shape, step)
    edges = low + kept / leaves * (high - low)
    counts = running_counts(levels, release.total)[kept]
    if step == 1:
        band = simulated_band(noise, asked.reading)
        return RunningCounts(edges, counts, band, BandKind.SIMULATED)
    if asked.reading not in WITH_ERRORS:
        return RunningCounts(edges, counts, None, BandKind.NONE)
    band = 2 * CdfErrors(noise, asked.reading, step).running_errors()
    return RunningCounts(edges, counts, band, BandKind.NORMAL)


def known_errors(errors: tuple[float, ...]) -> tuple[float, float]:
    """The least and the largest standard error of the levels whose counts are known."""
    known = [error for error in errors if math.isfinite(error)]
    return min(known), max(known)
