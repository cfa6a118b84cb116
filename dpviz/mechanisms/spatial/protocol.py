"""What every spatial decomposition offers."""

from typing import Any, Protocol

from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.data.grid_counts import Plane
from dpviz.core.randomness.bits import Randomness
from dpviz.core.spatial.release import Decomposition


class SpatialMechanism(Protocol):
    """A frozen object that turns (points, budget, rng) into a private decomposition of their box.

    One contract for all: any points, none included; cells inside the declared box; nothing in the
    release that the budget did not pay for, unless its non_private says so. Counts on a grid give
    the release of their points, with the same seed, or are refused in words.
    """

    @property
    def name(self) -> str:
        """The field's name for the mechanism."""

    @property
    def neighbours(self) -> Neighbours:
        """The relation under which the budget holds."""

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values, for the release."""

    def check(self, budget: Budget) -> None:
        """Raise UnsupportedBudget (or InvalidParameter) if release would refuse; draw nothing."""

    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> Decomposition:
        """Spend the budget once."""
