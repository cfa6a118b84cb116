"""What lies on the cells of a map: borders, true points, marks to click, the rectangle."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.figures.kit.palette import Ink
from dpviz.figures.spatial.raster import outline

MOST_LINES = 6_000


def points_trace(at: tuple[FloatArray, FloatArray], ink: Ink) -> go.Scattergl:
    """True points: confidential."""
    return go.Scattergl(
        x=at[0].astype(np.float32),
        y=at[1].astype(np.float32),
        mode="markers",
        marker={"size": 2, "color": ink.truth, "opacity": 0.5},
        hoverinfo="skip",
        name="true points (confidential)",
    )


def marks_trace(level: int, numbers: IntArray, boxes: FloatArray, ink: Ink) -> go.Scatter:
    """Marks that a click selects, at the centres of boxes (m, 4); they carry (level, number)."""
    few = numbers.size <= 64
    return go.Scatter(
        x=boxes[:, :2].mean(axis=1),
        y=boxes[:, 2:].mean(axis=1),
        mode="markers",
        marker={
            "size": 9 if few else 5,
            "color": ink.page,
            "line": {"color": ink.truth, "width": 1},
        },
        customdata=np.stack((np.full(numbers.size, level), numbers), axis=1),
        hovertemplate="node %{customdata[0]}.%{customdata[1]}<extra></extra>",
        name="nodes to choose",
    )


def add_rectangle(figure: go.Figure, rectangle: FloatArray) -> None:
    """The query (4,)."""
    x_low, x_high, y_low, y_high = rectangle
    figure.add_shape(
        type="rect",
        x0=x_low,
        x1=x_high,
        y0=y_low,
        y1=y_high,
        line={"color": "#D55E00", "width": 3},
        fillcolor="rgba(213, 94, 0, 0.12)",
    )


def add_lines(figure: go.Figure, boxes: FloatArray, colour: str, width: float, name: str) -> None:
    """Borders of boxes (o, 4); nothing where they would only veil the colours."""
    if boxes.shape[0] == 0 or boxes.shape[0] > MOST_LINES:
        return
    x, y = outline(boxes)
    line = {"color": colour, "width": width}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name=name))
