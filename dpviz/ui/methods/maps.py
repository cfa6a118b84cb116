"""Pictures of maps and of their medians: releases of the towns along roads."""

from collections.abc import Callable, Mapping

import numpy as np

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.spatial.method import SpatialChoice
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Still
from dpviz.ui.methods import canvas

BUDGET = PureDP(0.5)
FEW = 4_000  # people: for the methods that choose their own cells, which are then large enough
CHOOSING = ("UniformGrid", "AdaptiveGrid", "PrivTree")
HEIGHT = 4
DRAWS = 400


def of_method(key: str) -> Callable[[Points, np.random.Generator], Still]:
    """The leaves of a method's release, shaded by their counts."""

    def picture(points: Points, rng: np.random.Generator) -> Still:
        row = next(row for row in catalogue.SPATIAL if row.card.key == key)
        choice = SpatialChoice(points.box, HEIGHT, cells=(64, 64))
        kept = rng.choice(points.n, FEW if key in CHOOSING else points.n, replace=False)
        people = Points.from_xy(points.x[kept], points.y[kept], points.box)
        release = row.build(choice).release(people, BUDGET, rng)
        if isinstance(release, Cells):
            return canvas.drawn(canvas.map_cells(release.boxes, release.counts, points.box))
        return canvas.drawn(canvas.map_cells(*_leaves(estimate(release)), points.box))

    return picture


def _leaves(read: SpatialEstimate) -> tuple[FloatArray, FloatArray]:
    """Rectangles and counts of the leaves that are there."""
    boxes, counts = [], []
    last = read.levels.height
    for level in range(last + 1):
        leaf = read.is_leaf(level)
        if leaf is None:
            if level < last:
                continue
            kept = read.kept
            leaf = np.ones(4**level, bool) if kept is None else kept[level]
        boxes.append(read.level_boxes(level)[leaf])
        counts.append(read.levels.counts[level][leaf])
    return np.concatenate(boxes), np.concatenate(counts)


def pruned(points: Points, rng: np.random.Generator) -> Still:
    """A quadtree after pruning: large cells where few people are."""
    release = Quadtree(5).release(points, PureDP(0.1), rng)
    return canvas.drawn(canvas.map_cells(*_leaves(prune(estimate(release), 100)), points.box))


def matching(points: Points, rng: np.random.Generator) -> Still:
    """Two parties' people in noisy cells: only those of one cell meet."""
    release = Quadtree(4, LevelBudget.leaves_only()).release(points, BUDGET, rng)
    assert isinstance(release, SpatialRelease)
    boxes, counts = release.level_boxes(4), release.counts[4]
    cells = canvas.map_cells(boxes, np.where(counts > 20, counts, 0), points.box)
    mixed = rng.permutation(points.n)
    left = (canvas.WIDE - canvas.HIGH * points.box.x.width / points.box.y.width) / 2
    parties = []
    for ink, part in (("truth", mixed[:350]), ("blue", mixed[350:700])):
        box = points.box
        x = left + shapes.scaled(
            points.x[part], (box.x.low, box.x.high), (0, canvas.WIDE - 2 * left)
        )
        y = shapes.scaled(points.y[part], (box.y.low, box.y.high), (canvas.HIGH - 2, 2))
        parties.append(shapes.grains(x, y, ink, 2.4))
    return canvas.drawn([cells[-1], *parties])


def of_median(key: str) -> Callable[[Points, np.random.Generator], Still]:
    """The law of one private median: of the towns' places from west to east, 400 draws."""

    def picture(points: Points, rng: np.random.Generator) -> Still:
        row = next(row for row in catalogue.MEDIANS if row.card.key == key)
        axis = points.box.x
        values = np.sort(points.x[rng.choice(points.n, 4_000, replace=False)])
        budget: Budget = ApproxDP(0.1, 1e-4) if row.median.takes_delta else PureDP(0.1)
        groups = _copies(values, axis)
        found = row.median.draw(groups, budget, Neighbours.ADD_REMOVE, rng)
        ends = (axis.low, axis.high)
        base = 132.0
        truth = float(canvas.across(float(np.median(values)), ends))
        return canvas.drawn(
            [
                shapes.grains(
                    canvas.across(canvas.thinned(values, 500), ends),
                    base + 4 + 10 * rng.random(500),
                    "grain",
                    1.6,
                ),
                *canvas.hill(np.clip(found, *ends), base, 60, ends),
                canvas.base_line(base),
                canvas.true_tick(truth, base, 12),
                canvas.dot(float(canvas.across(float(found[0]), ends)), base, 12),
            ]
        )

    return picture


def _copies(values: FloatArray, axis: Bounds) -> Groups:
    """The same people DRAWS times, as disjoint nodes: one draw a node."""
    starts = np.arange(DRAWS + 1) * values.size
    ends = np.full(DRAWS, axis.low), np.full(DRAWS, axis.high)
    return Groups(np.tile(values, DRAWS), starts, *ends, axis)


Picture = Callable[[Points, np.random.Generator], Still]
USES: Mapping[str, Picture] = {"match_records": matching, "prune": pruned}


def pictures() -> Mapping[str, Picture]:
    """How each method of the catalogue is drawn, and what maps are used for."""
    methods = {row.card.key: of_method(row.card.key) for row in catalogue.SPATIAL}
    medians = {row.card.key: of_median(row.card.key) for row in catalogue.MEDIANS}
    return {**methods, **USES, **medians}
