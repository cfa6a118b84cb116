"""The figures of Cormode et al. 2012 (PSD) in the Paper figures view, on points in the plane."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpviz.core.data import Points
from dpviz.core.errors import DpvizError
from dpviz.experiments.plan import Experiment
from dpviz.experiments.psd_costs import (
    construction_times,
    median_study,
    record_matching,
)
from dpviz.experiments.psd_figures import (
    PRESETS,
    Settings,
    height_accuracy,
    kd_accuracy,
    quadtree_accuracy,
    worst_case_errors,
)
from dpviz.experiments.tally import summary
from dpviz.figures.medians import median_error_figure, median_time_figure
from dpviz.figures.psd_figures import (
    accuracy_figure,
    construction_figure,
    matching_figure,
    worst_case_figure,
)
from dpviz.intake.samples import sample, sample_points
from dpviz.ui import frame, session
from dpviz.ui.comparison import empty_state
from dpviz.ui.downloads import chart_options
from dpviz.ui.job_panel import job_panel, source
from dpviz.ui.jobs import Job
from dpviz.ui.messages import problem
from dpviz.ui.paper_captions import CAPTIONS
from dpviz.ui.what_if_controls import SEED

STAND_IN = "towns"
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
        lambda: median_study(settings, np.random.default_rng(SEED)),
        draw,
        processes=1,
    )


def _on_points(figure: str, preset: str) -> None:
    if not session.shows_truth():
        empty_state("This figure compares with the points; with the truth off it is hidden.")
        return
    try:
        points, about, title = _points()
    except DpvizError as error:
        problem(error)
        return
    settings = PRESETS[preset]
    if points.n < 2:
        empty_state("This figure needs at least two points.")
        return
    job_panel(
        figure,
        (preset, points.fingerprint),
        about,
        f"{preset} preset of {FIGURES[figure]}, {min(points.n, settings.records):,} points of {title}",
        lambda: BUILT[figure](points, settings, np.random.default_rng(SEED)),
        lambda job: _show(figure, _picture(figure, summary(job.rows()))),
        processes=1 if figure == "psd7a" else None,
    )


def _points() -> tuple[Points, Hashable, str]:
    """The points in use, or a stand-in that is named as such."""
    chosen = session.points()
    if chosen is not None:
        return (
            chosen,
            source(),
            "your file" if session.is_upload() else session.chosen_sample().title,
        )
    title = sample(STAND_IN).title
    st.caption(
        f":material/warning: The data in use is a line; the made-up set {title} stands in for points "
        "in the plane. Choose a set with two columns on the left for your own."
    )
    points = session.remembered(("points", STAND_IN), lambda: sample_points(STAND_IN))
    return points, "study", title


def _picture(figure: str, found: pd.DataFrame) -> go.Figure:
    shows_truth = True  # errors say something about the points
    if figure == "psd7a":
        return construction_figure(found, frame.ink())
    if figure == "psd7b":
        return matching_figure(found, frame.ink(), shows_truth=shows_truth)
    x = "height" if figure == "psd6" else "epsilon"
    return accuracy_figure(found, frame.ink(), x=x, shows_truth=shows_truth)
