"""Medians of windows in doubles, for many runs at once: for studies.

A window holds the places R − h .. R + h of the sorted column; in front of the first place is the
lower bound, behind the last one the upper bound. Its median is drawn by the exponential mechanism
in the range that earlier medians left. Seen from the column that is the quantile R − ½, with
ranks that do not go on beyond the window's ends: k records below count as R − h − 1 at least and
as R + h at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.checks import checked_runs, checked_whole
from dpviz.core.confidential import confidential
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.bits import only_seeded
from dpviz.mechanisms.exponential.ladder import Problems
from dpviz.mechanisms.exponential.treated_ladders import Climbs, compressed
from dpviz.mechanisms.quantiles.recursion import Level, Plan, plan
from dpviz.mechanisms.quantiles.slices.price import WIDEST, checked_epsilon
from dpviz.mechanisms.quantiles.slices.ranks import checked_ranks, rank_noise
from dpviz.mechanisms.unbounded.guesses import present

ELEMENTS = 1 << 20  # edges of windows held at once


def slice_draws(
    values: ArrayLike,
    low: float,
    high: float,
    ranks: ArrayLike,
    half: int,
    eps_rank: float,
    eps_slice: float,
    rng: np.random.Generator,
    runs: int,
) -> FloatArray:
    """Medians of windows of 2·half + 1 places around noisy ranks, (runs, m); ascending in a run.

    ranks (m,) are public places of the sorted values, from 1. Where noise brings two of them
    closer than 2·half + 1, the run is m uniform values in ascending order.
    Guarantee: (cost, delta)-DP a run, up to rounding; with ranks that are the same for neighbouring
    data, whose number of records is public or was paid for.
    Raises: InvalidData for values that are not numbers in one dimension, InvalidBounds,
    InvalidParameter for the rest; NotExact for bits, which a study never takes.
    Source: idea of Imola et al. 2025; this version and its proof are this project's.
    """
    bounds, wanted = Bounds(low, high), checked_ranks(ranks)
    half = checked_whole(half, "half", 0, WIDEST)
    eta = checked_epsilon(eps_slice, "eps_slice") / 2
    seeded, runs = only_seeded(rng, "A study of several runs"), checked_runs(runs)
    given = np.sort(np.clip(present(values), bounds.low, bounds.high))
    noisy = wanted + rank_noise(wanted.size, eps_rank, seeded, runs)  # spends ε_r
    climbs = compressed(given[None])
    start = np.zeros(runs, dtype=np.int64)
    every = Climbs(climbs.ladder, start, start + climbs.last)
    return draw_slices(every, given.size, bounds, noisy, half, eta, seeded)


def draw_slices(
    climbs: Climbs,
    count: int,
    bounds: Bounds,
    ranks: IntArray,
    half: int,
    eta: float,
    rng: np.random.Generator,
    fits: BoolArray | None = None,
) -> FloatArray:
    """One median for each noisy rank (runs, m) of every run, on ladders of `count` records.

    Runs that do not fit, or whose ranks are too close, are m uniform values in ascending order.
    """
    runs, m = ranks.shape
    drawn = np.sort(bounds.low + rng.random((runs, m)) * bounds.width, axis=1)
    apart = (np.diff(ranks, axis=1) >= 2 * half + 1).all(axis=1)
    rows = np.flatnonzero(apart if fits is None else apart & fits)
    if rows.size:
        some = Climbs(climbs.ladder, climbs.first[rows], climbs.last[rows])
        drawn[rows] = _medians(Windows(some, count, ranks[rows], half, eta), bounds, rng)
    return drawn


@confidential("half", "eta")
@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of several runs that do not meet: confidential. ranks (runs, m), η is ε_s/2."""

    climbs: Climbs
    count: int
    ranks: IntArray
    half: int
    eta: float

    def ends(self) -> tuple[IntArray, IntArray]:
        """The fewest and the most records below that each window tells apart, (runs, m)."""
        low = np.clip(self.ranks - self.half - 1, 0, self.count)
        return low, np.clip(self.ranks + self.half, low, self.count)


def middle_first(m: int) -> Plan:
    """The order of m windows: the middle one, then the middle ones of either side, and so on."""
    return plan(QuantileSet.of(uniform_quantiles(m)))


def _medians(windows: Windows, bounds: Bounds, rng: np.random.Generator) -> FloatArray:
    runs, m = windows.ranks.shape
    values = np.empty((runs, m + 2))
    values[:, 0], values[:, -1] = bounds.low, bounds.high
    for nodes in middle_first(m).levels:
        values[:, nodes.position] = _level(windows, nodes, values, rng)  # spends ε_s
    return values[:, 1:-1]


def _level(
    windows: Windows, nodes: Level, values: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """The medians of the windows of one level, (runs, nodes)."""
    at, shape = nodes.position - 1, (values.shape[0], nodes.position.size)
    climbs, (fewest, most_of_all) = windows.climbs, windows.ends()
    ladder = climbs.ladder
    before = ladder.rank(climbs.first)[:, None]
    least, most = before + fewest[:, at], before + most_of_all[:, at]
    target = np.clip(before + windows.ranks[:, at] - 0.5, least, most)
    first, last = (np.broadcast_to(end[:, None], shape) for end in (climbs.first, climbs.last))
    # from the last interval with no more records below than the window tells apart, which is in
    # front of the first one with more, to the first interval with as many
    lowest = np.clip(ladder.first_from(least + 1).astype(np.int64) - 1, first, last)
    highest = np.clip(ladder.first_from(most).astype(np.int64), lowest, last)
    low, high = values[:, nodes.left].ravel(), values[:, nodes.right].ravel()
    eta = np.full(low.size, windows.eta)
    problems = Problems(lowest.ravel(), highest.ravel(), low, high, target.ravel(), eta)
    return _drawn(windows, problems, least.ravel(), most.ravel(), rng).reshape(shape)


def _drawn(
    windows: Windows,
    problems: Problems,
    least: FloatArray,
    most: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    widest = int((problems.last - problems.first).max()) + 1
    at_once = max(1, ELEMENTS // (widest + 1))
    drawn = np.empty(problems.first.size)
    for start in range(0, drawn.size, at_once):
        rows = slice(start, start + at_once)
        drawn[rows] = _some(windows, problems.take(rows), least[rows], most[rows], rng)
    return drawn


def _some(
    windows: Windows,
    problems: Problems,
    least: FloatArray,
    most: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """A value from each piecewise-constant density: intervals of a window, cut to its range."""
    ladder = windows.climbs.ladder
    size = int((problems.last - problems.first).max()) + 1
    interval = problems.first[:, None] + np.arange(size + 1)
    last = problems.last[:, None]
    edge = ladder.edge_below(problems, np.minimum(interval, last + 1))
    edge = np.clip(edge, problems.low[:, None], problems.high[:, None])
    width = np.diff(edge, axis=1)
    rank = np.clip(ladder.rank(np.minimum(interval[:, :-1], last)), least[:, None], most[:, None])
    away = np.abs(rank - problems.target[:, None])
    nearest = np.where(width > 0, away, np.inf).min(axis=1)[:, None]
    # intervals of no width may be nearer, and have no mass; a range of none has none at all
    farther = np.maximum(away - np.where(nearest < np.inf, nearest, 0), 0)
    weight = np.exp(-problems.eta[:, None] * farther)
    mass = np.cumsum(width * weight, axis=1)
    wanted = rng.random(mass.shape[0]) * mass[:, -1]
    found = np.minimum((mass <= wanted[:, None]).sum(axis=1), size - 1)
    row = np.arange(found.size)
    low, high = edge[row, found], edge[row, found + 1]
    inside = np.minimum(low + rng.random(found.size) * (high - low), high)
    return np.where(mass[:, -1] > 0, inside, problems.low)
