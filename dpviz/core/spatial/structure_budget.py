"""What the structure of a spatial decomposition cost, apart from its counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.core.budgets import Budget, budget_from_dict
from dpviz.core.checks import finite, settle, whole
from dpviz.core.codec import READERS, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import spent_budget

NON_PRIVATE = frozenset({"structure", "counts"})  # what a reference may leave unprotected
MOST_LEVELS = 100  # more than any tree has


@dataclass(frozen=True, slots=True)
class StructureBudget:
    """The private steps that drew the cells; none at all for a fixed grid or a quadtree.

    share is the part of the whole budget that went to them (0 to 1); steps holds the budget of
    every step on a root-to-leaf path in order (all paths spend the same); private_levels is how
    many levels of fanout 4 below the root were split by them.
    Raises: InvalidRelease for a share or levels outside this, or steps that are no budgets.
    """

    share: float = 0.0
    private_levels: int = 0
    steps: tuple[Budget, ...] = ()

    def __post_init__(self) -> None:
        with fitting("the budget of a structure"):
            settle(self, share=finite, private_levels=whole(0, MOST_LEVELS), steps=_budgets)
        if not 0 <= self.share <= 1:
            raise InvalidRelease(f"A structure takes a share from 0 to 1, got {self.share}.")
        if (self.share > 0) != bool(self.steps):
            raise InvalidRelease("A structure with a share names its steps, and the other way.")

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        return {
            "share": self.share,
            "private_levels": self.private_levels,
            "steps": [step.to_dict() for step in self.steps],
        }


def _budgets(value: Any, name: str) -> tuple[Budget, ...]:
    return tuple(spent_budget(step, f"a step of {name}") for step in value)


def _from_dict(stored: Mapping[str, Any]) -> StructureBudget:
    steps = tuple(budget_from_dict(step) for step in stored["steps"])
    return StructureBudget(stored["share"], stored["private_levels"], steps)


READERS[StructureBudget] = _from_dict
