"""Random rectangles of PSD's shapes, and the split of a quadtree's budget that suits them best."""

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.grid_index import Index
from dpviz.estimators.spatial.quadtree_ranges import Spans, span_energies
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.mechanisms.spatial.quadtree import Quadtree

PAPER_BOX = Box(Bounds(-124.82, -103.0), Bounds(31.33, 49.0))  # TIGER roads of WA and NM, degrees
PAPER_SHAPES = ((1.0, 1.0), (10.0, 10.0), (15.0, 0.2))
PAPER_QUERIES = 600
TRIES = 200


def paper_shapes(box: Box) -> tuple[tuple[float, float], ...]:
    """PSD's three shapes scaled to a box, as the same fractions of its sides."""
    across, up = box.x.width / PAPER_BOX.x.width, box.y.width / PAPER_BOX.y.width
    return tuple((width * across, height * up) for width, height in PAPER_SHAPES)


def random_boxes(
    box: Box, shape: tuple[float, float], count: int, rng: np.random.Generator
) -> FloatArray:
    """Rectangles of one shape anywhere inside the box, uniformly, (count, 4).

    Raises: InvalidParameter for a shape that does not fit into the box.
    """
    width, height = shape
    if not (0 < width <= box.x.width and 0 < height <= box.y.width):
        raise InvalidParameter(
            f"A rectangle of {width:g} × {height:g} does not fit into the box of "
            f"{box.x.width:g} × {box.y.width:g}."
        )
    left = rng.uniform(box.x.low, box.x.high - width, count)
    lower = rng.uniform(box.y.low, box.y.high - height, count)
    return np.stack([left, left + width, lower, lower + height], axis=1)


def random_queries(
    index: Index, shape: tuple[float, float], rng: np.random.Generator, count: int = PAPER_QUERIES
) -> FloatArray:
    """Rectangles of one shape that hold at least one point, (count, 4), as PSD draws them.

    Which ones are non-empty is confidential: these serve to measure errors, not to be released.
    Raises: InvalidParameter if such rectangles are too rare to be found.
    """
    found = np.empty((0, 4))
    for _ in range(TRIES):
        drawn = random_boxes(index.points.box, shape, 2 * count, rng)
        found = np.concatenate([found, drawn[index.count(drawn) > 0]])
        if found.shape[0] >= count:
            return found[:count]
    raise InvalidParameter(
        f"Hardly any rectangle of {shape[0]:g} × {shape[1]:g} holds a point. Choose a larger shape."
    )


def workload_energies(box: Box, height: int, boxes: FloatArray) -> FloatArray:
    """Mean energies (h + 1,) of rectangles on a quadtree: all that its variance depends on."""
    return np.asarray(span_energies(Spans.of(box, height, boxes)).mean(axis=0))


def workload_levels(
    box: Box,
    height: int,
    boxes: FloatArray,
    budget: Budget,
    *,
    noise: Noise | None = None,
    root: Root = Root.RELEASED,
) -> LevelBudget:
    """The split of a quadtree's budget with the least mean variance over these rectangles.

    Proven best where variances fall with the share (zCDP, Gaussian noise), else the best found; it
    never loses to uniform, geometric or leaves only. Costs no budget, as long as the rectangles
    were not chosen by looking at the data.
    Source: this project (methods.md §6).
    """
    relation = Neighbours.REPLACE_ONE if root is Root.PUBLIC else Neighbours.ADD_REMOVE
    tree = Quadtree(height, noise=noise, root=root, neighbours=relation).counter(budget)
    return workload_optimal(tree, budget, workload_energies(box, height, boxes))[0].levels
