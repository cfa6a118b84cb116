"""Medians of windows on points: exact, level by level, for a release."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care, below
from dpviz.mechanisms.exponential.lazy_points import Records, records_below
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_problems import UNIT_BITS, PointProblems, Rank
from dpviz.mechanisms.quantiles.recursion import Plan


@confidential()
@dataclass(frozen=True, eq=False)
class WindowProblems(PointProblems):
    """Medians of windows: the records of each that lie in its range, and where the median is.

    twice (p,) is twice the target rank among these records, from 0 to twice their number.
    Places of a window beyond the column's ends, and records outside the range, lie on one side of
    every point of the range: they move the target and nothing else. Where that would move it
    beyond the records, all weights change by one factor, and it stays at their end.
    """

    twice: IntArray

    @classmethod
    def around(
        cls, records: Records, ranks: IntArray, half: int, eta: float, low: IntArray, high: IntArray
    ) -> "WindowProblems":
        """Windows around ranks (p,), in ranges [low, high) of points."""
        under, over = records_below(records, low), records_below(records, np.maximum(low, high))
        first = np.clip(ranks - half - 1, under, over)
        last = np.clip(ranks + half, first, over)
        twice = np.clip(2 * (ranks - first) - 1, 0, 2 * (last - first))
        zeros = np.zeros_like(low)
        etas = np.full(low.size, eta)
        return cls(first, last, low, high, zeros, etas, zeros, twice)

    @property
    def target(self) -> Rank:
        """The target rank among the records in the range: a half of a whole number."""
        return Rank(self.twice >> 1, (self.twice & 1) << (UNIT_BITS - 1))


def slices_on_points(
    records: Records,
    points: int,
    ranks: IntArray,
    half: int,
    eta: float,
    steps: Plan,
    bits: Bits,
    care: Care = USUAL,
) -> IntArray:
    """A median for each noisy rank (m,), drawn from 0 .. points − 1, the middle one first.

    A later window has the range strictly above the median on its left and below the one on its
    right, where there is room. Ranks that are less than 2·half + 1 apart have no windows: m uniform
    points in ascending order.
    Guarantee: with ideal bits the law is exactly that.
    """
    if (np.diff(ranks) < 2 * half + 1).any():
        return uniform_points(ranks.size, points, bits)
    values = np.empty(steps.m + 2, dtype=np.int64)
    values[0], values[-1] = -1, points
    for nodes in steps.levels:
        low, high = values[nodes.left] + 1, values[nodes.right]
        asked = ranks[nodes.position - 1]
        problems = WindowProblems.around(records, asked, half, eta, low, high)
        values[nodes.position] = draw_points(records, problems, points, bits, care)  # spends ε_s
    return values[1:-1]


def uniform_points(m: int, points: int, bits: Bits) -> IntArray:
    """M independent uniform points in ascending order: of no record's doing."""
    return np.sort(below(np.full(m, points, dtype=np.int64), bits))
