"""The rungs an exponential mechanism climbs: the intervals between consecutive records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential


class Climbable(Protocol):
    """What the sampler asks of records in ascending order; intervals are counted across runs."""

    def rank(self, interval: IntArray) -> FloatArray:
        """Records below an interval, elementwise, up to a constant a run."""

    def first_from(self, rank: FloatArray) -> FloatArray:
        """The first interval with at least this rank, elementwise."""

    def edge_below(self, problems: Problems, interval: IntArray) -> FloatArray:
        """Lower edge (p, b) of intervals first..last, the upper end of the range for last + 1."""

    def holding(self, point: FloatArray, first: IntArray, last: IntArray) -> IntArray:
        """The interval in first..last that holds each point; edges of both must be known."""

    def beside(
        self, problems: Problems, drawn: FloatArray, interval: IntArray
    ) -> tuple[IntArray, IntArray]:
        """The last interval below and the first above a drawn value, records equal to it out."""


@confidential()
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

    def edge_below(self, problems: Problems, interval: IntArray) -> FloatArray:
        """Lower edge (p, b) of intervals first..last, the upper end of the range for last + 1."""
        first, last = problems.first[:, None], problems.last[:, None]
        if self.values.size:
            edge = self.values.take(interval - 1, mode="clip")
        else:
            edge = np.empty(interval.shape)
        edge = np.where(interval <= first, problems.low[:, None], edge)
        return np.where(interval > last, problems.high[:, None], edge)

    def holding(self, point: FloatArray, first: IntArray, last: IntArray) -> IntArray:
        """The interval in first..last that holds each point."""
        return first_not_below(self.values, point, first, last)

    def beside(
        self, problems: Problems, drawn: FloatArray, interval: IntArray
    ) -> tuple[IntArray, IntArray]:
        """The last interval below and the first above a drawn value, records equal to it out."""
        if not self.values.size:
            return interval, interval
        under = self.values.take(interval - 1, mode="clip") == drawn
        at = self.values.take(interval, mode="clip") == drawn
        below: IntArray = interval - ((interval > problems.first) & under)
        above: IntArray = interval + ((interval < problems.last) & at)
        return below, above


def first_not_below(
    values: FloatArray | IntArray, point: FloatArray | IntArray, first: IntArray, last: IntArray
) -> IntArray:
    """The first index in first..last whose value is not below a point, by bisection of all."""
    low, high = first.copy(), last.copy()
    while True:
        open_ = low < high
        if not open_.any():
            return low
        middle = (low + high) >> 1
        right = open_ & (values.take(middle, mode="clip") < point)
        low = np.where(right, middle + 1, low)
        high = np.where(open_ & ~right, middle, high)


@confidential()
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
        return Problems(*(one[rows] for one in vars(self).values()))
