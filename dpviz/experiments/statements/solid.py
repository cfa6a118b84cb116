"""Points of three dimensions: where and when, as an octree and as a kd-tree of boxes; PSD §9."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.space import Space, SpacePoints
from dpviz.mechanisms.space.space_tree import SpaceRelease, SpaceTree, box_counts

SPACE = Space((Bounds(0.0, 10.0), Bounds(0.0, 10.0), Bounds(0.0, 24.0)))
N, GRID, HOURS = 100_000, 16, (3.0, 8.5, 15.0)  # a slice is an hour and a half around each of these
EPSILONS, SIDES, QUERIES, RUNS = (0.1, 0.5, 1.0), (0.125, 0.5), 300, 4
TREES = {
    "octree": SpaceTree(3, 4, noise=Noise.LAPLACE),
    "kd-hybrid": SpaceTree(3, 4, private_levels=2, noise=Noise.LAPLACE),
}
METHODS = ("octree", "kd-hybrid")


def made_up_trips(rng: np.random.Generator) -> SpacePoints:
    """Made-up trips: a place in a city of 10 × 10 km and the hour; towns wake up at hours apart."""
    towns, hours = rng.uniform(1, 9, (12, 2)), rng.uniform(6, 20, 12)
    weight = rng.dirichlet(np.full(12, 0.7))
    town = rng.choice(12, N, p=weight)
    place = towns[town] + 0.5 * rng.standard_normal((N, 2))
    hour = hours[town] + 1.5 * rng.standard_normal(N)
    spread = rng.random(N) < 0.15
    place[spread] = rng.uniform(0, 10, (int(spread.sum()), 2))
    hour[spread] = rng.uniform(0, 24, int(spread.sum()))
    return SpacePoints.from_values(np.column_stack((place, hour)), SPACE)


def slices(rng: np.random.Generator) -> pd.DataFrame:
    """Three hours of the city, cell by cell, from one octree with ε = 1, beside the truth.

    Returns: columns hour (the middle of the slice), x, y (of a cell's middle), private, deviation
    (exact standard deviation of the noise) and truth; made-up points, so nothing is confidential.
    """
    points = made_up_trips(rng)
    release = TREES["octree"].release(points, PureDP(1.0), rng)
    parts = []
    for hour in HOURS:
        boxes = slice_boxes(hour)
        counts, variances = box_counts(release, boxes)
        parts.append(
            pd.DataFrame(
                {
                    "hour": hour,
                    "x": boxes[:, :2].mean(axis=1),
                    "y": boxes[:, 2:4].mean(axis=1),
                    "private": counts,
                    "deviation": np.sqrt(variances),
                    "truth": points.inside(boxes),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def slice_boxes(hour: float) -> FloatArray:
    """The cells of a slice of one and a half hours, GRID × GRID of them, as boxes (q, 6)."""
    edges = np.linspace(0, 10, GRID + 1)
    low, high = edges[:-1], edges[1:]
    x, y = np.divmod(np.arange(GRID**2), GRID)
    near = np.full(x.size, hour - 0.75), np.full(x.size, hour + 0.75)
    return np.column_stack((low[x], high[x], low[y], high[y], *near))


def solid_errors(rng: np.random.Generator) -> pd.DataFrame:
    """Median relative error of boxes around a point, by ε; their sides are shares of the space.

    Returns: columns method, side, epsilon, mean and standard_error (over releases).
    """
    points = made_up_trips(rng)
    queries = {side: _queries(points, side, rng) for side in SIDES}
    truth = {side: points.inside(boxes) for side, boxes in queries.items()}
    rows = []
    for method in METHODS:
        for epsilon in EPSILONS:
            releases = [TREES[method].release(points, PureDP(epsilon), rng) for _ in range(RUNS)]
            for side in SIDES:
                found = [_error(one, queries[side], truth[side]) for one in releases]
                spread = float(np.std(found, ddof=1)) / RUNS**0.5
                rows.append((method, side, epsilon, float(np.mean(found)), spread))
    return pd.DataFrame(rows, columns=["method", "side", "epsilon", "mean", "standard_error"])


def _error(release: SpaceRelease, boxes: FloatArray, truth: FloatArray) -> float:
    return float(np.median(np.abs(box_counts(release, boxes)[0] - truth) / truth))


def _queries(points: SpacePoints, side: float, rng: np.random.Generator) -> FloatArray:
    """Boxes whose middle is a point: chosen by looking, fair to measure, not to release."""
    low, high = SPACE.row[::2], SPACE.row[1::2]
    size = side * (high - low)
    middle = points.at.take(rng.integers(0, points.n, QUERIES), axis=0)
    start = np.clip(middle - size / 2, low, high - size)
    return np.stack((start, start + size), axis=2).reshape(QUERIES, 6)
