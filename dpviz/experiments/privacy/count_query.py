"""One noisy count, and the exact law of its output."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.checks import found
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.loss import Claim, Loss, epsilon_of, noise_loss
from dpviz.experiments.privacy.neighbours import Change, Pair, exact_pair
from dpviz.mechanisms.counting.noisy_counts import noise_scale


@dataclass(frozen=True, slots=True)
class CountQuery:
    """The number of records in (above, threshold], both public, with noise.

    Without above it counts the records up to the threshold; CountQuery.over counts those above one.
    One record more, less or changed moves this single count by at most 1, so the scale is that of
    add/remove under either relation (the levels of a tree pay twice for a replaced record).
    """

    threshold: float
    noise: Noise
    above: float = -math.inf

    mark: ClassVar[str] = "green"  # in pictures, as AggTree's counts

    def __post_init__(self) -> None:
        if not self.above < self.threshold:  # NaN too
            raise InvalidParameter(
                f"above must lie below the threshold, got {found(self.above)} and "
                f"{found(self.threshold)}."
            )

    @classmethod
    def over(cls, threshold: float, noise: Noise) -> "CountQuery":
        """The number of records above a public threshold, with noise."""
        return cls(math.inf, noise, threshold)

    def pair(self, column: Column, change: Change, rng: np.random.Generator) -> Pair:  # noqa: ARG002  nothing is drawn
        """Both columns as they are."""
        return exact_pair(column, change)

    def scale(self, budget: Budget) -> float:
        """The noise's scale. Raises: UnsupportedBudget for noise that does not give the notion."""
        return noise_scale(self.noise, budget, 1.0, Neighbours.ADD_REMOVE)

    def claim(self, budget: Budget, delta: float) -> Claim:
        """A pure ε for Laplace noise; for Gaussian noise (ε, δ), in zCDP at the δ given."""
        scale = self.scale(budget)
        if not self.noise.gaussian:
            return Claim(1 / scale)
        if isinstance(budget, ApproxDP):
            return Claim(budget.epsilon, budget.delta)
        return Claim(epsilon_of(self.noise, scale, delta), delta)

    def release(self, column: Column, budget: Budget, rng: Randomness) -> float:
        """One noisy count, which may leave. Raises: NotExact for secure bits with doubles."""
        return self.truth(column) + float(self.noise.draw(self.scale(budget), (1,), rng)[0])

    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent outputs (runs,), each spending the whole budget."""
        return self.truth(column) + self.noise.draw(self.scale(budget), (runs,), rng)

    def truth(self, column: Column) -> float:
        """The true count."""
        below, upto = column.count_up_to([self.above, self.threshold])
        return float(upto - below)

    def attained(self, pair: Pair, budget: Budget, delta: float) -> float:
        """The smallest ε that holds for this pair of columns alone; for Gaussian noise at δ."""
        if self.truth(pair.one) == self.truth(pair.other):
            return 0.0
        scale = self.scale(budget)
        return epsilon_of(self.noise, scale, delta) if self.noise.gaussian else 1 / scale

    def loss(self, pair: Pair, budget: Budget) -> Loss:
        """Both exact laws of the noisy count."""
        one, other = self.truth(pair.one), self.truth(pair.other)
        return noise_loss(self.noise, self.scale(budget), one, other)
