"""How far off releases are at each of 31 budgets, and the smallest budget for a wanted accuracy."""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES, QuantileSet
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps

PLACES = 31  # budgets, ten to a power of ten
MANY_PEOPLE = 50_000  # from so many on the budgets start at 0.001, for errors move with ε × people
SHARES = (0.05, 0.5, 0.95)  # of the releases: the best twentieth, half, 19 of 20
UNIT = 1e-5  # errors are kept as whole hundred-thousandths of the people
LEAST_SHARE = UNIT  # how an error of nothing is drawn and interpolated on a log axis
QUESTIONS: dict[str, FloatArray] = {
    "median": np.array([0.5]),
    "quartiles": QUARTILES,
    "deciles": DECILES,
    "percentiles": PERCENTILES,
}


@confidential("budgets", "runs")
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The largest error of a release in ranks, as a share of the people, at each budget.

    Shapes: budgets, low, middle, high (k,): 1 of 20, half and 19 of 20 releases are at most so far
    off; runs says of how many. Confidential, unless the column is a public sample or a stand-in.
    """

    budgets: FloatArray
    low: FloatArray
    middle: FloatArray
    high: FloatArray
    runs: int

    @property
    def sure(self) -> FloatArray:
        """high, raised where a larger budget was measured to be worse: it holds from there on."""
        raised: FloatArray = np.maximum.accumulate(self.high[::-1])[::-1]
        return raised

    def error_at(self, epsilon: float) -> float | None:
        """How far off 19 of 20 releases are at most with this ε; None where nothing was computed.

        Above the last budget it is that of the last one, which more budget does not make worse.
        """
        if epsilon < self.budgets[0] * (1 - 1e-9):
            return None
        log_error = np.interp(
            math.log(epsilon), np.log(self.budgets), np.log(np.maximum(self.sure, LEAST_SHARE))
        )
        return float(math.exp(log_error))


def budgets_for(n: int) -> FloatArray:
    """31 budgets over three powers of ten, from 0.01 on, or from 0.001 for many people."""
    first = -3 if n > MANY_PEOPLE else -2
    spaced = np.logspace(first, first + 3, PLACES)
    return np.array([float(f"{one:.3g}") for one in spaced])


def error_curve(
    column: Column,
    mechanism: QuantileMechanism,
    quantiles: QuantileSet,
    budgets: Sequence[float] | FloatArray,
    runs: int,
    rng: np.random.Generator,
) -> Curve:
    """Measure a curve; every budget sees the same random numbers, so that it moves with ε alone.

    A budget that the mechanism refuses as too much work counts as an error of all the people.
    Raises: InvalidParameter for an empty column.
    """
    if column.n == 0:
        raise InvalidParameter("An empty column has no quantiles to miss. Choose another one.")
    found = np.ones((len(budgets), len(SHARES)))
    for place, size in enumerate(budgets):
        try:
            drawn = mechanism.release_many(
                column, quantiles, PureDP(float(size)), copy.deepcopy(rng), runs
            )
        except TooMuchWork:
            continue
        worst = gaps(column, quantiles, drawn).max(axis=1) / column.n
        found[place] = np.quantile(worst, SHARES, method="higher")
    low, middle, high = np.ceil(found.T / UNIT - 1e-9) * UNIT
    return Curve(np.asarray(budgets, dtype=np.float64), low, middle, high, runs)


def round_up(number: float, digits: int = 2) -> float:
    """A positive number rounded up to so many digits: no promise is made smaller by rounding."""
    if number <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(number)) - digits + 1)
    return float(f"{math.ceil(number / unit - 1e-9) * unit:.{digits}g}")
