"""The sanitised column: synthetic points in place of the records."""

from __future__ import annotations

import csv
import io

import numpy as np
import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.figures.quantiles.cdf import PrivateCurve, cdf_figure, private_view
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import Draw
from dpviz.ui.quantiles.comparison import true_curve
from dpviz.ui.quantiles.mechanisms import Settings

MOST_POINTS = 100_000


def synthetic_panel(column: Column, settings: Settings, budget: Budget, draw: Draw) -> None:
    """Choose n̂, draw the points, compare their CDF, take them away."""
    st.caption(
        "Many private quantiles stand in for the records, so that tools that expect a column can be "
        "used (AQ paper, Corollary 3.6). A release of its own: it spends the budget again."
    )
    declared = st.number_input(
        "Points (leave empty to pay for a noisy count)",
        min_value=1,
        max_value=MOST_POINTS,
        value=1000,
        key="points",
        bind="query-params",
        persist_state="session",
        width=420,
        help="n̂ is declared in advance, or a noisy count bought with a tenth of the budget; the true "
        "number of records is never used (under replace-one it is public).",
    )
    mechanism = SanitizedColumn(
        size=None if declared is None else int(declared),
        quantiles=ApproximateQuantiles(
            settings.neighbours, settings.rho_rule, settings.ties, settings.round_to_grid
        ),
    )
    release = memory.remembered(
        ("synthetic", mechanism, column.fingerprint, budget, draw),
        lambda: mechanism.release(
            column, budget, draw.rng((mechanism, column.fingerprint, budget), 2)
        ),
    )
    curve = PrivateCurve(
        mechanism.name, f"{release.values.size:,} points", release.quantiles, release.values
    )
    view = private_view([curve], column.bounds)
    truth = true_curve(column, view) if session.shows_truth() else None
    st.plotly_chart(
        cdf_figure([curve], truth, column.bounds, frame.ink(), view=view, unit=session.unit()),
        key="synthetic_chart",
        config=chart_options("synthetic"),
        alt="CDF of the synthetic points"
        + (" and of the records" if session.shows_truth() else ""),
    )
    st.download_button(
        "Synthetic column as CSV",
        lambda: _points_csv(release.values),
        "synthetic.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _points_csv(values: np.ndarray) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["value"])
    rows.writerows((repr(value),) for value in values.tolist())
    return text.getvalue()
