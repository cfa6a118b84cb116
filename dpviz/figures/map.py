"""Cells of a decomposition as a raster with outlines, and a rectangle drawn on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.figures.layout import plain, styled
from dpviz.figures.palette import Ink
from dpviz.figures.tree_marks import shades

PIXELS = 480  # columns of the raster; more than a chart in half a page shows
OUTLINED = 1_500  # cells whose borders are still lines and not a grey veil


@dataclass(frozen=True, slots=True, eq=False)
class MapView:
    """What is drawn: boxes (k, 4) with values (k,), columns x_low, x_high, y_low, y_high.

    outlines (o, 4) are the borders drawn as lines; answering (a, 4) the nodes behind an answer;
    rectangle (4,) the query; points two arrays of true coordinates, confidential. aspect is how
    many units of x make as much ground as one of y.
    """

    box: Box
    boxes: FloatArray
    values: FloatArray
    value_name: str
    outlines: FloatArray
    answering: FloatArray | None = None
    rectangle: FloatArray | None = None
    points: tuple[FloatArray, FloatArray] | None = None
    names: tuple[str, str] = ("x", "y")
    aspect: float = 1.0


def rasterised(
    box: Box, boxes: FloatArray, values: FloatArray, columns: int = PIXELS
) -> FloatArray:
    """Values (k,) of rectangles (k, 4) on a grid (rows, columns), low y first; NaN outside all.

    Corner differences and two running sums: no loop over rectangles. Where some overlap (Hilbert
    R-trees) a pixel shows their mean.
    """
    rows = int(np.clip(round(columns * box.y.width / box.x.width), 60, 2 * columns))
    across = _edges(boxes[:, :2], box.x.low, box.x.width, columns)
    up = _edges(boxes[:, 2:], box.y.low, box.y.width, rows)
    known = np.isfinite(values)
    total = _painted(across, up, np.where(known, values, 0.0), (rows, columns))
    cover = _painted(across, up, known.astype(np.float64), (rows, columns))
    covered = np.round(cover) > 0
    mean = np.full(total.shape, np.nan)
    mean[covered] = total[covered] / np.round(cover[covered])
    return mean


def _edges(ends: FloatArray, low: float, width: float, cells: int) -> IntArray:
    """Ends (k, 2) as pixel numbers; neighbours share an edge, so no pixel is painted twice."""
    return np.clip(np.round((ends - low) / width * cells), 0, cells).astype(np.int64)


def _painted(
    across: IntArray, up: IntArray, values: FloatArray, shape: tuple[int, int]
) -> FloatArray:
    rows, columns = shape
    corners = np.zeros((rows + 1) * (columns + 1))
    for side_x, side_y, sign in ((0, 0, 1.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 1.0)):
        at = up[:, side_y] * (columns + 1) + across[:, side_x]
        corners += np.bincount(at, weights=sign * values, minlength=corners.size)
    grid = corners.reshape(rows + 1, columns + 1)
    painted: FloatArray = grid.cumsum(axis=0).cumsum(axis=1)[:rows, :columns]
    return painted


def outline(boxes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The borders of rectangles (k, 4) as one line with gaps."""
    x_low, x_high, y_low, y_high = boxes.T
    gap = np.full(boxes.shape[0], np.nan)
    x = np.stack((x_low, x_high, x_high, x_low, x_low, gap), axis=1).ravel()
    y = np.stack((y_low, y_low, y_high, y_high, y_low, gap), axis=1).ravel()
    return x.astype(np.float32), y.astype(np.float32)


def map_figure(view: MapView, ink: Ink, *, height: int = 520) -> go.Figure:
    """The raster, borders, points, answering nodes and the rectangle; box select draws one."""
    raster = rasterised(view.box, view.boxes, view.values)
    rows, columns = raster.shape
    finite = raster[np.isfinite(raster)]
    # dense cells are few and far denser than the rest: the scale ends where most of the map is told
    top = float(np.quantile(finite, 0.98)) if finite.size else 1.0
    figure = go.Figure(
        go.Heatmap(
            z=raster.astype(np.float32),
            x0=view.box.x.low + view.box.x.width / columns / 2,
            dx=view.box.x.width / columns,
            y0=view.box.y.low + view.box.y.width / rows / 2,
            dy=view.box.y.width / rows,
            colorscale=shades(ink),
            zmin=0.0,  # noise makes counts negative; they look as empty as they are
            zmax=top if top > 0 else 1.0,
            colorbar={
                "title": {"text": plain(view.value_name), "side": "top"},
                "orientation": "h",
                "thickness": 10,
                "len": 0.6,
                "y": 1.0,
                "yanchor": "bottom",
            },
            hovertemplate=f"%{{x:.4~g}}, %{{y:.4~g}}<br>{plain(view.value_name)} %{{z:,.4~g}}"
            "<extra></extra>",
            name="cells",
        )
    )
    _lines(figure, view.outlines, ink.faint, 0.8, "borders of cells")
    if view.points is not None:
        figure.add_trace(
            go.Scattergl(
                x=view.points[0].astype(np.float32),
                y=view.points[1].astype(np.float32),
                mode="markers",
                marker={"size": 2, "color": ink.truth, "opacity": 0.5},
                hoverinfo="skip",
                name="true points (confidential)",
            )
        )
    if view.answering is not None:
        _lines(figure, view.answering, "#E69F00", 1.6, "nodes that answer")
    if view.rectangle is not None:
        x_low, x_high, y_low, y_high = view.rectangle
        figure.add_shape(
            type="rect",
            x0=x_low,
            x1=x_high,
            y0=y_low,
            y1=y_high,
            line={"color": "#D55E00", "width": 3},
            fillcolor="rgba(213, 94, 0, 0.12)",
        )
    styled(figure, ink, height, shows_truth=view.points is not None)
    figure.update_layout(showlegend=False, dragmode="select", selectdirection="any")
    figure.update_xaxes(
        title_text=plain(view.names[0]),
        range=[view.box.x.low, view.box.x.high],
        showgrid=False,
        constrain="domain",
    )
    figure.update_yaxes(
        title_text=plain(view.names[1]),
        range=[view.box.y.low, view.box.y.high],
        showgrid=False,
        scaleanchor="x",
        scaleratio=view.aspect,
        constrain="domain",
        constraintoward="bottom",
    )
    return figure


def _lines(figure: go.Figure, boxes: FloatArray, colour: str, width: float, name: str) -> None:
    if boxes.shape[0] == 0 or boxes.shape[0] > 4 * OUTLINED:
        return
    x, y = outline(boxes)
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": colour, "width": width},
            hoverinfo="skip",
            name=name,
        )
    )
