"""The smallest ε (or ρ) that reaches a target error with a stated probability."""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import beta, binom

from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms, check_unless_large
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP, METRICS
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps

RANGE = (1e-3, 100.0)  # of ε or ρ searched
PRECISION = math.log(1.02)  # of the answer
ALPHA = 0.05  # every statement is made with confidence 1 − α
COLUMNS = ["mechanism", "kind", "size", "low", "high", "rate", "rate_low", "rate_high", "runs"]


def interval(successes: int, runs: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Clopper and Pearson's interval of a success rate, with confidence 1 − α."""
    low = 0.0 if successes == 0 else beta.ppf(alpha / 2, successes, runs - successes + 1)
    high = 1.0 if successes == runs else beta.ppf(1 - alpha / 2, successes + 1, runs - successes)
    return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Search:
    """The search for one mechanism. target is in records; metric one of METRICS."""

    label: str
    mechanism: QuantileMechanism
    quantiles: QuantileSet
    budget: Budget
    target: float
    metric: str
    probability: float
    runs: int
    seconds: float

    @property
    def kind(self) -> str:
        """The mechanism, which runs at a pace of its own."""
        return self.label

    def run(self, shared: Column, rng: np.random.Generator) -> pd.DataFrame:
        """Rows of kind tried (one for each ε looked at) and one answer; confidential.

        The answer's size is where the share of successes crosses the probability, NaN when it does
        nowhere in RANGE; low and high enclose the true value; rate is a fresh check at high.
        """
        common, fresh = rng.spawn(2)
        tried: dict[float, int] = {}

        def successes(log_size: float) -> int:
            size = math.exp(log_size)
            if size not in tried:
                # the same random numbers at every ε: the count then moves with ε, not with luck
                tried[size] = self._successes(shared, size, copy.deepcopy(common))
            return tried[size]

        low, size, high = (crossing(successes, needed) for needed in self.needed())
        rows = [self._row("tried", at, tried[at], self.runs) for at in sorted(tried)]
        checked = next((at for at in (high[1], size[1]) if math.isfinite(at)), math.nan)
        passed = 0 if math.isnan(checked) else self._successes(shared, checked, fresh)
        answer = self._row("answer", size[1], passed, 0 if math.isnan(checked) else self.runs)
        rows.append({**answer, "low": low[0], "high": high[1]})
        return pd.DataFrame(rows, columns=COLUMNS)

    def needed(self) -> tuple[int, int, int]:
        """Successes at which low, the answer and high are crossed.

        At the true ε the count is binomial, so it lies below the first or reaches the last with
        probability at most α; where the count grows with ε, so are the ε where it crosses them.
        """
        low = int(binom.ppf(ALPHA / 2, self.runs, self.probability))
        high = int(binom.ppf(1 - ALPHA / 2, self.runs, self.probability))
        return max(low, 1), math.ceil(self.probability * self.runs - 1e-9), high + 1

    def _successes(self, column: Column, size: float, rng: np.random.Generator) -> int:
        budget = self.budget.resized(size)
        try:
            drawn = self.mechanism.release_many(column, self.quantiles, budget, rng, self.runs)
        except TooMuchWork:  # at this little ε it would reach no useful target either
            return 0
        missed = gaps(column, self.quantiles, drawn)
        error = missed.max(axis=1) if self.metric == LARGEST_GAP else missed.mean(axis=1)
        return int(np.count_nonzero(error <= self.target))

    def _row(self, kind: str, size: float, successes: int, runs: int) -> dict[str, object]:
        rates = (math.nan, math.nan, math.nan)
        if runs:
            rates = (successes / runs, *interval(successes, runs))
        found = (self.label, kind, size, math.nan, math.nan, *rates, runs)
        return dict(zip(COLUMNS, found, strict=True))


def most_tried() -> list[float]:
    """The sizes that a search can try, at most and at their largest; the last check is one more.

    Both ends are tried once, then each of three bisections may go up at every step.
    """
    low, high = math.log(RANGE[0]), math.log(RANGE[1])
    middles = []
    while high - low > PRECISION:
        low = (low + high) / 2
        middles.append(math.exp(low))
    return [RANGE[0], RANGE[1], RANGE[1], *middles, *middles, *middles]


def crossing(successes: Callable[[float], int], needed: int) -> tuple[float, float]:
    """Sizes on both sides of where successes reaches needed, PRECISION apart; bisection on logs.

    Returns: (−, +) with successes(−) < needed ≤ successes(+); (0, first) when even the least
    size suffices, (last, ∞) when the largest does not.
    """
    low, high = math.log(RANGE[0]), math.log(RANGE[1])
    if successes(high) < needed:
        return RANGE[1], math.inf
    if successes(low) >= needed:
        return 0.0, RANGE[0]
    while high - low > PRECISION:
        middle = (low + high) / 2
        low, high = (low, middle) if successes(middle) >= needed else (middle, high)
    return math.exp(low), math.exp(high)


def smallest_size(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    target: float,
    metric: str,
    probability: float,
    runs: int,
    rng: np.random.Generator,
) -> Experiment:
    """One cell a mechanism; the notion (and δ) is that of budget, its size is searched.

    Raises: InvalidParameter for a target below 0, a probability outside (0, 1) or an unknown
    metric; whatever a mechanism's check refuses.
    """
    if not (target >= 0 and 0 < probability < 1 and metric in METRICS and runs >= 10):
        raise InvalidParameter(
            "A search needs a target of 0 or more records, a probability strictly between 0 and 1, "
            f"at least 10 runs, and one of {', '.join(METRICS)}."
        )
    searches = []
    for label, mechanism in mechanisms.items():
        check_unless_large(mechanism, budget, quantiles)
        sizes = [budget.resized(size) for size in np.geomspace(*RANGE, 8)]
        each = (
            mechanism.seconds(column.n, quantiles.count, size, runs, column.resolution)
            for size in sizes
        )
        searches.append(
            Search(
                label,
                mechanism,
                quantiles,
                budget,
                target,
                metric,
                probability,
                runs,
                seconds=2.2 * sum(each),
            )
        )
    # the slow mechanism last: what is found by then stands on the page meanwhile
    return Experiment.of(column, sorted(searches, key=lambda one: one.seconds), rng)
