"""The error of several mechanisms in one setting: the cell that sweeps and maps are made of."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz.core.arrays import frozen
from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import TooMuchWork
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.tally import Labels, tallies
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps

Mechanisms = Mapping[str, QuantileMechanism]

BATCH_SECONDS = 0.5  # a cell this long is stopped soon enough
SLOW_SECONDS = 1.5  # for one setting and one slow mechanism; it gets fewer runs instead
SHORT_SECONDS = 2.0  # work whose order nobody notices
FEWEST_RUNS = 8


@dataclass(frozen=True, eq=False)
class Measure:
    """Runs of several mechanisms on one (sub)sample; labels say which setting it is.

    runs has one entry a mechanism; n None takes the whole column.
    """

    labels: Labels
    mechanisms: tuple[tuple[str, QuantileMechanism], ...]
    runs: tuple[int, ...]
    budget: Budget
    quantiles: QuantileSet
    n: int | None
    seconds: float

    @property
    def kind(self) -> str:
        """The mechanisms, which run at paces of their own."""
        return " ".join(label for label, _ in self.mechanisms)

    def only(self, column: Column, labels: Collection[str]) -> "Measure":
        """The part of it that runs these mechanisms; column says how long that takes."""
        kept = [at for at, (label, _) in enumerate(self.mechanisms) if label in labels]
        mechanisms = tuple(self.mechanisms[at] for at in kept)
        runs = tuple(self.runs[at] for at in kept)
        n = column.n if self.n is None else min(self.n, column.n)
        seconds = _seconds(dict(mechanisms), list(runs), column, n, self.quantiles, self.budget)
        return replace(self, mechanisms=mechanisms, runs=runs, seconds=seconds)

    def run(self, shared: Column, rng: np.random.Generator) -> pd.DataFrame:
        """Rows of sums by mechanism and metric; a refusal for size leaves a row of no runs."""
        column = subsample(shared, self.n, rng)
        rows: list[dict[str, float | str]] = []
        for (label, mechanism), runs in zip(self.mechanisms, self.runs, strict=True):
            named: Labels = {**self.labels, "mechanism": label}
            try:
                drawn = mechanism.release_many(column, self.quantiles, self.budget, rng, runs)
            except TooMuchWork:
                missed = np.empty((0, self.quantiles.asked.size))
            else:
                missed = gaps(column, self.quantiles, drawn)
            rows.extend(tallies(missed, named))
        return pd.DataFrame(rows)


def check_unless_large(
    mechanism: QuantileMechanism, budget: Budget, quantiles: QuantileSet
) -> None:
    """The mechanism's own check; a refusal for size alone is left to run, as a row of no runs.

    Raises: DpvizError as the mechanism's check does, TooMuchWork excepted.
    """
    with suppress(TooMuchWork):
        mechanism.check(budget, quantiles)


def subsample(column: Column, n: int | None, rng: np.random.Generator) -> Column:
    """Draw n records without replacement; the column itself for None or when it has no more."""
    if n is None or n >= column.n:
        return column
    kept = np.sort(rng.choice(column.n, n, replace=False))
    return Column(frozen(column.of_rank(kept)), column.bounds, column.resolution, 0, 0)


def measures(
    column: Column,
    labels: Labels,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    n: int | None,
    runs: int,
    slow_seconds: float = SLOW_SECONDS,
) -> list[Measure]:
    """Cells of about BATCH_SECONDS that together make the runs, each on a subsample of its own.

    A mechanism that is slow here gets fewer runs, which its standard error then shows.
    """
    size = column.n if n is None else min(n, column.n)
    wanted = [
        affordable(one, column, size, quantiles, budget, runs, slow_seconds)
        for one in mechanisms.values()
    ]
    whole = _seconds(mechanisms, wanted, column, size, quantiles, budget)
    fewest = 4 if size < column.n else 1
    parts = int(min(max(np.ceil(whole / BATCH_SECONDS), fewest), max(min(wanted), 1), 8))
    cells = []
    for part in range(parts):
        share = [(part + 1) * count // parts - part * count // parts for count in wanted]
        seconds = _seconds(mechanisms, share, column, size, quantiles, budget)
        cells.append(
            Measure(labels, tuple(mechanisms.items()), tuple(share), budget, quantiles, n, seconds)
        )
    return cells


def _seconds(
    mechanisms: Mechanisms,
    runs: list[int],
    column: Column,
    n: int,
    quantiles: QuantileSet,
    budget: Budget,
) -> float:
    return sum(
        mechanism.seconds(n, quantiles.count, budget, count, column.resolution)
        for mechanism, count in zip(mechanisms.values(), runs, strict=True)
    )


def affordable(
    mechanism: QuantileMechanism,
    column: Column,
    n: int,
    quantiles: QuantileSet,
    budget: Budget,
    runs: int,
    slow_seconds: float = SLOW_SECONDS,
) -> int:
    """The runs wished for, or as many as a slow mechanism makes in slow_seconds."""
    many, more = (
        mechanism.seconds(n, quantiles.count, budget, count, column.resolution)
        for count in (11, 21)
    )
    each = max((more - many) / 10, 1e-9)
    return min(runs, max(FEWEST_RUNS, int(slow_seconds / each)))


def slow_last(cells: Sequence[Measure], column: Column) -> list[Measure]:
    """The same work with the slowest mechanism last, if it takes more than half of a long time.

    Its quickest part comes first of all: from there on the time to go is known.
    """
    total: dict[str, float] = {}
    for cell in cells:
        for label, _ in cell.mechanisms:
            seconds = cell.only(column, {label}).seconds
            total[label] = total.get(label, 0.0) + seconds
    slow = max(total, key=lambda label: total[label])
    whole = sum(total.values())
    if whole < SHORT_SECONDS or total[slow] == whole or 2 * total[slow] < whole:
        return list(cells)
    others = [cell.only(column, set(total) - {slow}) for cell in cells]
    slow_ones = [cell.only(column, {slow}) for cell in cells]
    quickest = min(range(len(cells)), key=lambda at: slow_ones[at].seconds)
    first = slow_ones.pop(quickest)
    return [first, *(cell for cell in (*others, *slow_ones) if any(cell.runs))]
