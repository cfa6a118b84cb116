"""Sums that parts of an experiment leave behind, and the means that they add up to."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray

MEAN_GAP, LARGEST_GAP = "mean gap", "largest gap"
METRICS = (MEAN_GAP, LARGEST_GAP)
SUMS = ("runs", "total", "squares")

Labels = Mapping[str, float | str]


def tallies(missed: FloatArray, labels: Labels) -> Iterator[dict[str, float | str]]:
    """One row for each metric from gaps (runs, m), in records: runs, Σ and Σ of squares."""
    for metric, errors in ((MEAN_GAP, missed.mean(axis=1)), (LARGEST_GAP, missed.max(axis=1))):
        yield {**labels, "metric": metric, **sums_of(errors)}


def sums_of(errors: FloatArray) -> dict[str, float]:
    """runs, total and squares of numbers (runs,)."""
    return {
        "runs": float(errors.size),
        "total": float(errors.sum()),
        "squares": float((errors**2).sum()),
    }


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each combination of labels: runs, mean and standard_error (NaN for one run).

    Returns: the label columns in their order, then runs, mean, standard_error.
    """
    if rows.empty:
        return rows
    labels = [name for name in rows.columns if name not in SUMS]
    summed = rows.groupby(labels, sort=False, dropna=False)[list(SUMS)].sum().reset_index()
    runs, total = summed["runs"].to_numpy(), summed["total"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(runs > 0, total / runs, np.nan)
        spread = np.maximum(summed["squares"].to_numpy() - runs * mean**2, 0.0)
        error = np.where(runs > 1, np.sqrt(spread / (runs - 1) / runs), np.nan)
    return summed.drop(columns=["total", "squares"]).assign(mean=mean, standard_error=error)
