"""The column itself, and what declared bounds do to it. Confidential pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import PRIVATE, Ink


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
            line={"color": ink.of(PRIVATE), "dash": "dash", "width": 2},
            annotation_text=f"declared {name}",
            annotation_position=f"top {side}",
        )
    styled(figure, ink, 320, shows_truth=True)
    figure.update_layout(showlegend=False, bargap=0)
    figure.update_xaxes(title_text=plain(unit))
    figure.update_yaxes(title_text="records")
    return figure


def points_figure(
    counts: FloatArray, x: Bounds, y: Bounds, ink: Ink, *, names: tuple[str, str]
) -> go.Figure:
    """Points in the plane as a raster of counts (rows, columns), low y first; log-shaded."""
    rows, columns = counts.shape
    shade = ["#12161C", "#56B4E9", "#FFFFFF"] if ink.dark else ["#FFFFFF", "#0072B2", "#14181D"]
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
    """Error against the width of the bounds, a line for each mechanism."""
    figure = go.Figure()
    for mechanism, rows in frame.groupby("mechanism", sort=False):
        mark, colour = ink.mark(str(mechanism)), ink.of(str(mechanism))
        figure.add_trace(
            go.Scatter(
                x=rows["factor"],
                y=rows["error"],
                error_y={"array": 2 * rows["standard_error"], "thickness": 1},
                mode="lines+markers",
                line={"color": colour, "width": 2, "dash": mark.dash},
                marker={"symbol": mark.symbol, "size": 8},
                customdata=rows[["low", "high", "clipped"]].to_numpy(),
                name=ink.label(str(mechanism)),
                hovertemplate=(
                    "bounds %{customdata[0]:,.6g} to %{customdata[1]:,.6g}<br>error %{y:,.4~g}<br>"
                    "clipped %{customdata[2]:.1%}<extra></extra>"
                ),
            )
        )
    ticks_x = (0.25, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0)  # few enough for a phone
    figure.add_vline(x=1, line={"color": ink.truth, "dash": "dot"})
    styled(figure, ink, 330, shows_truth=True)
    figure.update_xaxes(
        title_text="width of the bounds",
        type="log",
        tickvals=ticks_x,
        ticktext=[f"{factor:g}×" for factor in ticks_x],
        tickangle=0,
    )
    figure.update_yaxes(title_text=f"mean error ({plain(unit)})", type="log")
    ticks = _one_two_five(frame["error"].to_numpy())
    figure.update_yaxes(tickvals=ticks, ticktext=[f"{tick:,.6g}" for tick in ticks])
    return figure


def _one_two_five(values: FloatArray) -> FloatArray:
    """Ticks of a logarithmic axis, written out in full: Plotly would print a bare 5 for 0.5."""
    positive = values[values > 0]
    if positive.size == 0:
        return np.ones(1)
    low, high = np.floor(np.log10(positive.min())), np.ceil(np.log10(positive.max()))
    steps = (1, 2, 5) if high - low <= 4 else (1,)
    powers = 10.0 ** np.arange(low, high + 1)
    return np.multiply.outer(powers, np.array(steps, dtype=np.float64)).ravel()
