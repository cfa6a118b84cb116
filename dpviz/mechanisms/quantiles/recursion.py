"""The recursion of ApproximateQuantiles laid out by level: which quantile is drawn when, in what.

Positions 0 and m + 1 stand for the ends of the public range, 1..m for the distinct quantiles in
ascending order; a node draws one quantile inside the range between two earlier ones.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import Recursion


@dataclass(frozen=True, eq=False)
class Level:
    """The nodes of one level. Shapes: all (nodes,).

    position is the quantile drawn, left and right are the positions of the ends of its range,
    normalised is the quantile relative to that range.
    """

    position: IntArray
    left: IntArray
    right: IntArray
    normalised: FloatArray


@dataclass(frozen=True, eq=False)
class Plan:
    """All levels of a recursion over m quantiles: L = ⌊log2 m⌋ + 1 of them."""

    levels: tuple[Level, ...]
    m: int

    def public_part(self, values: FloatArray) -> Recursion:
        """Ranges, normalised quantiles and values of a run, from its public values (m + 2,)."""
        level, left, right = (np.empty(self.m, dtype=np.int64) for _ in range(3))
        normalised = np.empty(self.m)
        for depth, nodes in enumerate(self.levels, start=1):
            at = nodes.position - 1
            level[at], left[at], right[at] = depth, nodes.left, nodes.right
            normalised[at] = nodes.normalised
        return Recursion(
            level.astype(np.float64), values[left], values[right], normalised, values[1:-1]
        )


def plan(quantiles: QuantileSet) -> Plan:
    """Middle quantile first (position ⌈m/2⌉ of each run), then both sides, level by level.

    Source: Kaplan, Schnapp and Stemmer 2021, Algorithm 1.
    """
    return _plan(quantiles.distinct.tobytes())


@lru_cache(maxsize=64)  # quantile sets are public
def _plan(distinct: bytes) -> Plan:
    q = np.concatenate(([0.0], np.frombuffer(distinct), [1.0]))
    m = q.size - 2
    left, right = np.array([0]), np.array([m + 1])
    levels = []
    while left.size:
        position = left + (right - left) // 2
        normalised = (q[position] - q[left]) / (q[right] - q[left])
        levels.append(Level(position, left, right, normalised))
        left, right = np.stack((left, position), 1).ravel(), np.stack((position, right), 1).ravel()
        open_ = right - left > 1
        left, right = left[open_], right[open_]
    return Plan(tuple(levels), m)
