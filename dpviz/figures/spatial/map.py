"""Cells of a decomposition as a raster with outlines, and a rectangle drawn on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink
from dpviz.figures.kit.shades import shades
from dpviz.figures.spatial.layers import add_lines, add_rectangle, marks_trace, points_trace
from dpviz.figures.spatial.raster import rasterised

OUTLINED = 1_500  # cells whose borders are still lines and not a grey veil


@dataclass(frozen=True, slots=True, eq=False)
class MapView:
    """What is drawn: boxes (k, 4) with values (k,), columns x_low, x_high, y_low, y_high.

    outlines (o, 4) are the borders drawn as lines; answering (a, 4) the nodes behind an answer;
    rectangle (4,) the query; nodes (m, 4) of level node_level with numbers (m,) can be clicked;
    points two arrays of true coordinates, confidential. aspect is how many units of x make as
    much ground as one of y.
    """

    box: Box
    boxes: FloatArray
    values: FloatArray
    value_name: str
    outlines: FloatArray
    answering: FloatArray | None = None
    rectangle: FloatArray | None = None
    points: tuple[FloatArray, FloatArray] | None = None
    nodes: tuple[int, IntArray, FloatArray] | None = None
    names: tuple[str, str] = ("x", "y")
    aspect: float = 1.0


def map_figure(view: MapView, ink: Ink, *, height: int = 520) -> go.Figure:
    """The raster, borders, points, answering nodes and the rectangle; box select draws one.

    Where the view has nodes, their marks carry (level, number), and a click selects one instead.
    """
    figure = go.Figure(_cells(view, ink))
    add_lines(figure, view.outlines, ink.faint, 0.8, "borders of cells")
    if view.points is not None:
        figure.add_trace(points_trace(view.points, ink))
    if view.answering is not None:
        add_lines(figure, view.answering, "#E69F00", 1.6, "nodes that answer")
    if view.nodes is not None:
        figure.add_trace(marks_trace(*view.nodes, ink))
    if view.rectangle is not None:
        add_rectangle(figure, view.rectangle)
    styled(figure, ink, height, shows_truth=view.points is not None)
    # the notice follows the map, which may end above the chart, and goes below its axis title
    figure.update_annotations(yref="y domain", yshift=-58)
    figure.update_layout(
        showlegend=False,
        dragmode="select" if view.nodes is None else "pan",
        selectdirection="any",
        margin_t=8,  # the colour bar makes its own room
        margin_r=32,  # for the buttons along the side
        margin_b=56 if view.points is None else 76,
    )
    _axes(figure, view)
    return figure


def _cells(view: MapView, ink: Ink) -> go.Heatmap:
    raster = rasterised(view.box, view.boxes, view.values)
    rows, columns = raster.shape
    finite = raster[np.isfinite(raster)]
    # dense cells are few and far denser than the rest: the scale ends where most of the map is told
    top = float(np.quantile(finite, 0.98)) if finite.size else 1.0
    return go.Heatmap(
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
            "len": 0.7,
            "y": 1.0,
            "ypad": 6,
            "yanchor": "bottom",
        },
        hovertemplate=f"%{{x:.4~g}}, %{{y:.4~g}}<br>{plain(view.value_name)} %{{z:,.4~g}}"
        "<extra></extra>",
        name="cells",
    )


def _axes(figure: go.Figure, view: MapView) -> None:
    shared = {"showgrid": False, "constrain": "domain"}
    figure.update_xaxes(range=[view.box.x.low, view.box.x.high], **shared)
    # not as the axis's own title: Plotly puts that over the tick labels where the map is shrunk
    figure.add_annotation(
        text=plain(view.names[0]),
        xref="x domain",
        yref="y domain",
        x=0.5,
        y=0,
        yanchor="top",
        yshift=-32,
        font={"size": 14},
        showarrow=False,
    )
    figure.update_yaxes(
        title_text=plain(view.names[1]),
        range=[view.box.y.low, view.box.y.high],
        scaleanchor="x",
        scaleratio=view.aspect,
        constraintoward="top",  # right under the colour bar where the chart is higher than the map
        **shared,
    )
