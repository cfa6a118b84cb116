"""JointExp's input near its targets alone: tied values are spread only inside the windows."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.data.column import MOST_APART
from dpviz.core.errors import TooMuchWork
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows, certified_radius

ROOM = 32  # ranks more on each side than the cut alone would need
LEAST_WIDTH = 5e-324  # the least double: of very many records in the narrowest bounds
WORTH = 12  # the windows must be this many times shorter than the column


def near_problem(
    groups: SpreadGroups, bounds: Bounds, quantiles: FloatArray, c: float, rng: np.random.Generator
) -> tuple[JointProblem, Windows] | None:
    """The intervals of one spread that certified windows need, or None where they are too many.

    A first look at a few intervals around each target bounds the whole mass from below, and that
    certifies how far the windows must reach; the spread goes on from what was seen. Whether it
    begins at all must not hang on a spread: only n, the quantiles and c decide it.
    Guarantee: the law of the windows of JointProblem.of on values that were all spread.
    """
    reach = first_reach(int(groups.ranks[-1]), quantiles.size, c)
    if reach is None:
        return None
    return certified_near(LazySpread(groups, 1, rng), bounds, quantiles, c, reach)


def first_reach(n: int, m: int, c: float) -> float | None:
    """How far a first look reaches, in ranks, or None where it would see much of the column."""
    reach = CUT / (2 * c) + ROOM
    return reach if 2 * reach * m * WORTH < n else None


def check_counts(counted: bool, m: int, c: float, asked: str) -> None:
    """Refuse spread counts where windows might hold more records than can be held apart.

    That a column was made of counts is declared; how many records they are decides nothing.
    Raises: TooMuchWork.
    """
    if counted and first_reach(MOST_APART, m, c) is None:
        raise TooMuchWork(
            f"JointExp for {m:,} quantiles at {asked} looks so far around them that it would have "
            "to hold every record apart, and this column was made of counts. Spend more, ask for "
            "fewer quantiles, or choose ApproximateQuantiles."
        )


def certified_near(
    spread: LazySpread, bounds: Bounds, quantiles: FloatArray, c: float, reach: float
) -> tuple[JointProblem, Windows]:
    """One run's intervals within certified windows, by a first look within a reach."""
    n = int(spread.groups.ranks[-1])
    problem = _around(spread, n, bounds, quantiles, c, reach)
    radius = certified_radius(problem)
    if radius > reach:
        problem = _around(spread, n, bounds, quantiles, c, radius)
    return problem, Windows.within(problem, radius)


def _around(
    spread: LazySpread, n: int, bounds: Bounds, quantiles: FloatArray, c: float, reach: float
) -> JointProblem:
    rank = ranks_near(n * quantiles, reach, n)
    ends = np.stack([rank - 1, rank], axis=1)  # records below and above each interval
    inside = (ends >= 0) & (ends < n)
    edges = np.where(ends < 0, bounds.low, bounds.high)
    edges[inside] = spread.records(ends[inside])
    width = edges[:, 1] - edges[:, 0]
    # as in a column that is held whole, records on one double leave no interval between them; but
    # a target around which there is none at all would be sent beyond all that was looked at
    targets = n * quantiles
    nearest = np.searchsorted((targets[1:] + targets[:-1]) / 2, rank)
    bare = np.bincount(nearest[width > 0], minlength=targets.size) == 0
    tied = np.flatnonzero(inside.all(axis=1) & (width <= 0) & bare[nearest])
    width[tied] = _lost_widths(spread.groups, ends[tied])
    wide = width > 0
    return JointProblem(
        low=edges[wide, 0],
        width=width[wide],
        rank=rank[wide].astype(np.float64),
        gaps=n * np.diff(quantiles, prepend=0.0, append=1.0),
        targets=targets,
        c=c,
        span=bounds.width,
    )


def _lost_widths(groups: SpreadGroups, ends: IntArray) -> FloatArray:
    """Widths of intervals between records (k, 2) whose values are one double, (k,).

    Within a group they are spread over more places than doubles have: their mean distance.
    """
    group = np.searchsorted(groups.ranks, ends, side="right") - 1
    each = np.maximum((groups.high - groups.low) / np.diff(groups.ranks), LEAST_WIDTH)
    return np.where(group[:, 0] == group[:, 1], each[group[:, 0]], 0.0)


def ranks_near(targets: FloatArray, reach: float, n: int) -> IntArray:
    """All whole ranks 0..n within reach of a target, ascending."""
    first = np.clip(np.ceil(targets - reach), 0, n).astype(np.int64)
    last = np.clip(np.floor(targets + reach), 0, n).astype(np.int64)
    first[1:] = np.maximum(first[1:], last[:-1] + 1)  # targets ascend: each rank once
    counts = np.maximum(last - first + 1, 0)
    starts = np.repeat(first - (np.cumsum(counts) - counts), counts)
    return starts + np.arange(counts.sum())
