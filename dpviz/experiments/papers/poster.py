"""Manohar's two plots: a private CDF of his tree, smoothed as he does, α printed and simulated."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.checks import checked_share, checked_whole
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.band import noise_band, simulated_errors
from dpviz.estimators.trees.cdf import cdf_of_levels, isotonic_rows, monotone
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.metrics.tree import true_running_counts

POSTER_BUDGET, POSTER_BETA = PureDP(0.01), 0.05
PEOPLE = 1_000_000
UNIVERSE = 101  # values 0 to 100, the D that gives the printed α
# as many levels as the text's log₂ D, rounded up: 128 leaves, Lap(7/ε) on every node but the root;
# with the root there are log₂ D + 1 levels, and the text's noise on all of them costs more than ε
TREE, BOUNDS = CountTree(2, 7, noise=Noise.LAPLACE, root=Root.SUM), Bounds(0, 128)
BEYOND_RUNS = 20_000
INTERVAL_DRAWS = 200_000


@dataclass(frozen=True, slots=True)
class Poster:
    """One plot of Manohar's: made-up people, and the unit of their whole values 0 to 100."""

    drawn: Callable[[np.random.Generator, int], FloatArray]
    unit: str

    def column(self, rng: np.random.Generator, people: int = PEOPLE) -> Column:
        """Made-up people in declared bounds."""
        values = np.clip(np.floor(self.drawn(rng, people)), 0, UNIVERSE - 1)
        return Column.from_values(values, BOUNDS)


def _incomes(rng: np.random.Generator, people: int) -> FloatArray:
    return rng.lognormal(math.log(38), 0.7, people)  # in thousands; 100 stands for all above


def _ages(rng: np.random.Generator, people: int) -> FloatArray:
    return UNIVERSE * rng.beta(1.3, 1.9, people)


POSTERS = {
    "manohar1": Poster(_incomes, "income in thousands, 100 and more together"),
    "manohar2": Poster(_ages, "age in years"),
}


def closed_form_alpha(epsilon: float, beta: float, universe: int) -> float:
    """(2√2/ε) √ln(2/β) (log₂ D)^{3/2}: the α that the poster prints, for D values.

    It bounds the error of any range from log₂ D nodes, each with noise Lap(log₂ D/ε), by a tail
    bound; it does not depend on the data.
    Raises: InvalidParameter for β outside (0, 1) or D below 2.
    Source: the accuracy of binary trees in the library that the poster's project publishes;
    Manohar 2014 states its value alone, 9333.16 for ε = .01, β = .05, D = 101.
    """
    checked_share(beta, "β")
    checked_whole(universe, "D", 2, 2**53)
    spread = 2 * math.sqrt(2) / PureDP(epsilon).epsilon
    levels = math.log2(universe)
    return spread * math.sqrt(math.log(2 / beta)) * levels * math.sqrt(levels)


def poster_alpha() -> float:
    """The closed form at the poster's settings."""
    return closed_form_alpha(POSTER_BUDGET.epsilon, POSTER_BETA, UNIVERSE)


def smoothed(counts: FloatArray) -> FloatArray:
    """The closest vector, in squares, that never falls: all of it, (..., D), nothing cut.

    min_{j≥k} max_{i≤j} M[i, j]; other curves here hold the last count and are cut to [0, n̂].
    Source: Manohar 2014, Smoothing algorithm.
    """
    return isotonic_rows(counts)


def interval_nodes(first: int, last: int, leaves: int) -> int:
    """How many nodes below the root the interval [first, last) of leaves is counted from."""
    found = 0
    while first < last:
        width = 1  # of the largest node that begins at first and ends by last
        while first % (2 * width) == 0 and first + 2 * width <= last and 2 * width < leaves:
            width *= 2
        found, first = found + 1, first + width
    return found


def interval_alpha(rng: np.random.Generator, nodes: int) -> float:
    """The α of an interval of so many nodes at β, from draws of its noise alone."""
    scale = TREE.level_scales(POSTER_BUDGET)[-1]
    noise = rng.laplace(0.0, scale, (INTERVAL_DRAWS, nodes)).sum(axis=1)
    return float(np.quantile(np.abs(noise), 1 - POSTER_BETA))


def most_nodes() -> int:
    """The most nodes that an interval of the D values is counted from."""
    ends = range(UNIVERSE + 1)
    return max(interval_nodes(a, b, 2**TREE.height) for a in ends for b in ends[a + 1 :])


def poster_curve(
    column: Column,
    noise: np.random.Generator,
    band: np.random.Generator,
    *,
    runs: int = BEYOND_RUNS,
) -> pd.DataFrame:
    """One release read as running counts; two generators, for the bands need no data.

    Returns: a row for each of the D values t, columns value, raw and smoothed (whole counts of
    values up to t), held (smoothed as elsewhere here), alpha (the simulated pointwise half-width at
    β), formula (the closed form), interval (α of the interval of the most nodes), and truth, which
    is confidential. Source: Manohar 2014, Results.
    """
    release = TREE.release(column, POSTER_BUDGET, noise)
    raw = cdf_of_levels(release.tree.levels, column.bounds)
    law = TREE.tree_noise(POSTER_BUDGET)
    width = noise_band(law, TreeEstimator.RAW, band, beta=POSTER_BETA, runs=runs)
    kept = slice(1, UNIVERSE + 1)  # the edge above a value: that many people have it or less
    return pd.DataFrame(
        {
            "value": np.arange(UNIVERSE),
            "raw": _whole(raw.counts[kept]),
            "smoothed": _whole(smoothed(raw.counts[kept])),
            "held": _whole(monotone(raw).counts[kept]),
            "alpha": width.pointwise[kept],
            "formula": poster_alpha(),
            "interval": interval_alpha(band, most_nodes()),
            "truth": true_running_counts(column, raw.edges)[kept].astype(np.int64),
        }
    )


def _whole(counts: FloatArray) -> IntArray:
    return np.rint(counts).astype(np.int64)


def poster_trials(
    column: Column, rng: np.random.Generator, *, trials: int = 10, runs: int = BEYOND_RUNS
) -> pd.DataFrame:
    """How many of the D points leave α in each of several trials, raw and smoothed.

    Returns: columns trial, points (D), expected (β · D: of the raw points outside the simulated α),
    raw and smoothed (outside the simulated α), raw_formula and smoothed_formula (outside the closed
    form), and beyond: the raw points that are outside the closed form on average, from `runs` trees
    of noise alone. Confidential. Each trial spends the budget anew: for teaching only.
    Source: Manohar 2014, Results.
    """
    law, kept = TREE.tree_noise(POSTER_BUDGET), slice(1, UNIVERSE + 1)
    alpha = noise_band(law, TreeEstimator.RAW, rng, beta=POSTER_BETA, runs=runs).pointwise[kept]
    noisy = TREE.release_many(column, POSTER_BUDGET, rng, runs=trials)
    raw = cdf_of_levels(noisy, column.bounds)
    truth = true_running_counts(column, raw.edges)[kept]
    frame = {"trial": np.arange(1, trials + 1), "points": UNIVERSE}
    counts = raw.counts[:, kept]
    for name, found in (("raw", counts), ("smoothed", smoothed(counts))):
        off = np.abs(found - truth)
        frame[name] = (off > alpha).sum(axis=1)
        frame[f"{name}_formula"] = (off > poster_alpha()).sum(axis=1)
        frame[f"largest_{name}"] = off.max(axis=1)
    errors = np.abs(simulated_errors(law, TreeEstimator.RAW, rng, runs=runs)[:, kept])
    beyond = float((errors > poster_alpha()).sum(axis=1).mean())
    return pd.DataFrame(frame).assign(expected=POSTER_BETA * UNIVERSE, beyond=beyond)
