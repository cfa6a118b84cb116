"""Private medians compared by depth: rank error, or time, one line for each method."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink


def median_error_figure(frame: pd.DataFrame, ink: Ink, *, shows_truth: bool = True) -> go.Figure:
    """Mean normalised rank error by depth, ± one standard error, on a log axis.

    frame is of experiments.medians.medians_by_depth. Set shows_truth to False only when the points
    were generated, for an error is a statement about the truth.
    """
    figure = go.Figure()
    for method, rows in frame.groupby("method", sort=False):
        line = _line(str(method), rows["depth"], rows["error"], ink)
        spread = rows["standard_error"].fillna(0.0)
        line.update(
            error_y={"array": spread, "thickness": 1, "width": 2},
            hovertemplate=f"{line.name}: %{{y:.3~%}} at depth %{{x}}<extra></extra>",
        )
        figure.add_trace(line)
    return _settled(figure, ink, "rank error of the median", ".3~%", shows_truth=shows_truth)


def median_time_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Milliseconds for all medians of a depth, on a log axis; they say nothing about the points."""
    figure = go.Figure()
    for method, rows in frame.groupby("method", sort=False):
        line = _line(str(method), rows["depth"], 1e3 * rows["seconds"], ink)
        line.update(hovertemplate=f"{line.name}: %{{y:.3~g}} ms at depth %{{x}}<extra></extra>")
        figure.add_trace(line)
    return _settled(figure, ink, "milliseconds for a level", "~g", shows_truth=False)


def _line(method: str, depth: pd.Series[int], values: pd.Series[float], ink: Ink) -> go.Scatter:
    mark, colour = ink.mark(method), ink.of(method)
    return go.Scatter(
        x=depth.to_numpy(),
        y=values.to_numpy(),
        mode="lines+markers",
        line={"color": colour, "width": 2, "dash": mark.dash},
        marker={"color": colour, "symbol": mark.symbol, "size": 8},
        name=plain(ink.label(method)),
    )


def _settled(
    figure: go.Figure, ink: Ink, title: str, tickformat: str, *, shows_truth: bool
) -> go.Figure:
    styled(figure, ink, 380, shows_truth=shows_truth)
    figure.update_xaxes(title_text="depth", dtick=1)
    figure.update_yaxes(title_text=title, type="log", tickformat=tickformat, dtick="D2")
    return figure
