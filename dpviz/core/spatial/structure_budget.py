"""What the structure of a spatial decomposition cost, apart from its counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.core.budgets import Budget, budget_from_dict
from dpviz.core.errors import InvalidRelease

NON_PRIVATE = frozenset({"structure", "counts"})  # what a reference may leave unprotected


@dataclass(frozen=True, slots=True)
class StructureBudget:
    """The private steps that drew the cells; none at all for a fixed grid or a quadtree.

    share is the part of the whole budget that went to them (0 to 1); steps holds the budget of
    every step on a root-to-leaf path in order (all paths spend the same); private_levels is how
    many levels of fanout 4 below the root were split by them.
    """

    share: float = 0.0
    private_levels: int = 0
    steps: tuple[Budget, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", float(self.share))
        object.__setattr__(self, "private_levels", int(self.private_levels))
        object.__setattr__(self, "steps", tuple(self.steps))
        if not 0 <= self.share <= 1 or self.private_levels < 0:
            raise InvalidRelease(
                f"A structure takes a share from 0 to 1 and levels ≥ 0, got {self.share} and "
                f"{self.private_levels}."
            )
        if (self.share > 0) != bool(self.steps):
            raise InvalidRelease("A structure with a share names its steps, and the other way.")


def structure_to_dict(structure: StructureBudget) -> dict[str, Any]:
    """Plain values, ready for JSON."""
    return {
        "share": structure.share,
        "private_levels": structure.private_levels,
        "steps": [step.to_dict() for step in structure.steps],
    }


def structure_from_dict(stored: Mapping[str, Any]) -> StructureBudget:
    """The record that structure_to_dict wrote."""
    return StructureBudget(
        stored["share"],
        stored["private_levels"],
        tuple(budget_from_dict(step) for step in stored["steps"]),
    )
