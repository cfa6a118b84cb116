"""One count of two groups, each published a hundred times under the same ε, and the law of both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.intake.samples import sample_column

NOISE, DRAWS, USUAL = Noise.DISCRETE_LAPLACE, 100, 0.95
SIDE = 8  # columns on each side of the truth


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One count of one group, published a hundred times. reach holds 19 of 20 answers by law."""

    people: int
    truth: int
    reach: int
    noise: tuple[int, ...]

    @property
    def within(self) -> int:
        """How many answers are within reach of the truth."""
        return sum(abs(one) <= self.reach for one in self.noise)

    @property
    def negative(self) -> int:
        """How many answers are below zero people."""
        return sum(self.truth + one < 0 for one in self.noise)


@dataclass(frozen=True, slots=True, eq=False)
class TwoGroups:
    """The office and the students under one ε; unit is how many people a column holds.

    law has the expected dots of each column, the truth in the middle, as in every column's name.
    """

    epsilon: float
    unit: int
    law: tuple[float, ...]
    staff: Row
    students: Row

    @property
    def highest(self) -> list[int]:
        """The dots of each group's fullest column."""
        return [
            max(map(self.columns(row).count, (0, 1, -1))) for row in (self.staff, self.students)
        ]

    def columns(self, row: Row) -> list[int]:
        """The columns of a row's dots, those in view; 0 is the truth."""
        found = [_column(one, self.unit) for one in row.noise]
        return [one for one in found if abs(one) <= SIDE]


@cache
def numbers(eps: float, draw: int = 1) -> TwoGroups:
    """A hundred counts of each group; they have noise of their own."""
    unit = max(1, round(1 / eps))
    return TwoGroups(
        epsilon=eps,
        unit=unit,
        law=_law(eps, unit),
        staff=_row("survey", 4, eps, np.random.default_rng(draw)),
        students=_row("exam", 49, eps, np.random.default_rng([draw, 2])),
    )


def _row(sample: str, threshold: float, eps: float, rng: np.random.Generator) -> Row:
    column, query, budget = sample_column(sample), CountQuery(threshold, NOISE), PureDP(eps)
    truth = query.truth(column)
    noise = query.release_many(column, budget, rng, DRAWS) - truth
    reach = NOISE.reach(query.scale(budget), USUAL)
    return Row(column.n, int(truth), int(reach), tuple(int(one) for one in noise))


def _column(noise: int, unit: int) -> int:
    """The nearest column; a tie goes to the one nearer to the truth."""
    return int(math.copysign(math.ceil(abs(noise) / unit - 0.5), noise))


def _law(eps: float, unit: int) -> tuple[float, ...]:
    """The expected dots of each column in view."""
    upto = [NOISE.within(1 / eps, unit // 2 + unit * i) for i in range(SIDE + 1)]
    side = [(high - low) / 2 for low, high in pairwise(upto)]
    return tuple(DRAWS * one for one in (*reversed(side), upto[0], *side))
