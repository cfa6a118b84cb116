"""The CDF that comes out of a noisy tree: raw and smoothed, with bands and readings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.data import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.tree_release import TreeRelease
from dpviz.estimators.band import CdfBand, cdf_band
from dpviz.estimators.cdf import cdf, monotone
from dpviz.estimators.cdf_errors import CdfErrors
from dpviz.estimators.cdf_summary import range_reading, summary
from dpviz.estimators.readings import TreeEstimator
from dpviz.experiments.tree import cdf_trials
from dpviz.figures.cdf_tree import CdfView, cdf_tree_figure, trials_figure
from dpviz.metrics.cdf import true_running_counts
from dpviz.ui import frame, memory, session
from dpviz.ui.downloads import chart_options
from dpviz.ui.draws import Draw
from dpviz.ui.tree_controls import TreeChoice

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
    levels = reading.apply(release.levels, release.total)
    raw = cdf(levels, release.bounds, release.total, step=step)
    smooth = monotone(raw, public_total=release.total is not None)
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
    readings, trials = st.columns(2, gap="medium")
    with readings:
        _readings(release, reading, step, smooth, raw)
    with trials:
        _trials(column, choice, reading, step, beta, draw)


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
        lambda: cdf_band(
            release.tree_noise, reading, np.random.default_rng([draw.seed, 4]), step=step, beta=beta
        ),
    )


def _readings(
    release: TreeRelease, reading: TreeEstimator, step: int, smooth: object, raw: object
) -> None:
    st.markdown("**Read from the smoothed CDF** (post-processing)")
    if reading not in {TreeEstimator.RAW, TreeEstimator.EFFICIENT}:
        st.caption("Standard errors are known for the raw and the efficient reading.")
        return
    errors = CdfErrors(release.tree_noise, reading, step)
    found = list(summary(smooth, errors))  # type: ignore[arg-type]
    low, high = st.columns(2, wrap=False)
    bounds = release.bounds
    first = low.number_input(
        "Range from", value=bounds.low, key="t_from", format="%.6g", persist_state="session"
    )
    last = high.number_input(
        "to",
        value=bounds.low + bounds.width / 2,
        key="t_to",
        format="%.6g",
        persist_state="session",
    )
    if first <= last:
        found.append(range_reading(raw, errors, float(first), float(last)))  # type: ignore[arg-type]
    else:
        st.caption("The range ends before it starts.")
    table = pd.DataFrame(
        {
            "reading": [one.name for one in found],
            "value": [one.value for one in found],
            "standard error": [one.standard_error for one in found],
            "how": [one.method for one in found],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        alt="Numbers read from the CDF with their standard errors",
        column_config={
            name: st.column_config.NumberColumn(format="%.5g")
            for name in ("value", "standard error")
        },
    )


def _trials(
    column: Column, choice: TreeChoice, reading: TreeEstimator, step: int, beta: float, draw: Draw
) -> None:
    st.markdown("**Points outside α in ten trials**, as the poster reports")
    if not session.shows_truth():
        st.caption("Each trial compares with the truth: hidden.")
        return
    trials = memory.remembered(
        ("trials", column.fingerprint, choice.tree, choice.budget, reading, step, beta, draw),
        lambda: cdf_trials(
            column,
            choice.tree,
            choice.budget,
            draw.rng("trials", 5),
            estimator=reading,
            step=step,
            beta=beta,
        ),
    )
    st.plotly_chart(
        trials_figure(trials, frame.ink()),
        key="t_trials",
        config=chart_options("trials", scroll=False),
        alt="Points of the CDF outside the pointwise band in each of ten trials",
    )
    expected = float(trials["expected"].iloc[0])
    st.caption(f"{expected:.1f} expected in each trial for the raw curve: β times the points.")
