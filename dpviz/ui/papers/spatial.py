"""The figures of Cormode et al. 2012 (PSD) in the Paper figures view, on points in the plane."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpviz.core.data import Points
from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.psd_costs import (
    construction_times,
    median_study,
    record_matching,
)
from dpviz.experiments.papers.psd_figures import (
    PRESETS,
    Settings,
    height_accuracy,
    kd_accuracy,
    quadtree_accuracy,
    worst_case_errors,
)
from dpviz.experiments.papers.roads import SEED as ROADS_SEED
from dpviz.experiments.papers.roads import road_points
from dpviz.figures.studies.medians import median_error_figure, median_time_figure
from dpviz.figures.studies.psd import (
    accuracy_figure,
    construction_figure,
    matching_figure,
    worst_case_figure,
)
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.job_panel import job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import empty_state, problem
from dpviz.ui.papers.captions import CAPTIONS

ROADS, IN_USE = "roads", "in-use"
POINTS = {ROADS: "Made-up roads, as in the paper", IN_USE: "The data in use"}
FIGURES = {
    "psd2": "PSD Fig. 2: worst error by height",
    "psd3": "PSD Fig. 3: quadtree settings",
    "psd4": "PSD Fig. 4: private medians",
    "psd5": "PSD Fig. 5: kd-trees",
    "psd6": "PSD Fig. 6: the best of each family",
    "psd7a": "PSD Fig. 7a: construction time",
    "psd7b": "PSD Fig. 7b: record matching",
}
BUILT: dict[str, Callable[[Points, Settings, np.random.Generator], Experiment]] = {
    "psd3": quadtree_accuracy,
    "psd5": kd_accuracy,
    "psd6": height_accuracy,
    "psd7a": construction_times,
    "psd7b": record_matching,
}


def spatial_panel(figure: str, preset: str) -> None:
    """One figure, and under it how it differs from the printed one."""
    if figure == "psd2":
        _show(figure, worst_case_figure(worst_case_errors(), frame.ink()))
    elif figure == "psd4":
        _medians(preset)
    else:
        _on_points(figure, preset)
    st.caption(CAPTIONS[figure])


def _show(figure: str, picture: go.Figure, part: str = "") -> None:
    st.plotly_chart(
        picture,
        key=f"w_{figure}{part}",
        config=chart_options(figure, scroll=False),
        alt=f"{FIGURES[figure]}{f', {part}' if part else ''}",
    )


def _medians(preset: str) -> None:
    def draw(job: Job) -> None:
        rows = job.rows()
        _show("psd4", median_error_figure(rows, frame.ink(), shows_truth=False), "error")
        _show("psd4", median_time_figure(rows, frame.ink()), "time")

    settings = PRESETS[preset]
    job_panel(
        "psd4",
        preset,
        "study",
        f"{preset} preset of {FIGURES['psd4']}, {settings.medians:,} points",
        lambda: median_study(settings, np.random.default_rng(STUDY_SEED)),
        draw,
        processes=1,
    )


def points_picker() -> None:
    """Which points the figures are about."""
    st.segmented_control(
        "Points",
        list(POINTS),
        default=ROADS,
        required=True,
        format_func=lambda one: POINTS[one],
        key="w_spatial_points",
        bind="query-params",
        persist_state="session",
        help="The paper has 1.63 million road crossings of Washington and New Mexico (TIGER 2006). "
        "Made up: as many points in the same box, in towns and along roads.",
    )


def _on_points(figure: str, preset: str) -> None:
    found = _made_up() if _is_made_up() else _in_use()
    if found is None:
        return
    points, about, title = found
    settings = PRESETS[preset]
    if points.n < 2:
        empty_state("This figure needs at least two points.")
        return
    job_panel(
        figure,
        (preset, points.fingerprint),
        about,
        f"{preset} preset of {FIGURES[figure]}, {min(points.n, settings.records):,} points of {title}",
        lambda: BUILT[figure](points, settings, np.random.default_rng(STUDY_SEED)),
        lambda job: _show(figure, _picture(figure, summary(job.rows()))),
        processes=1 if figure == "psd7a" else None,
    )


def _is_made_up() -> bool:
    return bool(st.session_state.get("w_spatial_points", ROADS) == ROADS)


def _made_up() -> tuple[Points, Hashable, str]:
    rng = np.random.default_rng(ROADS_SEED)
    points = memory.remembered(("points", ROADS), lambda: road_points(rng))
    return points, ROADS, "the made-up roads"


def _in_use() -> tuple[Points, Hashable, str] | None:
    """The points in use, or a message in their place."""
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
    return points, source(), title


def _picture(figure: str, found: pd.DataFrame) -> go.Figure:
    # errors say something about the points, unless they are made up
    about_data = not _is_made_up()
    if figure == "psd7a":
        return construction_figure(found, frame.ink())
    if figure == "psd7b":
        return matching_figure(found, frame.ink(), shows_truth=about_data)
    x = "height" if figure == "psd6" else "epsilon"
    return accuracy_figure(found, frame.ink(), x=x, shows_truth=about_data)
