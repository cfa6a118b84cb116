"""All counts of a tree for people with a row in many leaves: the right noise and the wrong one."""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.counts.levels import count_levels
from dpviz.experiments.privacy.loss import Claim, epsilon_of
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.mechanisms.counting.noisy_counts import noise_scale

AT_ONCE = 1 << 20  # numbers of noise held together
READ = Noise.GAUSSIAN


class Stability(StrEnum):
    """By how much the tree's counts are taken to move (L2) for each unit that its leaves move."""

    RIGHT = "right"
    LAYERS = "layers"  # the number of layers: OpenDP issue 2924


@dataclass(frozen=True, slots=True)
class TreeQuery:
    """The counts of every node of a complete tree, the same Gaussian noise on each.

    Neighbours differ in one person, who has at most one row in each leaf: the leaves move by at
    most √leaves (L2). A tree of h layers moves up to √(1 + b + … + b^(h−1)) times as far, since
    the person's rows add up in every node above them. OpenDP's map of make_b_ary_tree says h times
    as far for L2 (issue 2924, September 2026): too little for a fanout of 4 or more, and from five
    layers on for 2.
    stability says which of the two the noise is for.
    Guarantee: with the right one ρ-zCDP and (ε, δ), for such people added, removed or replaced;
    up to rounding, on made-up columns alone.
    """

    fanout: int = 16
    layers: int = 3
    stability: Stability = Stability.RIGHT

    @property
    def shape(self) -> TreeShape:
        """The tree: its root is the first layer."""
        return TreeShape(self.fanout, self.layers - 1)

    @property
    def leaves(self) -> int:
        """How many leaves there are, and the most rows of one person."""
        return int(self.fanout ** (self.layers - 1))

    @property
    def moved(self) -> float:
        """How far (L2) a person with a row in every leaf moves the counts; nobody does more."""
        nodes = (self.fanout**self.layers - 1) // (self.fanout - 1)
        return math.sqrt(self.leaves * nodes)

    @property
    def noise_for(self) -> float:
        """How far (L2) the noise takes one person to move the counts."""
        if self.stability is Stability.LAYERS:
            return self.layers * math.sqrt(self.leaves)
        return self.moved

    def pair(self, column: Column) -> Pair:
        """The column's values with a person who has one row in every leaf, and without."""
        low, width = column.bounds.low, column.bounds.width
        middles = low + (np.arange(self.leaves) + 0.5) / self.leaves * width
        both = np.sort(np.concatenate((column.values, middles)))
        return Pair(Column.from_values(both, column.bounds), column, None, None)

    def scale(self, budget: Budget) -> float:
        """The noise's standard deviation. Raises: UnsupportedBudget for pure ε."""
        return self.noise_for * self._unit(budget)

    def claim(self, budget: Budget, delta: float) -> Claim:
        """(ε, δ), in zCDP at the δ given. Raises: UnsupportedBudget for pure ε."""
        unit = self._unit(budget)
        if isinstance(budget, ApproxDP):
            return Claim(budget.epsilon, budget.delta)
        return Claim(epsilon_of(READ, unit, delta), delta)

    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """How many people with a row in every leaf each of so many noisy trees shows, (runs,).

        The counts weighted by how far such a person moves each, which is what tells most about
        them: 1 more on average with such a person than without. Each run draws a whole tree.
        """
        weights = [np.full(self.fanout**level, self._rows(level)) for level in range(self.layers)]
        weight = np.concatenate(weights) / self.moved**2
        exact = np.concatenate(count_levels(column, self.shape))
        noise = np.empty(runs)
        at_once = max(1, AT_ONCE // weight.size)
        for start in range(0, runs, at_once):
            part = noise[start : start + at_once]
            part[:] = READ.draw(self.scale(budget), (part.size, weight.size), rng) @ weight
        return float(exact @ weight) + noise

    def attained(self, pair: Pair, budget: Budget, delta: float) -> float:  # noqa: ARG002  its only pair
        """The smallest ε at δ of the pair of this query: what all counts together lose."""
        return epsilon_of(READ, self.scale(budget) / self.moved, delta)

    def _rows(self, level: int) -> float:
        """Rows of a person with one in every leaf that lie in each node of a level."""
        return float(self.fanout ** (self.layers - 1 - level))

    @staticmethod
    def _unit(budget: Budget) -> float:
        """The scale for counts that move by 1 (L2)."""
        if isinstance(budget, PureDP):
            raise UnsupportedBudget(
                "The counts of this tree have Gaussian noise, which gives no pure ε. Choose a "
                "budget in ρ or (ε, δ)."
            )
        return noise_scale(READ, budget, 1.0, Neighbours.ADD_REMOVE)
