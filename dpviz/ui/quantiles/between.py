"""A budget between two stops of the slider, on a sample: what is simulated is read between theirs.

A class types as many budgets as it has people. The release of each is drawn for it; how far other
draws fall, and how far a release may be off, follow the budget smoothly, so that they are known from
the two stops beside it, which everybody shares. The page then says "about". A file's are drawn anew.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.errors import DpvizError
from dpviz.core.point_grid import PointGrid
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.bench.budget import STEPS
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import Question, is_quick, kept_draws, kept_release, kept_widths

Stop = tuple[QuantileMechanism, Question]


@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """The stops below and above a budget, and the share that the upper one has in it."""

    below: Stop
    above: Stop
    share: float

    @property
    def stops(self) -> str:
        """Both in words: "ε = 1 and 2"."""
        low, high = (question.budget for _, question in (self.below, self.above))
        return f"{low.symbol} = {low.size:g} and {high.size:g}"

    def draws(self, runs: int) -> FloatArray:
        """Values like those of further draws, (runs, k): their quantiles lie between the stops'.

        Which runs are low and which are high is as below.
        """
        below, above = (kept_draws(*stop, runs) for stop in (self.below, self.above))
        column = self.below[1].column
        return mixed(below, above, self.share, PointGrid.of(column.bounds, column.resolution))

    def widths(self, size: float) -> FloatArray | None:
        """Half widths like those of a release; None where one of the stops has none."""
        below, above = (kept_widths(*stop, size) for stop in (self.below, self.above))
        if below is None or above is None:
            return None
        step = self.below[1].column.resolution
        both = np.array([below, above])
        half = (1 - self.share) * below + self.share * above
        if step and np.array_equal(both, np.round(both / step) * step):  # widths in whole steps
            return np.asarray(np.ceil(half / step - 1e-9) * step)
        return np.asarray(half)


def between(name: str, settings: Settings, asked: Question, runs: int) -> Between | None:
    """The stops beside a budget of its own; None for a stop, a file, and a slow mechanism.

    None, too, where a stop is refused: it was not asked for.
    """
    stops = around(asked.budget.size)
    if stops is None or not PUBLIC.knows(asked.column):
        return None
    both = []
    with suppress(DpvizError):
        for size in stops:
            question = replace(asked, budget=asked.budget.resized(size))
            stop = settings.build(name, question.budget), question
            if not is_quick(*stop, runs):
                return None
            kept_release(*stop)
            both.append(stop)
    if len(both) < 2:
        return None
    below, above = both
    return Between(below, above, share_of(asked.budget, stops))


def share_of(budget: Budget, stops: tuple[float, float]) -> float:
    """How much of the upper stop is in a budget: errors go with 1/ε, or with 1/√ρ."""
    power = -0.5 if isinstance(budget, ZCDP) else -1.0
    low, here, high = (math.pow(size, power) for size in (stops[0], budget.size, stops[1]))
    return (low - here) / (low - high)


def around(size: float) -> tuple[float, float] | None:
    """The stops on both sides of a size that is none; None for a stop, and beyond the ends."""
    if size in STEPS or not STEPS[0] < size < STEPS[-1]:
        return None
    return max(one for one in STEPS if one < size), min(one for one in STEPS if one > size)


def mixed(below: FloatArray, above: FloatArray, share: float, grid: PointGrid) -> FloatArray:
    """Draws (r, k) whose quantiles lie between those of two lots of draws, on a grid."""
    order = below.argsort(axis=0, kind="stable")
    values = (1 - share) * np.take_along_axis(below, order, axis=0) + share * np.sort(above, axis=0)
    found = np.empty_like(values)
    np.put_along_axis(found, order, grid.rounded(values) if grid.resolution else values, axis=0)
    return found
