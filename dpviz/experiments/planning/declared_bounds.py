"""What the choice of bounds costs: bias when they are too tight, noise when they are too wide."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism, Quantiles
from dpviz.mechanisms.quantiles.recursion import plan
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


def places_for_doubling(
    quantiles: Quantiles, budget: Budget, neighbours: Neighbours = Neighbours.ADD_REMOVE
) -> float:
    """How many places in the ranking bounds twice as wide add to what an error can be.

    An error of k places has the odds e^(-ηk) times the width of the gaps there: twice the width
    outside the data is made up by ln 2 / η further places. η is that of the first step of
    ApproximateQuantiles, ε/(2ΔL): for deciles at ε = 0.1 this is ln 2 · 4 · 2 · ½ / 0.1, about 28.
    Public: nothing of any data goes into it.
    Source: Kaplan, Schnapp and Stemmer 2021, Lemma A.1, whose ln ψ grows by ln 2.
    """
    mechanism = ApproximateQuantiles(neighbours)
    first = mechanism.etas(budget, plan(QuantileSet.of(quantiles)))[0]
    return float(np.log(2) / first.min())
