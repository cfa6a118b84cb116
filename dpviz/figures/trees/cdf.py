"""The CDF of a noisy tree: raw, smoothed, both error bands, and the truth behind them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink, translucent
from dpviz.figures.trees.marks import reading_colour

POINTS = 2_000  # more than a wide screen has pixels for


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class CdfView:
    """Running counts at edges (t + 1,); bands are half-widths, (t + 1,) and a number.

    Around `raw` or, where that is hidden, around `smoothed`, with the labels that may be claimed.
    truth (t + 1,) is confidential.
    """

    edges: FloatArray
    raw: FloatArray | None
    smoothed: FloatArray | None
    pointwise: FloatArray | None = None
    simultaneous: float | None = None
    labels: tuple[str, str] = ("pointwise", "simultaneous")
    truth: FloatArray | None = None


def cdf_tree_figure(view: CdfView, ink: Ink, *, unit: str = "value") -> go.Figure:
    """Counts of records below each value; long curves are thinned to what a screen shows."""
    kept = thinned(view.edges.size)
    figure = go.Figure()
    centre = view.raw if view.raw is not None else view.smoothed
    if centre is not None:
        if view.simultaneous is not None:
            wide = np.full(centre.size, view.simultaneous)
            figure.add_trace(_band(view, centre, wide, view.labels[1], 0.10, kept, ink))
        if view.pointwise is not None:
            figure.add_trace(_band(view, centre, view.pointwise, view.labels[0], 0.22, kept, ink))
    if view.truth is not None:
        figure.add_trace(_line(view.edges, view.truth, "True CDF (confidential)", ink.truth, kept))
    if view.raw is not None:
        colour = reading_colour("raw", ink)
        figure.add_trace(_line(view.edges, view.raw, "raw", colour, kept, dash="dot"))
    if view.smoothed is not None:
        colour = reading_colour("efficient", ink)
        figure.add_trace(_line(view.edges, view.smoothed, "smoothed", colour, kept))
    styled(figure, ink, 430, shows_truth=view.truth is not None)
    figure.update_xaxes(title_text=plain(unit), range=[view.edges[0], view.edges[-1]])
    figure.update_yaxes(title_text="records below", tickformat=",")
    return figure


def thinned(size: int, points: int = POINTS) -> IntArray:
    """Indices of at most `points` of `size` positions, evenly spaced, both ends kept."""
    return np.asarray(
        np.unique(np.linspace(0, size - 1, min(size, points)).round().astype(np.int64))
    )


def trials_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Points outside the pointwise α in each trial, raw and smoothed, beside the expectation.

    frame has columns trial, raw, smoothed and expected, as cdf_trials gives. Confidential.
    """
    figure = go.Figure()
    for name, reading, pattern in (("raw", "raw", "/"), ("smoothed", "efficient", "")):
        figure.add_trace(
            go.Bar(
                x=frame["trial"].to_numpy(),
                y=frame[name].to_numpy(),
                name=name,
                marker={"color": reading_colour(reading, ink), "pattern": {"shape": pattern}},
                hovertemplate=f"trial %{{x}}, {name}: %{{y}} points<extra></extra>",
            )
        )
    expected = float(frame["expected"].iloc[0])
    figure.add_hline(
        y=expected,
        line={"color": ink.truth, "dash": "dash", "width": 1},
    )
    styled(figure, ink, 300, shows_truth=True)
    figure.update_layout(barmode="group")
    figure.update_xaxes(title_text="trial", dtick=1)
    figure.update_yaxes(title_text="points outside α", rangemode="tozero")
    return figure


def _line(
    edges: FloatArray,
    counts: FloatArray,
    name: str,
    colour: str,
    kept: IntArray,
    dash: str = "solid",
) -> go.Scatter:
    return go.Scatter(
        x=edges[kept],
        y=counts[kept],
        mode="lines",
        line={"color": colour, "width": 2, "dash": dash},
        name=name,
        hovertemplate=f"{name}: %{{y:,.0f}} below %{{x:,.6g}}<extra></extra>",
    )


def _band(
    view: CdfView,
    centre: FloatArray,
    half: FloatArray,
    label: str,
    opacity: float,
    kept: IntArray,
    ink: Ink,
) -> go.Scatter:
    low, high, edges = (centre - half)[kept], (centre + half)[kept], view.edges[kept]
    return go.Scatter(
        x=np.concatenate((edges, edges[::-1])),
        y=np.concatenate((low, high[::-1])),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=translucent(reading_colour("efficient", ink), opacity),
        name=label,
        hoverinfo="skip",
    )
