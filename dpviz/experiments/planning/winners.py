"""Which mechanism wins where: a map over budget × records × quantiles."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.engine.measure import (
    SLOW_SECONDS,
    Measure,
    Mechanisms,
    check_unless_large,
    measures,
    slow_last,
)
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.planning.sweeps import interleaved

RECORDS = (200, 1000, 5000, 20_000)
SURE = 2.0  # standard errors of a difference from which a win is called clear


def record_grid(column: Column, wanted: Sequence[int] = RECORDS) -> tuple[int, ...]:
    """Sizes of subsamples that the column can give, its own size included."""
    return (*(n for n in wanted if n < column.n), column.n)


def winners_map(
    column: Column,
    mechanisms: Mechanisms,
    budget: Budget,
    sizes: Sequence[float],
    records: Sequence[int],
    counts: Sequence[int],
    runs: int,
    rng: np.random.Generator,
    slow_seconds: float = SLOW_SECONDS,
) -> Experiment:
    """Cells whose rows have columns size, n, m, mechanism, metric and sums; confidential.

    A mechanism that is slow somewhere gets as many runs there as it makes in slow_seconds.
    Quantiles are uniform, samples drawn from the column without replacement.
    Raises: InvalidParameter for an empty side of the map or fewer than two mechanisms.
    """
    if len(mechanisms) < 2 or not (sizes and records and counts):
        raise InvalidParameter("A map needs at least two mechanisms and one value on each side.")
    places: list[list[Measure]] = []
    for m in counts:
        quantiles = QuantileSet.of(uniform_quantiles(m))
        for n in records:
            for size in sizes:
                spent = budget.resized(size)
                for mechanism in mechanisms.values():
                    check_unless_large(mechanism, spent, quantiles)
                labels = {"size": float(size), "n": float(min(n, column.n)), "m": float(m)}
                places.append(
                    measures(column, labels, mechanisms, quantiles, spent, n, runs, slow_seconds)
                )
    return Experiment.of(column, slow_last(interleaved(places), column), rng)


def winners(summed: pd.DataFrame, metric: str = MEAN_GAP) -> pd.DataFrame:
    """The best mechanism of each place.

    Returns: columns size, n, m, winner, mean, second, ratio (the second's error over the
    winner's; NaN alone) and clear (by more than SURE standard errors of the difference).
    """
    rows = []
    chosen = summed[(summed["metric"] == metric) & summed["mean"].notna()]
    for place, group in chosen.groupby(["size", "n", "m"], sort=True):
        ordered = group.sort_values("mean", kind="stable")
        best = ordered.iloc[0]
        row = {
            **dict(zip(("size", "n", "m"), place, strict=True)),
            "winner": best["mechanism"],
            "mean": best["mean"],
            "second": "",
            "ratio": np.nan,
            "clear": True,
        }
        if len(ordered) > 1:
            second = ordered.iloc[1]
            spread = np.hypot(best["standard_error"], second["standard_error"])
            row["second"] = second["mechanism"]
            row["ratio"] = second["mean"] / best["mean"] if best["mean"] > 0 else np.inf
            row["clear"] = bool(second["mean"] - best["mean"] > SURE * spread)
        rows.append(row)
    names = ["size", "n", "m", "winner", "mean", "second", "ratio", "clear"]
    return pd.DataFrame(rows, columns=names)
