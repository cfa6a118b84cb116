"""PSD's Lemma 6: how likely a private median cuts a good split, exactly."""

import math

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.smooth_sensitivity import middle_values, smooth_sensitivities

EPSILON, DELTA = 0.5, 1e-4
SIZES = (25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
EM, SS = "EM", "SS"
EM_FLOOR = 1 / 6
SS_FROM = 4.03  # n ξ at which the lemma begins to speak of smooth sensitivity


def good_splits(rng: np.random.Generator) -> pd.DataFrame:
    """P(private median in [x_{n/5}, x_{4n/5}]) on two columns that keep the 80/20 rule.

    even: evenly spaced values. hardest: the middle three fifths take up exactly one fifth of the
    range, as little as the rule allows, and are tied at its end, so that no gap near the median has
    any width. Nothing is drawn: both laws are known.
    Returns: columns method, data, n, chance and floor (the lemma's; NaN where it says nothing).
    Source: Cormode et al. 2012, Lemma 6; the hardest column: this project.
    """
    del rng  # exact
    xi = EPSILON / (4 * (1 + math.log(2 / DELTA)))
    rows = []
    for data, make in (("even", even_column), ("hardest", hardest_column)):
        for n in SIZES:
            values = make(n)
            rows.append((EM, data, n, exponential_chance(values, EPSILON), EM_FLOOR))
            floor = (1 - math.exp(-EPSILON / 4)) / 2 if n * xi >= SS_FROM else math.nan
            rows.append((SS, data, n, smooth_chance(values, EPSILON, xi), floor))
    return pd.DataFrame(rows, columns=["method", "data", "n", "chance", "floor"])


def even_column(n: int) -> FloatArray:
    """N values spaced evenly in (0, 1)."""
    return (np.arange(n) + 0.5) / n


def hardest_column(n: int) -> FloatArray:
    """Values in [0, 1]: x_1 to x_{n/5} at 0, up to x_{4n/5} at .2, the others at 1.

    Its good gap and its bad one are equally far from the middle rank, and widths alone decide: 1/5,
    the least that the lemma's assumption allows.
    """
    return np.repeat([0.0, 0.2, 1.0], [n // 5, 4 * n // 5 - n // 5, n - 4 * n // 5])


def exponential_chance(values: FloatArray, epsilon: float) -> float:
    """Of the exponential mechanism of Definition 5, whose density is constant between values."""
    n = values.size
    edges = np.clip(np.concatenate([[0.0], values, [1.0]]), 0.0, 1.0)
    widths, ranks = np.diff(edges), np.abs(np.arange(n + 1) - n / 2)
    nearest = ranks[widths > 0].min()  # else all masses underflow
    mass = widths * np.exp(-epsilon / 2 * np.maximum(ranks - nearest, 0.0))
    good = slice(n // 5, 4 * n // 5)  # the gaps from x_{n/5} up to x_{4n/5}
    return float(mass[good].sum() / mass.sum())


def smooth_chance(values: FloatArray, epsilon: float, xi: float) -> float:
    """Of x_m + (2σ_s/ε) · Lap(1), cut off at the ends of the range, as Definition 4 has it."""
    n = values.size
    inside = np.clip(values, 0.0, 1.0)
    groups = Groups(inside, np.array([0, n]), np.zeros(1), np.ones(1), Bounds(0.0, 1.0))
    scale = 2 / epsilon * float(smooth_sensitivities(groups, xi)[0])
    middle = float(middle_values(groups)[0])
    below = _laplace_cdf((float(inside[n // 5 - 1]) - middle) / scale)
    return _laplace_cdf((float(inside[4 * n // 5 - 1]) - middle) / scale) - below


def _laplace_cdf(x: float) -> float:
    return 0.5 * math.exp(x) if x < 0 else 1 - 0.5 * math.exp(-x)
