"""One count, asked again and again under a small ε: the mean of its answers, and their price."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.averaging import BASIC, ledger, running_means
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.odds import odds_of
from dpviz.intake.samples import sample_column

QUERY = CountQuery(4, Noise.DISCRETE_LAPLACE)  # marks of at most 4 in the staff survey
EACH, PROMISED, DELTA = 0.1, 1.0, 1e-6  # ε of one answer, ε of the tank
SEED = 21813  # a first answer far off, as one in six is
MOST, USUAL, PRIOR = 1_000, 0.95, 0.1
WAVES = 1 << 13  # far beyond any sum of 1,000 noises at ε = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Averaged:
    """So many answers of one count; answers and means (1,000,) hold all that could be asked.

    at and reach say where 19 of 20 means lie; spent is ε by adding up, most the largest belief
    after a whole tank from a belief of 10 in 100.
    """

    asked: int
    truth: int
    answers: FloatArray
    means: FloatArray
    at: tuple[int, ...]
    reach: tuple[float, ...]
    spent: float
    most: float

    @property
    def paid(self) -> int:
        """How many answers the tank pays."""
        return round(PROMISED / EACH)

    @property
    def over(self) -> float:
        """How many more tanks the answers took."""
        return max(0.0, self.spent / PROMISED - 1)

    def mean(self, answers: int) -> float:
        """The mean of the first answers."""
        return float(self.means[answers - 1])


@cache
def numbers(asked: int, draw: int = 1) -> Averaged:
    """The first answers of a draw, and their law."""
    column, budget = sample_column("survey"), PureDP(EACH)
    answers = QUERY.release_many(column, budget, np.random.default_rng([SEED, draw]), MOST)
    spent = ledger(QUERY, budget, DELTA, np.array([asked]))[BASIC]
    at = places()
    return Averaged(
        asked=asked,
        truth=int(QUERY.truth(column)),
        answers=answers,
        means=running_means(answers),
        at=at,
        reach=tuple(reach_of_mean(one) for one in at),
        spent=round(float(spent[0]), 9),
        most=float(odds_of(PureDP(PROMISED), 0.5).posterior(np.array([PRIOR]))[1][0]),
    )


def places() -> tuple[int, ...]:
    """Numbers of answers that are even on a log axis, every one up to 20."""
    spread = np.geomspace(20, MOST, 60).round().astype(np.int64)
    return (*range(1, 20), *np.unique(spread).tolist())


@cache
def reach_of_mean(answers: int) -> float:
    """The smallest reach that holds 19 of 20 means of so many noises, by their exact law.

    Chances of the sum come from its characteristic function, ((1 − p)²/(1 − 2p cos t + p²))^k.
    """
    p = np.exp(-1 / QUERY.scale(PureDP(EACH)))
    waves = np.cos(2 * np.pi * np.arange(WAVES // 2 + 1) / WAVES)
    chances = np.fft.irfft(((1 - p) ** 2 / (1 - 2 * p * waves + p**2)) ** answers)
    within = chances[0] + 2 * np.cumsum(chances[1 : WAVES // 2])
    return float(np.searchsorted(within, USUAL) + 1) / answers
