"""The explaining figures of the AQ paper: recursion (1), a moved target (2), histograms (3)."""

import math

import numpy as np
import pandas as pd

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.papers.aq_study import sampled
from dpviz.experiments.papers.sets import DataSet
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan

BARS = 100  # of Fig. 3
# of Table 1: records, and values where it says how many categories there are
TABLE_1: dict[str, tuple[int, int | None]] = {
    "uniform": (10_000, None),
    "normal": (10_000, None),
    "ratings": (11_123, None),
    "pages": (11_123, None),
    "hours": (48_842, 96),
    "age": (48_842, 74),
}
EXAMPLE = {"n": 12, "m": 3, "error": -2}  # the points 0, 2, …, 22 of Fig. 2 and its γ = 2


def recursion_nodes(
    data: DataSet, m: int, epsilon: float, rng: np.random.Generator, records: int = 1000
) -> pd.DataFrame:
    """Fig. 1: the sub-problems of one release, one row a quantile, ascending.

    Returns: columns quantile, level, low, high, normalised, value and records (in the node).
    Source: Kaplan, Schnapp and Stemmer 2021, Fig. 1.
    """
    column = sampled(data, records, rng)
    quantiles = QuantileSet.of(uniform_quantiles(m))
    run = ApproximateQuantiles().trace(column, quantiles, PureDP(epsilon), rng)
    public = run.public_part(column.resolution)
    sizes = np.empty(m)
    for level, nodes in enumerate(run.plan.levels):
        sizes[nodes.position - 1] = run.sizes(level)
    return pd.DataFrame(
        {
            "quantile": quantiles.distinct,
            "level": public.level,
            "low": public.low,
            "high": public.high,
            "normalised": public.normalised,
            "value": public.value,
            "records": sizes,
        }
    )


def moved_targets(n: int, m: int, error: int) -> pd.DataFrame:
    """Fig. 2: what the other quantiles aim at when the first draw misses by some records.

    Ranks only, so it holds for every column of n distinct values; every later draw hits its own
    target. An error γ of the first moves the targets beside it by up to γ, weighted by closeness.
    Returns: columns quantile, level, true_rank, target_rank and shift, all in records.
    Raises: InvalidParameter for an error that leaves the column.
    Source: Kaplan, Schnapp and Stemmer 2021, Fig. 2 and Lemma 3.2.
    """
    quantiles = QuantileSet.of(uniform_quantiles(m))
    true = quantiles.distinct * n
    drawn = np.concatenate(([0.0], np.zeros(m), [float(n)]))
    level_of = np.empty(m)
    for depth, nodes in enumerate(plan(quantiles).levels):
        low, high = drawn[nodes.left], drawn[nodes.right]
        drawn[nodes.position] = low + nodes.normalised * (high - low)
        level_of[nodes.position - 1] = depth + 1
        if depth == 0:
            drawn[nodes.position] += error
            if not 0 <= drawn[nodes.position[0]] <= n:
                raise InvalidParameter(
                    f"An error of {error} records leaves the column of {n}; choose a smaller one."
                )
    target = drawn[1:-1]
    return pd.DataFrame(
        {
            "quantile": quantiles.distinct,
            "level": level_of,
            "true_rank": true,
            "target_rank": target,
            "shift": target - true,
        }
    )


def histograms(sets: dict[str, DataSet]) -> pd.DataFrame:
    """Fig. 3: 100 bins of equal width over each set's own range.

    Returns: columns data, title, unit, low, high, records. The sets are public or stand-ins: bins
    over the range of the data would release the least and largest record of anybody else's.
    """
    parts = []
    for key, data in sets.items():
        counts, edges = np.histogram(data.values, bins=BARS)
        parts.append(
            pd.DataFrame(
                {
                    "data": key,
                    "title": data.label,
                    "unit": data.unit,
                    "low": edges[:-1],
                    "high": edges[1:],
                    "records": counts,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def properties(sets: dict[str, DataSet]) -> pd.DataFrame:
    """Table 1: how many records each set has, and how many different values they take.

    Returns: columns data, title, records, values, printed_records and printed_values (NaN where
    the table says "continuous"). The sets are public or
    stand-ins: the number of different values of anybody else's would be confidential.
    Source: Kaplan, Schnapp and Stemmer 2021, Table 1.
    """
    rows = []
    for key, data in sets.items():
        records, values = TABLE_1[key]
        own = data.values  # noqa: PD011  a data set, not a frame
        rows.append(
            {
                "data": key,
                "title": data.label,
                "records": own.size,
                "values": np.unique(own).size,
                "printed_records": records,
                "printed_values": math.nan if values is None else float(values),
            }
        )
    return pd.DataFrame(rows)
