"""One count of lunches under one ε, for a row or for a person, and what that promises to Ana."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.odds import odds_of
from dpviz.intake.samples import load_sample, sample_names
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.sums.noisy_sum import sum_sensitivity

ROW = "row"
STOPS = (ROW, "12", "6", "3")  # what is one: a row, or a person with at most so many rows
NOISE, EPSILON, USUAL = Noise.DISCRETE_LAPLACE, 0.1, 0.95
PEOPLE, SEED, FULL = 40, 112, 12  # who eats, whose lunches these are, and the most of a person
ANA, PRIOR = 0, 0.1
AGES = Bounds(18, 70)
MOVED = 8  # the mark that Ana's is replaced by


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What is protected, what the count of all lunches is then off by, and the most about Ana.

    lunches (40,) are rows of each person, cap is how many of them count, None for all. sensitivity
    is the most that one unit moves the count, reach how far 19 of 20 answers are off, loss the ε
    that all rows of Ana have, and most the largest belief after the answer from one of 10 in 100.
    bars (10,) are the marks of the staff survey, before that at which Ana's stands; changes says,
    for each kind of answer, the sensitivity with a person added, and with one replaced.
    """

    name: str
    lunches: tuple[int, ...]
    cap: int | None
    sensitivity: int
    reach: int
    loss: float
    most: float
    bars: tuple[int, ...]
    before: int
    changes: tuple[tuple[str, float, float], ...]
    reaches: tuple[int, int]

    @property
    def kept(self) -> tuple[int, ...]:
        """The rows of each person that count."""
        return tuple(min(one, self.cap or FULL) for one in self.lunches)

    @property
    def rows(self) -> int:
        """All lunches."""
        return sum(self.lunches)

    @property
    def cut(self) -> int:
        """The lunches that do not count."""
        return self.rows - sum(self.kept)

    @property
    def counted(self) -> int:
        """Ana's rows that count."""
        return self.kept[ANA]

    @property
    def at_most(self) -> int:
        """The largest belief in 100, rounded up."""
        return math.ceil(round(100 * self.most, 6))

    @property
    def times(self) -> float:
        """The most that the odds about Ana grow."""
        return math.exp(self.loss)


@lru_cache(maxsize=8)
def numbers(stop: str, _: int = 1) -> Unit:
    """The file, and what one unit of it can do; nothing is drawn but the file."""
    lunches = np.random.default_rng(SEED).integers(1, FULL + 1, PEOPLE)
    lunches[ANA] = FULL
    (ratings,) = load_sample("survey")
    cap = None if stop == ROW else int(stop)
    sensitivity = cap or 1
    loss = EPSILON if cap else EPSILON * int(lunches[ANA])
    added, replaced = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
    return Unit(
        name=sample_names("survey")[ANA],
        lunches=tuple(lunches.tolist()),
        cap=cap,
        sensitivity=sensitivity,
        reach=round(NOISE.reach(sensitivity / EPSILON, USUAL)),
        loss=loss,
        most=float(odds_of(PureDP(loss), 0.5).posterior(np.array([PRIOR]))[1][0]),
        bars=tuple(np.bincount(ratings.astype(np.int64), minlength=11)[1:].tolist()),
        before=int(ratings[ANA]),
        changes=(
            ("one count", 1, 1),
            ("ten bars", added.counts_changed, replaced.counts_changed),
            (
                f"ages {AGES.low:g} to {AGES.high:g}, summed",
                sum_sensitivity(AGES, added),
                sum_sensitivity(AGES, replaced),
            ),
        ),
        reaches=(_reach_of_bars(added), _reach_of_bars(replaced)),
    )


def _reach_of_bars(neighbours: Neighbours) -> int:
    """How far 19 of 20 answers of one bar of a histogram are off."""
    return round(NOISE.reach(noise_scale(NOISE, PureDP(EPSILON), 1, neighbours), USUAL))
