"""What the choice of bounds costs: bias when they are too tight, noise when they are too wide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism, Quantiles
from dpviz.metrics.quantiles import true_quantiles

FACTORS: tuple[float, ...] = (0.25, 0.4, 0.6, 0.8, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0, 100.0)


def scaled(bounds: Bounds, factor: float) -> Bounds:
    """Bounds around the same middle, factor times as wide."""
    middle, half = bounds.low + bounds.width / 2, bounds.width / 2 * factor
    return Bounds(middle - half, middle + half)


def error_by_width(
    column: Column,
    mechanisms: Sequence[QuantileMechanism],
    quantiles: Quantiles,
    budget: Budget,
    rng: np.random.Generator,
    runs: int = 20,
) -> pd.DataFrame:
    """Mean absolute error of private quantiles, in the column's units, against the bounds' width.

    The truth is that of the column as declared; narrower bounds clip it further.
    Returns: columns mechanism, factor, low, high, clipped (share of records), error and
    standard_error; one row for each mechanism and each of FACTORS. Confidential.
    """
    wanted = QuantileSet.of(quantiles)
    truth = true_quantiles(column, wanted)
    rows = []
    for factor in FACTORS:
        bounds = scaled(column.bounds, factor)
        tried = Column.from_values(column.values, bounds, min(column.resolution, bounds.width))
        for mechanism in mechanisms:
            drawn = mechanism.release_many(tried, wanted, budget, rng, runs)
            errors = np.abs(drawn - truth).mean(axis=1)
            rows.append(
                {
                    "mechanism": mechanism.name,
                    "factor": factor,
                    "low": bounds.low,
                    "high": bounds.high,
                    "clipped": tried.clipped / max(tried.n, 1),
                    "error": float(errors.mean()),
                    "standard_error": float(errors.std(ddof=1) / np.sqrt(runs)),
                }
            )
    return pd.DataFrame(rows)
