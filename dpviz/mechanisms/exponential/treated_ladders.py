"""The ladders that several runs climb, after each run's own treatment of ties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.data import Column
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


def treated_ladders(
    column: Column, ties: Ties, rng: np.random.Generator, runs: int
) -> Iterator[tuple[Ladder, IntArray]]:
    """Ladders for several runs, in pieces: a ladder and where each run starts on it.

    An untouched column serves all runs at once, its ties compressed into jumps of the rank. A
    randomised treatment is drawn anew for each run, several runs one behind the other.
    """
    if not is_randomised(column, ties):
        values, up_to = column.steps if column.tied else (column.values, None)
        ranks = None if up_to is None else np.concatenate(([0], up_to))
        yield Ladder(values, ranks), np.zeros(runs, dtype=np.int64)
        return
    at_once = max(1, VALUES_AT_ONCE // max(column.n, 1))
    for done in range(0, runs, at_once):
        part = min(at_once, runs - done)
        starts = np.arange(part, dtype=np.int64) * column.n
        yield Ladder(untied_runs(column, ties, rng, part).ravel()), starts


def run_ladders(
    column: Column, ties: Ties, rng: np.random.Generator, runs: int, m: int
) -> Iterator[tuple[Climbable, IntArray]]:
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
        yield spread, np.arange(part) * spread.stride


def _lazy_pays(column: Column, ties: Ties, runs: int, m: int) -> bool:
    spread = ties is Ties.SPREAD and column.resolution > 0
    return spread and runs > 1 and column.n >= max(RECORDS_A_PROBLEM * m, RECORDS_A_CALL / runs)


def rungs(column: Column, ladder: Climbable) -> int:
    """d, how many values of a ladder belong to one run."""
    compressed = isinstance(ladder, Ladder) and ladder.ranks is not None
    return column.steps[0].size if compressed else column.n
