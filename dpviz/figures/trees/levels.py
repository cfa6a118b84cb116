"""Honaker's Fig. 4."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.layout import styled
from dpviz.figures.kit.palette import Ink
from dpviz.figures.trees.marks import READINGS, TITLES, reading_colour


def honaker_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Fig. 4 of Honaker 2019: raw against efficient errors, their ratio, and every reading by node.

    frame has columns node, level, estimator, mse, ratio and variance, as honaker_simulation gives.
    """
    figure = make_subplots(
        rows=1,
        cols=3,
        subplot_titles=("Mean squared error", "Ratio to the raw error", "By node and reading"),
        horizontal_spacing=0.08,
    )
    raw, best = (frame[frame["estimator"] == name] for name in ("raw", "efficient"))
    colour = reading_colour("efficient", ink)
    dots = {"color": colour, "size": 8}
    hover = np.stack((best["node"], best["level"]), axis=1)
    figure.add_trace(_dots(raw["mse"], best["mse"], dots, hover), row=1, col=1)
    figure.add_trace(_dots(best["node"], best["ratio"], dots, hover), row=1, col=2)
    for name in READINGS:
        part = frame[frame["estimator"] == name]
        mark = {
            "color": reading_colour(name, ink),
            "symbol": READINGS[name].symbol,
            "size": 7,
        }
        trace = _dots(part["node"], part["mse"], mark, hover)
        figure.add_trace(trace.update(name=TITLES[name], showlegend=True), row=1, col=3)
    styled(figure, ink, 380, shows_truth=False)
    figure.update_layout(margin={"t": 64}, legend={"y": 1.12})
    for column, (x, y) in enumerate(
        (
            ("raw (records²)", "efficient (records²)"),
            ("node", "efficient / raw"),
            ("node", "records²"),
        ),
        start=1,
    ):
        figure.update_xaxes(title_text=x, row=1, col=column)
        figure.update_yaxes(title_text=y, row=1, col=column, rangemode="tozero")
    return figure


def _dots(
    x: pd.Series[float], y: pd.Series[float], marker: dict[str, object], hover: FloatArray
) -> go.Scatter:
    return go.Scatter(
        x=x.to_numpy(),
        y=y.to_numpy(),
        mode="markers",
        marker=marker,
        customdata=hover,
        showlegend=False,
        hovertemplate="node %{customdata[0]}, level %{customdata[1]}<br>%{y:,.4~r}<extra></extra>",
    )
