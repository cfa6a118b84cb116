"""The one-dimensional sample sets. Each function turns a generator into one array of values."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Values = NDArray[np.float64]


def uniform(rng: Generator) -> Values:
    """Kaplan, Schnapp and Stemmer 2021, section 4: uniform on (−5, 5), n = 10,000."""
    return rng.uniform(-5, 5, 10_000)


def normal(rng: Generator) -> Values:
    """Kaplan, Schnapp and Stemmer 2021, section 4: normal, mean 0, sd 5, n = 10,000."""
    return rng.normal(0, 5, 10_000)


def ages(rng: Generator) -> Values:
    """A pyramid with a baby boom around 57, thinned by Gompertz mortality."""
    age = np.arange(0, 106)
    cohort = 0.92 + 0.10 * _bump(age, 2, 5) + 0.28 * _bump(age, 33, 8) + 0.62 * _bump(age, 57, 7)
    cohort -= 0.20 * _bump(age, 77, 2)  # the few births of a war's last year
    survival = np.exp(-2.2e-5 / 0.098 * np.expm1(0.098 * age))
    weights = cohort * survival
    return rng.choice(age, 20_000, p=weights / weights.sum()).astype(np.float64)


def _bump(at: NDArray[np.int64], centre: float, width: float) -> Values:
    return np.exp(-0.5 * ((at - centre) / width) ** 2)


def hours(rng: Generator) -> Values:
    """Weekly working hours: 47 % at 40, smaller heaps at round numbers, a thin rest."""
    n = 20_000
    heaps = {40: 0.47, 50: 0.088, 45: 0.057, 60: 0.047, 35: 0.043, 20: 0.041, 30: 0.038}
    heaps |= {38: 0.024, 25: 0.022, 55: 0.021, 48: 0.016, 15: 0.014, 10: 0.011, 70: 0.009, 36: 0.01}
    spread = np.rint(np.clip(rng.normal(37, 14, n), 1, 98))
    heaped = rng.choice([*heaps], n, p=np.array([*heaps.values()]) / sum(heaps.values()))
    # a spread value may fall on a heap too, so the draw that fills 40 is made to measure
    values = np.where(rng.random(n) < sum(heaps.values()), heaped, spread)
    return _with_share(values, 40, 0.47, rng)


def _with_share(values: Values, at: float, share: float, rng: Generator) -> Values:
    """Exactly this share of the values at one place, the surplus moved to its neighbours."""
    surplus = np.flatnonzero(values == at)
    wanted = round(share * values.size)
    moved = rng.permutation(surplus)[: max(surplus.size - wanted, 0)]
    values[moved] += rng.choice([-3, -2, -1, 1, 2, 3], moved.size)
    missing = max(wanted - surplus.size, 0)
    values[rng.permutation(np.flatnonzero(values != at))[:missing]] = at
    return values


def salaries(rng: Generator) -> Values:
    """Yearly pay in hundreds: part-timers, a log-normal body, a Pareto tail."""
    n = 15_000
    body = rng.lognormal(np.log(43_000), 0.42, n)
    part_time = body * rng.uniform(0.15, 0.6, n)
    tail = 110_000 * (1 + rng.pareto(1.9, n))
    group = rng.choice(3, n, p=[0.78, 0.18, 0.04])
    pay = np.select([group == 0, group == 1], [body, part_time], tail)
    return 100 * np.rint(pay / 100)


def ratings(rng: Generator) -> Values:
    """Stars from 0.5 to 5 in halves: whole stars are preferred, and so is praise."""
    stars = np.arange(1, 11) / 2
    weights = np.array([1.6, 3.1, 1.7, 6.6, 5.1, 20.1, 12.8, 26.6, 8.8, 13.6])
    return rng.choice(stars, 12_000, p=weights / weights.sum())


def exam(rng: Generator) -> Values:
    """Marks 0 to 100: absentees at 0, marks 47–49 lifted to the pass mark 50, some full marks."""
    n = 6_000
    ability = np.where(rng.random(n) < 0.72, rng.normal(66, 14, n), rng.normal(41, 12, n))
    marks = np.rint(np.clip(ability, 0, 100))
    lifted = (marks >= 47) & (marks < 50) & (rng.random(n) < 0.75)
    marks[lifted] = 50
    marks[rng.random(n) < 0.025] = 0
    return marks


def waiting(rng: Generator) -> Values:
    """Minutes between eruptions of a geyser: short after short ones, long after long ones."""
    n = 8_000
    after_short = rng.random(n) < 0.36
    return np.where(after_short, rng.normal(54.5, 5.9, n), rng.normal(80.1, 5.9, n))
