"""Budgets of single nodes for a known workload, beside budgets of levels: PSD §4.2, end."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.spatial.space import Space, covered, middle_boxes
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.node_split import (
    CONCENTRATED,
    PURE,
    Nodes,
    best_level_shares,
    canonical_uses,
    canonical_variance,
    even_shares,
    fitted_variance,
    level_shares,
    levels_of,
    node_shares,
    node_split,
)

HEIGHT, QUERIES = 5, 40
SIDES = (1.0, 0.5, 0.25, 0.125)  # of the part of the map that is asked about, as a share
PLAIN, FITTED = "largest cells, Laplace, ε", "least squares, Gaussian, ρ"


def node_budgets(rng: np.random.Generator) -> pd.DataFrame:
    """Exact mean variance of known rectangles on a quadtree of height 5, for four splits.

    The rectangles lie in a square whose side is a share of the map's, their own sides being 20 to
    80 % of it. Nothing but the rectangles is drawn: variances are exact.
    Returns: columns reading, side, split, variance (records² at ε = 1 or ρ = 1) and ratio, of the
    even split's variance.
    """
    unit = Bounds(0.0, 1.0)
    shape, leaves = TreeShape(4, HEIGHT), middle_boxes(Space((unit, unit)), HEIGHT)
    rows = []
    for side in SIDES:
        weights = covered(leaves, rectangles(side, rng))
        for reading, power in ((PLAIN, PURE), (FITTED, CONCENTRATED)):
            found = _variances(shape, weights, power)
            rows += [(reading, side, name, one, one / found["even"]) for name, one in found.items()]
    return pd.DataFrame(rows, columns=["reading", "side", "split", "variance", "ratio"])


def rectangles(side: float, rng: np.random.Generator) -> FloatArray:
    """Rectangles (q, 4) in a square of this side that starts a third into the room that is left."""
    start = (1 - side) / 3
    size = side * rng.uniform(0.2, 0.8, (QUERIES, 2))
    low = start + (side - size) * rng.random((QUERIES, 2))
    return np.stack((low, low + size), axis=2).reshape(QUERIES, 4)


def _variances(shape: TreeShape, weights: FloatArray, power: int) -> dict[str, float]:
    growing = 2.0 ** (np.arange(shape.height + 1) / (power + 1))
    splits: dict[str, Nodes] = {
        "even": even_shares(shape),
        "geometric": level_shares(shape, growing / growing.sum()),
    }
    if power == CONCENTRATED:
        splits["levels"] = node_split(shape, weights, power, by_level=True)
        splits["nodes"] = node_split(shape, weights, power)
        return {
            name: fitted_variance(weights, levels_of(shape, shares, power))
            for name, shares in splits.items()
        }
    uses = canonical_uses(shape, weights)
    splits["levels"] = level_shares(shape, best_level_shares(uses, power))
    splits["nodes"] = node_shares(uses, shape.fanout, power)
    return {
        name: canonical_variance(uses, levels_of(shape, shares, power))
        for name, shares in splits.items()
    }
