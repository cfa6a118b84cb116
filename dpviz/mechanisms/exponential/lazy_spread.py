"""The spread of tied values, drawn only where an exponential mechanism looks at it.

A draw looks at a few hundred of n spread values. Each look either asks for the value of a record
or for the records below a value, and is answered by its law given all earlier answers: between
two neighbouring answers the records are independent and uniform. Nothing is ever forgotten, so
the rejected proposals and all levels of a run see one and the same spread.
"""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.ladder import Problems, first_not_below
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups


@confidential()
class LazySpread:
    """A ladder whose values are drawn when asked for; it grows by what was asked. Confidential.

    Run r owns the intervals r·(n+1) .. r·(n+1) + n, and its record j ends interval r·(n+1) + j.
    Shapes: value (k,) and place (k,), the answers of all runs in ascending order: record e has
    place 2e + 1, and a value known to lie in interval i (a probe) has place 2i.
    Guarantee: the joint law of all answers is that of spreading every record independently.
    """

    def __init__(self, groups: SpreadGroups, runs: int, rng: np.random.Generator) -> None:
        self.groups, self.rng = groups, rng
        self.stride = int(groups.ranks[-1]) + 1
        # a record that is none, in front of and behind every run, keeps the runs apart
        self.place = 2 * self.stride * np.arange(runs + 1) - 1
        self.value = np.full(runs + 1, np.inf)

    def hold(self, record: IntArray, value: FloatArray) -> None:
        """Take ascending records (k,) of a fresh single run with values drawn elsewhere."""
        self._insert(np.ones(record.size, dtype=np.int64), value, 2 * record + 1)

    def rank(self, interval: IntArray) -> FloatArray:
        """Records below an interval, elementwise, up to a constant a run."""
        return interval.astype(np.float64)

    def first_from(self, rank: FloatArray) -> FloatArray:
        """The first interval with at least this rank, elementwise."""
        return np.ceil(rank)

    def edge_below(self, problems: Problems, interval: IntArray) -> FloatArray:
        """Lower edge (p, b) of intervals first..last, the upper end of the range for last + 1."""
        above = interval > problems.last[:, None]
        edge = np.where(above, problems.high[:, None], problems.low[:, None])
        inside = (interval > problems.first[:, None]) & ~above
        edge[inside] = self.records(interval[inside] - 1)
        return edge

    def beside(
        self,
        problems: Problems,  # noqa: ARG002  a ladder of given values needs it
        drawn: FloatArray,  # noqa: ARG002
        interval: IntArray,
    ) -> tuple[IntArray, IntArray]:
        """The interval itself, twice: no record of a continuous law equals a drawn value."""
        return interval, interval

    def records(self, record: IntArray) -> FloatArray:
        """The values of records (q,), in any order and with repeats."""
        at = np.searchsorted(self.place, 2 * record + 1)
        new = self.place[at] != 2 * record + 1
        if new.any():
            ordered = np.sort(record[new])  # np.unique hashes, ten times slower
            self._draw_records(ordered[np.diff(ordered, prepend=-1) > 0])
            at = np.searchsorted(self.place, 2 * record + 1)
        return self.value[at]

    def _draw_records(self, record: IntArray) -> None:
        """Order statistics of uniforms: partial sums of exponential steps over their total."""
        at = np.searchsorted(self.place, 2 * record + 1)
        run = record // self.stride
        group = np.searchsorted(self.groups.ranks, record - run * self.stride, side="right") - 1
        low, first, high, last = self._segment(at, run, group)
        begins = np.flatnonzero(np.diff(first, prepend=-1))  # requests of one segment share first
        ends = np.append(begins[1:], record.size) - 1
        gaps = np.diff(record, prepend=0)
        gaps[begins] = record[begins] - first[begins] + 1
        steps = self.rng.standard_gamma(gaps)
        reached = np.add.reduceat(steps, begins)
        total = reached + self.rng.standard_gamma(last[ends] - record[ends])
        steps[begins[1:]] -= reached[:-1]  # the running sum starts anew in each segment
        share = np.cumsum(steps) / np.repeat(total, ends - begins + 1)
        self._insert(at, np.clip(low + share * (high - low), low, high), 2 * record + 1)

    def holding(self, point: FloatArray, first: IntArray, last: IntArray) -> IntArray:
        """The interval in first..last that holds each point; edges of both must be known.

        Points between the same two answers depend on each other: the middle one is drawn, then
        those on its two sides are again a matter of their own.
        """
        found, rows = first.copy(), np.flatnonzero(first < last)
        while rows.size:
            at = self._position(point[rows], first[rows], last[rows])
            order = np.lexsort((point[rows], at))
            begins = np.flatnonzero(np.diff(at[order], prepend=-1))
            middle = order[(begins + np.append(begins[1:], rows.size)) >> 1]
            drawn = rows[middle]
            found[drawn] = self._draw_counts(at[middle], point[drawn], first[drawn] // self.stride)
            rows = np.delete(rows, middle)
        return found

    def _position(self, point: FloatArray, first: IntArray, last: IntArray) -> IntArray:
        low = np.searchsorted(self.place, 2 * first)
        high = np.searchsorted(self.place, 2 * last, side="right")
        return first_not_below(self.value, point, low, high)

    def _draw_counts(self, at: IntArray, point: FloatArray, run: IntArray) -> IntArray:
        """How many records of its segment lie below each point: binomial; as an interval."""
        group = np.minimum(np.searchsorted(self.groups.high, point), self.groups.high.size - 1)
        low, first, high, last = self._segment(at, run, group)
        inside = np.clip(point, low, high)  # between groups no record is in doubt
        none = (point > high).astype(np.float64)  # of a segment without width, all or none
        share = np.divide(inside - low, high - low, out=none, where=high > low)
        interval = first + self.rng.binomial(last - first, share)
        self._insert(at, point, 2 * interval)
        return interval

    def _segment(
        self, at: IntArray, run: IntArray, group: IntArray
    ) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
        """The records first..last − 1 still in doubt around positions, uniform in (low, high)."""
        least = run * self.stride + self.groups.ranks[group]
        most = run * self.stride + self.groups.ranks[group + 1]
        low, high = self.groups.low[group], self.groups.high[group]
        under, over = self.place[at - 1], self.place[at]
        # answers beyond the ends of the group say nothing, and may be another run's
        low = np.where(under >= 2 * least, np.maximum(low, self.value[at - 1]), low)
        high = np.where(over <= 2 * most, np.minimum(high, self.value[at]), high)
        return low, np.maximum(least, (under + 1) >> 1), high, np.minimum(most, over >> 1)

    def _insert(self, at: IntArray, value: FloatArray, place: IntArray) -> None:
        self.value = np.insert(self.value, at, value)
        self.place = np.insert(self.place, at, place)
