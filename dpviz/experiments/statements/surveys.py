"""Two surveys of one tree, each count with an error of its own: Honaker §2."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.splits.node_split import Nodes, even_shares
from dpviz.estimators.trees.combined import combined
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.node_tree import NodeTree

HEIGHT, RUNS = 5, 4000
WIDE, CLOSE = ZCDP(0.05), ZCDP(0.4)  # of the survey of everybody, and of that of one quarter
FIRST, SECOND, BOTH, MEAN = "wide", "close", "both", "mean"


def two_surveys(rng: np.random.Generator) -> pd.DataFrame:
    """Errors of 32 leaves: a wide survey of all, a close one of the second quarter, and both.

    Each is a noisy binary tree with Gaussian noise; the close one releases nothing outside its
    quarter and has a larger budget. All are read by least squares; mean is the plain mean of both
    readings in the quarter, which ignores how exact each is.
    Returns: columns survey, leaf (1, 2, …), variance (exact, records²; of mean: from both),
    mse and standard_error (over 4,000 pairs of surveys).
    """
    shape = TreeShape(2, HEIGHT)
    leaves = rng.poisson(10.0, shape.leaves).astype(np.float64)
    exact = [leaves.reshape(2**level, -1).sum(axis=1) for level in range(HEIGHT + 1)]
    wide = NodeTree(2, even_shares(shape)).noisy(exact, WIDE, rng, RUNS)
    close = NodeTree(2, quarter_shares(shape)).noisy(exact, CLOSE, rng, RUNS)
    first, second = _leaves(wide), _leaves(_quarter(close))
    both = _leaves(combined([wide, close]))
    inside = slice(shape.leaves // 4, shape.leaves // 2)
    mean = ((first[0][:, inside] + second[0]) / 2, (first[1][inside] + second[1]) / 4)
    return pd.concat(
        [
            _errors(FIRST, first, leaves, slice(None)),
            _errors(SECOND, second, leaves, inside),
            _errors(MEAN, mean, leaves, inside),
            _errors(BOTH, both, leaves, slice(None)),
        ],
        ignore_index=True,
    )


def quarter_shares(shape: TreeShape) -> Nodes:
    """Even shares for the nodes of the second quarter, 0 outside it."""
    shares = [np.zeros(shape.nodes(level)) for level in range(shape.height + 1)]
    for level in range(2, shape.height + 1):
        nodes = shape.nodes(level)
        shares[level][nodes // 4 : nodes // 2] = 1 / (shape.height - 1)
    return tuple(shares)


def _quarter(levels: Levels) -> Levels:
    """The second quarter as a tree of its own."""
    parts = [slice(2**level // 4, 2**level // 2) for level in range(2, levels.height + 1)]
    return Levels(
        2,
        tuple(levels.counts[at + 2][:, part] for at, part in enumerate(parts)),
        tuple(levels.node_variances(at + 2)[part] for at, part in enumerate(parts)),
    )


def _leaves(levels: Levels) -> tuple[FloatArray, FloatArray]:
    best = TreeEstimator.EFFICIENT.apply(levels)
    return best.counts[-1], best.node_variances(best.height)


def _errors(
    name: str, found: tuple[FloatArray, FloatArray], truth: FloatArray, part: slice
) -> pd.DataFrame:
    squares = (found[0] - truth[part]) ** 2
    return pd.DataFrame(
        {
            "survey": name,
            "leaf": np.arange(1, truth.size + 1)[part],
            "variance": found[1],
            "mse": squares.mean(axis=0),
            "standard_error": squares.std(axis=0, ddof=1) / np.sqrt(RUNS),
        }
    )
