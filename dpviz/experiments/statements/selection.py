"""AQ's Lemma 2.5: how seldom the exponential mechanism takes a poor one of some outputs."""

import math

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray

EPSILON, SENSITIVITY = 1.0, 1.0
PEOPLE, OUTPUTS = 1000, 201  # of a made-up column; places from −1 to 1, .01 apart
SHORTFALLS = tuple(range(41))  # γ, in units of the utility
COLUMN, HARDEST = "a column", "hardest"


def selections(rng: np.random.Generator) -> pd.DataFrame:
    """P(utility ≤ best − γ) for both sets of outputs by γ, beside the lemma's |S| e^(−εγ/2Δ).

    A column: Normal(0, 5) people, their median among 201 places from −1 to 1, utility minus the
    miss in ranks. Hardest: all outputs but the best fall short by exactly γ, a set for each γ.
    The laws are exact; of the column only the values are drawn.
    Returns: columns outputs, shortfall (γ), missed (short of the best by γ or more), kept (by
    less), bound. Source: Kaplan, Schnapp and Stemmer 2021, Lemma 2.5; McSherry and Talwar 2007.
    """
    utilities = column_utilities(rng.normal(0.0, 5.0, PEOPLE))
    rows = []
    for shortfall in SHORTFALLS:
        bound = OUTPUTS * math.exp(-EPSILON * shortfall / (2 * SENSITIVITY))
        for name, some in ((COLUMN, utilities), (HARDEST, hardest_utilities(shortfall))):
            missed = chance_of_missing(some, shortfall)
            rows.append((name, shortfall, missed, 1 - missed, bound))
    return pd.DataFrame(rows, columns=["outputs", "shortfall", "missed", "kept", "bound"])


def column_utilities(values: FloatArray) -> FloatArray:
    """Appendix A's −||{x < w}| − ⌊n/2⌋| of every output w, (OUTPUTS,)."""
    outputs = np.linspace(-1.0, 1.0, OUTPUTS)
    below = np.searchsorted(np.sort(values), outputs, side="left")
    return -np.abs(below - values.size // 2).astype(np.float64)


def hardest_utilities(shortfall: float) -> FloatArray:
    """One best output, and all others short of it by γ: (OUTPUTS,)."""
    return np.append(0.0, np.full(OUTPUTS - 1, -float(shortfall)))


def chance_of_missing(utilities: FloatArray, shortfall: float) -> float:
    """P(utility ≤ best − γ) under the density ∝ exp(ε u/2Δ): exact."""
    short = utilities.max() - utilities
    weights = np.exp(-EPSILON * short / (2 * SENSITIVITY))
    return float(weights[short >= shortfall].sum() / weights.sum())
