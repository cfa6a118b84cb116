"""What every quantile mechanism offers."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import Card
from dpviz.core.data.column import Column
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness
from dpviz.core.releases import Parameters, QuantileRelease

Quantiles = QuantileSet | Iterable[float]


class QuantileMechanism(Protocol):
    """A frozen object that turns (column, quantiles, budget, rng) into private quantiles.

    One contract for all: quantiles in any order, repeated, 0 < q < 1; any column, empty ones
    included; outputs inside the declared bounds, in the order asked, monotone in q.
    """

    @property
    def name(self) -> str:
        """The field's name for the mechanism."""

    @property
    def card(self) -> Card:
        """What pickers, pictures and the Methods page say of the mechanism."""

    @property
    def neighbours(self) -> Neighbours:
        """The relation under which the budget holds."""

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values, for the release."""

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Raise UnsupportedBudget (or InvalidParameter) if release would refuse; draw nothing."""

    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once.

        Raises: InvalidParameter for secure bits if the mechanism is computed in floating point.
        """

    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k), each spending the whole budget: for teaching only.

        Drawn in doubles and compared with the truth; a release has the same law, not the same draw.
        """

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes on n records; right within a factor of about two.

        As confidential as n.
        """


class QuantileKind(Protocol):
    """The class of a quantile mechanism: made without arguments, it has sensible parameters."""

    @property
    def name(self) -> str:
        """The field's name for the mechanism."""

    @property
    def card(self) -> Card:
        """What pickers, pictures and the Methods page say of it."""

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """What a person may set of it."""

    def __call__(self) -> QuantileMechanism:
        """A mechanism with its default parameters."""
