"""PSD's Lemmas 2 and 3 beside what they bound: cells of a query, and its error."""

import math

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.mechanisms.spatial.quadtree import Quadtree

QUERIES, RUNS = 400, 40
BINARY, FLAT = "binary", "flattened"
HEIGHTS, MEASURED_HEIGHTS = tuple(range(2, 10)), (3, 4, 5, 6, 7)


def flattening(rng: np.random.Generator) -> pd.DataFrame:
    """Cells that 400 random rectangles use, and the variance of their answers, exactly.

    A kd-tree over evenly spread points is cut in the middle, x first, then y. binary: with a count
    for every cut, 2h + 1 levels; flattened: with every other level, h + 1 of them, fanout 4. Both
    have 4^h leaves; ε = 1, Laplace noise, the largest cells inside a rectangle, cut leaves by
    fraction.
    Returns: columns height (of the flattened tree), tree, split (even, geometric), used (mean),
    most, bound (Lemma 2) and variance (mean, records²).
    Source: Cormode et al. 2012, Lemma 2 and §6.2.
    """
    boxes = _rectangles(rng)
    rows = []
    for height in HEIGHTS:
        for tree, step in ((BINARY, 1), (FLAT, 2)):
            levels = 2 * height // step
            nodes, squares = nodes_used(boxes, height, step)
            used = nodes.sum(axis=1)
            bound = 8 * (2 ** ((2 * height + 1) // 2 + 1) - 1)
            for split in ("even", "geometric"):
                shares = _shares(levels, split, 2 ** (step / 6))
                variance = (squares @ (2 / shares**2)).mean()
                rows.append((height, tree, split, used.mean(), used.max(), bound, variance))
    columns = ["height", "tree", "split", "used", "most", "bound", "variance"]
    return pd.DataFrame(rows, columns=columns)


def bounds_beside(rng: np.random.Generator) -> pd.DataFrame:
    """Lemma 3's bound on a quadtree's error beside errors that were measured, ε = 1.

    400 random rectangles, read by their largest cells, on releases of an empty map: all that is
    answered is noise.
    Returns: columns height, split, bound (the lemma's closed form), stated (2^(h + 7) for the
    geometric split, as printed; NaN for the other), worst (the largest exact variance of a
    rectangle), mean (of the exact variances) and measured (mean square of the errors).
    Source: Cormode et al. 2012, equation (1), Lemma 3.
    """
    unit = Bounds(0.0, 1.0)
    empty, boxes = Points.from_xy([], [], Box(unit, unit)), _rectangles(rng)
    rows = []
    for height in MEASURED_HEIGHTS:
        for split, levels in (("even", LevelBudget.uniform()), ("geometric", None)):
            tree = Quadtree(height, levels, Noise.LAPLACE)
            squares = 0.0
            for _ in range(RUNS):
                counts, exact = range_counts(tree.release(empty, PureDP(1.0), rng), boxes)
                squares += float((counts**2).mean()) / RUNS
            shares = _shares(height, split, 2 ** (1 / 3))
            bound = float((8 * 2.0 ** np.arange(height + 1) * 2 / shares**2).sum())
            stated = 2.0 ** (height + 7) if split == "geometric" else math.nan
            rows.append((height, split, bound, stated, exact.max(), exact.mean(), squares))
    columns = ["height", "split", "bound", "stated", "worst", "mean", "measured"]
    return pd.DataFrame(rows, columns=columns)


def nodes_used(boxes: FloatArray, height: int, step: int) -> tuple[FloatArray, FloatArray]:
    """Cells of each level that answer each rectangle, and the squares of their weights.

    Both (q, levels), root first, for a tree over the unit square that is cut x, y, x, y, …, and
    counted at every step-th cut. Of a level those inside the rectangle but in no larger such cell.
    """
    cuts = range(0, 2 * height + 1, step)
    inside = np.stack([_inside(boxes, cut) for cut in cuts], axis=1)
    nodes = inside.copy()
    nodes[:, 1:] -= 2**step * inside[:, :-1]
    squares = nodes.copy()
    covered = 0 if len(cuts) == 1 else 2**step * inside[:, -2]
    touched, weights = _border(boxes, height)
    nodes[:, -1], squares[:, -1] = touched - covered, weights - covered
    return nodes, squares


def _inside(boxes: FloatArray, cut: int) -> FloatArray:
    """Whole cells of a level of the binary tree in each rectangle."""
    whole = np.ones(len(boxes))
    for axis, cells in ((0, 2 ** ((cut + 1) // 2)), (1, 2 ** (cut // 2))):
        low, high = boxes[:, 2 * axis] * cells, boxes[:, 2 * axis + 1] * cells
        whole *= np.maximum(np.floor(high) - np.ceil(low), 0)
    return whole


def _border(boxes: FloatArray, height: int) -> tuple[FloatArray, FloatArray]:
    """Leaves that each rectangle touches, and the sum of their squared fractions."""
    edges = np.arange(2**height + 1) / 2**height
    touched, squares = np.ones(len(boxes)), np.ones(len(boxes))
    for axis in (0, 1):
        low, high = boxes[:, 2 * axis, None], boxes[:, 2 * axis + 1, None]
        part = np.clip(np.minimum(high, edges[1:]) - np.maximum(low, edges[:-1]), 0, None)
        touched *= (part > 0).sum(axis=1)
        squares *= ((part * 2**height) ** 2).sum(axis=1)
    return touched, squares


def _shares(height: int, split: str, ratio: float) -> FloatArray:
    raw = np.ones(height + 1) if split == "even" else ratio ** np.arange(height + 1)
    return np.asarray(raw / raw.sum())


def _rectangles(rng: np.random.Generator) -> FloatArray:
    return np.sort(rng.random((QUERIES, 2, 2)), axis=2).reshape(QUERIES, 4)
