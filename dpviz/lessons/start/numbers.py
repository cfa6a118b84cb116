"""Every number of Start: a count of salaries with and without Ida, its noise, what it tells."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.odds import Odds
from dpviz.intake.samples import sample_column

SAMPLE, THRESHOLD = "salaries", 100_000.0
IDA = 124_000.0  # earned by one person of the set
NOISE = Noise.DISCRETE_LAPLACE
QUERY = CountQuery.over(THRESHOLD, NOISE)
STOPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
DRAWS, SETS = 30, 6  # answers of one play, and how many plays differ
REACH = 20  # whole numbers on each side of the count; what lies beyond stands at the ends
OFTEN = 0.95  # 19 answers in 20
COLUMNS, BELOW = 92, 65  # of the heap, equal in log10; so many end at the threshold
DECADE = 38  # columns that are a factor of ten


@dataclass(frozen=True, slots=True)
class People:
    """Who is counted: everybody, and how many of them earn over the threshold, Ida included."""

    everybody: int
    over: int
    heap: tuple[int, ...]  # of all but Ida, in columns of HEAP

    def count(self, ida: bool) -> int:
        """The true count, with Ida or without her."""
        return self.over if ida else self.over - 1


HEAP = (
    THRESHOLD * 10 ** (-BELOW / DECADE),
    THRESHOLD * 10 ** ((COLUMNS - BELOW) / DECADE),
)  # the values between which the heap's columns lie


@cache  # a public sample, the same for everybody
def people() -> People:
    """The people of the sample set."""
    column = sample_column(SAMPLE)
    return People(column.n, int(QUERY.truth(column)), _heap(column))


def _heap(column: Column) -> tuple[int, ...]:
    edges = THRESHOLD * 10 ** ((np.arange(1, COLUMNS) - BELOW) / DECADE)
    edges[BELOW - 1] = THRESHOLD  # exactly, whatever the powers are rounded to
    counts = np.diff([0, *column.count_up_to(edges), column.n])
    counts[np.searchsorted(edges, IDA)] -= 1  # she is drawn apart
    return tuple(counts.tolist())


def law(epsilon: float, centre: int, around: int) -> FloatArray:
    """P(answer = k) for whole k within REACH of `around`; the ends hold all that lies beyond."""
    values = np.arange(around - REACH, around + REACH + 1) - centre
    up_to = np.array([NOISE.within(1 / epsilon, reach) for reach in range(-1, 2 * REACH + 2)])
    chance = np.diff(up_to) / 2  # of noise +k, and of noise −k
    chance[0] *= 2
    found: FloatArray = chance[np.abs(values)]
    for end in (0, -1):
        found[end] = (1 - NOISE.within(1 / epsilon, abs(int(values[end])) - 1)) / 2
    return found


def noise(epsilon: float, seed: int, number: int) -> FloatArray:
    """The noise of one set of draws: at every ε from the same random numbers, as a sample may."""
    rng = np.random.default_rng([seed, number])
    return NOISE.simulate(1 / epsilon, (DRAWS,), rng)


def answers(epsilon: float, ida: bool, seed: int, number: int, around: int) -> list[int]:
    """One set of draws; answers beyond REACH stand at the ends."""
    drawn = people().count(ida) + noise(epsilon, seed, number)
    return [int(one) for one in np.clip(drawn, around - REACH, around + REACH)]


def reach(epsilon: float) -> int:
    """The smallest t such that 19 answers in 20 lie within ±t of the truth."""
    return int(NOISE.reach(1 / epsilon, OFTEN))


def belief(epsilon: float) -> float:
    """How sure anyone can be after one answer that Ida is in, after even odds before it."""
    return float(Odds(epsilon).posterior(np.array([0.5]))[1][0])


def doubt(epsilon: float) -> float:
    """What that belief lacks to be certain; it keeps its digits where the belief is near 1."""
    return 1 / (1 + math.exp(min(epsilon, 700.0)))
