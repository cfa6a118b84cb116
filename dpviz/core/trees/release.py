"""The release of a noisy count tree over an interval."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, finite
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import SEEDED, UNSAID, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.trees.holds_tree import HoldsTree, ends_of, node_columns
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.shape import TreeShape
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class TreeRelease(HoldsTree, DrawsItself, Stored):
    """Noisy counts of equal intervals with everything needed to interpret them.

    tree holds the counts; bounds are in the column's units. parameters may be nested plain values.
    Nothing here is confidential.
    Raises: InvalidRelease if some counts are exact.
    """

    _kind, _words = "tree", "release of a tree"
    _older, _flat = UNSAID, "tree"

    mechanism: str
    parameters: Mapping[str, Any]
    tree: NoisyTree
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of a tree"):
            settle_declared(
                self, tree=a(NoisyTree), bounds=a(Bounds), resolution=finite, spent=spent_budget
            )
        if self.tree.exact:
            raise InvalidRelease(f"Noise scales must be positive, got {self.tree.scales}.")

    def edges(self, level: int | None = None) -> FloatArray:
        """Node edges of a level (the leaves by default), shape (fanout**level + 1,)."""
        shape = self.shape if level is None else TreeShape(self.fanout, level)
        return shape.edges(self.bounds)

    def _columns(self) -> Columns:
        return node_columns(self.levels, lambda level: ends_of(self.edges(level)))
