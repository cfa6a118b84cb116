"""One count, asked again and again under a small ε: averages of its answers, and their law."""

from dataclasses import dataclass
from functools import cache, lru_cache

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
RUNS, MOST = 40, 1_000  # people who ask, and how often each of them
SEEDS = 5, 99  # draw 1 is that of default_rng([5, 100])
USUAL, PRIOR = 0.95, 0.1
WAVES = 1 << 13  # far beyond any sum of 1,000 noises at ε = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Averaged:
    """So many answers of one count; answers and means (40, 1,000) hold all that could be asked.

    run is the row that is drawn, whose first answer is off by as much as one is on average. at and
    reach say where 19 of 20 means lie, off how far they are off on average, very_near the chance
    that they are within 0.05; all three are law.
    spent is ε by adding up, most the largest belief after a whole tank from a belief of 10 in 100.
    """

    asked: int
    truth: int
    answers: FloatArray
    means: FloatArray
    run: int
    at: tuple[int, ...]
    reach: tuple[float, ...]
    off: float
    off_first: float
    off_paid: float
    very_near: float
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

    @property
    def averages(self) -> FloatArray:
        """The means of the 40 runs at this number of answers."""
        return self.means[:, self.asked - 1]

    @property
    def span(self) -> tuple[float, float]:
        """The least and the largest of them."""
        return float(self.averages.min()), float(self.averages.max())

    @property
    def near(self) -> int:
        """How many of them are within one person of the truth."""
        return int(np.count_nonzero(np.abs(self.averages - self.truth) <= 1))

    def mean(self, answers: int) -> float:
        """The mean of the first answers of the run that is drawn."""
        return float(self.means[self.run, answers - 1])


@lru_cache(maxsize=32)
def numbers(asked: int, draw: int = 1) -> Averaged:
    """The first answers of a draw, and their law."""
    column, budget = sample_column("survey"), PureDP(EACH)
    answers, means = _drawn(draw)
    spent = ledger(QUERY, budget, DELTA, np.array([asked]))[BASIC]
    at, truth = places(), int(QUERY.truth(column))
    return Averaged(
        asked=asked,
        truth=truth,
        answers=answers,
        means=means,
        run=int(np.argmin(np.abs(np.abs(answers[:, 0] - truth) - mean_error(1)))),
        at=at,
        reach=tuple(reach_of_mean(one) for one in at),
        off=mean_error(asked),
        off_first=mean_error(1),
        off_paid=mean_error(round(PROMISED / EACH)),
        very_near=within(asked, 0.05),
        spent=round(float(spent[0]), 9),
        most=float(odds_of(PureDP(PROMISED), 0.5).posterior(np.array([PRIOR]))[1][0]),
    )


@lru_cache(maxsize=4)
def _drawn(draw: int) -> tuple[FloatArray, FloatArray]:
    """All answers of all runs, and their running means, shapes (40, 1,000)."""
    first, second = SEEDS
    rng = np.random.default_rng([first, second + draw])
    drawn = QUERY.release_many(sample_column("survey"), PureDP(EACH), rng, RUNS * MOST)
    answers = drawn.reshape(RUNS, MOST)
    return answers, np.array([running_means(one) for one in answers])


def places() -> tuple[int, ...]:
    """Numbers of answers that are even on a log axis, every one up to 20."""
    spread = np.geomspace(20, MOST, 60).round().astype(np.int64)
    return (*range(1, 20), *np.unique(spread).tolist())


@cache
def reach_of_mean(answers: int) -> float:
    """The smallest reach that holds 19 of 20 means of so many noises, by their exact law."""
    return float(np.searchsorted(_within_sums(answers), USUAL)) / answers


@cache
def mean_error(answers: int) -> float:
    """How far the mean of so many noises is off on average, by their exact law."""
    return float((1 - _within_sums(answers)).sum()) / answers  # E|X| = Σ P(|X| > t)


def within(answers: int, far: float) -> float:
    """The chance that the mean of so many noises is at most so far off."""
    return float(_within_sums(answers)[int(np.floor(far * answers + 1e-9))])


@lru_cache(maxsize=4)
def _within_sums(answers: int) -> FloatArray:
    """The chance that a sum of so many noises is at most 0, 1, 2 … off.

    Chances of the sum come from its characteristic function, ((1 − p)²/(1 − 2p cos t + p²))^k.
    """
    p = np.exp(-1 / QUERY.scale(PureDP(EACH)))
    waves = np.cos(2 * np.pi * np.arange(WAVES // 2 + 1) / WAVES)
    chances = np.fft.irfft(((1 - p) ** 2 / (1 - 2 * p * waves + p**2)) ** answers)
    return np.asarray(chances[0] + 2 * np.concatenate(([0.0], np.cumsum(chances[1 : WAVES // 2]))))
