"""Halving as the text of the AQ paper has it, word for word: a line of its own in Fig. 4 to 7."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.exponential.ladder import Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import treated_ladders
from dpviz.mechanisms.quantiles.descent import Run, cut, started
from dpviz.mechanisms.quantiles.recursion import plan

SENSITIVITY = 1.0  # of the utility in Appendix A
ROUNDING = 1e-9  # of q'·n, which is floored: 3 records are not 2 for 2.9999999999


@dataclass(frozen=True, slots=True)
class TextHalving:
    """Algorithm 1 with Appendix A: utility u of sensitivity 1, target ⌊q'n⌋, density ∝ exp(ε'u/2).

    The authors' program and ApproximateQuantiles keep the target q'n whole, so that one record
    moves the distance by max(q', 1 − q') at most: about a half, which allows twice the weight a
    rank. With the floor it moves by 1.
    Guarantee: PureDP and ZCDP under add/remove, in doubles: for studies alone.
    Source: Kaplan, Schnapp and Stemmer 2021, Algorithm 1, Appendix A and Theorem 3.10.
    """

    name: ClassVar[str] = "ApproximateQuantiles"

    def level_epsilon(self, budget: Budget, m: int) -> float:
        """ε' of each level of the recursion for m quantiles: ε/(log₂ m + 1), as printed.

        There are ⌊log₂ m⌋ + 1 levels, so that for most m a part of the budget is left over.
        Raises: UnsupportedBudget for (ε, δ), of which the figures have none.
        """
        levels = math.log2(m) + 1
        match budget:
            case PureDP(epsilon):
                return epsilon / levels
            case ZCDP(rho):
                return math.sqrt(2 * rho / levels)
            case _:
                raise UnsupportedBudget("The text's halving is run for ε and for ρ.")

    def release_many(
        self,
        column: Column,
        quantiles: QuantileSet,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, m); each spends the whole budget."""
        steps = plan(quantiles)
        eta = self.level_epsilon(budget, steps.m) / (2 * SENSITIVITY)
        drawn = np.empty((runs, steps.m))
        for run in range(runs):
            climbs = next(treated_ladders(column, Ties.SPREAD, rng, 1))
            walk = started(climbs, exponential_bounds(column, Ties.SPREAD), steps)
            for depth, nodes in enumerate(steps.levels):
                problems = replace(floored(walk, depth), eta=np.full(nodes.position.size, eta))
                found, interval = sample(climbs.ladder, problems, rng)  # spends the level's budget
                cut(walk, nodes, problems, found, interval)
            drawn[run] = walk.values[0, 1:-1]
        return quantiles.in_order_asked(drawn)


def floored(walk: Run, depth: int) -> Problems:
    """The sub-problems of a level with their targets ⌊q'n⌋ in place of q'n."""
    problems = walk.problems(depth)
    before = walk.ladder.rank(problems.first)
    return replace(problems, target=before + np.floor(problems.target - before + ROUNDING))
