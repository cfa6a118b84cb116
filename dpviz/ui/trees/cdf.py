"""The CDF that comes out of a noisy tree: raw and smoothed, with bands, readings and trials."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dpviz.core.bounds import Bounds
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.cdf import CdfView, cdf_tree_figure, trials_figure
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart, number_table
from dpviz.ui.kit.choices import number, several, whole_number
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.cdf_numbers import CdfChoice, CdfNumbers, trials
from dpviz.ui.trees.page import TreePage

CURVES = ("raw", "smoothed")


def cdf_panel(page: TreePage, reading: TreeEstimator) -> None:
    """The curves, what is read from them, and how often the truth left the band."""
    asked, shown = _asked(reading, page.release.shape.leaves)
    found = CdfNumbers.of(page, asked)
    has_truth = found.truth is not None
    chart(
        cdf_tree_figure(_view(found, shown), frame.ink(), unit=session.unit()),
        "t_cdf",
        "tree-cdf",
        "Running counts from the tree, raw and smoothed, with bands"
        + (" and the truth" if has_truth else ""),
        scroll=True,
    )
    # a release view has no trials, and its table takes their room
    readings, tried = st.columns([1, 1] if has_truth else [3, 1], gap="medium")
    with readings:
        _readings(found, page.release.bounds)
    with tried:
        _trials(page, asked)


def _asked(reading: TreeEstimator, leaves: int) -> tuple[CdfChoice, list[str]]:
    """How the CDF is made, and which of its curves are shown."""
    memory.start_with("t_beta", 0.05)
    left, middle, right = st.columns(3)
    step = whole_number(
        "Step, in leaves",
        1,
        max(leaves, 1),
        "t_step",
        "Running counts at every step-th leaf edge, as the poster does for large domains.",
        default=1,
        place=left,
    )
    beta = number(
        "β",
        "t_beta",
        "The bands hold with probability 1 − β.",
        min_value=0.001,
        max_value=0.5,
        format="%.3f",
        place=middle,
    )
    shown = several(
        "Curve",
        CURVES,
        "t_curves",
        "Smoothed: the closest monotone curve in squares (isotonic regression). It is biased where the "
        "curve is flat: too low where a flat stretch begins, too high where it ends, by about .6 "
        "standard deviations of the noise. Standard errors belong to the raw curve.",
        place=right,
    )
    return CdfChoice(reading, step, beta), shown


def _view(found: CdfNumbers, shown: list[str]) -> CdfView:
    return CdfView(
        found.raw.edges,
        found.raw.counts if "raw" in shown else None,
        found.smooth.counts if "smoothed" in shown else None,
        found.band.pointwise,
        found.band.simultaneous,
        found.band.labels(smoothed="raw" not in shown),
        found.truth,
    )


def _readings(found: CdfNumbers, bounds: Bounds) -> None:
    """Totals, medians and ranges with their standard errors."""
    st.markdown("**Read from the smoothed CDF**, ranges from the counts as they are")
    if found.errors is None:
        st.caption("Standard errors are known for the raw and the efficient reading.")
        return
    left, right = st.columns(2, wrap=False)
    kept: dict[str, Any] = {"format": "%.6g", "bind": None}
    low = number("Range from", "t_from", default=bounds.low, place=left, **kept)
    high = number("to", "t_to", default=bounds.low + bounds.width / 2, place=right, **kept)
    readings = list(found.summary)
    if low <= high:
        readings.append(found.in_range(low, high))
    else:
        st.caption("The range ends before it starts.")
    table = pd.DataFrame(
        {
            "reading": one.name,
            "value": significant(one.value, 5),
            "standard error": significant(one.standard_error, 3),
            "how": one.method,
        }
        for one in readings
    )
    right_columns = dict.fromkeys(("value", "standard error"))
    number_table(table, "Numbers read from the CDF with their standard errors", right_columns)


def _trials(page: TreePage, asked: CdfChoice) -> None:
    """How often the truth left the pointwise band; confidential."""
    st.markdown("**Points outside α in ten trials**, as the poster reports")
    if not session.shows_truth():
        st.caption("Each trial compares with the truth: hidden.")
        return
    frame_of_trials = trials(page, asked)
    chart(
        trials_figure(frame_of_trials, frame.ink()),
        "t_trials",
        "trials",
        "Points of the CDF outside the pointwise band in each of ten trials",
    )
    expected = float(frame_of_trials["expected"].iloc[0])
    st.caption(
        f"Dashed: {expected:.1f} expected in each trial for the raw curve: β times the points."
    )
