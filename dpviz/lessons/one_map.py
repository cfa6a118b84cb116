"""One frame on a map, answered from four private trees of cells: the numbers of T8."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.boxes import grid_places
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.intake.samples import sample_points
from dpviz.mechanisms.spatial.quadtree import Quadtree

EPSILON, HEIGHT = 0.5, 8
FRAME = 10.0, 90.0, 10.0, 70.0  # km: west, east, south, north
LEVEL = 6  # that the picture shows
SIDE = 2**LEVEL
SHADES = 8
STOPS = 1, 2, 3, 4
CELLS, DRAWN, COMBINED, SPLIT = STOPS
Tree = SpatialRelease | SpatialEstimate


@dataclass(frozen=True, slots=True)
class Answer:
    """People in the frame, and how far from the truth the answer is 19 times of 20."""

    private: float
    reach: float


@dataclass(frozen=True, slots=True, eq=False)
class OneMap:
    """Points, their number in the frame, all answers, and the cells of the chosen one.

    shades are whole numbers (64, 64), row 0 in the south. Points and truth are confidential.
    """

    stop: int
    points: Points
    truth: float
    answers: dict[int, Answer]
    shades: IntArray

    @property
    def answer(self) -> Answer:
        """The chosen answer."""
        return self.answers[self.stop]


@cache
def numbers(stop: int, draw: int = 1) -> OneMap:
    """The four answers and the chosen map. Stops 2 and 3 read one release in two ways."""
    answers = {one: _answered(one, draw) for one in STOPS}
    points, index = _index()
    truth = float(index.count([FRAME])[0])
    return OneMap(stop, points, truth, answers, _shades(_read(stop, draw)))


@cache
def _index() -> tuple[Points, PointIndex]:
    points = sample_points("towns")
    return points, PointIndex.of(points)


@cache
def _released(levels: LevelBudget | None, draw: int) -> SpatialRelease:
    points, _ = _index()
    return Quadtree(HEIGHT, levels).release(points, PureDP(EPSILON), np.random.default_rng(draw))


READ: dict[int, Callable[[int], Tree]] = {
    CELLS: lambda draw: estimate(_released(LevelBudget.leaves_only(), draw)),
    DRAWN: lambda draw: _released(LevelBudget.uniform(), draw),
    COMBINED: lambda draw: estimate(_released(LevelBudget.uniform(), draw)),
    SPLIT: lambda draw: estimate(_released(None, draw)),
}


@cache
def _read(stop: int, draw: int) -> Tree:
    return READ[stop](draw)


@cache
def _answered(stop: int, draw: int) -> Answer:
    private, variance = range_counts(_read(stop, draw), [FRAME])
    return Answer(float(private[0]), 2 * math.sqrt(float(variance[0])))


def _shades(tree: Tree) -> IntArray:
    """The counts of a level on a scale of roots, which shows towns and villages alike."""
    roots = np.sqrt(np.maximum(tree.levels.counts[LEVEL], 0.0))
    shades = np.ceil(SHADES * roots / np.quantile(roots, 0.999)).clip(0, SHADES).astype(np.int64)
    placed = np.zeros((SIDE, SIDE), dtype=np.int64)
    column, row = grid_places(LEVEL)
    placed[row, column] = shades
    return placed
