"""What is read from a tree's CDF, and how often the truth left its band."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpviz.core.data import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.cdf_summary import range_reading, summary
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import cdf_trials
from dpviz.figures.trees.cdf import trials_figure
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.controls import TreeChoice


def cdf_readings(
    release: TreeRelease, reading: TreeEstimator, step: int, smooth: Cdf, raw: Cdf
) -> None:
    """Totals, medians and ranges with their standard errors."""
    st.markdown("**Read from the smoothed CDF**, ranges from the counts as they are")
    if reading not in {TreeEstimator.RAW, TreeEstimator.EFFICIENT}:
        st.caption("Standard errors are known for the raw and the efficient reading.")
        return
    errors = CdfErrors(release.tree_noise, reading, step)
    found = list(summary(smooth, errors))
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
        found.append(range_reading(raw, errors, float(first), float(last)))
    else:
        st.caption("The range ends before it starts.")
    table = pd.DataFrame(
        {
            "reading": [one.name for one in found],
            "value": [significant(one.value, 5) for one in found],
            "standard error": [significant(one.standard_error, 3) for one in found],
            "how": [one.method for one in found],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        alt="Numbers read from the CDF with their standard errors",
        column_config={
            name: st.column_config.TextColumn(alignment="right")
            for name in ("value", "standard error")
        },
    )


def cdf_trials_panel(
    column: Column, choice: TreeChoice, reading: TreeEstimator, step: int, beta: float, draw: Draw
) -> None:
    """How often the truth left the pointwise band; confidential."""
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
    st.caption(
        f"Dashed: {expected:.1f} expected in each trial for the raw curve: β times the points."
    )
