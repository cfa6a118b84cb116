"""Beliefs before and after a release."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.layout import styled
from dpviz.figures.kit.palette import PRIVATE, Ink, translucent


def odds_figure(
    priors: FloatArray,
    least: FloatArray,
    most: FloatArray,
    chosen: tuple[float, float, float],
    ink: Ink,
) -> go.Figure:
    """The band of beliefs (k,) that an output can lead to, and the one chosen prior in it.

    chosen is a prior with the least and the largest belief after it.
    """
    colour, mark = ink.of(PRIVATE), ink.mark(PRIVATE)
    figure = go.Figure()
    for name, after, fill in (("at least", least, None), ("at most", most, "tonexty")):
        figure.add_trace(
            go.Scatter(
                x=priors,
                y=after,
                mode="lines",
                fill=fill,
                fillcolor=translucent(colour, 0.14),
                line={"color": colour, "width": 2, "dash": "dash" if fill is None else mark.dash},
                name=f"afterwards {name}",
                hovertemplate=f"%{{x:.1%}} before, {name} %{{y:.1%}} after<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=np.array([0.0, 1.0]),
            y=np.array([0.0, 1.0]),
            mode="lines",
            line={"color": ink.truth, "width": 1.5, "dash": "dot"},
            name="nothing learnt",
            hoverinfo="skip",
        )
    )
    prior, low, high = chosen
    figure.add_trace(
        go.Scatter(
            x=np.full(2, prior),
            y=np.array([low, high]),
            mode="lines+markers",
            marker={"color": ink.truth, "size": 10, "symbol": ["triangle-down", "triangle-up"]},
            line={"color": ink.truth, "width": 2.5},
            name="your observer",
            hovertemplate="%{x:.1%} before, %{y:.1%} after<extra></extra>",
        )
    )
    styled(figure, ink, 440, shows_truth=False)
    figure.update_layout(margin={"r": 28})  # room for the last label
    figure.update_xaxes(title_text="belief before", range=[-0.01, 1.01], tickformat=".0%")
    figure.update_yaxes(title_text="belief after", range=[-0.02, 1.02], tickformat=".0%")
    return figure
