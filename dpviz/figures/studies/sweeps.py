"""Error against a parameter, a line for each mechanism; and success against the budget."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink


def sweep_figure(
    frame: pd.DataFrame,
    ink: Ink,
    *,
    x_title: str,
    y_title: str,
    log_x: bool = True,
    ticks: bool = True,
    height: int = 400,
    shows_truth: bool = True,
    chosen: float | None = None,
) -> go.Figure:
    """Means with two standard errors on a log scale.

    frame has columns x, mechanism, mean, standard_error, runs; chosen marks the setting in use.
    """
    figure = go.Figure()
    for mechanism, rows in frame.dropna(subset="mean").groupby("mechanism", sort=False):
        figure.add_trace(mechanism_line(str(mechanism), rows.sort_values("x"), ink))
    if chosen is not None:
        figure.add_vline(x=chosen, line={"color": ink.faint, "dash": "dot", "width": 2})
    styled(figure, ink, height, shows_truth=shows_truth)
    at = np.sort(frame["x"].unique())
    figure.update_xaxes(title_text=plain(x_title), type="log" if log_x else "linear")
    if ticks:
        figure.update_xaxes(tickvals=at, ticktext=[short(value) for value in at])
    figure.update_yaxes(title_text=plain(y_title), type="log", dtick="D2", minorloglabels="none")
    return figure


def legend_strip(lines: Sequence[tuple[str, bool]], ink: Ink) -> go.Figure:
    """A legend alone, for panels that share one: (mechanism, faded) for each line."""
    figure = go.Figure()
    none = pd.DataFrame({name: [np.nan] for name in ("x", "mean", "standard_error", "runs")})
    for mechanism, faded in lines:
        figure.add_trace(mechanism_line(mechanism, none, ink, faded=faded))
    # room for the rows that a phone needs
    styled(figure, ink, 64 if len(lines) <= 4 else 112, shows_truth=False)
    figure.update_layout(legend={"y": 0.5, "yanchor": "middle"}, margin={"t": 0, "b": 0})
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, fixedrange=True)
    return figure


def mechanism_line(
    mechanism: str, rows: pd.DataFrame, ink: Ink, *, faded: bool = False
) -> go.Scatter:
    """One curve; faded is for a variant of a mechanism that has a line already."""
    mark, colour, name = ink.mark(mechanism), ink.of(mechanism), plain(ink.label(mechanism))
    if faded:
        name += ", improved"
    means = rows["mean"].to_numpy()
    below = np.minimum(2 * rows["standard_error"].to_numpy(), 0.8 * means)  # stays on a log axis
    return go.Scatter(
        x=rows["x"].to_numpy(),
        y=np.where(means > 0, means, np.nan),
        error_y={
            "array": 2 * rows["standard_error"].to_numpy(),
            "arrayminus": below,
            "symmetric": False,
            "thickness": 1,
            "width": 3,
        },
        mode="lines+markers",
        line={"color": colour, "width": 1.5 if faded else 2, "dash": mark.dash},
        marker={"symbol": f"{mark.symbol}-open" if faded else mark.symbol, "size": 7},
        opacity=0.7 if faded else 1.0,
        customdata=rows[["runs", "standard_error"]].to_numpy(),
        name=name,
        hovertemplate=(
            f"{name} at %{{x:,.4~g}}: %{{y:,.3~g}} ± %{{customdata[1]:,.2~g}}"
            "<br>%{customdata[0]:,} runs<extra></extra>"
        ),
    )


def short(value: float) -> str:
    """A tick's text: 20k for 20,000, 0.05 as it is."""
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 10_000 else f"{value:g}"


def success_figure(
    frame: pd.DataFrame, probability: float, ink: Ink, *, symbol: str, height: int = 380
) -> go.Figure:
    """Share of runs that reach the target against ε or ρ, with Clopper and Pearson's intervals.

    frame has the columns of smallest_epsilon's rows; the answers are drawn as vertical lines with
    the interval that encloses them as a bar along the line of the wanted probability.
    """
    figure = go.Figure()
    for mechanism, rows in frame.groupby("mechanism", sort=False):
        tried = rows[rows["kind"] == "tried"].sort_values("size")
        _success_line(figure, str(mechanism), tried, ink)
        for answer in rows[rows["kind"] == "answer"].to_dict("records"):
            _answer_mark(figure, str(mechanism), answer, probability, ink)
    figure.add_hline(y=probability, line={"color": ink.truth, "dash": "dot", "width": 1})
    styled(figure, ink, height, shows_truth=True)
    figure.update_xaxes(title_text=plain(symbol), type="log", dtick="D2", minorloglabels="none")
    figure.update_yaxes(title_text="runs that reach the target", tickformat=".0%")
    figure.update_yaxes(range=[-0.03, 1.05])
    moving = frame[(frame["rate"] > 0.01) & (frame["rate"] < 0.999)]["size"]
    if len(moving):  # the search looks far away too, where nothing happens
        figure.update_xaxes(range=np.log10([moving.min() / 2, moving.max() * 2]).tolist())
    return figure


def _success_line(figure: go.Figure, mechanism: str, tried: pd.DataFrame, ink: Ink) -> None:
    mark, colour, name = ink.mark(mechanism), ink.of(mechanism), plain(ink.label(mechanism))
    size = tried["size"].to_numpy()
    rate = tried["rate"].to_numpy()
    figure.add_trace(
        go.Scatter(
            x=size,
            y=rate,
            error_y={
                "array": tried["rate_high"].to_numpy() - rate,
                "arrayminus": rate - tried["rate_low"].to_numpy(),
                "symmetric": False,
                "thickness": 1,
            },
            mode="markers",  # a line would tell of sizes between that were never tried
            marker={"color": colour, "symbol": mark.symbol, "size": 8},
            name=name,
            hovertemplate=f"{name} at %{{x:.3~g}}: %{{y:.1%}}<extra></extra>",
        )
    )


def _answer_mark(
    figure: go.Figure,
    mechanism: str,
    answer: Mapping[Hashable, Any],
    probability: float,
    ink: Ink,
) -> None:
    ends = [answer["low"], answer["size"], answer["high"]]
    if not np.isfinite(ends).all() or ends[0] <= 0:
        return
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=[probability] * 3,
            mode="lines+markers",
            line={"color": ink.of(mechanism), "width": 5},
            marker={
                "symbol": ["line-ns-open", ink.mark(mechanism).symbol, "line-ns-open"],
                "size": 13,
                "color": ink.of(mechanism),
                "line": {"color": ink.page, "width": 1},
            },
            showlegend=False,
            hovertemplate=f"{plain(ink.label(mechanism))}: %{{x:.3~g}}<extra></extra>",
        )
    )
