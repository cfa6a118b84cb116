"""The figures of Cormode et al. 2012 (PSD): pictures, studies, and the points that they are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from dpviz.core.data import Points
from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.psd_costs import median_study
from dpviz.experiments.papers.psd_figures import PRESETS, Settings, worst_case_errors
from dpviz.experiments.papers.roads import SEED as ROADS_SEED
from dpviz.experiments.papers.roads import road_points
from dpviz.figures.studies.medians import median_error_figure, median_time_figure
from dpviz.figures.studies.psd import (
    accuracy_figure,
    construction_figure,
    matching_figure,
    worst_case_figure,
)
from dpviz.ui.kit import choices, frame, memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, purpose_of
from dpviz.ui.kit.job_panel import Study, nothing_paid, source
from dpviz.ui.kit.messages import empty_state, problem
from dpviz.ui.papers.rows import Asked, Given, Presets, Sheet

ROADS, IN_USE = "roads", "in-use"
POINTS = {ROADS: "Made-up roads, as in the paper", IN_USE: "The data in use"}
SIZES = Presets(
    "w_spatial_preset",
    PRESETS,
    "Full is the paper's: its heights, 600 rectangles, and 10 releases each.",
)
Build = Callable[[Points, Settings, np.random.Generator], Experiment]


def worst_cases(sheet: Sheet) -> None:
    """Figure 2."""
    sheet.show(worst_case_figure(worst_case_errors(), frame.ink()))


def accuracy(x: str) -> Callable[[Sheet], None]:
    """Figures 3, 5 and 6: errors of rectangles against epsilon or height."""

    def draw(sheet: Sheet) -> None:
        # errors say something about the points, unless they are made up
        shows_truth = sheet.given.is_confidential
        found = summary(sheet.rows)
        sheet.show(accuracy_figure(found, frame.ink(), x=x, shows_truth=shows_truth))

    return draw


def medians(sheet: Sheet) -> None:
    """Figure 4."""
    rows = sheet.rows
    sheet.show(median_error_figure(rows, frame.ink(), shows_truth=False), "error")
    sheet.show(median_time_figure(rows, frame.ink()), "time")


def times(sheet: Sheet) -> None:
    """Figure 7a."""
    sheet.show(construction_figure(summary(sheet.rows), frame.ink()))


def matching(sheet: Sheet) -> None:
    """Figure 7b."""
    shows_truth = sheet.given.is_confidential
    sheet.show(matching_figure(summary(sheet.rows), frame.ink(), shows_truth=shows_truth))


def median_trees(asked: Asked, given: Given) -> Study:
    """The trees behind figure 4, on points of their own."""
    return Study(
        asked.figure.key,
        asked.preset,
        given.about,
        f"{asked.preset} preset of {asked.figure.title}, {asked.size.medians:,} points",
        lambda: median_study(asked.size, np.random.default_rng(STUDY_SEED)),
        nothing_paid,
        processes=1,
    )


def on_points(build: Build, processes: int | None = None) -> Callable[[Asked, Given], Study]:
    """The study behind a figure about points in the plane."""

    def study(asked: Asked, given: Given) -> Study:
        points, size, figure = given.data, asked.size, asked.figure
        # a title stays on screen while the truth goes, so it tells nothing of anybody's points
        used = "" if given.is_confidential else f"{min(points.n, size.records):,} points of "
        return Study(
            figure.key,
            (asked.preset, given.key),
            given.about,
            f"{asked.preset} preset of {figure.title}, {used}{given.title}",
            lambda: build(points, size, np.random.default_rng(STUDY_SEED)),
            _paid_for(asked, given) if given.is_confidential else nothing_paid,
            processes,
        )

    return study


def _paid_for(asked: Asked, given: Given) -> Callable[[Experiment], None]:
    """What books the releases of the points in use; references that are not private have none."""
    draw = draw_in_use(STUDY_SEED)
    purpose = purpose_of((asked.figure.key, asked.preset), given.data)

    def pay(experiment: Experiment) -> None:
        cells: tuple[Any, ...] = experiment.cells
        costs = [
            Cost(f"{asked.figure.title}, {cell.method.name}", *cell.spends)
            for cell in cells
            if "not private" not in cell.method.row.name
        ]
        draw.book(purpose, paid=costs)

    return pay


def points_picker() -> None:
    """Which points the figures are about."""
    choices.segments(
        "Points",
        POINTS,
        "w_spatial_points",
        "The paper has 1.63 million road crossings of Washington and New Mexico (TIGER 2006). "
        "Made up: as many points in the same box, in towns and along roads.",
    )


def chosen_points() -> Given | None:
    """The points that points_picker chose, or None after a message in their place."""
    given = SOURCES[st.session_state.get("w_spatial_points", ROADS)]()
    if given is not None and given.data.n < 2:
        empty_state("This figure needs at least two points.")
        return None
    return given


def _made_up() -> Given:
    rng = np.random.default_rng(ROADS_SEED)
    points = memory.remembered(("points", ROADS), lambda: road_points(rng))
    return Given(points, ROADS, points.fingerprint, "the made-up roads")


def _in_use() -> Given | None:
    if not session.shows_truth():
        empty_state("This figure compares with the points; with the truth off it is hidden.")
        return None
    try:
        points = session.points()
    except DpvizError as error:
        problem(error)
        return None
    if points is None:
        empty_state(
            "The data in use is a line. Choose a set with two columns on the left, or the made-up "
            "roads above."
        )
        return None
    title = "your file" if session.is_upload() else session.chosen_sample().title
    return Given(points, source(), points.fingerprint, title, is_confidential=True)


SOURCES: dict[str, Callable[[], Given | None]] = {ROADS: _made_up, IN_USE: _in_use}
