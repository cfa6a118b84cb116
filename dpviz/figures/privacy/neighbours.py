"""Two exact output laws, and under them their log ratio between the lines at ±ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpviz.core.arrays import FloatArray
from dpviz.experiments.privacy.loss import Shape
from dpviz.experiments.privacy.loss_view import LossCurves
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink, translucent

LINES = {Shape.STEPS: "hv", Shape.CURVE: "linear", Shape.ATOMS: "hvh"}


def loss_figure(
    curves: LossCurves,
    view: tuple[float, float],
    epsilon: float,
    mechanism: str,
    ink: Ink,
    *,
    unit: str = "value",
    changed: tuple[tuple[str, float], ...] = (),
) -> go.Figure:
    """Black is the column in use, colour its neighbour; the band is where the log ratio may be.

    changed marks values on the axis, such as the record that goes, if they are in view.
    """
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.58, 0.42], vertical_spacing=0.05
    )
    colour = ink.of(mechanism)
    styles: dict[str, dict[str, Any]] = {
        "this column": {"color": ink.truth, "width": 2},
        "its neighbour": {"color": colour, "width": 2, "dash": "dash"},
    }
    for (name, line), law in zip(styles.items(), (curves.one, curves.other), strict=True):
        hover = f"{name}: %{{y:.4~g}} at %{{x:,.6g}}<extra></extra>"
        figure.add_trace(_line(curves.shape, curves.x, law, name, line, hover), row=1, col=1)
    hover = "log ratio %{y:.4~g} at %{x:,.6g}<extra></extra>"
    ratio = _line(
        curves.shape,
        curves.ratio_x,
        curves.ratio,
        "log ratio",
        {"color": colour, "width": 2},
        hover,
    )
    figure.add_trace(ratio.update(showlegend=False), row=2, col=1)
    _bound(figure, epsilon, ink, ascending=bool(curves.ratio[-1] >= curves.ratio[0]))
    for label, at in changed:
        if view[0] <= at <= view[1]:
            figure.add_vline(
                x=at,
                line={"color": ink.truth, "dash": "dot", "width": 1},
                annotation={"text": plain(label), "yshift": 16},
                annotation_position="top left" if at > sum(view) / 2 else "top right",
                row=1,
                col=1,
            )
    styled(figure, ink, 470, shows_truth=True)
    figure.update_layout(margin={"t": 52 if changed else 34})
    figure.update_xaxes(range=list(view))
    figure.update_xaxes(title_text=plain(unit), row=2, col=1)
    height = "chance" if curves.shape is Shape.ATOMS else "density"
    figure.update_yaxes(
        title_text=height, rangemode="tozero", exponentformat="power", nticks=5, row=1, col=1
    )
    top = 1.25 * max(epsilon, float(np.abs(curves.ratio).max()))
    figure.update_yaxes(
        title_text="log ratio", range=[-top, top], exponentformat="power", row=2, col=1
    )
    return figure


def _line(
    shape: Shape, x: FloatArray, y: FloatArray, name: str, line: dict[str, Any], hover: str
) -> go.Scatter:
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={**line, "shape": LINES[shape]},
        name=name,
        hovertemplate=hover,
    )


def _bound(figure: go.Figure, epsilon: float, ink: Ink, *, ascending: bool) -> None:
    figure.add_hrect(
        y0=-epsilon,
        y1=epsilon,
        fillcolor=translucent(ink.truth, 0.06),
        line_width=0,
        layer="below",
        row=2,
        col=1,
    )
    sides = ("left", "right") if ascending else ("right", "left")  # clear of the ratio's ends
    for sign, label, side in ((1, "+ε", f"top {sides[0]}"), (-1, "−ε", f"bottom {sides[1]}")):
        figure.add_hline(
            y=sign * epsilon,
            line={"color": ink.truth, "dash": "dash", "width": 1},
            annotation_text=label,
            annotation_position=side,
            row=2,
            col=1,
        )
