"""One node of a noisy tree: its count under each reading, and the counts that make it."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.trees.question import TreeQuestion
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.estimators.trees.covariance import node_weights
from dpviz.estimators.trees.readings import TreeEstimator

HEAVIEST = 4  # weights in words
NOTHING = 1e-12  # a weight below this is rounding


@confidential("reading", "count", "error")
@dataclass(frozen=True, slots=True)
class ReadNode:
    """A node under one reading: its count, the count's standard error, and how far it is off.

    off, count − true count, is confidential, and None while the truth is hidden.
    """

    reading: TreeEstimator
    count: float
    error: float
    off: float | None


@confidential("node", "part")
@dataclass(frozen=True, slots=True, eq=False)
class NodeNumbers:
    """The node (level, place): its part of the axis, and its readings. true is confidential."""

    node: tuple[int, int]
    part: tuple[float, float]
    path: tuple[tuple[int, int], ...]
    readings: tuple[ReadNode, ...]
    true: float | None


@dataclass(frozen=True, slots=True, eq=False)
class NodeWeights:
    """The weight of every noisy count in a node's efficient estimate, by level, root first.

    own is that of the node's own count, used how many counts weigh anything, heaviest the largest
    in size: (level, place), weight. All depend on public choices alone.
    """

    weights: tuple[FloatArray, ...]
    own: float
    used: int
    heaviest: tuple[tuple[tuple[int, int], float], ...]


def answer(
    asked: TreeQuestion, node: tuple[int, int], readings: tuple[TreeEstimator, ...]
) -> NodeNumbers:
    """The node under these readings."""
    level, place = node
    low, high = asked.release.edges(level)[place : place + 2]
    true = None if asked.truth is None else float(asked.truth[level][place])
    found = []
    for reading in readings:
        levels = asked.read(reading)
        count = float(levels.counts[level][place])
        error = float(levels.node_variances(level)[place]) ** 0.5
        found.append(ReadNode(reading, count, error, None if true is None else count - true))
    path = asked.release.shape.path(level, place)
    return NodeNumbers(node, (float(low), float(high)), path, tuple(found), true)


def weigh(asked: TreeQuestion, node: tuple[int, int]) -> NodeWeights:
    """What the node's efficient estimate is made of."""
    level, place = node
    weights = node_weights(asked.release.levels, level, place, asked.release.total)
    flat = np.concatenate(weights)
    starts = np.cumsum([0, *(part.size for part in weights)])
    top = np.argsort(-np.abs(flat), kind="stable")[:HEAVIEST]
    depths = np.searchsorted(starts, top, side="right") - 1
    heaviest = tuple(
        ((int(depth), int(at - starts[depth])), float(flat[at]))
        for depth, at in zip(depths, top, strict=True)
    )
    used = int(np.count_nonzero(np.abs(flat) > NOTHING))
    return NodeWeights(weights, float(weights[level][place]), used, heaviest)
