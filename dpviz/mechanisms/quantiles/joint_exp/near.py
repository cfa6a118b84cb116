"""JointExp's input near its targets alone: tied values are spread only inside the windows."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows, certified_radius

ROOM = 32  # ranks more on each side than the cut alone would need
WORTH = 12  # the windows must be this many times shorter than the column


def near_problem(
    groups: SpreadGroups,
    bounds: Bounds,
    quantiles: FloatArray,
    c: float,
    rng: np.random.Generator,
) -> tuple[JointProblem, Windows] | None:
    """The intervals of one spread that certified windows need, or None where they are too many.

    A first look at a few intervals around each target bounds the whole mass from below, and that
    certifies how far the windows must reach; the spread goes on from what was seen.
    Guarantee: the law of the windows of JointProblem.of on values that were all spread.
    """
    n, spread = int(groups.ranks[-1]), LazySpread(groups, 1, rng)
    reach = CUT / (2 * c) + ROOM
    if not 2 * reach * quantiles.size * WORTH < n:
        return None
    problem = _around(spread, n, bounds, quantiles, c, reach)
    radius = certified_radius(problem)
    if not 2 * radius * quantiles.size * WORTH < n:
        return None
    if radius > reach:
        problem = _around(spread, n, bounds, quantiles, c, radius)
    return problem, Windows.within(problem, radius)


def _around(
    spread: LazySpread, n: int, bounds: Bounds, quantiles: FloatArray, c: float, reach: float
) -> JointProblem:
    rank = _ranks(n * quantiles, reach, n)
    ends = np.stack([rank - 1, rank], axis=1)  # records below and above each interval
    inside = (ends >= 0) & (ends < n)
    edges = np.where(ends < 0, bounds.low, bounds.high)
    edges[inside] = spread.records(ends[inside])
    width = edges[:, 1] - edges[:, 0]
    wide = width > 0
    return JointProblem(
        low=edges[wide, 0],
        width=width[wide],
        rank=rank[wide].astype(np.float64),
        gaps=n * np.diff(quantiles, prepend=0.0, append=1.0),
        targets=n * quantiles,
        c=c,
        span=bounds.width,
    )


def _ranks(targets: FloatArray, reach: float, n: int) -> IntArray:
    """All whole ranks 0..n within reach of a target, ascending."""
    first = np.clip(np.ceil(targets - reach), 0, n).astype(np.int64)
    last = np.clip(np.floor(targets + reach), 0, n).astype(np.int64)
    first[1:] = np.maximum(first[1:], last[:-1] + 1)  # targets ascend: each rank once
    counts = np.maximum(last - first + 1, 0)
    starts = np.repeat(first - (np.cumsum(counts) - counts), counts)
    return starts + np.arange(counts.sum())
