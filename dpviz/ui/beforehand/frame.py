"""The frame of a page whose draw nobody has asked for yet: what it would cost, how exact it would be.

For trees and maps the noise alone decides; of quantiles it is reckoned on made-up people.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
import streamlit as st

from dpviz.answers.said import private
from dpviz.answers.studies import expected_said
from dpviz.answers.studies.expected import Expected, by_level, by_method, by_quantile, stays_under
from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.spatial.cells import Cells
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, stand_in
from dpviz.figures.studies.expected import expected_picture
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.release import ask_button
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.spatial.methods import MapChoice, method_of
from dpviz.ui.trees.choice import TreeChoice
from dpviz.ui.visit.page import Visit

DECIDE = "Or say what you need to know, and how exactly: Decide finds method and budget"
OTHERWISE = "How exact it will be is not reckoned for these settings."
Reckoned = tuple[Expected | None, str]  # the errors to expect, and what is said of them
JOINED = "How exact it will be depends on the bins that are joined, too: only the draw tells."
FOUND = "How exact it will be depends on the cells that are found, too: only the draw tells."
SEVERAL = "How exact each method will be is reckoned when one of them is chosen alone."
RUNS, FEWER, PATIENCE = 200, 40, 1.0  # of made-up people; fewer where they would take more seconds
MOST_PEOPLE = 1_000_000
SHAPE = "uniform"
UNKNOWN = (
    "Say under Data about how many people there are, from public knowledge, to see beforehand how "
    "exact it will be."
)


def frame_of(page: str, now: Visit, waits: NotAsked, reckon: Callable[[], Reckoned]) -> None:
    """Headline, button and the error to expect; what refuses says so once it is asked for."""
    try:
        expected, said = reckon()
    except DpvizError:
        expected, said = None, OTHERWISE
    head = st.container()
    cost = ask_button(waits)
    if not session.has_names_alone():  # the sentence asks for numbers
        st.page_link(frame.page_file("decide"), label=DECIDE)
    spends = "this draw spends" if len(waits.waiting) == 1 else "these draws spend"
    with head:
        headline(page, f"Nothing is drawn yet: {spends} {private(cost)}.", said)
    if expected is not None:
        alt = expected_said.alt(expected, said)
        hero(expected_picture(expected, now.look), "expected", alt, slides="expected")


def people() -> str:
    """What counts of the data in use count."""
    return session.words().people.many


def noise_alone(expected: Expected, what: str) -> Reckoned:
    """Errors that do not depend on data, and what is said of those of the finest counts."""
    return expected, expected_said.noise_alone(expected, what)


def trees_before(
    now: Visit, waits: NotAsked, choice: TreeChoice, column: Column, reading: TreeEstimator
) -> None:
    """The frame of the page. Of the column its declared bounds and steps are used, and no record."""

    def reckon() -> Reckoned:
        if now.view == "buckets":
            return None, JOINED
        nobody = Column.from_values([], column.bounds, column.resolution)
        release = choice.tree.release(nobody, choice.budget, np.random.default_rng(STUDY_SEED))
        levels = reading.apply(release.levels, release.total)
        return noise_alone(by_level(levels, "parts", people()), "finest counts")

    frame_of("Trees", now, waits, reckon)


def map_before(now: Visit, waits: NotAsked, choice: MapChoice, points: Plane) -> None:
    """The frame of the page. Of the points their declared box is used, and no record."""

    def reckon() -> Reckoned:
        if len(choice.methods) > 1:
            return None, SEVERAL
        expected = _levels(choice.methods[0], choice, points)
        return (None, FOUND) if expected is None else noise_alone(expected, "smallest cells")

    frame_of("Map", now, waits, reckon)


def _levels(name: str, choice: MapChoice, points: Plane) -> Expected | None:
    """A row a level of one method, from a map of nobody; None for cells that no level holds."""
    mechanism, budget = choice.mechanism(name, points.box), choice.budget

    def made() -> Expected | None:
        nobody = Points.from_xy([], [], points.box)
        release = mechanism.release(nobody, budget, np.random.default_rng(STUDY_SEED))
        if isinstance(release, Cells):
            return None
        levels = (estimate(release) if method_of(name).estimated else release).levels
        return by_level(levels, "cells", people())

    return memory.remembered(("expected", name, mechanism, points.box, budget), made)


def quantiles_before(
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
