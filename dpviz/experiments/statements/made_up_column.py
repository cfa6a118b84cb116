"""AQ Corollary 3.6: how far a made-up column of n points is from its n people, and its bound."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.metrics.bounds import made_up_column_bound, spread_ratio

SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)
RUNS, BETA = 20, 0.05
BUDGET, BOUNDS, WITHIN = PureDP(1.0), Bounds(-100.0, 100.0), 5.0


def made_up_columns(
    rng: np.random.Generator, sizes: tuple[int, ...] = SIZES, runs: int = RUNS
) -> pd.DataFrame:
    """The largest miss of n made-up points beside Corollary 3.6 with its constants, ε = 1.

    Uniform values in (−5, 5), declared ±100; one column for each n. The i-th made-up point should
    have i people below it; a run's miss is that of its worst point.
    Returns: columns n, mean (of the runs' misses), standard_error, worst (largest of them), beyond
    (share of the runs above the bound), bound (fails with probability at most 0.05) and psi.
    Source: Kaplan, Schnapp and Stemmer 2021, Corollary 3.6.
    """
    rows = []
    for n in sizes:
        column = Column.from_values(rng.uniform(-WITHIN, WITHIN, n), BOUNDS)
        psi = spread_ratio(column.values, BOUNDS)
        if psi is None:
            raise InvalidData(
                f"Two of {n:,} values coincide, so that ψ of Corollary 3.6 is infinite. Use "
                "another seed."
            )
        mechanism = SanitizedColumn(size=n)
        bound = made_up_column_bound(mechanism, BUDGET, n, psi, BETA).records
        drawn = mechanism.quantiles.release_many(column, uniform_quantiles(n), BUDGET, rng, runs)
        missed = worst_misses(column, drawn)
        error = missed.std(ddof=1) / np.sqrt(runs)
        beyond = (missed > bound).mean()
        rows.append((n, missed.mean(), error, missed.max(), beyond, bound, psi))
    columns = ["n", "mean", "standard_error", "worst", "beyond", "bound", "psi"]
    return pd.DataFrame(rows, columns=columns)


def worst_misses(column: Column, drawn: FloatArray) -> FloatArray:
    """By how many people the worst point of each made-up column (runs, n) misses, (runs,)."""
    ranks = np.arange(1, drawn.shape[1] + 1)
    return np.asarray(np.abs(column.count_below(drawn) - ranks).max(axis=1), dtype=np.float64)
