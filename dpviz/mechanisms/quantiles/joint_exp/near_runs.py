"""JointExp's input near its targets for many runs at once: one array of spread values for all.

Which records are needed is decided before any is drawn, and is the same for all runs. Whether a
run's windows are certified is looked at afterwards; a run whose windows are not draws further
records of the same spread. No spread is thrown away for what it looks like.

Every run has a table of its own, and the draw takes one step a quantile for all runs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.quantiles.joint_exp.forward import final_gap
from dpviz.mechanisms.quantiles.joint_exp.near import certified_near, ranks_near
from dpviz.mechanisms.quantiles.joint_exp.scaled import ScaledTables, scaled_tables
from dpviz.mechanisms.quantiles.joint_exp.window import (
    JointProblem,
    Windows,
    certified_radii,
    certified_radius,
)

AT_ONCE = 1 << 17  # entries of one table over all runs of a batch: 1 MB
SPARE = 3.0  # nats a quantile^½ that a run's mass may fall short of the first run's
Draw = Callable[[JointProblem, Windows, np.random.Generator], FloatArray]


def values_near(
    groups: SpreadGroups,
    bounds: Bounds,
    first: JointProblem,
    quantiles: FloatArray,
    rng: np.random.Generator,
    runs: int,
    draw: Draw,
) -> FloatArray:
    """Values (runs, m) of further runs, each with a spread of its own.

    first is the problem of another run: it says how far the others will have to look.
    draw gives the values (1, m) of one run alone.
    Guarantee: the law of near.near_problem and draw, run by run.
    """
    c, m = first.c, first.m
    reach = certified_radius(first) + SPARE * math.sqrt(m) / (2 * c)
    drawn = np.empty((runs, m))
    at_once = max(1, int(AT_ONCE / (m * (2 * reach + 1))))
    for done in range(0, runs, at_once):
        part = drawn[done : done + at_once]
        near = near_runs(groups, bounds, quantiles, c, reach, rng, part.shape[0])
        good = near.certified(reach)
        tables = scaled_tables(near.problem, near.windows, near.width)
        if tables is None:
            good[:] = False
        else:
            tables = replace(tables, sound=tables.sound & good)
            good = tables.sound
            places = sample_each(near.problem, near.windows, near.width, tables, rng)[good]
            part[good] = near.inside(good, places, rng)
        for run in np.flatnonzero(~good):
            part[run] = draw(*near.alone(int(run), quantiles, reach, rng), rng)[0]
    return drawn


@confidential("bounds")
@dataclass(frozen=True, eq=False)
class NearRuns:
    """The intervals of several spreads of a column at the same ranks, and windows for all.

    Shapes: record (k,), the records that were drawn; values (b, k + 2), theirs between the ends of
    the bounds; below (N,), the place there of each interval's lower end; width (b, N).
    problem has the ranks and the first run's intervals.
    """

    groups: SpreadGroups
    bounds: Bounds
    record: IntArray
    values: FloatArray
    below: IntArray
    width: FloatArray
    problem: JointProblem
    windows: Windows

    def certified(self, radius: float) -> BoolArray:
        """The runs (b,) whose windows of this radius leave out less than 2^-60 of the mass."""
        return np.asarray(certified_radii(self.problem, self.width) <= radius)

    def inside(self, runs: BoolArray, places: IntArray, rng: np.random.Generator) -> FloatArray:
        """A uniform value inside each interval (k, m) of the k chosen runs; rows ascend."""
        values = rng.random(places.shape)
        values *= np.take_along_axis(self.width[runs], places, axis=1)
        values += np.take_along_axis(self.values[runs], self.below[places], axis=1)
        values.sort(axis=1)
        return values

    def alone(
        self, run: int, quantiles: FloatArray, reach: float, rng: np.random.Generator
    ) -> tuple[JointProblem, Windows]:
        """One run's own intervals and windows; its spread goes on from what was drawn."""
        spread = LazySpread(self.groups, 1, rng)
        spread.hold(self.record, self.values[run, 1:-1])
        return certified_near(spread, self.bounds, quantiles, self.problem.c, reach)


def near_runs(
    groups: SpreadGroups,
    bounds: Bounds,
    quantiles: FloatArray,
    c: float,
    reach: float,
    rng: np.random.Generator,
    runs: int,
) -> NearRuns:
    """Independent spreads, drawn within a reach of the targets that was fixed before them."""
    n = int(groups.ranks[-1])
    rank = ranks_near(n * quantiles, reach, n)
    record = np.concatenate((rank - 1, rank))  # below and above each interval
    record = np.unique(record[(record >= 0) & (record < n)])
    values = np.empty((runs, record.size + 2))
    values[:, 0], values[:, -1] = bounds.low, bounds.high
    spread_records(groups, record, rng, values[:, 1:-1])
    above = np.searchsorted(record, rank) + 1
    width = np.take(values[:, 1:] - values[:, :-1], above - 1, axis=1)
    problem = JointProblem(
        low=values[0, above - 1],
        width=width[0],
        rank=rank.astype(np.float64),
        gaps=n * np.diff(quantiles, prepend=0.0, append=1.0),
        targets=n * quantiles,
        c=c,
        span=bounds.width,
    )
    windows = Windows.within(problem, reach)
    return NearRuns(groups, bounds, record, values, above - 1, width, problem, windows)


def spread_records(
    groups: SpreadGroups, record: IntArray, rng: np.random.Generator, values: FloatArray
) -> None:
    """Write the values of ascending records (k,) in independent spreads to values (b, k).

    Order statistics of uniforms: partial sums of exponential steps over their total.
    """
    group = np.searchsorted(groups.ranks, record, side="right") - 1
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(begins, append=record.size)
    hit = group[begins]
    gaps = np.diff(record, prepend=0)
    gaps[begins] = record[begins] - groups.ranks[hit] + 1
    left = groups.ranks[hit + 1] - record[begins + sizes - 1]
    runs = values.shape[0]
    rng.standard_exponential(out=(steps := np.empty(values.shape)))
    wide = np.flatnonzero(gaps > 1)
    steps[:, wide] = rng.standard_gamma(gaps[wide], (runs, wide.size))
    reached = np.add.reduceat(steps, begins, axis=1)
    total = reached + rng.standard_gamma(left, (runs, hit.size))
    steps[:, begins[1:]] -= reached[:, :-1]  # the running sum starts anew in each group
    np.cumsum(steps, axis=1, out=values)
    values *= np.repeat((groups.high - groups.low)[hit] / total, sizes, axis=1)
    values += groups.low[group]
    np.clip(values, groups.low[group], groups.high[group], out=values)


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
