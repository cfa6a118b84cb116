"""The release of a spatial decomposition: a complete tree of fanout 4 over a box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, Neighbours, budget_from_dict
from dpviz.core.checks import a, checked_whole, optional, whole_numbers
from dpviz.core.codec import READERS, Stored, fitting
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.releases import SEEDED, UNSAID, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.spatial.boxes import FANOUT, box_from_row, box_row, sides_of
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.geometry import (
    Geometry,
    HilbertCut,
    Midpoints,
    Rectangles,
    geometry_from_dict,
)
from dpviz.core.spatial.structure_budget import NON_PRIVATE, StructureBudget
from dpviz.core.trees.holds_tree import HoldsTree, node_columns
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.version import __version__


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialRelease(HoldsTree, DrawsItself, Stored):
    """Noisy counts of a complete tree of rectangles with everything needed to interpret them.

    geometry says where the nodes lie, tree holds their counts. spent is None only for exact counts.
    non_private names what was not protected, "structure" or "counts", and is empty for every
    private release. Units: records; rectangles in the points'.
    Raises: InvalidRelease when the parts do not fit together.
    """

    _kind, _words = "spatial", "spatial release"
    _older = UNSAID

    mechanism: str
    parameters: Mapping[str, Any]
    geometry: Geometry
    tree: NoisyTree
    neighbours: Neighbours
    spent: Budget | None
    structure: StructureBudget = field(default_factory=StructureBudget)
    non_private: tuple[str, ...] = ()
    randomness: str = SEEDED
    version: str = __version__

    def __post_init__(self) -> None:
        with fitting("a spatial release"):
            settle_declared(
                self,
                geometry=a(Midpoints, Rectangles, HilbertCut),
                tree=a(NoisyTree),
                spent=optional(spent_budget),
                structure=a(StructureBudget),
            )
            object.__setattr__(self, "non_private", tuple(self.non_private))
            self._settle()

    def _settle(self) -> None:
        if not set(self.non_private) <= NON_PRIVATE:
            raise InvalidRelease(
                f"Only {', '.join(sorted(NON_PRIVATE))} can be non-private, got {self.non_private}."
            )
        exact = "counts" in self.non_private
        if self.tree.exact and not exact:
            raise InvalidRelease(f"Noise scales must be positive, got {self.scales}.")
        if (self.spent is None) != exact:
            raise InvalidRelease("A release of private counts says what it spent, no other does.")
        if self.fanout != FANOUT:
            raise InvalidRelease(f"A tree of rectangles has fanout {FANOUT}, got {self.fanout}.")
        if not self.geometry.fits(self.shape.height):
            raise InvalidRelease(
                f"A tree of height {self.shape.height} needs rectangles for each level; these are "
                "of a tree of another height."
            )

    @property
    def box(self) -> Box:
        """The declared box."""
        return self.geometry.box

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4), columns x_low, x_high, y_low, y_high."""
        checked_whole(level, "level", 0, self.shape.height)
        return self.geometry.level_boxes(level)

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4), without making those of all.

        Raises: InvalidParameter for a level that the tree does not have, or nodes that the level
        does not have.
        """
        level = checked_whole(level, "level", 0, self.shape.height)
        at, most = np.atleast_1d(whole_numbers(nodes, "nodes")), FANOUT**level
        if not ((at >= 0) & (at < most)).all():
            raise InvalidParameter(f"nodes of level {level} are numbered from 0 to {most - 1:,}.")
        return self.geometry.node_boxes(level, at)

    def _columns(self) -> Columns:
        return node_columns(self.levels, lambda level: sides_of(self.level_boxes(level)))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; None stands for a level that is not released."""
        tree = self.tree.to_dict()
        return {
            "kind": self._kind,
            "dpviz": self.version,
            "randomness": self.randomness,
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "neighbours": self.neighbours.value,
            "spent": None if self.spent is None else self.spent.to_dict(),
            "structure": self.structure.to_dict(),
            "non_private": list(self.non_private),
            **{key: tree[key] for key in ("root", "total")},
            "box": box_row(self.box).tolist(),
            **self.geometry.to_dict(),
            **{key: tree[key] for key in ("noise", "scales", "counts")},
        }

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> SpatialRelease:
        return cls(
            mechanism=stored["mechanism"],
            parameters=stored["parameters"],
            geometry=geometry_from_dict(box_from_row(stored["box"]), stored),
            tree=NoisyTree.from_dict({**stored, "fanout": FANOUT}),
            neighbours=Neighbours(stored["neighbours"]),
            spent=None if stored["spent"] is None else budget_from_dict(stored["spent"]),
            structure=READERS[StructureBudget](stored["structure"]),
            non_private=tuple(stored["non_private"]),
            randomness=stored["randomness"],
            version=stored["dpviz"],
        )


Decomposition = SpatialRelease | Cells
