"""The figures of Cormode et al. 2012 (PSD): one function each, from a tidy frame to a picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink

SPLITS = {"uniform": "pink", "geometric": "blue"}  # of Fig. 2
AXES = {"epsilon": "ε", "height": "height h"}


def worst_case_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Fig. 2: worst error by height; frame has columns height, split and error."""
    figure = go.Figure()
    for split, rows in frame.groupby("split", sort=False):
        trace = _line(str(split), rows["height"].to_numpy(), rows["error"].to_numpy(), ink)
        figure.add_trace(trace)
    styled(figure, ink, 380, shows_truth=False)
    figure.update_xaxes(title_text=AXES["height"], dtick=1)
    figure.update_yaxes(title_text="worst variance of a query (16/ε²)", rangemode="tozero")
    return figure


def accuracy_figure(frame: pd.DataFrame, ink: Ink, *, x: str, shows_truth: bool) -> go.Figure:
    """Fig. 3, 5 and 6: median relative error with two standard errors, a panel for each shape.

    frame has columns method, shape, epsilon, height, mean, standard_error; x names the column on
    the horizontal axis, epsilon or height. Errors are on a log scale that all panels share.
    """
    shapes = list(dict.fromkeys(frame["shape"]))
    figure = make_subplots(
        rows=1,
        cols=max(len(shapes), 1),
        shared_yaxes=True,
        subplot_titles=[f"queries {plain(str(shape))}" for shape in shapes],
        horizontal_spacing=0.03,
    )
    for at, shape in enumerate(shapes, start=1):
        for method, rows in frame[frame["shape"] == shape].groupby("method", sort=False):
            trace = _mean_line(str(method), rows.sort_values(x), x, ink)
            figure.add_trace(trace.update(showlegend=at == 1), row=1, col=at)
    styled(figure, ink, 440, shows_truth=shows_truth)
    figure.update_layout(margin={"t": 80}, legend={"y": 1.1})
    places = np.sort(frame[x].unique())
    figure.update_xaxes(
        title_text=AXES[x],
        type="log" if x == "epsilon" else "linear",
        tickvals=places,
        ticktext=[f"{one:g}" for one in places],
    )
    figure.update_yaxes(type="log", tickformat="~%", dtick=1)
    figure.update_yaxes(title_text="median relative error", row=1, col=1)
    return figure


def construction_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Fig. 7a: milliseconds to build each decomposition, and to estimate and prune after it.

    frame has columns method, height, step, mean and standard_error, in seconds.
    """
    figure = go.Figure()
    for step, method, pattern in (
        ("release", "geometric", ""),
        ("post-processing", "quad-geo", "/"),
    ):
        rows = frame[frame["step"] == step]
        figure.add_trace(
            go.Bar(
                x=[f"{m}, h = {h}" for m, h in zip(rows["method"], rows["height"], strict=True)],
                y=1e3 * rows["mean"].to_numpy(),
                error_y={"array": 2e3 * rows["standard_error"].fillna(0.0).to_numpy()},
                name=step,
                marker={"color": ink.of(method), "pattern": {"shape": pattern}},
                hovertemplate=f"%{{x}}, {step}: %{{y:,.3~g}} ms<extra></extra>",
            )
        )
    styled(figure, ink, 380, shows_truth=False)
    figure.update_layout(barmode="group")
    figure.update_yaxes(title_text="milliseconds", rangemode="tozero", tickformat=",~g")
    return figure


def matching_figure(frame: pd.DataFrame, ink: Ink, *, shows_truth: bool) -> go.Figure:
    """Fig. 7b: reduction ratio against ε; frame has method, epsilon, mean and standard_error."""
    figure = go.Figure()
    for method, rows in frame.groupby("method", sort=False):
        figure.add_trace(_mean_line(str(method), rows.sort_values("epsilon"), "epsilon", ink))
    styled(figure, ink, 380, shows_truth=shows_truth)
    places = np.sort(frame["epsilon"].unique())
    ticks = [f"{one:g}" for one in places]
    figure.update_xaxes(title_text="ε", type="log", tickvals=places, ticktext=ticks)
    figure.update_yaxes(title_text="reduction ratio")
    return figure


def _mean_line(method: str, rows: pd.DataFrame, x: str, ink: Ink) -> go.Scatter:
    means = rows["mean"].to_numpy()
    spread = np.nan_to_num(2 * rows["standard_error"].to_numpy())
    trace = _line(method, rows[x].to_numpy(), means, ink)
    below = np.minimum(spread, 0.8 * np.abs(means))  # stays on a log axis
    trace.update(
        error_y={"array": spread, "arrayminus": below, "symmetric": False, "thickness": 1},
        hovertemplate=f"{trace.name} at %{{x:.3~g}}: %{{y:.3~g}}<extra></extra>",
    )
    return trace


def _line(method: str, x: np.ndarray, y: np.ndarray, ink: Ink) -> go.Scatter:
    shown = SPLITS.get(method, method)
    mark, colour, name = ink.mark(shown), ink.of(shown), plain(ink.label(method))
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers",
        line={"color": colour, "width": 2, "dash": mark.dash},
        marker={"color": colour, "symbol": mark.symbol, "size": 8},
        name=name,
        legendgroup=method,
        hovertemplate=f"{name} at %{{x:.3~g}}: %{{y:,.4~g}}<extra></extra>",
    )
