"""Honaker's equations 1 to 7 and his three remarks on one sum, measured three ways in a tree."""

import math

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.experiments.papers.tree_figures import LEAVES, SIGMA

TRUTH = sum(LEAVES[:4])  # a + b + c + d
# of t10, of t100 + t101, and of the four leaves: sums of one, two and four noises (eq. 8)
DEVIATIONS: FloatArray = SIGMA * np.sqrt([1.0, 2.0, 4.0])
SUMS, FIRSTS = np.linspace(0.8, 1.2, 9), np.linspace(0.0, 1.0, 11)
RUNS = 20_000
BIAS, VARIANCE, WEIGHT, ERROR = "bias", "variance", "weight", "error"
AT_ONCE = "at once"
GROUPS = {"first two first": (0, 1), "outer two first": (0, 2), "last two first": (1, 2)}


def weighings(rng: np.random.Generator) -> pd.DataFrame:
    """Weighted means of three measurements of 42 people, exactly and simulated.

    Returns: columns of (BIAS: by the sum of the weights, eq. 1; VARIANCE: by the weight of the
    first, the others in their best proportion, eq. 3; WEIGHT: of each measurement, eq. 4, 6, 7;
    ERROR: σ_j √c_j for each, in σ, eq. 5), order (AT_ONCE, or which two are combined first), x,
    exact, measured and standard_error (NaN where nothing is drawn).
    Source: Honaker 2019, §2, Remarks 1 to 3; the measurements are those of §3.2.1.
    """
    drawn = TRUTH + DEVIATIONS * rng.normal(size=(RUNS, DEVIATIONS.size))
    rows = []
    for total in SUMS:
        off = TRUTH - drawn @ (total * best_weights(DEVIATIONS))
        error = float(off.std(ddof=1)) / math.sqrt(RUNS)
        rows.append((BIAS, AT_ONCE, total, TRUTH * (1 - total), float(off.mean()), error))
    for first in FIRSTS:
        weights = first_weighs(first)
        found = float((drawn @ weights).var(ddof=1))
        exact = float(weights**2 @ DEVIATIONS**2)
        error = found * math.sqrt(2 / (RUNS - 1))  # of a variance of Gaussians
        rows.append((VARIANCE, AT_ONCE, first, exact, found, error))
    nothing = (math.nan, math.nan)
    for order, weights in {AT_ONCE: best_weights(DEVIATIONS), **in_steps()}.items():
        for at, weight in enumerate(weights.tolist(), start=1):
            said = float(DEVIATIONS[at - 1] / SIGMA) * math.sqrt(weight)
            rows.append((WEIGHT, order, at, weight, *nothing))
            rows.append((ERROR, order, at, said, *nothing))
    columns = ["of", "order", "x", "exact", "measured", "standard_error"]
    return pd.DataFrame(rows, columns=columns).astype({"x": np.float64})


def best_weights(deviations: FloatArray) -> FloatArray:
    """Inverse to the variances, eq. 4."""
    inverse = deviations**-2
    return np.asarray(inverse / inverse.sum())


def best_error(deviations: FloatArray) -> float:
    """(Σ σ_i^-2)^-1/2, the first form of eq. 5."""
    return float((deviations**-2).sum() ** -0.5)


def first_weighs(first: float) -> FloatArray:
    """Weights that add up to 1: one of the first measurement, the others in proportion."""
    others = best_weights(DEVIATIONS[1:])
    return np.append(first, (1 - first) * others)


def in_steps() -> dict[str, FloatArray]:
    """The weight of every measurement when two are combined first, then the third: eq. 6 and 7."""
    found = {}
    for name, group in GROUPS.items():
        (other,) = set(range(DEVIATIONS.size)) - set(group)
        own = DEVIATIONS[list(group)]
        last = best_weights(np.array([best_error(own), DEVIATIONS[other]]))
        weights = np.empty(DEVIATIONS.size)
        weights[list(group)], weights[other] = last[0] * best_weights(own), last[1]
        found[name] = weights
    return found
