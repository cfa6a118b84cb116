"""The recursion of ApproximateQuantiles on points: exact, level by level, for a release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.point_grid import PointGrid
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.core.releases import Recursion
from dpviz.mechanisms.exponential.ladder import Ladder
from dpviz.mechanisms.exponential.lazy_points import Records, outline, records_below
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_problems import PointProblems, quantile_units
from dpviz.mechanisms.quantiles.descent import Run
from dpviz.mechanisms.quantiles.recursion import Plan


@confidential("grid")
@dataclass(frozen=True, eq=False)
class PointRun:
    """What one run of the recursion drew, and on which records: confidential but for its cells.

    Shapes: records (n,), ascending; values (m + 2,), points, with −1 and the number of points at
    the ends. One hidden spread of the records serves all levels.
    """

    grid: PointGrid
    records: Records
    plan: Plan
    etas: tuple[FloatArray, ...]
    values: IntArray

    def problems(self, level: int) -> PointProblems:
        """The sub-problems of one level: points and records strictly between two values."""
        nodes = self.plan.levels[level]
        low, high = self.values[nodes.left] + 1, self.values[nodes.right]
        first, last = records_below(self.records, np.stack((low, high)))
        last = np.maximum(first, last)
        units = quantile_units(nodes.normalised)
        return PointProblems(first, last, low, high, units, self.etas[level], np.zeros_like(low))

    @property
    def printed(self) -> FloatArray:
        """The number of each value's cell, (m,): all that leaves."""
        return self.grid.printed(self.values[1:-1] >> self.grid.shift)

    def public_part(self) -> Recursion:
        """Ranges, normalised quantiles and values: functions of the printed values."""
        reach = self.grid.reach
        return self.plan.public_part(np.concatenate(([reach.low], self.printed, [reach.high])))

    def in_units(self) -> Run:
        """The same run in the column's units, up to rounding: for teaching views. Confidential.

        Of more records than can be held apart those of a cell stand in a few even steps.
        """
        reach = self.grid.reach
        values = self.grid.middle(self.values)
        values[0], values[-1] = reach.low, reach.high
        points, ranks = outline(self.records)
        ladder = Ladder(self.grid.middle(points), ranks)
        above = np.searchsorted(points, self.values, side="right")
        below = np.searchsorted(points, self.values, side="left")
        return Run(ladder, self.plan, self.etas, values[None], above[None], below[None])


def descend_on_points(
    grid: PointGrid,
    records: Records,
    steps: Plan,
    etas: tuple[FloatArray, ...],
    bits: Bits,
    care: Care = USUAL,
) -> PointRun:
    """Draw every quantile; each level spends its share once.

    A record below the value goes left, one above it right, one that equals it to neither side.
    """
    values = np.empty(steps.m + 2, dtype=np.int64)
    values[0], values[-1] = -1, grid.points
    run = PointRun(grid, records, steps, etas, values)
    for depth, nodes in enumerate(steps.levels):
        drawn = draw_points(records, run.problems(depth), grid.points, bits, care)
        values[nodes.position] = drawn  # spends the level's budget
    return run
