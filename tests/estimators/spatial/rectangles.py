"""Trees of rectangles and queries that tests of spatial estimators share."""

import numpy as np

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import box_row
from dpviz.core.spatial.geometry import Midpoints, Rectangles
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.tree_noise import Root

BOX = Box(Bounds(-3, 5), Bounds(10, 12))


def split_boxes(height, rng):
    """Rectangles of a kd-tree with random splits, some of them on the border of their node."""
    levels = [box_row(BOX)[None]]
    for _ in range(height):
        rows = []
        for x0, x1, y0, y1 in levels[-1]:
            x = x0 + (x1 - x0) * rng.choice([0.0, 0.3, 0.5, rng.random()])
            for low, high in ((x0, x), (x, x1)):
                y = y0 + (y1 - y0) * rng.random()
                rows += [[low, high, y0, y], [low, high, y, y1]]
        levels.append(np.array(rows))
    return tuple(levels)


def tree(height, rng, scales=None, boxes=None, root=Root.RELEASED, total=None):
    """A release with random counts, and a scale of its own for each level."""
    scales = rng.uniform(1, 5, height + 1) if scales is None else np.array(scales, dtype=float)
    return SpatialRelease(
        mechanism="test",
        parameters={},
        geometry=Midpoints(BOX) if boxes is None else Rectangles(BOX, boxes),
        tree=NoisyTree(
            fanout=4,
            counts=tuple(rng.normal(30, 40, 4**level) for level in range(height + 1)),
            noise=Noise.LAPLACE,
            scales=tuple(scales),
            root=root,
            total=total,
        ),
        neighbours=Neighbours.ADD_REMOVE,
        spent=PureDP(1),
    )


def queries(count, rng):
    """Random rectangles, some of which stick out, and special ones."""
    x = np.sort(rng.uniform(-4, 6, (count, 2)), axis=1)
    y = np.sort(rng.uniform(9.8, 12.2, (count, 2)), axis=1)
    special = [
        [-3, 5, 10, 12],
        [-9, 9, 0, 99],
        [-3, 1, 10, 11],
        [0, 2, 10.5, 11],
        [1, 1, 10, 12],
        [7, 8, 10, 11],
        [0.1, 0.1001, 11.2, 11.2001],
    ]
    return np.concatenate([np.column_stack([x, y]), special])


def fraction(node, query):
    """The part of a node's area inside a query; nodes without width are in or out as a whole."""
    part = 1.0
    for k in (0, 2):
        low, high, start, end = node[k], node[k + 1], query[k], query[k + 1]
        if low == high:
            part *= float(start <= low and high <= end)
        else:
            part *= max(min(high, end) - max(low, start), 0.0) / (high - low)
    return part


def slow_answer(release, counts, variances, query, leaf=lambda level, node: False):
    """PSD's recursion, one node at a time: count, variance and the nodes that answer."""
    height = len(counts) - 1

    def visit(level, node):
        part = fraction(release.level_boxes(level)[node], query)
        if part == 0:
            return 0.0, 0.0, []
        last = level == height or leaf(level, node)
        if last or (part == 1 and np.isfinite(variances[level])):
            count = counts[level][node]
            return part * count, part**2 * float(variances[level]), [(level, node, part)]
        below = [visit(level + 1, 4 * node + child) for child in range(4)]
        count, variance = (sum(x[k] for x in below) for k in (0, 1))
        return count, variance, [found for x in below for found in x[2]]

    return visit(0, 0)


def least_squares(release):
    """Estimates of all leaves and their covariance by dense algebra."""
    height = release.shape.height
    rows, values, weights = [], [], []
    for level, (counts, scale) in enumerate(zip(release.counts, release.scales, strict=True)):
        if np.isinf(scale):
            continue
        block = np.kron(np.eye(4**level), np.ones(4 ** (height - level)))
        rows.append(block)
        values.append(np.where(np.isnan(counts), 0.0, counts))
        weights.append(np.full(4**level, 1 / (2 * scale**2)))
    matrix, target, weight = np.vstack(rows), np.concatenate(values), np.concatenate(weights)
    covariance = np.linalg.inv(matrix.T @ (weight[:, None] * matrix))
    best = covariance @ (matrix.T @ (weight * target))
    if release.total is not None:  # an exact sum: condition on it
        gain = covariance.sum(axis=1) / covariance.sum()
        best = best + gain * (release.total - best.sum())
        covariance = covariance - np.outer(gain, covariance.sum(axis=0))
    return best, covariance
