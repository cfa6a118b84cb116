"""The ladders that several runs climb, after each run's own treatment of ties."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential.ladder import Climbable, Ladder
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, is_randomised, untied_runs

VALUES_AT_ONCE = 1 << 22  # treated values held in memory at once
PROBLEMS_AT_ONCE = 1 << 10  # on one lazy spread: what it has learnt stays in fast memory
RECORDS_AT_ONCE = 1 << 26  # on one lazy spread: the ranks of later runs are large and less precise
# measured: spreading this many records takes as long as one problem on a lazy spread, …
RECORDS_A_PROBLEM = 2_000
RECORDS_A_CALL = 200_000  # … or as a whole call that has hardly anything to draw
LEAST_WORK = 1 << 24  # records × runs from which on it is worth it
NEAR_AT_ONCE = 1 << 20  # treated values held in memory at once
LEFT_OUT = 60 * math.log(2)  # of the chance, far below the rounding of a run in doubles
NARROW = 10.0  # log of how much narrower than a step the records near the target may lie
DEVIATIONS = 8.0  # of the rank of an end of the window, over all ways to spread


@confidential()
@dataclass(frozen=True, eq=False)
class Climbs:
    """Several runs on one ladder: run r climbs intervals first[r] .. last[r], shapes (runs,)."""

    ladder: Climbable
    first: IntArray
    last: IntArray


def treated_ladders(
    column: Column, ties: Ties, rng: np.random.Generator, runs: int
) -> Iterator[Climbs]:
    """Ladders for several runs, in pieces.

    An untouched column serves all runs at once. A randomised treatment is drawn anew for each run,
    several runs one behind the other. Equal values are compressed into jumps of the rank after
    every treatment: doubles are so sparse at large values that ties survive a spread or a jitter.
    """
    if not is_randomised(column, ties):
        values, up_to = column.steps if column.tied else (column.held, None)
        ranks = None if up_to is None else np.concatenate(([0], up_to))
        start = np.zeros(runs, dtype=np.int64)
        yield Climbs(Ladder(values, ranks), start, start + values.size)
        return
    at_once = max(1, VALUES_AT_ONCE // max(column.n, 1))
    for done in range(0, runs, at_once):
        yield compressed(untied_runs(column, ties, rng, min(at_once, runs - done)))


def compressed(values: FloatArray) -> Climbs:
    """The ladder of several runs (runs, n), each ascending, with equal values of a run as one."""
    runs, n = values.shape
    last_of_ties = np.ones((runs, n + 1), dtype=bool)
    np.not_equal(values[:, 1:], values[:, :-1], out=last_of_ties[:, 1:n])
    first_of_ties = last_of_ties[:, :n]
    distinct = first_of_ties.sum(axis=1)
    last = np.cumsum(distinct)
    flat = values.ravel()
    if last.size and last[-1] < flat.size:
        kept = np.flatnonzero(first_of_ties.ravel())
        ladder = Ladder(flat[kept], np.append(kept, flat.size))
    else:
        ladder = Ladder(flat)
    return Climbs(ladder, last - distinct, last)


def run_ladders(
    column: Column, ties: Ties, rng: np.random.Generator, runs: int, m: int
) -> Iterator[Climbs]:
    """As treated_ladders, for m problems a run; where it pays, a spread is drawn lazily.

    Guarantee: the same law, whichever way is taken. A single run always spreads everything.
    """
    groups = SpreadGroups.of(column) if _lazy_pays(column, ties, runs, m) else None
    if groups is None:
        yield from treated_ladders(column, ties, rng, runs)
        return
    at_once = max(1, min(PROBLEMS_AT_ONCE // m, RECORDS_AT_ONCE // column.n))
    for done in range(0, runs, at_once):
        part = min(at_once, runs - done)
        spread = LazySpread(groups, part, rng)
        first = np.arange(part) * spread.stride
        yield Climbs(spread, first, first + column.n)


def _lazy_pays(column: Column, ties: Ties, runs: int, m: int) -> bool:
    if ties is not Ties.SPREAD or column.resolution == 0:
        return False
    long = runs > 1 and column.n >= max(RECORDS_A_PROBLEM * m, RECORDS_A_CALL / runs)
    return long or column.too_many


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A stretch of the axis that holds the target's neighbours, whichever way records are spread.

    low and high are its ends; the records first … last − 1 of the ascending column may fall into
    it. reach is how many ranks on each side of the target decide; below and above them a draw falls
    with a chance of less than 2^−60.
    """

    low: float
    high: float
    first: int
    last: int
    target: float
    reach: float


def window_of(column: Column, target: float, eta: float) -> Window | None:
    """The window of a target rank, or None where spreading everything is as quick.

    Confidential, like everything in a run.
    """
    values, resolution, n = column.values, column.resolution, column.n
    width = exponential_bounds(column, Ties.SPREAD).width
    reach = math.ceil(2 * (LEFT_OUT + math.log(width / resolution) + NARROW) / eta)
    if not target - reach > 0 or not target + reach < n:
        return None
    half = resolution / 2
    sums = np.concatenate(([0.0], np.cumsum(values - values[0])))

    def mean_rank(at: float) -> float:
        """The mean number of records below a place, over all ways to spread them."""
        start, stop = np.searchsorted(values, [at - half, at + half]).tolist()
        inside = (stop - start) * (at + half - values[0]) - (sums[stop] - sums[start])
        return float(start + inside / resolution)

    spread = DEVIATIONS * math.sqrt(n) / 2  # of a sum of n coins at most
    ends = []
    for rank in (target - reach - spread, target + reach + spread):
        low, high = float(values[0]) - resolution, float(values[-1]) + resolution
        for _ in range(60):  # halvings
            middle = (low + high) / 2
            low, high = (middle, high) if mean_rank(middle) < rank else (low, middle)
        ends.append(middle)
    first, last = np.searchsorted(values, [ends[0] - half, ends[1] + half]).tolist()
    if last - first > n // 2:
        return None
    return Window(ends[0], ends[1], first, last, target, reach)


def near_target(
    column: Column, ties: Ties, rng: np.random.Generator, runs: int, target: float, eta: float
) -> Iterator[Climbs] | None:
    """Ladders for runs of one problem, or None where they have nothing to save.

    A run spreads the records that may come into the window; the others stand at its ends, which
    takes less than 2^−60 of the chance away from places beyond them. A run whose window does not
    hold what decides spreads all its other records as well.
    Guarantee: the law of treated_ladders, up to rounding.
    """
    spread = ties is Ties.SPREAD and column.resolution > 0
    if not spread or column.n * runs < LEAST_WORK or SpreadGroups.of(column) is not None:
        return None
    window = window_of(column, target, eta)
    return None if window is None else _ladders(column, window, rng, runs, eta)


def _ladders(
    column: Column, window: Window, rng: np.random.Generator, runs: int, eta: float
) -> Iterator[Climbs]:
    near = column.values[window.first : window.last]
    at_once = max(1, NEAR_AT_ONCE // near.size)
    for done in range(0, runs, at_once):
        moved = rng.random((min(at_once, runs - done), near.size))
        moved -= 0.5
        moved *= column.resolution
        moved += near
        yield _stacked([_run(column, window, one, rng, eta) for one in moved], column.n)


def _run(
    column: Column, window: Window, moved: FloatArray, rng: np.random.Generator, eta: float
) -> tuple[FloatArray, IntArray]:
    """One run's distinct values, and the number of records below each and in all."""
    bounds = exponential_bounds(column, Ties.SPREAD)
    is_inside = (moved > window.low) & (moved < window.high)
    inside = np.sort(moved[is_inside])
    below = window.first + int((moved <= window.low).sum())
    if _decides(window, inside, below, bounds.width, eta):
        values = np.concatenate(([window.low], inside, [window.high]))
        ranks = np.concatenate(([0], below + np.arange(inside.size + 1), [column.n]))
    else:
        others = np.delete(column.values, np.s_[window.first : window.last])
        others = others + column.resolution * (rng.random(others.size) - 0.5)
        values = np.sort(np.concatenate((moved, others)))
        ranks = np.arange(column.n + 1)
    values = np.clip(values, bounds.low, bounds.high)
    kept = np.append(True, values[1:] != values[:-1])
    return values[kept], np.append(ranks[:-1][kept], ranks[-1])


def _decides(window: Window, inside: FloatArray, below: int, width: float, eta: float) -> bool:
    """Whether less than 2^−60 of the chance lies beyond the window."""
    reach, target = window.reach, window.target
    if below > target - reach or below + inside.size < target + reach:
        return False
    near = inside[[int(target - reach / 2) - below, int(target + reach / 2) - below]]
    apart = float(near[1] - near[0])
    return apart > 0 and math.log(width / apart) - eta * reach / 2 <= -LEFT_OUT


def _stacked(runs: list[tuple[FloatArray, IntArray]], n: int) -> Climbs:
    """The ladder of several runs, one behind the other."""
    sizes = np.array([values.size for values, _ in runs])
    last = np.cumsum(sizes)
    ranks = [ranks[:-1] + number * n for number, (_, ranks) in enumerate(runs)]
    flat = np.concatenate([values for values, _ in runs])
    return Climbs(Ladder(flat, np.append(np.concatenate(ranks), len(runs) * n)), last - sizes, last)
