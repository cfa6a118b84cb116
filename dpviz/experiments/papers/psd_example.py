"""The small examples of Cormode et al. 2012: Fig. 1 with §4.1's query, and §5's two estimates."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.workload import query_variance

EPSILON, LEVELS = 3.0, 3  # each level has a third of the budget: noise of scale 1
NOISE, SCALE = Noise.LAPLACE, LEVELS / EPSILON
# made-up points in 4 × 4 cells, row by row from the top; the query is the nine at the top left
CELLS = ((4, 2, 1, 0), (3, 5, 2, 1), (0, 1, 3, 0), (2, 0, 1, 1))
SIDE, WIDE = 4, 3
CANONICAL, CHILDREN, DIFFERENCE, BOTH, OUTSIDE, FITTED = (
    "fewest counts",
    "b by its cells",
    "c by what it lacks",
    "both of these",
    "all less the rest",
    "least squares",
)


def place_of(level: int, node: int) -> tuple[int, int]:
    """Column and row of a node among the 2^level × 2^level of its level, from the top left.

    Children of a node lie beside each other: top left, top right, bottom left, bottom right.
    """
    column = row = 0
    for depth in range(level):
        quarter = node // 4 ** (level - 1 - depth) % 4
        column, row = 2 * column + quarter % 2, 2 * row + quarter // 2
    return column, row


def example_quadtree(rng: np.random.Generator) -> pd.DataFrame:
    """Fig. 1: a quadtree of height 2 over made-up points, a row a node from the root.

    Returns: columns level, truth and noisy. Laplace noise, each level a third of ε = 3.
    Source: Cormode et al. 2012, Fig. 1, whose counts are in print as a drawing alone.
    """
    places = [place_of(2, node) for node in range(SIDE * SIDE)]
    leaves = np.array([CELLS[row][column] for column, row in places], dtype=np.float64)
    found = []
    for level in range(LEVELS):
        truth = leaves.reshape(4**level, -1).sum(axis=1)
        noisy = truth + NOISE.draw(SCALE, truth.shape, rng)
        found.append(pd.DataFrame({"level": level, "truth": truth, "noisy": noisy}))
    return pd.concat(found, ignore_index=True)


def levels_of(rows: pd.DataFrame, column: str = "noisy") -> Levels:
    """The stored tree with the variance of its noise."""
    counts = (rows.loc[rows["level"] == level, column] for level in range(LEVELS))
    variance = np.asarray(NOISE.variance(SCALE))
    return Levels(4, tuple(one.to_numpy(np.float64) for one in counts), (variance,) * LEVELS)


def in_query() -> FloatArray:
    """1 for the leaves inside the query, (16,)."""
    places = np.array([place_of(2, node) for node in range(SIDE * SIDE)])
    inside = (places < WIDE).all(axis=1).astype(np.float64)
    return np.asarray(inside)


def ways() -> Mapping[str, tuple[FloatArray, ...]]:
    """Five ways to answer the query: a weight −1, 0 or 1 for every node of each level.

    The first is the canonical one, the nodes that are maximally inside the query; the fourth is
    the other one of §4.1.
    """
    inside = in_query()
    whole = inside.reshape(4, 4).all(axis=1)
    nothing, none = np.zeros(1), np.zeros(4)
    single = np.where(np.repeat(whole, 4), 0.0, inside)
    c = np.arange(4) == 1
    of_c = np.repeat(c, 4)
    by_difference = np.where(of_c, inside - 1, single)
    return {
        CANONICAL: (nothing, whole.astype(np.float64), single),
        CHILDREN: (nothing, none, inside),
        DIFFERENCE: (nothing, (whole | c).astype(np.float64), by_difference),
        BOTH: (nothing, c.astype(np.float64), np.where(of_c, inside - 1, inside)),
        OUTSIDE: (np.ones(1), none, inside - 1),
    }


def answers(rows: pd.DataFrame) -> pd.DataFrame:
    """Each way's answer, how many counts it takes, and its standard error; the last is fitted.

    Returns: columns way, answer, counts and error, in points.
    """
    tree, found = levels_of(rows), []
    for way, weights in ways().items():
        answer = sum(float(w @ c) for w, c in zip(weights, tree.counts, strict=True))
        counts = sum(int(np.count_nonzero(w)) for w in weights)
        found.append((way, answer, counts, float(np.sqrt(counts * tree.variances[0]))))
    best = float(in_query() @ efficient_levels(tree, None).counts[-1])
    error = float(np.sqrt(query_variance(tree, in_query()[None, :], None)[0]))
    found.append((FITTED, best, sum(level.size for level in tree.counts), error))
    return pd.DataFrame(found, columns=["way", "answer", "counts", "error"])


def averaged_roots(points: int = 21) -> pd.DataFrame:
    """§5: the variance of w Y_a + (1 − w)(Y_b + Y_c + Y_d + Y_e), in that of one count.

    Returns: columns weight and variance: w² + 4 (1 − w)².
    """
    weight = np.linspace(0, 1, points)
    return pd.DataFrame({"weight": weight, "variance": [variance_at(one) for one in weight]})


def variance_at(weight: float) -> float:
    """That variance for one weight of the root's own count."""
    return weight**2 + 4 * (1 - weight) ** 2


def best_weight() -> tuple[float, float]:
    """The root's weight and its variance, in that of one count, by least squares on such a tree."""
    tree = Levels(4, (np.array([1.0]), np.zeros(4)), (np.asarray(1.0),) * 2)
    fitted = efficient_levels(tree, None)
    return float(fitted.counts[0][0]), float(np.asarray(fitted.variances[0]).reshape(-1)[0])
