"""The figures of the AQ paper: one function each, from a tidy frame to a picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.releases import Recursion
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import PRIVATE, Ink
from dpviz.figures.quantiles.recursion import recursion_figure
from dpviz.figures.studies.sweeps import mechanism_line, sweep_figure


def nodes_figure(frame: pd.DataFrame, ink: Ink, *, unit: str, shows_truth: bool) -> go.Figure:
    """Fig. 1: the recursion tree, from the frame of recursion_nodes."""
    public = Recursion(
        *(
            frame[name].to_numpy(np.float64)
            for name in ("level", "low", "high", "normalised", "value")
        )
    )
    middle = int(np.argmin(frame["level"]))
    quantiles = frame["quantile"].to_numpy()
    sizes = frame["records"].to_numpy()
    figure = recursion_figure(public, quantiles, ink, chosen=middle, sizes=sizes, unit=unit)
    values = frame["value"].to_numpy()
    margin = 0.3 * float(np.ptp(values)) or 1.0  # the outermost ranges go on to the bounds
    figure.update_xaxes(range=[values.min() - margin, values.max() + margin])
    if not shows_truth:
        figure.layout.annotations = ()
        figure.update_layout(margin={"b": 8})
    return figure


def targets_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Fig. 2: true targets in black, and where the later draws aim after the first missed."""
    colour = ink.of(PRIVATE)
    figure = go.Figure()
    gap = np.full(len(frame), np.nan)
    figure.add_trace(
        go.Scatter(
            x=np.stack((frame["true_rank"], frame["target_rank"], gap), axis=1).ravel(),
            y=np.repeat(frame["level"].to_numpy(), 3),
            mode="lines",
            line={"color": colour, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for name, column, symbol, tint in (
        ("true target", "true_rank", "line-ns-open", ink.truth),
        ("target after the error", "target_rank", "circle", colour),
    ):
        figure.add_trace(
            go.Scatter(
                x=frame[column].to_numpy(),
                y=frame["level"].to_numpy(),
                mode="markers",
                marker={"symbol": symbol, "size": 13, "color": tint, "line": {"width": 3}},
                customdata=frame[["quantile", "shift"]].to_numpy(),
                name=name,
                hovertemplate=(
                    "quantile %{customdata[0]:.4~g}: %{x:,.4~g} records below<br>"
                    "moved by %{customdata[1]:.3~g}<extra></extra>"
                ),
            )
        )
    levels = int(frame["level"].max())
    styled(figure, ink, 130 + 54 * levels, shows_truth=False)
    n = float((frame["true_rank"] / frame["quantile"]).iloc[0])
    figure.update_xaxes(title_text="records below (rank)", range=[-0.02 * n, 1.02 * n])
    figure.update_yaxes(title_text="level", range=[levels + 0.6, 0.4], dtick=1, tickmode="linear")
    return figure


def histogram_panel(frame: pd.DataFrame, ink: Ink, *, shows_truth: bool) -> go.Figure:
    """Fig. 3, one set: 100 bins; frame holds the rows of one set of histograms."""
    width = frame["high"] - frame["low"]
    figure = go.Figure(
        go.Bar(
            x=(frame["low"] + width / 2).to_numpy(),
            y=frame["records"].to_numpy(),
            width=width.to_numpy(),
            marker={"color": ink.truth, "opacity": 0.75, "line": {"width": 0}},
            hovertemplate="%{y:,} records around %{x:,.4~g}<extra></extra>",
        )
    )
    styled(figure, ink, 250, shows_truth=shows_truth)
    figure.update_layout(showlegend=False, bargap=0)
    figure.update_xaxes(title_text=plain(str(frame["unit"].iloc[0])))
    figure.update_yaxes(title_text="records")
    return figure


def gap_panel(
    frame: pd.DataFrame,
    ink: Ink,
    *,
    improved: bool,
    most: int | None,
    shows_truth: bool,
    y_range: tuple[float, float] | None = None,
) -> go.Figure:
    """Fig. 4 to 7, one set: mean gap against m on a log scale, with two standard errors.

    frame holds columns m, variant, mechanism, mean, standard_error, runs of one set and notion;
    improved adds the lines that the paper does not have, hollow; most zooms to m ≤ most.
    Panels share the legend of legend_strip.
    """
    seen = frame.rename(columns={"m": "x"})
    if most is not None:
        seen = seen[seen["x"] <= most]
    figure = sweep_figure(
        seen[seen["variant"] == "paper"],
        ink,
        x_title="quantiles m",
        y_title="mean gap (records)",
        log_x=False,
        ticks=False,
        height=270,
        shows_truth=shows_truth,
    )
    if improved:
        extra = seen[seen["variant"] == "improved"]
        for mechanism, rows in extra.groupby("mechanism", sort=False):
            figure.add_trace(mechanism_line(str(mechanism), rows.sort_values("x"), ink, faded=True))
    figure.update_layout(showlegend=False, margin={"t": 8})
    if y_range is not None:
        figure.update_yaxes(range=[np.log10(y_range[0]), np.log10(y_range[1])])
    return figure


def time_figure(frame: pd.DataFrame, ink: Ink) -> go.Figure:
    """Fig. 8: milliseconds of one release against m, averaged over the sets, on a log scale."""
    seen = frame.rename(columns={"m": "x"})
    seen = seen.assign(mean=1e3 * seen["mean"], standard_error=1e3 * seen["standard_error"])
    return sweep_figure(
        seen,
        ink,
        x_title="quantiles m",
        y_title="one release (ms)",
        log_x=False,
        ticks=False,
        height=400,
        shows_truth=False,
    )
