"""JointExp's draw from its tables: from the last quantile down, one run of equal intervals a step.

All independent draws that stand at one quantile are moved together; draws that share the interval
above share one row of weights.
"""

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables, final_gap
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem

ELEMENTS = 1 << 20  # entries of a temporary table: 8 MB


def values_inside(
    problem: JointProblem, intervals: IntArray, rng: np.random.Generator
) -> FloatArray:
    """A uniform value inside each interval; each row (m,) ascending."""
    values = rng.random(intervals.shape)
    values *= problem.width[intervals]
    values += problem.low[intervals]
    values.sort(axis=1)
    return values


def sample_intervals(tables: Tables, rng: np.random.Generator, runs: int) -> IntArray:
    """The interval of each quantile, shape (runs, m), ascending along each row."""
    m, windows = tables.problem.m, tables.windows
    oldest = windows.oldest()
    lengths = np.arange(m, 0, -1.0)  # of runs, and below the logarithms of their factorials
    lengths = np.stack([lengths, gammaln(lengths + 1)])
    chosen = np.full((runs, m), tables.problem.rank.size, dtype=np.int64)
    above = np.empty(runs, dtype=np.int64)  # the interval that each draw has last chosen
    at = np.full(runs, m - 1)  # the quantile that it has come down to
    for j in range(m - 1, -1, -1):
        here = np.flatnonzero(at == j)
        if not here.size:
            continue
        step = max(1, ELEMENTS // int(windows.stop[j] - windows.first[j] + j + 1))
        for begin in range(0, here.size, step):
            rows = here[begin : begin + step]
            if j == m - 1:
                interval = _last_interval(tables, rng, rows.size)
            else:
                interval = _interval_below(tables, j, above[rows], rng)
            chosen[rows, j] = above[rows] = interval
            longest = m - j - 1 + int(oldest[j])
            at[rows] = _opening(tables, j, lengths[:, longest:], interval, rng) - 1
    # a run is marked at its last quantile only; intervals ascend, so the next mark is the least
    return np.minimum.accumulate(chosen[:, ::-1], axis=1)[:, ::-1]


def _last_interval(tables: Tables, rng: np.random.Generator, count: int) -> IntArray:
    j = tables.problem.m - 1
    weights = tables.f_of(j) + final_gap(tables.problem, tables.windows)
    first = int(tables.windows.first[j])
    return first + pick(weights[None], np.zeros(count, dtype=np.int64), rng)


def _interval_below(tables: Tables, j: int, above: IntArray, rng: np.random.Generator) -> IntArray:
    """Quantile j's interval, given that quantile j+1 opens a run in the interval above."""
    problem, windows = tables.problem, tables.windows
    distinct, row = distinct_of(above)
    first = int(windows.first[j])
    stop = min(int(windows.stop[j]), int(distinct[-1]))
    apart = problem.rank[distinct, None] - problem.rank[first:stop]
    weights = tables.f_of(j)[: stop - first] - problem.c * np.abs(apart - problem.gaps[j + 1])
    weights[apart <= 0] = -np.inf
    return first + pick(weights, row, rng)


def _opening(
    tables: Tables, j: int, lengths: FloatArray, interval: IntArray, rng: np.random.Generator
) -> IntArray:
    """The quantile that opened the run ending with j in the interval.

    lengths (2, openers) are those of all runs that may end here, the longest first, and ln length!.
    """
    problem, windows = tables.problem, tables.windows
    distinct, row = distinct_of(interval)
    length, log_factorial = lengths
    oldest: int = j + 1 - length.size
    openers = slice(oldest, j + 1)
    stop = windows.stop[openers]
    place = np.minimum(distinct[:, None], stop - 1) - windows.first[openers]
    weights = tables.g[tables.start[openers] + place]
    weights[distinct[:, None] >= stop] = -np.inf
    weights += length * np.log(problem.width[distinct])[:, None]
    weights -= log_factorial
    weights -= problem.c * (problem.targets[j] - problem.targets[openers])
    return oldest + pick(weights, row, rng)


def distinct_of(interval: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct intervals, ascending, and the place of each entry among them."""
    if interval.size == 1:  # a release is one draw, and np.unique takes its time
        return interval, np.zeros(1, dtype=np.int64)
    distinct, place = np.unique(interval, return_inverse=True)
    return distinct, place


def pick(log_weights: FloatArray, row: IntArray, rng: np.random.Generator) -> IntArray:
    """One column for each entry of row (p,), drawn by the weights of that row of (u, w)."""
    running = log_weights - np.maximum.reduce(log_weights, axis=1, keepdims=True)
    np.exp(running, out=running)
    np.add.accumulate(running, axis=1, out=running)
    level = rng.random(row.size) * running[row, -1]
    if running.shape[0] == 1:
        return np.asarray(running[0].searchsorted(level, side="right"))
    return np.asarray(np.count_nonzero(running[row] <= level[:, None], axis=1))
