"""Least squares on a tree whose nodes have any number of children: one pass up and one down."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.ragged import offsets


@dataclass(frozen=True, slots=True, eq=False)
class RaggedTree:
    """A tree with all leaves on its last level; children has an array a level but the last.

    It says how many children each node has, 1 or more; those of a node stand side by side on the
    next level, in the order of their parents.
    Raises: InvalidParameter for levels that do not fit each other, or a node without a child.
    """

    children: tuple[IntArray, ...]

    def __post_init__(self) -> None:
        nodes = 1
        for one in self.children:
            if one.shape != (nodes,) or one.min() < 1:
                raise InvalidParameter(
                    f"children needs {nodes} whole numbers above 0 for a level, got {one.size}."
                )
            nodes = int(one.sum())

    @property
    def nodes(self) -> tuple[int, ...]:
        """How many there are on each level, root first."""
        return (1, *(int(one.sum()) for one in self.children))

    def summed(self, level: int, below: FloatArray) -> FloatArray:
        """Sums over the children of every node of a level, (…, nodes)."""
        return np.add.reduceat(below, offsets(self.children[level])[:-1], axis=-1)

    def handed(self, level: int, values: FloatArray) -> FloatArray:
        """What every node of a level has, for each of its children, (…, nodes below)."""
        return np.repeat(values, self.children[level], axis=-1)

    def totals(self, leaves: FloatArray) -> tuple[FloatArray, ...]:
        """Sums of the leaves below every node, root first."""
        found = [leaves]
        for level in reversed(range(len(self.children))):
            found.insert(0, self.summed(level, found[0]))
        return tuple(found)


def least_squares(
    tree: RaggedTree, counts: Sequence[FloatArray], variances: Sequence[float]
) -> tuple[tuple[FloatArray, ...], tuple[FloatArray, ...]]:
    """Unbiased counts of least variance, (…, nodes) a level, and their exact variances (nodes,).

    variances has one of the independent noise on each level, root first; ∞ leaves its counts out.
    Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter unless variances are above 0, and finite on the last level.
    Source: the weights of Honaker 2019, equations 10 to 13, with those of every node its own.
    """
    if (
        len(variances) != len(tree.nodes)
        or not min(variances) > 0
        or not np.isfinite(variances[-1])
    ):
        raise InvalidParameter("variances must be above 0, one a level, and finite on the last.")
    best, spread = [counts[-1]], [np.full(tree.nodes[-1], float(variances[-1]))]
    sums: list[FloatArray] = []
    for level in reversed(range(len(tree.children))):
        sums.insert(0, tree.summed(level, best[0]))
        below, own = tree.summed(level, spread[0]), 1 / variances[level]
        joint = 1 / (own + 1 / below)
        measured = counts[level] if own > 0 else np.zeros_like(sums[0])
        best.insert(0, joint * (own * measured + sums[0] / below))
        spread.insert(0, joint)
    for level in range(len(tree.children)):
        # a child takes its share of what its parent knows beyond the sum of its children
        share = spread[level + 1] / tree.handed(level, tree.summed(level, spread[level + 1]))
        best[level + 1] = best[level + 1] + share * tree.handed(level, best[level] - sums[level])
        spread[level + 1] = spread[level + 1] * (1 - share) + share**2 * tree.handed(
            level, spread[level]
        )
    return tuple(best), tuple(spread)
