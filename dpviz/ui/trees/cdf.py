"""The CDF that comes out of a noisy tree: raw and smoothed, with bands and readings."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.data import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.trees.band import CdfBand, noise_band
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.least_squares import estimated
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.cdf import CdfView, cdf_tree_figure
from dpviz.metrics.cdf import true_running_counts
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import Draw
from dpviz.ui.trees.cdf_readings import cdf_readings, cdf_trials_panel
from dpviz.ui.trees.controls import TreeChoice

SIMULATED_EDGES = 1 << 14  # above this a band would take seconds: choose a coarser step


def cdf_panel(
    release: TreeRelease,
    column: Column,
    reading: TreeEstimator,
    choice: TreeChoice,
    draw: Draw,
) -> None:
    """The curves, what is read from them, and how often the truth left the band."""
    memory.start_with("t_beta", 0.05)
    left, middle, right = st.columns(3)
    step = int(
        left.number_input(
            "Step, in leaves",
            1,
            max(release.shape.leaves, 1),
            value=1,
            key="t_step",
            bind="query-params",
            persist_state="session",
            help="Running counts at every step-th leaf edge, as the poster does for large domains.",
        )
    )
    beta = float(
        middle.number_input(
            "β",
            0.001,
            0.5,
            key="t_beta",
            bind="query-params",
            format="%.3f",
            persist_state="session",
            help="The bands hold with probability 1 − β.",
        )
    )
    shown = right.segmented_control(
        "Curve",
        ["raw", "smoothed"],
        selection_mode="multi",
        default=["raw", "smoothed"],
        key="t_curves",
        bind="query-params",
        persist_state="session",
        help="Smoothed: the closest monotone curve in squares (isotonic regression).",
    )
    raw = cdf(estimated(release, reading), step=step)
    smooth = monotone(raw)
    band = _band(release, reading, step, beta, draw)
    truth = true_running_counts(column, raw.edges) if session.shows_truth() else None
    view = CdfView(
        raw.edges,
        raw.counts if "raw" in shown else None,
        smooth.counts if "smoothed" in shown else None,
        band.pointwise,
        band.simultaneous,
        band.labels(smoothed="raw" not in shown),
        truth,
    )
    st.plotly_chart(
        cdf_tree_figure(view, frame.ink(), unit=session.unit()),
        key="t_cdf",
        config=chart_options("tree-cdf"),
        alt="Running counts from the tree, raw and smoothed, with bands"
        + (" and the truth" if truth is not None else ""),
    )
    # a release view has no trials, and its table takes their room
    readings, trials = st.columns([1, 1] if truth is not None else [3, 1], gap="medium")
    with readings:
        cdf_readings(release, reading, step, smooth, raw)
    with trials:
        cdf_trials_panel(column, choice, reading, step, beta, draw)


def _band(
    release: TreeRelease, reading: TreeEstimator, step: int, beta: float, draw: Draw
) -> CdfBand:
    if release.shape.leaves / step > SIMULATED_EDGES:
        raise InvalidParameter(
            f"A band over {release.shape.leaves // step:,} points would take too long to simulate. "
            f"Choose a step of at least {-(-release.shape.leaves // SIMULATED_EDGES)}."
        )
    return memory.remembered(
        ("band", release.tree_noise, reading, step, beta),
        lambda: noise_band(
            release.tree_noise, reading, np.random.default_rng([draw.seed, 4]), step=step, beta=beta
        ),
    )
