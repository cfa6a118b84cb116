"""The column itself, and what declared bounds do to it. Confidential pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.figures.layout import plain, styled
from dpviz.figures.palette import Ink, mark_of


def histogram_figure(
    edges: FloatArray, counts: FloatArray, bounds: Bounds, ink: Ink, *, unit: str
) -> go.Figure:
    """Bars of the true counts between the declared bounds: edges (b+1,), counts (b,)."""
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges),
            marker={"color": ink.truth, "opacity": 0.75, "line": {"width": 0}},
            name="records",
            hovertemplate="%{y:,} records around %{x:,.6g}<extra></extra>",
        )
    )
    for at, name, side in ((bounds.low, "low", "right"), (bounds.high, "high", "left")):
        figure.add_vline(
            x=at,
            line={"color": mark_of("ApproximateQuantiles").colour, "dash": "dash", "width": 2},
            annotation_text=f"declared {name}",
            annotation_position=f"top {side}",
        )
    styled(figure, ink, 320, shows_truth=True)
    figure.update_layout(showlegend=False, bargap=0)
    figure.update_xaxes(title_text=plain(unit))
    figure.update_yaxes(title_text="records")
    return figure


def points_figure(
    counts: FloatArray, x: Bounds, y: Bounds, ink: Ink, *, names: tuple[str, str], dark: bool
) -> go.Figure:
    """Points in the plane as a raster of counts (rows, columns), low y first; log-shaded."""
    rows, columns = counts.shape
    shade = ["#12161C", "#56B4E9", "#FFFFFF"] if dark else ["#FFFFFF", "#0072B2", "#14181D"]
    figure = go.Figure(
        go.Heatmap(
            z=np.log1p(counts).astype(np.float32),
            x0=x.low + x.width / columns / 2,
            dx=x.width / columns,
            y0=y.low + y.width / rows / 2,
            dy=y.width / rows,
            colorscale=[[0, shade[0]], [0.5, shade[1]], [1, shade[2]]],
            showscale=False,
            hoverinfo="skip",
        )
    )
    styled(figure, ink, 460, shows_truth=True)
    figure.update_xaxes(title_text=plain(names[0]), showgrid=False)
    figure.update_yaxes(title_text=plain(names[1]), showgrid=False, scaleanchor="x")
    return figure


def error_by_width_figure(frame: pd.DataFrame, ink: Ink, *, unit: str) -> go.Figure:
    """Error against the width of the bounds, with the share of clipped records below it."""
    mark = mark_of("ApproximateQuantiles")
    figure = go.Figure()
    figure.add_trace(
        go.Scatter(
            x=frame["factor"],
            y=frame["error"],
            error_y={"array": 2 * frame["standard_error"], "thickness": 1},
            mode="lines+markers",
            line={"color": mark.colour, "width": 2},
            marker={"symbol": mark.symbol, "size": 8},
            customdata=frame[["low", "high", "clipped"]].to_numpy(),
            name="mean error of the private quantiles",
            hovertemplate=(
                "bounds %{customdata[0]:,.6g} to %{customdata[1]:,.6g}<br>error %{y:,.4~g}<br>"
                "clipped %{customdata[2]:.1%}<extra></extra>"
            ),
        )
    )
    figure.add_vline(x=1, line={"color": ink.truth, "dash": "dot"}, annotation_text="as declared")
    styled(figure, ink, 320, shows_truth=True)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(
        title_text="width of the bounds, relative to the declared ones",
        type="log",
        tickvals=list(frame["factor"]),
        ticktext=[f"{factor:g}×" for factor in frame["factor"]],
    )
    figure.update_yaxes(title_text=f"mean error ({plain(unit)})", type="log")
    return figure
