"""Answers to one question, drawn as they are asked for, and where averages of them lie."""

import math
from itertools import pairwise

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidData
from dpviz.experiments.privacy.budget import Attack
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.understand.questions import Asked

ANSWERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
ANSWERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
STREAM = 8  # of a sample's seed: its first draw is an ordinary one, as three in four are


def attack_on(asked: Asked, answers: int) -> Attack:
    """So many answers. The first ones stay as they are when more are asked for.

    Raises: InvalidData for a quantile of nobody.
    """
    query, column = asked.query, asked.column
    if isinstance(query, CountQuery):
        spread, truth = one_spread(asked), query.truth(column)
        return Attack(_drawn(asked, answers), truth, spread, truth, 1.0)
    given = _drawn(asked, answers)  # first: what is booked hangs on no record
    if column.n == 0:
        raise InvalidData("The column has no records left, so it has no quantiles.")
    limit, spread = _law(asked)
    return Attack(given, query.truth(column), spread, limit, column.resolution)


def one_spread(asked: Asked) -> float:
    """The standard deviation of one noisy count: public, for it is the noise's."""
    query = asked.query
    assert isinstance(query, CountQuery)
    return math.sqrt(query.noise.variance(query.scale(asked.budget)))


def _drawn(asked: Asked, answers: int) -> FloatArray:
    """Answers in the stretches in which they were asked for, each paid when it is first drawn."""
    stops = [0, *(stop for stop in ANSWERS if stop <= answers)]
    parts = [
        _stretch(asked, number, stop - last) for number, (last, stop) in enumerate(pairwise(stops))
    ]
    return np.concatenate(parts)


def _stretch(asked: Asked, number: int, answers: int) -> FloatArray:
    query, column, budget, draw = asked.query, asked.column, asked.budget, asked.draw
    purpose = purpose_of(query, column, budget, "averaging", number)
    paid = [Cost("averaging", budget, answers)]
    return memory.public(
        column,
        (purpose, draw, STREAM, number, answers),
        lambda: query.release_many(
            column, budget, draw.generator(purpose, STREAM, number), answers
        ),
        lambda: draw.book(purpose, STREAM, number, paid=paid),
    )


def _law(asked: Asked) -> tuple[float, float]:
    """What averages of one private quantile settle on, and its standard deviation, exact.

    Ties are spread once more for it; what is published lies on the steps of the resolution, and so
    do these.
    """
    query, column = asked.query, asked.column
    assert not isinstance(query, CountQuery)
    purpose = purpose_of(query, column, asked.budget, "law")
    return memory.public(
        column,
        (purpose, asked.draw),
        # nothing is released: it is what the teaching view knows of the mechanism
        lambda: query.moments(column, asked.budget, asked.draw.generator(purpose)),
    )
