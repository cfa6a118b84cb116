"""Small maps by several methods, and their answers worked out anew, by loops and dense algebra."""

import math

import numpy as np

from dpviz.answers.spatial.question import MapQuestion
from dpviz.catalogue import SPATIAL
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.cells import Cells
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.exact import ExactCells
from dpviz.counts.grid_index import index_of
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.mechanisms.spatial.method import SpatialChoice

BOX = Box(Bounds(-2, 8), Bounds(10, 18))
RNG = np.random.default_rng(8)
# many on the lines of a grid and on the far sides, and some on one spot
X = np.concatenate([RNG.beta(2, 4, 240).round(1) * 10 - 2, np.full(20, 8.0), np.full(30, 1.25)])
Y = np.concatenate([RNG.beta(4, 2, 240).round(1) * 8 + 10, np.full(20, 14.0), np.full(30, 18.0)])
POINTS = Points.from_xy(X, Y, BOX)
NOBODY = Points.from_xy([], [], BOX)
RECTANGLES = {
    "whole": None,
    "inside": (-0.7, 4.1, 11.3, 17.2),
    "on the lines": (0.5, 8.0, 10.0, 14.0),
    "thin": (1.2, 1.3, 12.0, 18.0),
}
TREES = ("quadtree, optimal", "quadtree, baseline", "quadtree, estimated", "kd-tree", "kd-hybrid")
GRIDS = ("uniform grid", "adaptive grid", "PrivTree", "kd-cell")


def asked(
    method: str = "quadtree, optimal",
    *,
    height: int = 2,
    depth: int = 1,
    rectangle: str = "inside",
    threshold: float | None = None,
    budget: Budget | None = None,
    relation: Neighbours = Neighbours.ADD_REMOVE,
    weights: tuple[float, ...] | None = None,
    points: Points = POINTS,
    seed: int = 3,
) -> MapQuestion:
    """A release of the catalogue's method, read as the page reads it."""
    row = next(row for row in SPATIAL if row.name == method)
    levels = None if weights is None else LevelBudget.own(weights)
    choice = SpatialChoice(
        BOX,
        height,
        neighbours=relation,
        levels=levels,
        workload=LevelBudget.uniform(),
        cells=(8, 4),
    )
    release = row.build(choice).release(
        points, PureDP(0.5) if budget is None else budget, np.random.default_rng(seed)
    )
    ends = RECTANGLES[rectangle]
    where = None if ends is None else np.array(ends)
    if isinstance(release, Cells) or not (row.estimated or threshold is not None):
        return MapQuestion(method, release, release, depth, where)
    reading = estimate(release)
    if threshold is not None:
        reading = prune(reading, threshold)
    return MapQuestion(method, release, reading, depth, where)


def truth_of(question: MapQuestion, points: Points = POINTS) -> ExactCells:
    return ExactCells.of(question.release, index_of(points))


def slow_inside(box, points: Points = POINTS) -> int:
    """Points in a rectangle one by one; the far sides of the box belong to it."""
    x_low, x_high, y_low, y_high = box
    found = 0
    for x, y in zip(points.x, points.y, strict=True):
        in_x = x_low <= x < x_high or x == x_high == BOX.x.high
        in_y = y_low <= y < y_high or y == y_high == BOX.y.high
        found += in_x and in_y
    return found


def fraction(box, rectangle) -> float:
    """How much of a cell lies in a rectangle."""
    across = min(box[1], rectangle[1]) - max(box[0], rectangle[0])
    up = min(box[3], rectangle[3]) - max(box[2], rectangle[2])
    if across <= 0 or up <= 0:
        return 0.0
    return across * up / ((box[1] - box[0]) * (box[3] - box[2]))


def noise_variance(noise: Noise, scale: float) -> float:
    """Of whole noise, summed value by value."""
    far = range(int(60 * scale) + 60)
    if noise is Noise.DISCRETE_LAPLACE:
        odds = [math.exp(-k / scale) for k in far]
    else:
        assert noise is Noise.DISCRETE_GAUSSIAN
        odds = [math.exp(-(k**2) / (2 * scale**2)) for k in far]
    squares = 2 * sum(k**2 * one for k, one in enumerate(odds))
    return squares / (odds[0] + 2 * sum(odds[1:]))


def ends_of(question: MapQuestion):
    """The rectangle, or the box."""
    whole = (BOX.x.low, BOX.x.high, BOX.y.low, BOX.y.high)
    return whole if question.rectangle is None else tuple(question.rectangle)


class SlowTree:
    """A tree of rectangles by dense algebra: nodes as sums of leaves, fitted, and pruned."""

    def __init__(self, question: MapQuestion, threshold: float | None = None):
        release = self.release = question.release
        self.height = len(release.counts) - 1
        self.boxes = [release.level_boxes(level) for level in range(self.height + 1)]
        noise, scales = release.tree.noise, release.tree.scales
        self.variances = [
            noise_variance(noise, one) if 0 < one < math.inf else one for one in scales
        ]
        self.sums = [
            np.repeat(np.eye(4**level), 4 ** (self.height - level), axis=1)
            for level in range(self.height + 1)
        ]
        self.fitted, self.spread = self._fit() if question.reading is not release else (None, None)
        self.rows = self.sums if threshold is None else self._pruned(threshold)

    def _fit(self):
        rows, measured, weights = [], [], []
        for level, counts in enumerate(self.release.counts):
            for node, count in enumerate(counts):
                if math.isfinite(count):
                    rows.append(self.sums[level][node])
                    measured.append(float(count))
                    weights.append(1 / self.variances[level])
        design, weight = np.array(rows), np.diag(weights)
        spread = np.linalg.inv(design.T @ weight @ design)
        return spread @ design.T @ weight @ np.array(measured), spread

    def _pruned(self, threshold):
        """Below a node under the threshold each child is its area's share of the parent."""
        found, kept = [self.sums[0]], [[True]]
        for level in range(1, self.height + 1):
            rows, stays = [], []
            for node in range(4**level):
                parent = node // 4
                keep = kept[-1][parent] and self.sums[level - 1][parent] @ self.fitted >= threshold
                sizes = [
                    (box[1] - box[0]) * (box[3] - box[2])
                    for box in self.boxes[level][4 * parent : 4 * parent + 4]
                ]
                share = sizes[node % 4] / sum(sizes)
                rows.append(self.sums[level][node] if keep else share * found[-1][parent])
                stays.append(keep)
            found.append(rows)
            kept.append(stays)
        return found

    def node(self, level, node):
        """Count and variance of a node as it is read."""
        if self.fitted is None:
            return float(self.release.counts[level][node]), self.variances[level]
        row = self.rows[level][node]
        return row @ self.fitted, row @ self.spread @ row

    def weights(self, rectangle):
        """What each fitted leaf adds to a rectangle."""
        return sum(
            fraction(box, rectangle) * row
            for box, row in zip(self.boxes[-1], self.rows[-1], strict=True)
        )

    def counted(self, rectangle):
        """Count and variance of a rectangle: of the fitted leaves, or node by node."""
        if self.fitted is None:
            return self.canonical(rectangle)
        weights = self.weights(rectangle)
        return weights @ self.fitted, weights @ self.spread @ weights

    def canonical(self, rectangle, level=0, node=0):
        """The largest released nodes inside, and of leaves on the border a fraction."""
        part = fraction(self.boxes[level][node], rectangle)
        count = float(self.release.counts[level][node])
        if part == 0:
            return 0.0, 0.0
        if level == self.height or (part == 1 and math.isfinite(count)):
            return part * count, part**2 * self.variances[level]
        below = [self.canonical(rectangle, level + 1, 4 * node + one) for one in range(4)]
        return sum(one for one, _ in below), sum(one for _, one in below)

    def exact(self, rectangle, points: Points):
        """What the cells answer with the true counts of their leaves."""
        inside = np.array([slow_inside(box, points) for box in self.boxes[-1]], dtype=float)
        return self.weights(rectangle) @ inside


class SlowCells:
    """Cells that are no tree; fitted ones share an error, so groups are looked at as one."""

    def __init__(self, question: MapQuestion):
        self.release = question.release
        self.boxes = [self.release.boxes]
        fits = self.release.groups is not None
        self.groups = list(self.release.groups if fits else range(self.release.counts.size))
        self.fits = fits

    def counted(self, rectangle):
        count, variance = 0.0, 0.0
        together: dict[int, list[tuple[float, float]]] = {}
        for box, one, noise, group in zip(
            self.release.boxes,
            self.release.counts,
            self.release.variances,
            self.groups,
            strict=True,
        ):
            part = fraction(box, rectangle)
            count += part * one
            together.setdefault(group, []).append((part, noise))
        for group, members in together.items():
            size, whole = len(members), sum(part for part, _ in members)
            squares = sum(part**2 for part, _ in members)
            noise = members[0][1]
            if not self.fits:
                variance += squares * noise
                continue
            total = self.release.group_variances[group]
            variance += noise * (squares - whole**2 / size) + total * whole**2 / size**2
        return count, variance

    canonical = counted

    def node(self, _, cell):
        """Count and variance of a cell, which is the rectangle that it is."""
        count = float(self.release.counts[cell])
        variance = float(self.release.variances[cell])
        if self.fits:
            size = sum(1 for one in self.groups if one == self.groups[cell])
            total = self.release.group_variances[self.groups[cell]]
            variance = variance * (1 - 1 / size) + total / size**2
        return count, variance

    def exact(self, rectangle, points: Points):
        return sum(
            fraction(box, rectangle) * slow_inside(box, points) for box in self.release.boxes
        )


def slow(question: MapQuestion, threshold: float | None = None) -> SlowTree | SlowCells:
    if isinstance(question.release, Cells):
        return SlowCells(question)
    return SlowTree(question, threshold)
