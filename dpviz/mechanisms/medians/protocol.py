"""What every private median offers: one value for each of many nodes, all in one call."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import found, wanted
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.ragged import offsets
from dpviz.core.randomness.bits import Randomness
from dpviz.mechanisms.requests import checked_budget


@confidential("axis", "cells")
@dataclass(frozen=True, eq=False)
class Groups:
    """One coordinate of the points of several nodes, node after node: confidential.

    Shapes: values (n,), those of node i at starts[i] : starts[i + 1], ascending within a node if
    ordered; starts (p + 1,); weights (n,) says how many points have each value, None one each.
    Public: low and high (p,), the range of each node, axis, the declared range that all of them
    lie in, and into how many cells exact medians cut it. A value lies in its node's range.
    """

    values: FloatArray
    starts: IntArray
    low: FloatArray
    high: FloatArray
    axis: Bounds
    ordered: bool = True
    cells: int = 1 << 24
    weights: IntArray | None = None

    @property
    def held(self) -> IntArray:
        """Values of each node, (p,)."""
        return np.diff(self.starts)

    @cached_property
    def running(self) -> IntArray | None:
        """Points in front of each value, and all of them, (n + 1,); None where each is one."""
        return None if self.weights is None else offsets(self.weights)

    @property
    def before(self) -> IntArray:
        """Points in front of each node, and all of them, (p + 1,)."""
        return self.starts if self.running is None else self.running[self.starts]

    @property
    def sizes(self) -> IntArray:
        """Points of each node, (p,)."""
        return np.diff(self.before)

    @property
    def owner(self) -> IntArray:
        """The node of each value, (n,)."""
        return np.repeat(np.arange(self.low.size), self.held)

    def take(self, order: IntArray, starts: IntArray | None = None) -> "Groups":
        """The groups of some values, in this order; starts if others belong to a node than did."""
        weights = None if self.weights is None else self.weights[order]
        starts = self.starts if starts is None else starts
        return replace(self, values=self.values[order], weights=weights, starts=starts)

    def in_order(self) -> "Groups":
        """The same groups with values ascending within each node."""
        if self.ordered:
            return self
        return replace(self.take(np.lexsort((self.values, self.owner))), ordered=True)

    def shuffled(self, rng: np.random.Generator) -> "Groups":
        """The same groups with the values of each node in no order, as they come."""
        order = rng.permutation(self.values.size)
        order = order[np.argsort(self.owner[order], kind="stable")]
        return replace(self.take(order), ordered=False)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step takes from a budget: ε and δ, or ρ; the others are 0. Costs of a path add."""

    epsilon: float = 0.0
    delta: float = 0.0
    rho: float = 0.0


class PrivateMedian(Protocol):
    """A frozen object that draws the medians of many disjoint nodes, spending one step's budget.

    The nodes are disjoint parts of the data, so adding or removing one record changes one of them,
    and the step costs what a single node costs. Replacing a record changes one node of unchanged
    size or two nodes by one record each; every median covers the worse of the two.
    """

    @property
    def name(self) -> str:
        """The field's name for the method."""

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""

    @property
    def needs_order(self) -> bool:
        """Whether draw wants values ascending within each node (it sorts them otherwise)."""

    @property
    def takes_delta(self) -> bool:
        """Whether a step's budget is (ε, δ) rather than pure ε."""

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Raise what draw would raise, without drawing.

        Raises: UnsupportedBudget for a notion the method does not give, InvalidParameter for
        neighbours it does not cover.
        """

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """What a step takes, worked out again from the noise that draw uses: for the audit."""

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """One private median for each node, (p,), inside its range; spends budget once.

        Raises: InvalidParameter for secure bits if the median is computed in floating point.
        """


def a_median(value: Any, name: str) -> PrivateMedian:
    """The rule that a value is a private median.

    Raises: InvalidParameter for anything else, a class that nobody called included.
    """
    if isinstance(value, type) or not callable(getattr(value, "draw", None)):
        raise InvalidParameter(
            f"{name} must be a private median such as ExponentialMedian(), got {found(value)}."
        )
    median: PrivateMedian = value
    return median


def check_step(budget: Budget, neighbours: Neighbours) -> None:
    """Refuse what no median step can be drawn with.

    Raises: InvalidBudget for anything but a budget, InvalidParameter for another relation.
    """
    checked_budget(budget)
    wanted(Neighbours, neighbours, "neighbours")
