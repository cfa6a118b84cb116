"""What upper bounds do to a private average of pay, and to a private median: the numbers of T6."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.intake.samples import load_sample, sample
from dpviz.lessons.drawn_errors import stored
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.metrics.clipped_sums import ClippingError, clipping_error
from dpviz.metrics.quantiles import true_quantiles

STOPS = (50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 50_000_000,
         500_000_000)  # fmt: skip
EPSILON = 0.1
RUNS = 400  # private medians at each bound
BETWEEN = 97  # places of the curve, beside the stops
LEAST = 1_600.0  # where columns of people begin; the least pay is 1,900


@dataclass(frozen=True, slots=True, eq=False)
class OneBound:
    """Three private averages under one upper bound, and the errors under all of them.

    errors is along a fine curve, of which stops are the places that can be chosen; medians are mean
    errors of private medians there. foot is the best of all bounds, and its error. Confidential.
    """

    bound: int
    pay: FloatArray
    averages: tuple[float, ...]
    errors: ClippingError
    stops: tuple[int, ...]
    medians: tuple[float, ...]
    foot: tuple[float, float]

    @property
    def truth(self) -> float:
        """The average as it is."""
        return float(self.pay.mean())

    @property
    def at(self) -> int:
        """Which of the stops this is."""
        return STOPS.index(self.bound)

    @property
    def median(self) -> float:
        """How far a private median is off under this bound, on average."""
        return self.medians[self.at]

    @property
    def best(self) -> int:
        """Which of the stops is off least."""
        return int(np.argmin([self.error_at(i) for i in range(len(STOPS))]))

    @property
    def is_precise(self) -> bool:
        """Whether noise is nothing beside what the bound cuts off."""
        place = self.stops[self.at]
        return bool(self.errors.cut[place] > 10 * self.errors.noise[place])

    def error_at(self, stop: int) -> float:
        """How far the average is off at one of the stops."""
        return float(self.errors.error[self.stops[stop]])

    @property
    def noise(self) -> float:
        """The noise per head: the bound over ε times the number of people."""
        return self.bound / (EPSILON * self.pay.size)

    @property
    def error(self) -> float:
        """How far the average is off under this bound."""
        return self.error_at(self.at)


@cache
def numbers(bound: int, draw: int = 1) -> OneBound:
    """Averages drawn under a bound, errors exact, medians drawn under all bounds."""
    pay = _pay()
    every = np.unique(np.concatenate((STOPS, np.geomspace(STOPS[0], STOPS[-1], BETWEEN))))
    mechanism = _mechanism()
    errors = clipping_error(pay, 0.0, every, mechanism, PureDP(EPSILON))
    drawn = mechanism.release_many(_column(bound), PureDP(EPSILON), np.random.default_rng(draw), 3)
    stops = tuple(np.searchsorted(every, STOPS).tolist())
    medians = tuple(_median_error(stop, draw) for stop in STOPS)
    return OneBound(bound, pay, tuple(drawn.tolist()), errors, stops, medians, foot())


@cache
def foot() -> tuple[float, float]:
    """The bound of the least error, in steps of 1,000, and that error."""
    every = np.arange(200_000, 2_000_001, 1_000.0)
    error = clipping_error(_pay(), 0.0, every, _mechanism(), PureDP(EPSILON)).error
    best = int(np.argmin(error))
    return float(every[best]), float(error[best])


def piled(pay: FloatArray, bound: float, columns: int, high: float) -> list[int]:
    """People in equal columns of log pay; those above a bound are piled up against it.

    The pile leans on the bound from the left and is nowhere higher than the fullest column, so that
    area stays a number of people.
    """
    edges = np.geomspace(LEAST, high, columns + 1)
    counts = np.histogram(pay.clip(LEAST, high), edges)[0]
    wall = int(np.searchsorted(edges, bound, side="right")) - 1  # the last column under the bound
    if not 0 <= wall < columns:
        return [int(one) for one in counts]
    left, most = int(counts[wall:].sum()), int(counts.max())
    counts[wall:] = 0
    for column in range(wall, -1, -1):
        moved = min(left, most - int(counts[column]))
        counts[column] += moved
        left -= moved
    counts[0] += left  # only where a bound is lower than nearly all pay
    return [int(one) for one in counts]


@cache
def _pay() -> FloatArray:
    return load_sample("salaries")[0]


def _mechanism() -> NoisyMean:
    return NoisyMean(sample("salaries").about)


def _column(bound: float) -> Column:
    return Column.from_values(_pay(), Bounds(0, bound), sample("salaries").resolution)


def _median_error(bound: float, draw: int) -> float:
    found = stored("bound", bound) if draw == 1 else None
    return drawn_median_error(bound, draw) if found is None else found[0]


@cache
def drawn_median_error(bound: float, draw: int) -> float:
    """How far off a private median is on average, in many runs, under an upper bound."""
    column = _column(bound)
    (true,) = true_quantiles(column, [0.5])
    drawn = ApproximateQuantiles().release_many(
        column, [0.5], PureDP(EPSILON), np.random.default_rng(draw), RUNS
    )
    return float(np.abs(drawn[:, 0] - true).mean())
