"""One count under one ε, twice: every phone randomises its answer, or one server adds noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.special import ndtr

from dpviz.answers.privacy.trust import NOISE, CountLaws
from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.experiments.privacy.loss import log_law
from dpviz.experiments.privacy.randomised_response import EXACT, RandomisedResponse
from dpviz.lessons import survey

STOPS = tuple(40 * 10**i for i in range(7))  # people who answer: forty to forty million
LAWS = CountLaws(RandomisedResponse.coins())  # as the page One person draws them
COINS, SCALE = LAWS.coins, LAWS.scale
RUNS, USUAL = 40, 0.95
SEEDS = 3, 31, 32  # of the phones in view, of other answers of phones, of the server's
FAR = 300  # beyond any noise of the server
SIDE = 12  # columns on each side of the truth
UNITS = 2, 6  # people a column among 40 and 400; the next are tens of these


@dataclass(frozen=True, slots=True, eq=False)
class TwoTrusts:
    """A count of bad marks among so many people, published without and with a trusted server.

    marks and sent (40,) are what the phones in view know and say, said how many say "bad",
    estimated what follows. phones and server are 40 published answers each, among 40 people the
    first of phones is that in view; phones_law and server_law are the chances of columns of so
    many people (unit, server_unit), SIDE on each side of the truth. reaches are how far 19 of 20
    answers of phones are off at every stop, trusted that of a server, which is the same at all.
    """

    people: int
    truth: int
    marks: BoolArray
    sent: BoolArray
    said: int
    estimated: int
    phones: FloatArray
    server: FloatArray
    unit: int
    server_unit: int
    phones_law: FloatArray
    server_law: FloatArray
    reaches: tuple[float, ...]
    trusted: int

    @property
    def reach(self) -> float:
        """How far 19 of 20 answers of the phones are off."""
        return self.reaches[STOPS.index(self.people)]

    @property
    def share(self) -> float:
        """The same, as per cent of the people."""
        return 100 * self.reach / self.people

    @property
    def odds(self) -> int:
        """How many times likelier an answer can be in one world, for both."""
        return round(math.exp(COINS.epsilon))


@lru_cache(maxsize=16)
def numbers(people: int, draw: int = 1) -> TwoTrusts:
    """Both kinds of answers, and their laws."""
    first, second, third = SEEDS
    marks = survey.secrets()
    sent = COINS.release(marks.astype(np.int64), np.random.default_rng([first, draw])) == 1
    said, few = int(sent.sum()), marks.size
    truth = int(marks.sum()) * people // few
    reports = COINS.sums(truth, people, np.random.default_rng([second, draw]), RUNS)
    if people == few:
        reports[0] = said
    unit = UNITS[STOPS.index(people) % 2] * 10 ** (STOPS.index(people) // 2)
    server_unit = 1 if people == few else unit
    noise = NOISE.draw(SCALE, (RUNS,), np.random.default_rng([third, draw]))
    return TwoTrusts(
        people=people,
        truth=truth,
        marks=marks,
        sent=sent,
        said=said,
        estimated=round(float(COINS.estimate(np.array(said), few))),
        phones=COINS.estimate(reports, people).round(),
        server=truth + noise,
        unit=unit,
        server_unit=server_unit,
        phones_law=_phones_law(truth, people, unit),
        server_law=_server_law(server_unit),
        reaches=_reaches(),
        trusted=round(LAWS.server_reach(USUAL)),
    )


@cache
def _reaches() -> tuple[float, ...]:
    """How far 19 of 20 answers of the phones are off at every stop."""
    bad, few = int(survey.secrets().sum()), STOPS[0]
    return tuple(LAWS.coins_reach(bad * one // few, one, USUAL) for one in STOPS)


def columns(offsets: FloatArray, unit: int) -> IntArray:
    """In which column of the picture an answer so far from the truth stands, from 0 on."""
    return np.clip(np.rint(offsets / unit), -SIDE, SIDE).astype(np.int64) + SIDE


def _phones_law(truth: int, people: int, unit: int) -> FloatArray:
    """The chance of every column: exact among few people, normal among many."""
    if people <= EXACT:
        values, chances = COINS.law(truth, people)
        return _summed(values - truth, chances, unit)
    edges = unit * (np.arange(-SIDE, SIDE + 2) - 0.5)
    return np.asarray(np.diff(ndtr(edges / COINS.deviation(truth, people))))


def _server_law(unit: int) -> FloatArray:
    """The same for the server's noise."""
    reach = np.arange(-FAR, FAR + 1.0)
    return _summed(reach, np.exp(log_law(NOISE, SCALE, reach)), unit)


def _summed(offsets: FloatArray, chances: FloatArray, unit: int) -> FloatArray:
    return np.bincount(columns(offsets, unit), chances, 2 * SIDE + 1).astype(np.float64)
