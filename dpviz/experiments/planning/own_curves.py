"""Curves of answers for settings of one's own, in parts: one mechanism at one budget each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms, check_unless_large
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP, METRICS
from dpviz.experiments.planning.answers import UNIT, Curve, budgets_for
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps

LOW, MIDDLE = 0.05, 0.5  # of the releases, beside the share that is asked for
LINES = ("low", "middle", "high")


@dataclass(frozen=True, eq=False)
class Part:
    """Releases of one mechanism with one budget; metric is one of METRICS."""

    label: str
    mechanism: QuantileMechanism
    quantiles: QuantileSet
    budget: Budget
    metric: str
    probability: float
    runs: int
    seconds: float

    @property
    def kind(self) -> str:
        """The mechanism, which runs at a pace of its own."""
        return self.label

    def run(self, shared: Column, rng: np.random.Generator) -> pd.DataFrame:
        """One row: how far off the best twentieth, half, and the wanted share of releases are.

        A budget that is refused as too much work counts as an error of all the people.
        """
        try:
            drawn = self.mechanism.release_many(shared, self.quantiles, self.budget, rng, self.runs)
        except TooMuchWork:
            found = np.ones(len(LINES))
        else:
            missed = gaps(shared, self.quantiles, drawn)
            error = missed.max(axis=1) if self.metric == LARGEST_GAP else missed.mean(axis=1)
            shares = (LOW, MIDDLE, self.probability)
            found = np.quantile(error / max(shared.n, 1), shares, method="higher")
        named = {"mechanism": self.label, "size": self.budget.size, "runs": self.runs}
        return pd.DataFrame([named | dict(zip(LINES, found, strict=True))])


def sizes_for(budget: Budget, n: int) -> FloatArray:
    """31 sizes of a budget in its notion, from little to much; for ρ those of the same ε."""
    epsilons = budgets_for(n)
    if isinstance(budget, ZCDP):
        return np.array([float(f"{one**2 / 2:.3g}") for one in epsilons])
    return epsilons


def own_curves(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    metric: str,
    probability: float,
    runs: int,
    rng: np.random.Generator,
) -> Experiment:
    """A part for each mechanism and each of 31 sizes of the budget, whose own size is not used.

    The largest budget of each mechanism comes first, then the rest, the slowest mechanism last.
    Raises: InvalidParameter without mechanisms or people, for an unknown metric or a probability
    outside (0, 1); whatever a mechanism's check refuses.
    """
    if not mechanisms or column.n == 0 or metric not in METRICS or not 0 < probability < 1:
        raise InvalidParameter(
            "A curve needs a column that is not empty, at least one mechanism, a probability "
            f"strictly between 0 and 1, and one of {', '.join(METRICS)}."
        )
    by_mechanism: list[list[Part]] = []
    for label, mechanism in mechanisms.items():
        parts = []
        for size in sizes_for(budget, column.n)[::-1]:  # large budgets are quick
            one = budget.resized(float(size))
            check_unless_large(mechanism, one, quantiles)
            took = mechanism.seconds(column.n, quantiles.count, one, runs, column.resolution)
            parts.append(Part(label, mechanism, quantiles, one, metric, probability, runs, took))
        by_mechanism.append(parts)
    return Experiment.of(column, ordered(by_mechanism), rng)


def ordered(by_mechanism: Sequence[Sequence[Part]]) -> list[Part]:
    """The first part of each, from which the time to go is known, then the quick ones first."""
    quick = sorted(by_mechanism, key=lambda parts: sum(part.seconds for part in parts))
    return [*(parts[0] for parts in quick), *(part for parts in quick for part in parts[1:])]


def curves_of(rows: pd.DataFrame) -> dict[str, Curve]:
    """The curves that are there, by mechanism; those in the making have fewer budgets."""
    found = {}
    for label, lines in rows.groupby("mechanism", sort=False) if len(rows) else ():
        kept = lines.sort_values("size")
        errors = {
            name: np.ceil(kept[name].to_numpy(np.float64) / UNIT - 1e-9) * UNIT for name in LINES
        }
        budgets = kept["size"].to_numpy(np.float64)
        found[str(label)] = Curve(budgets, runs=int(kept["runs"].iloc[0]), **errors)
    return found
