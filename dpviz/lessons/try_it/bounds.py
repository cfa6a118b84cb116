"""What an upper bound costs, worked out on a stand-in, and how any bound is written."""

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, stand_in
from dpviz.intake.samples import load_sample, sample
from dpviz.lessons.drawn_errors import stored
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.unbounded.propose import COARSE, upper_bounds
from dpviz.metrics.clipped_sums import ClippingError, clipping_error

EPSILON = 0.1
RUNS, SEED = 400, 1
TOP, SEARCH = 0.995, 0.05  # where bounds that are proposed lie, and the share for each end
MOST_STEPS = 2.0**43  # between two bounds; quantiles are drawn on at most twice as many
COARSER = (1.0, 8.0, 64.0, 512.0, 1024.0)  # times the last bound whose steps are those of pay
FALL = (3e4, 4e4, 4.4e4, 4.6e4, 1e6, 1e9)  # bounds that the median's line is drawn through
SALARIES = "salaries"
LARGE = 1e9  # errors are written short from here on
WRITTEN_OUT = 1e15  # from here on a number is written with its power of ten
SHORT = ((1e12, " T"), (1e9, " bn"), (1e6, " M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class Cost:
    """How far off an average and a median of the stand-in are on average, under one bound."""

    average: float
    median: float


@cache
def about() -> int:
    """How many people there are, from public knowledge."""
    return sample(SALARIES).about


@cache
def made_up() -> FloatArray:
    """The pay of the stand-in's people (n,): nobody's."""
    return stand_in("log-normal", about(), np.random.default_rng(STAND_IN_SEED)).values


def averages(upper: FloatArray) -> ClippingError:
    """The exact error of a noisy average of the stand-in, for each upper bound."""
    return clipping_error(made_up(), 0.0, upper, NoisyMean(about()), PureDP(EPSILON))


@cache
def chosen() -> float:
    """The bound that the stand-in itself would choose, in steps of 1,000: where it is off least."""
    every = np.arange(50_000, 1_000_001, 1_000.0)
    return float(every[int(np.argmin(averages(every).error))])


@cache
def on_the_file() -> float:
    """How far off an average of the public sample is under that bound."""
    upper = np.array([chosen()])
    found = clipping_error(_pay(), 0.0, upper, NoisyMean(about()), PureDP(EPSILON))
    return float(found.error[0])


@cache
def _pay() -> FloatArray:
    return load_sample(SALARIES)[0]


def step(upper: float) -> float:
    """How far apart quantiles can be: as far as pay, or more under a bound beyond widest()."""
    return max(min(sample(SALARIES).resolution, upper), upper / MOST_STEPS)


@cache
def widest() -> float:
    """The last bound under which quantiles are drawn in the steps of pay."""
    return sample(SALARIES).resolution * MOST_STEPS


def median_error(pay: FloatArray, upper: float) -> float:
    """How far off a private median is on average, in 400 runs, under an upper bound."""
    column = Column.from_values(pay, Bounds(0, upper), step(upper))
    rng = np.random.default_rng(SEED)
    drawn = ApproximateQuantiles().release_many(column, [0.5], PureDP(EPSILON), rng, RUNS)
    truth = np.quantile(pay, 0.5, method="inverted_cdf")
    return float(np.abs(drawn - truth).mean())


@lru_cache(maxsize=256)  # of anything that somebody types
def cost(upper: float) -> Cost:
    """What a bound costs on the stand-in."""
    (average,) = averages(np.array([upper])).error
    (median,) = stored("stand-in", upper) or (median_error(made_up(), upper),)
    return Cost(float(average), median)


@cache
def proposed() -> float:
    """How far off an average of the stand-in is under a bound that a private search proposes.

    The median of 400 runs, for a mean would be that of the few which stop far beyond all pay. The
    search is that of the page for data: a twentieth of the budget for each end.
    """
    part, rest = PureDP(EPSILON * SEARCH), PureDP(EPSILON * (1 - 2 * SEARCH))
    stops = COARSE.draw_guesses(made_up(), TOP, part, np.random.default_rng(SEED), RUNS)
    uppers = np.sort(upper_bounds(COARSE, stops))
    found = uppers[(uppers > 0) & np.isfinite(uppers)]
    return float(np.median(clipping_error(made_up(), 0.0, found, NoisyMean(about()), rest).error))


@cache
def worth_asking() -> float:
    """The declared bound beyond which an average is better off with a proposed one.

    A bound above all pay cuts nobody off: the error is that of the noise, in proportion to it.
    """
    whole = float(made_up().max())
    return float(proposed() / averages(np.array([whole])).error[0] * whole)


@cache
def median_line() -> tuple[tuple[float, float], ...]:
    """Bounds and the median's error under them: a fall, then flat up to widest()."""
    return tuple((upper, cost(upper).median) for upper in FALL)


@cache
def coarse_line() -> tuple[tuple[float, float], ...]:
    """The same from widest() on: the steps grow, until the first one holds the median."""
    return tuple((upper, cost(upper).median) for upper in coarse())


def coarse() -> tuple[float, ...]:
    """Bounds from widest() on."""
    return tuple(widest() * k for k in COARSER)


@cache
def largest() -> float:
    """The largest value of the public sample: one person's, which is why nobody may look."""
    return float(_pay().max())


def amount(value: float) -> str:
    """Any positive number as it was typed: 500,000, 0.5 or 2e+18."""
    if value >= WRITTEN_OUT:
        return f"{value:.3g}"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if value >= 1 else f"{value:.3g}"


def near(value: float) -> str:
    """An error without more digits than it deserves."""
    if value >= LARGE:
        return short(float(f"{value:.3g}"))
    return amount(round(value)) if value >= 1 else f"{value:.1g}"


def short(value: float) -> str:
    """A round number for an axis: 2.5 M."""
    if value >= WRITTEN_OUT:
        return f"{value:.3g}"
    for unit, sign in SHORT:
        if value >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"


def round_end(upper: float) -> float:
    """Where an axis ends that is about five times as long as the bound: a round number."""
    wanted = 5 * upper
    power: float = 10.0 ** math.floor(math.log10(wanted))
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(step * power for step in steps if step * power >= wanted * (1 - 1e-9))
