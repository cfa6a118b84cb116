"""Honaker's schematic trees, Fig. 1 to 3, on one made-up example."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.covariance import node_weights

LEAVES = (12.0, 7.0, 9.0, 14.0, 5.0, 11.0, 8.0, 10.0)  # a to h, made up
SIGMA = 3.0  # of the noise on every node, as in Honaker's §4
HEIGHT = 3

# (level, index, sign) of the nodes that add up to a + b + c + d; t_1, t_10, t_100, … from the root
_LEFT, _ROOT = (1, 0, 1.0), (0, 0, 1.0)
_WAYS: tuple[tuple[tuple[int, int, float], ...], ...] = (
    (_LEFT,),
    ((2, 0, 1.0), (2, 1, 1.0)),
    ((2, 0, 1.0), (3, 2, 1.0), (3, 3, 1.0)),
    tuple((3, index, 1.0) for index in range(4)),
    (_ROOT, (1, 1, -1.0)),
    (_ROOT, (2, 2, -1.0), (2, 3, -1.0)),
    (_ROOT, (2, 2, -1.0), (3, 6, -1.0), (3, 7, -1.0)),
    (_ROOT, *((3, index, -1.0) for index in range(4, 8))),
)
WHOLE, BELOW, SIBLING, ABOVE = "all nodes", "below t100", "below its sibling", "all others"
PARTS = (WHOLE, BELOW, SIBLING, ABOVE)

Weights = tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class Example:
    """A binary tree of eight leaves: exact counts and noisy ones, (2**l,) a level, root first."""

    truth: tuple[FloatArray, ...]
    noisy: Levels


def example_tree(rng: np.random.Generator) -> Example:
    """Fig. 1: the made-up leaves summed upwards, Gaussian noise of deviation SIGMA on every node.

    Source: Honaker 2019, Fig. 1.
    """
    leaves = np.array(LEAVES)
    truth = tuple(leaves.reshape(2**level, -1).sum(axis=1) for level in range(HEIGHT + 1))
    counts = tuple(exact + rng.normal(0.0, SIGMA, exact.shape) for exact in truth)
    return Example(truth, Levels(2, counts, (np.asarray(SIGMA**2),) * (HEIGHT + 1)))


def ways() -> tuple[Weights, ...]:
    """Fig. 2: eight ways to read a + b + c + d off the tree, each a weight −1, 0, 1 a node.

    Source: Honaker 2019, Fig. 2; which eight is not said in the text: this project.
    """
    return tuple(_weights(way) for way in _WAYS)


def _weights(nodes: tuple[tuple[int, int, float], ...]) -> Weights:
    levels = tuple(np.zeros(2**level) for level in range(HEIGHT + 1))
    for level, index, sign in nodes:
        levels[level][index] = sign
    return levels


def applied(weights: Weights, counts: Weights) -> float:
    """Σ weight · count over all nodes."""
    return float(sum(w @ c for w, c in zip(weights, counts, strict=True)))


def variance_of(weights: Weights) -> float:
    """Variance of such a sum, in records²."""
    return SIGMA**2 * float(sum((w**2).sum() for w in weights))


def contributions(noisy: Levels, part: str = WHOLE) -> Weights:
    """Fig. 3: the weight of every node in the efficient estimate of t100, by the set it belongs to.

    The nodes at and below t100, at and below its sibling, and all others cover the tree without
    overlap; nodes outside the part have weight 0.
    Raises: ValueError for an unknown part. Source: Honaker 2019, Fig. 3 and eq. 13.
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r}")
    whole = node_weights(noisy, 2, 0)
    if part == WHOLE:
        return whole
    inside = [np.full(2**level, ABOVE, dtype=object) for level in range(HEIGHT + 1)]
    inside[2][:2] = BELOW, SIBLING
    inside[3][:4] = BELOW, BELOW, SIBLING, SIBLING
    return tuple(np.where(own == part, w, 0.0) for own, w in zip(inside, whole, strict=True))
