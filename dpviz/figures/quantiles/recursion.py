"""The recursion of ApproximateQuantiles, and the exact output density of one of its nodes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.core.releases import Recursion
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import PRIVATE, Ink


def recursion_figure(
    recursion: Recursion,
    quantiles: FloatArray,
    ink: Ink,
    *,
    chosen: int,
    sizes: FloatArray | None = None,
    unit: str = "value",
) -> go.Figure:
    """Each node's range as a bar, its output as a mark; the levels run downwards.

    Shapes: quantiles (m,) ascending, like every array of recursion; sizes (m,) are the records
    in each sub-problem, confidential, or None.
    """
    mark, colour = ink.mark(PRIVATE), ink.of(PRIVATE)
    figure = go.Figure()
    gap = np.full(recursion.low.size, np.nan)  # lifts the pen between two bars
    figure.add_trace(
        go.Scatter(
            x=np.stack((recursion.low, recursion.high, gap), axis=1).ravel(),
            y=np.repeat(recursion.level, 3),
            mode="lines+markers",  # ticks show where a range was cut from the next
            line={"color": colour, "width": 5},
            marker={"symbol": "line-ns-open", "size": 18, "color": colour, "line": {"width": 2}},
            opacity=0.35,
            name="range of a sub-problem",
            hoverinfo="skip",
        )
    )
    size = np.zeros(quantiles.size) if sizes is None else sizes
    records = "" if sizes is None else "<br>%{customdata[4]:,} records (confidential)"
    symbol = np.where(np.arange(quantiles.size) == chosen, "star", mark.symbol)
    figure.add_trace(
        go.Scatter(
            x=recursion.value,
            y=recursion.level,
            mode="markers",
            marker={
                "color": colour,
                "symbol": symbol,
                "size": np.where(np.arange(quantiles.size) == chosen, 17, 10),
                "line": {"color": ink.page, "width": 1},
            },
            customdata=np.stack(
                (quantiles, recursion.normalised, recursion.low, recursion.high, size), axis=1
            ),
            name="private quantile drawn there",
            hovertemplate=(
                "quantile %{customdata[0]:.4~g}: %{x:,.6g}<br>asked of its range as "
                "%{customdata[1]:.4~g}<br>range %{customdata[2]:,.6g} to %{customdata[3]:,.6g}"
                f"{records}<extra></extra>"
            ),
        )
    )
    levels = int(recursion.level.max())
    styled(figure, ink, 110 + 46 * levels, shows_truth=sizes is not None)
    figure.update_xaxes(title_text=plain(unit))
    figure.update_yaxes(
        title_text="level", range=[levels + 0.6, 0.4], tickmode="linear", dtick=1, showgrid=False
    )
    return figure


def density_figure(
    edges: FloatArray,
    log_density: FloatArray,
    drawn: float,
    target: float | None,
    ink: Ink,
    *,
    unit: str = "value",
    points: int = 3_000,
) -> go.Figure:
    """The exact piecewise-constant density of one node, where it was drawn and what was true.

    Shapes: edges (d+1,), log_density (d,). Intervals far below the peak are left out of sight.
    """
    colour = ink.of(PRIVATE)
    x, y = _visible(edges, log_density, points)
    figure = go.Figure(
        go.Scatter(
            x=x,
            y=np.exp(y),
            mode="lines",
            line={"color": colour, "width": 1.5, "shape": "hv"},
            fill="tozeroy",
            name="exact output density",
            hovertemplate="density %{y:.4~g} at %{x:,.6g}<extra></extra>",
        )
    )
    sides = ("left", "right") if target is not None and drawn <= target else ("right", "left")
    figure.add_vline(
        x=drawn,
        line={"color": colour, "dash": "dash"},
        annotation={"text": "drawn", "yshift": 16},  # above the density, which may fill the plot
        annotation_position=f"top {sides[0]}",
    )
    if target is not None:
        figure.add_vline(
            x=target,
            line={"color": ink.truth, "width": 2},
            annotation={"text": "true", "yshift": 16},
            annotation_position=f"top {sides[1]}",
        )
    styled(figure, ink, 300, shows_truth=True)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title_text=plain(unit))
    figure.update_yaxes(title_text="density", rangemode="tozero", exponentformat="power")
    return figure


def _visible(
    edges: FloatArray, log_density: FloatArray, points: int
) -> tuple[FloatArray, FloatArray]:
    """At most points steps around the peak; thinned steps keep the mass they stand for."""
    wide = np.diff(edges) > 0
    mass = np.where(wide, np.exp(np.minimum(log_density, 700.0)) * np.diff(edges), 0.0)
    seen = np.flatnonzero(mass.cumsum() > 1e-4 * mass.sum())
    first, last = int(seen[0]), int(np.flatnonzero(mass[::-1].cumsum() > 1e-4 * mass.sum())[0])
    last = mass.size - 1 - last
    stride = max(1, -(-(last - first + 1) // points))
    starts = np.arange(first, last + 1, stride)
    ends = np.append(starts[1:], last + 1)
    total = np.add.reduceat(mass[: last + 1], starts)
    widths = edges[ends] - edges[starts]
    with np.errstate(divide="ignore"):
        height = np.log(total) - np.log(np.where(widths > 0, widths, np.inf))
    return np.append(edges[starts], edges[last + 1]), np.append(height, height[-1])
