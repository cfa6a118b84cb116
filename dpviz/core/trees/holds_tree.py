"""The short names by which scripts read a release that holds a noisy tree."""

from collections.abc import Callable, Sequence

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import Columns
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise


class HoldsTree:
    """What scripts read from a release that holds a noisy tree, by its short names."""

    __slots__ = ()
    tree: NoisyTree

    @property
    def fanout(self) -> int:
        """Children of each node."""
        return self.tree.fanout

    @property
    def counts(self) -> tuple[FloatArray, ...]:
        """Noisy counts of all nodes, root first; NaN on levels that are not released."""
        return self.tree.counts

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of the noise on a node of each level, shape () each; ∞ where left out."""
        return self.tree.variances

    @property
    def noise(self) -> Noise:
        """The law of the noise."""
        return self.tree.noise

    @property
    def scales(self) -> tuple[float, ...]:
        """Noise scale of each level, root first; ∞ where a level is not released."""
        return self.tree.scales

    @property
    def root(self) -> Root:
        """What happened to the count of all records."""
        return self.tree.root

    @property
    def total(self) -> float | None:
        """N where it is public, else None."""
        return self.tree.total

    @property
    def levels(self) -> Levels:
        """Counts and variances in the form that estimators work on."""
        return self.tree.levels

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return self.tree.shape

    @property
    def level_count(self) -> int:
        """Levels from the root to the leaves, height + 1."""
        return len(self.tree.counts)

    @property
    def tree_noise(self) -> TreeNoise:
        """The law of the noise on every node, which says all that errors depend on."""
        return self.tree.tree_noise


def node_columns(
    levels: Levels, places: Callable[[int], Columns], kept: Sequence[BoolArray] | None = None
) -> Columns:
    """One row for each node that carries information, root first: level, node, place and error.

    places gives where the nodes of a level lie, by column; kept[l] (fanout**l,) marks the nodes to
    show, all without it. Units: records.
    """
    parts = []
    for level, counts in enumerate(levels.counts):
        variances = levels.node_variances(level)
        known = np.isfinite(variances) if kept is None else np.isfinite(variances) & kept[level]
        node = np.flatnonzero(known)
        place = {name: side[node] for name, side in places(level).items()} if node.size else {}
        errors = np.sqrt(variances[node])
        part = {"level": np.full(node.size, level), "node": node, **place}
        parts.append(part | {"count": counts[node], "standard_error": errors})
    shown = [part for part in parts if part["node"].size]
    return {name: np.concatenate([part[name] for part in shown]) for name in shown[0]}


def ends_of(edges: FloatArray) -> Columns:
    """The lower and the upper ends of the intervals between edges (k + 1,)."""
    return {"low": edges[:-1], "high": edges[1:]}
