"""The ladders that several runs climb, after each run's own treatment of ties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential.ladder import Climbable, Ladder
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, is_randomised, untied_runs

VALUES_AT_ONCE = 1 << 22  # treated values held in memory at once
PROBLEMS_AT_ONCE = 1 << 10  # on one lazy spread: what it has learnt stays in fast memory
RECORDS_AT_ONCE = 1 << 26  # on one lazy spread: the ranks of later runs are large and less precise
# measured: spreading this many records takes as long as one problem on a lazy spread, …
RECORDS_A_PROBLEM = 2_000
RECORDS_A_CALL = 200_000  # … or as a whole call that has hardly anything to draw


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
    spread = ties is Ties.SPREAD and column.resolution > 0
    return spread and runs > 1 and column.n >= max(RECORDS_A_PROBLEM * m, RECORDS_A_CALL / runs)
