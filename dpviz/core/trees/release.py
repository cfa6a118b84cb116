"""The release of a noisy count tree over an interval."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, budget_from_dict
from dpviz.core.checks import a, finite
from dpviz.core.errors import InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.releases import (
    SEEDED,
    Columns,
    ShowsItself,
    fitting,
    read_release,
    settle_declared,
    spent_budget,
)
from dpviz.core.trees.holds_tree import HoldsTree, ends_of, node_columns
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.shape import TreeShape
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class TreeRelease(HoldsTree, ShowsItself):
    """Noisy counts of equal intervals with everything needed to interpret them.

    tree holds the counts; bounds are in the column's units. parameters may be nested plain values.
    Nothing here is confidential.
    Raises: InvalidRelease if some counts are exact.
    """

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeRelease) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # holds arrays; equality is by content

    def _columns(self) -> Columns:
        return node_columns(self.levels, lambda level: ends_of(self.edges(level)))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; None stands for a level that is not released."""
        return {
            "kind": "tree",
            "dpviz": self.version,
            "randomness": self.randomness,
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "neighbours": self.neighbours.value,
            "spent": self.spent.to_dict(),
            "bounds": [self.bounds.low, self.bounds.high],
            "resolution": self.resolution,
            **self.tree.to_dict(),
        }

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal release, to the last digit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> TreeRelease:
        """Read a release written by to_json; variances are computed again from the scales.

        Raises: InvalidRelease when the text is not such a release.
        """
        return read_release(text, "tree", "release of a tree", cls._from_dict)

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> TreeRelease:
        return cls(
            mechanism=stored["mechanism"],
            parameters=stored["parameters"],
            tree=NoisyTree.from_dict(stored),
            bounds=Bounds(*stored["bounds"]),
            resolution=float(stored["resolution"]),
            neighbours=Neighbours(stored["neighbours"]),
            spent=budget_from_dict(stored["spent"]),
            randomness=stored.get("randomness", SEEDED),  # before 0.4 it was not said
            version=stored["dpviz"],
        )
