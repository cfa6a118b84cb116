"""The rungs an exponential mechanism climbs: the intervals between consecutive records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.data import Column
from dpviz.mechanisms.ties import Ties, is_randomised, untied_runs


@dataclass(frozen=True, eq=False)
class Ladder:
    """Ascending values whose gaps are the intervals 0..d; interval i ends at values[i].

    Shapes: values (d,); ranks (d+1,), the records below each interval, or None for 0..d.
    Several runs may lie one behind the other: run r then owns intervals r·n .. r·n + n, and a
    problem's own range replaces the edges at both of its ends.
    """

    values: FloatArray
    ranks: IntArray | None = None

    def rank(self, interval: IntArray) -> FloatArray:
        """Records below an interval, elementwise."""
        found = interval if self.ranks is None else self.ranks[interval]
        return found.astype(np.float64)

    def first_from(self, rank: FloatArray) -> FloatArray:
        """The first interval with at least this many records below, elementwise."""
        if self.ranks is None:
            return np.ceil(rank)
        return np.searchsorted(self.ranks, rank, side="left").astype(np.float64)


VALUES_AT_ONCE = 1 << 22  # treated values held in memory at once


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


def rungs(column: Column, ladder: Ladder) -> int:
    """d, how many values of a ladder belong to one run."""
    return column.n if ladder.ranks is None else ladder.values.size


@dataclass(frozen=True, eq=False)
class Problems:
    """Independent one-quantile problems on one ladder.

    Shapes: all (p,). Records values[first:last] lie in the range (low, high), whose intervals
    are first..last; target is the wanted number of records below, in ladder ranks; eta is η.
    """

    first: IntArray
    last: IntArray
    low: FloatArray
    high: FloatArray
    target: FloatArray
    eta: FloatArray

    def take(self, rows: IntArray | BoolArray | slice) -> Problems:
        """The problems at some rows."""
        return Problems(
            self.first[rows],
            self.last[rows],
            self.low[rows],
            self.high[rows],
            self.target[rows],
            self.eta[rows],
        )


def edge_below(ladder: Ladder, problems: Problems, interval: IntArray) -> FloatArray:
    """Lower edge (p, b) of intervals first..last, and the upper end of the range for last + 1."""
    first, last = problems.first[:, None], problems.last[:, None]
    if ladder.values.size:
        edge = ladder.values.take(interval - 1, mode="clip")
    else:
        edge = np.empty(interval.shape)
    edge = np.where(interval <= first, problems.low[:, None], edge)
    return np.where(interval > last, problems.high[:, None], edge)
