"""JointExp's draw where every run has a table of its own: one step a quantile for all runs."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.mechanisms.quantiles.joint_exp.forward import final_gap
from dpviz.mechanisms.quantiles.joint_exp.scaled import ScaledTables
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows


def sample_each(
    problem: JointProblem,
    windows: Windows,
    width: FloatArray,
    tables: ScaledTables,
    rng: np.random.Generator,
) -> IntArray:
    """The interval of each quantile, shape (b, m): one draw from each column's table.

    width (b, N) are the columns' intervals. The law is that of sampler.sample_intervals.
    Columns whose tables are not sound are left out: theirs is the number of intervals throughout.
    """
    m, runs = problem.m, width.shape[0]
    start, oldest = windows.start, windows.oldest()
    chosen = np.full((runs, m), problem.rank.size, dtype=np.int64)
    above = np.empty(runs, dtype=np.int64)  # the interval that each draw has last chosen
    at = np.where(tables.sound, m - 1, -1)  # the quantile that it has come down to
    for j in range(m - 1, -1, -1):
        here = np.flatnonzero(at == j)
        if not here.size:
            continue
        first, stop, begin = int(windows.first[j]), int(windows.stop[j]), int(start[j])
        weights = tables.f[here, begin : begin + stop - first]  # a copy
        if j == m - 1:
            weights += final_gap(problem, windows)
        else:
            apart = problem.rank[above[here], None] - problem.rank[first:stop]
            weights -= problem.c * np.abs(apart - problem.gaps[j + 1])
            weights[apart <= 0] = -np.inf
        interval = first + _pick_each(weights, rng)
        chosen[here, j] = above[here] = interval
        at[here] = j - 1
        if oldest[j] < j:
            openers = slice(int(oldest[j]), j + 1)
            place = np.minimum(interval[:, None], windows.stop[openers] - 1)
            weights = tables.g[here[:, None], start[openers] + place - windows.first[openers]]
            weights[interval[:, None] >= windows.stop[openers]] = -np.inf
            length = j + 1.0 - np.arange(int(oldest[j]), j + 1)
            weights += length * np.log(width[here, interval])[:, None]
            weights -= gammaln(length + 1)
            weights -= problem.c * (problem.targets[j] - problem.targets[openers])
            at[here] = int(oldest[j]) + _pick_each(weights, rng) - 1
    # a run is marked at its last quantile only; intervals ascend, so the next mark is the least
    return np.minimum.accumulate(chosen[:, ::-1], axis=1)[:, ::-1]


def _pick_each(weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """One column for each row, drawn by its weights in logarithms, which are overwritten."""
    weights -= np.maximum.reduce(weights, axis=1, keepdims=True)
    np.exp(weights, out=weights)
    running = np.cumsum(weights, axis=1, out=weights)
    level = rng.random(weights.shape[0]) * running[:, -1]
    return np.asarray(np.count_nonzero(running <= level[:, None], axis=1))
