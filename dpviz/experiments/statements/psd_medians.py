"""PSD on private medians: what Laplace noise (§6.1) and a sample (Theorem 7) do to one, exactly."""

import math

import numpy as np
import pandas as pd

from dpviz.experiments.statements.good_split import even_column, exponential_chance
from dpviz.mechanisms.medians.sampled import amplified

EPSILONS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
VALUES = 1000
RANGE = 1.0  # M, which is the sensitivity of the median, too
MIDDLE = 0.5  # of the range: the median of the column
FIFTHS = 0.3  # from the median to the first and the last fifth of it
LAPLACE, EXPONENTIAL = "Laplace noise", "exponential mechanism"
RATES = (0.01, 0.1)
INSIDE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def laplace_medians(rng: np.random.Generator) -> pd.DataFrame:
    """How often a noisy median leaves the range, exceeds the median, and cuts well, by ε.

    1,000 evenly spaced values; Lap(M/ε), since one record can move a median from one end of the
    range to the other. Nothing is drawn: all chances are exact.
    Returns: columns epsilon, method, outside (the range), dwarfed (noise larger than the median),
    good (between the first and the last fifth). Source: Cormode et al. 2012, §6.1.
    """
    del rng  # exact
    values, rows = even_column(VALUES), []
    for epsilon in EPSILONS:
        scale = RANGE / epsilon
        outside, good = (beyond(MIDDLE, scale), 1 - beyond(FIFTHS, scale))
        rows.append((epsilon, LAPLACE, outside, beyond(MIDDLE, scale), good))
        rows.append((epsilon, EXPONENTIAL, 0.0, math.nan, exponential_chance(values, epsilon)))
    return pd.DataFrame(rows, columns=["epsilon", "method", "outside", "dwarfed", "good"])


def beyond(distance: float, scale: float) -> float:
    """P(|Lap(scale)| > distance)."""
    return math.exp(-distance / scale)


def sampling_prices(rng: np.random.Generator) -> pd.DataFrame:
    """What ε on a Poisson sample of rate p costs: 2pe^ε as printed, ln(1 + p(e^ε − 1)) exactly.

    Nothing is drawn. Returns: columns rate, inside (ε on the sample), printed, exact.
    Source: Cormode et al. 2012, Theorem 7; Balle, Barthe and Gaboardi 2018, Theorem 8.
    """
    del rng  # exact
    rows = [
        (rate, inside, printed_price(inside, rate), amplified(inside, rate))
        for rate in RATES
        for inside in INSIDE
    ]
    return pd.DataFrame(rows, columns=["rate", "inside", "printed", "exact"])


def printed_price(epsilon: float, rate: float) -> float:
    """2pe^ε, what Theorem 7 charges for ε on a sample of rate p."""
    return 2 * rate * math.exp(epsilon)
