"""Quantiles before a draw: how far off each method is to be expected, on made-up people."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from dpviz.answers.studies import expected_said
from dpviz.answers.studies.expected import by_method, by_quantile, stays_under
from dpviz.core.arrays import FloatArray
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, stand_in
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps
from dpviz.ui.beforehand.frame import OTHERWISE, Reckoned, frame_of
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.visit.page import Visit

RUNS, FEWER, PATIENCE = 200, 40, 1.0  # of made-up people; fewer where they would take more seconds
MOST_PEOPLE = 1_000_000
SHAPE = "uniform"
UNKNOWN = (
    "Say under Data about how many people there are, from public knowledge, to see beforehand how "
    "exact it will be."
)


def before(
    now: Visit, waits: NotAsked, question: Question, settings: Settings, used: Sequence[str]
) -> None:
    """The frame of the page: the methods in use on a stand-in of the declared number of people."""
    frame_of("Quantiles", now, waits, lambda: _reckoned(now, question, settings, used))


def _reckoned(now: Visit, question: Question, settings: Settings, used: Sequence[str]) -> Reckoned:
    size = session.size()
    if now.view in {"column", "profile"}:
        return None, OTHERWISE
    if size is None:
        return None, UNKNOWN
    n = max(1, min(round(size), MOST_PEOPLE))
    found: dict[str, FloatArray] = {}
    for name in used:
        with suppress(DpvizError):  # what refuses says so once it is asked for
            found[name] = _errors(settings.build(name, question.budget), question, n)
    if not found:
        return None, OTHERWISE
    if len(found) == 1:
        (errors,) = found.values()
        expected = by_quantile(question.quantiles.distinct, errors)
    else:
        expected = by_method({methods.heading(name): one for name, one in found.items()})
    return expected, expected_said.made_up(expected, None if size > MOST_PEOPLE else n)


def _errors(mechanism: QuantileMechanism, question: Question, n: int) -> FloatArray:
    """What 19 of 20 draws stay under at each distinct quantile, as shares of the places, (k,).

    Raises: DpvizError as the mechanism does.
    """
    column, budget, quantiles = question.column, question.budget, question.quantiles.distinct
    bounds, resolution = column.bounds, column.resolution  # declared; its records are not looked at
    mechanism.check(budget, quantiles)

    def made() -> FloatArray:
        rng = np.random.default_rng(STAND_IN_SEED)
        people = stand_in(SHAPE, n, rng, bounds, resolution)
        expected = mechanism.seconds(n, quantiles.size, budget, RUNS, resolution)
        runs = RUNS if expected < PATIENCE else FEWER
        seeded = np.random.default_rng(STUDY_SEED)
        drawn = mechanism.release_many(people, quantiles, budget, seeded, runs)
        return stays_under(gaps(people, quantiles, drawn), n)

    key = ("expected", mechanism, tuple(quantiles.tolist()), budget, n, bounds, resolution)
    return memory.remembered(key, made)
