"""PSD's Theorem 7: what a median of a sample costs, as printed and exactly."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from dpviz.mechanisms.medians.sampled import amplified

RATES = (0.01, 0.1)
INSIDE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


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
