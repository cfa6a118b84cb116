"""What may be taken away: releases, the private picture, and the lines that make them again."""

from __future__ import annotations

import csv
import io
import json

import plotly.graph_objects as go
import streamlit as st

from dpviz.core.releases import QuantileRelease


def releases_json(releases: list[QuantileRelease]) -> str:
    """One release as itself, several as a list: private values and declarations only."""
    if len(releases) == 1:
        return releases[0].to_json()
    return json.dumps([release.to_dict() for release in releases], indent=1, ensure_ascii=False)


def releases_csv(releases: list[QuantileRelease]) -> str:
    """One row for each private quantile: mechanism, quantile, value."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["mechanism", "quantile", "value"])
    for release in releases:
        values = release.values
        pairs = zip(release.quantiles.tolist(), values.tolist(), strict=True)
        rows.writerows((release.mechanism, repr(q), repr(value)) for q, value in pairs)
    return text.getvalue()


def download_panel(releases: list[QuantileRelease], public_figure: go.Figure, lines: str) -> None:
    """Buttons for everything that may leave, then the Python lines."""
    st.caption(
        "Private values, declarations and the budget only. If you publish more than one release "
        "about the same people, their budgets add up. The camera in the chart's corner saves the "
        "picture as it stands, the true curve included while it is shown."
    )
    with st.container(horizontal=True):
        st.download_button(
            "Release as JSON",
            releases_json(releases),
            "release.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Release as CSV",
            releases_csv(releases),
            "release.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Private figure as HTML",
            lambda: public_figure.to_html(include_plotlyjs=True, full_html=True),
            "private-cdf.html",
            "text/html",
            icon=":material/download:",
            on_click="ignore",
            help="An interactive page without the true curve; its camera saves a PNG.",
        )
    st.markdown("**The same in Python**")
    st.code(lines, language="python")
