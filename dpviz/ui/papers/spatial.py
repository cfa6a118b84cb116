"""The figures of Cormode et al. 2012 (PSD): pictures, studies, and the points that they are about."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.papers import psd_example as example
from dpviz.experiments.papers.psd_costs import median_study
from dpviz.experiments.papers.psd_figures import PRESETS, Settings
from dpviz.experiments.papers.roads import SEED as ROADS_SEED
from dpviz.experiments.papers.roads import N as ROADS_N
from dpviz.experiments.papers.roads import road_points
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies import psd as figures
from dpviz.figures.studies import quarters as drawn
from dpviz.figures.studies.medians import medians_figure
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, purpose_of
from dpviz.ui.kit.job_panel import Study, nothing_paid, source
from dpviz.ui.model import alone
from dpviz.ui.papers.rows import Asked, Given, Missing, Presets, Shown
from dpviz.ui.visit import data as visit_data
from dpviz.ui.visit import state

ROADS, IN_USE = "roads", "in-use"
POINTS = {ROADS: "Made-up roads, as in the paper", IN_USE: "The data in use"}
HELP = "Full is the paper's: its heights, 600 rectangles, and 10 releases each."
SIZES = Presets("w_spatial_preset", PRESETS, HELP, lambda size: int(size.runs), "release")
MEDIAN_SIZES = Presets(
    "w_spatial_preset",
    PRESETS,
    "Quick: three trees; full: 30.",
    lambda size: int(size.median_runs),
    "tree",
)
MEDIAN_PARTS = {"Accuracy": "error", "Time": "time", "Time with sorting": "unsorted time"}
QUERY, ANSWERS, TWO_ESTIMATES = "The query", "Its answers", "Two estimates"
QUARTER_PARTS = (QUERY, ANSWERS, TWO_ESTIMATES)
SETTING_PARTS = {
    "Switch level": "switch level",
    "Medians' share": "share",
    "Hilbert order": "order",
    "kd-cell's grid": "cell length",
}
Build = Callable[[Points, Settings, np.random.Generator], Experiment]


def quarters(shown: Shown) -> Picture:
    """Figure 1, and the examples of §4.1 and §5."""
    tree = example.levels_of(shown.rows)
    exact = example.levels_of(shown.rows, "truth").counts
    if shown.part == TWO_ESTIMATES:
        return drawn.two_estimates_figure(
            example.averaged_roots(), example.best_weight(), shown.look
        )
    if shown.part == ANSWERS:
        truth = float(example.in_query() @ exact[-1]) if shown.shows_truth else None
        return drawn.answers_figure(example.answers(shown.rows), shown.look, truth=truth)
    places = [
        [example.place_of(level, node) for node in range(4**level)]
        for level in range(example.LEVELS)
    ]
    used = example.ways()[example.CANONICAL]
    return drawn.query_figure(
        tree.counts,
        places,
        used,
        example.WIDE,
        shown.look,
        truth=exact if shown.shows_truth else None,
    )


def accuracy(x: str) -> Callable[[Shown], Picture]:
    """Figures 3, 5 and 6: errors of rectangles against epsilon or height."""
    return lambda shown: figures.accuracy_figure(
        shown.rows, shown.look, x=x, around=shown.around, further=shown.improved
    )


def settings(shown: Shown) -> Picture:
    """§8.2's other settings."""
    knob = SETTING_PARTS.get(shown.part, next(iter(SETTING_PARTS.values())))
    return figures.settings_figure(shown.rows, shown.look, knob=knob)


def medians(shown: Shown) -> Picture:
    """Figure 4."""
    return medians_figure(shown.rows, shown.look, MEDIAN_PARTS.get(shown.part, "error"))


def median_trees(asked: Asked, given: Given) -> Study:
    """The trees behind figure 4, on points of their own."""
    return Study(
        asked.figure.key,
        asked.preset,
        given.about,
        f"{asked.preset} preset of {asked.figure.label}, {asked.size.medians:,} points",
        lambda: median_study(asked.size, np.random.default_rng(STUDY_SEED)),
        nothing_paid,
        processes=1,
        page=frame.page_file("papers"),
    )


def on_points(build: Build, processes: int | None = None) -> Callable[[Asked, Given], Study]:
    """The study behind a figure about points in the plane."""

    def study(asked: Asked, given: Given) -> Study:
        size, figure = asked.size, asked.figure
        # a title stays on screen while the truth goes, so it tells nothing of anybody's points
        used = "" if given.is_confidential else f"{min(ROADS_N, size.records):,} points of "
        return Study(
            figure.key,
            (asked.preset, given.key),
            given.about,
            f"{asked.preset} preset of {figure.label}, {used}{given.title}",
            lambda: build(given.data(), size, np.random.default_rng(STUDY_SEED)),
            _paid_for(asked, given) if given.is_confidential else nothing_paid,
            processes,
            page=frame.page_file("papers"),
        )

    return study


def _paid_for(asked: Asked, given: Given) -> Callable[[Experiment], None]:
    """What books the releases of the points in use; references that are not private have none."""
    draw = draw_in_use(STUDY_SEED)
    purpose = purpose_of((asked.figure.key, asked.preset), given.data())

    def pay(experiment: Experiment) -> None:
        cells: tuple[Any, ...] = experiment.cells
        costs = [
            replace(
                Cost(f"PSD {asked.figure.label}, {cell.method.name}", *cell.spends), simulated=True
            )
            for cell in cells
            if cell.method.private
        ]
        draw.book(purpose, paid=costs)

    return pay


SOURCE = alone.segments(
    "w_spatial_points",
    "Points",
    POINTS,
    "The paper has 1.63 million road crossings of Washington and New Mexico (TIGER 2006). "
    "Made up: as many points in the same box, in towns and along roads.",
)


def points_picker() -> None:
    """Which points the figures are about, and which set they are."""
    chosen = chosen_source()
    alone.draw(SOURCE, chosen)
    if chosen == IN_USE:
        st.selectbox(
            "Set with two columns",
            visit_data.options("plane"),
            format_func=session.data_title,
            help="A sample, or your own file once two of its columns are chosen.",
            **state.widget(
                "data_choice",
                visit_data.in_use("plane"),
                lambda key: visit_data.choose(key, "plane"),
            ),
        )
        if not session.shows_truth():
            st.caption("Errors compare with the points: show the truth to run on them.")


def chosen_source() -> str:
    """Which points the figures are about."""
    return str(alone.settle("papers", SOURCE))


def points_label() -> str:
    """What the points are called in the dock."""
    if chosen_source() == ROADS:
        return "Made-up roads"
    return data_choice.title()


def chosen_points() -> Given | Missing:
    """The points that points_picker chose, or why there are none."""
    return SOURCES[chosen_source()]()


def _made_up() -> Given | Missing:
    """The roads are made when a run is planned: a stored result needs none of them."""
    return Given(_roads, ROADS, ROADS, "the made-up roads")


@st.cache_resource(max_entries=1, show_spinner=False)
def _roads() -> Points:
    """Public and the same for everybody."""
    return road_points(np.random.default_rng(ROADS_SEED))


def _in_use() -> Given | Missing:
    if not session.shows_truth():
        return Missing("Results about the data in use compare with the points: hidden.")
    try:
        session.check_one_row_a_person()
        points = session.points()
    except DpvizError as error:
        return Missing(str(error))
    if points is None:
        return Missing("The data in use is a line; choose a set with two columns.")
    if isinstance(points, GridCounts):
        return Missing("These studies need each point apart; a table is counted on a grid.")
    if points.n < 2:
        return Missing("This figure needs at least two points.")
    title = "your file" if session.is_upload() else session.chosen_sample().title
    return Given(
        lambda: points, source(), points.fingerprint, title, is_confidential=True, is_own=True
    )


SOURCES: dict[str, Callable[[], Given | Missing]] = {ROADS: _made_up, IN_USE: _in_use}
