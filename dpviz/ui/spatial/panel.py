"""The map with its rectangle and answers beside it, and the strip of numbers below."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points
from dpviz.figures.spatial.map import map_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.messages import attempt, plain
from dpviz.ui.spatial.answers import answer_panel
from dpviz.ui.spatial.cells import Drawn, answering, map_view
from dpviz.ui.spatial.look import Look, look_picker
from dpviz.ui.spatial.rectangle import keep_drawn, rectangle_picker
from dpviz.ui.spatial.strip import strip

POINTS_SHOWN = 20_000


def map_panel(shown: list[Drawn], points: Points) -> None:
    """One method with the rectangle at its side, or two beside each other with it below."""
    look = look_picker(shown, points.box)
    if len(shown) == 1:
        picture, side = st.columns([5, 3], gap="small")
        with side:
            rectangle = attempt(lambda: rectangle_picker(points.box))
            answer_panel(shown[0], rectangle, points)
        with picture:
            _chart(shown[0], look, rectangle, points, width=390)
    else:
        pictures = st.columns(len(shown), gap="small")
        rectangle = attempt(lambda: rectangle_picker(points.box))
        for slot, answer, one in zip(pictures, st.columns(len(shown)), shown, strict=True):
            with answer:
                answer_panel(one, rectangle, points, f"Inside: {one.name}")
            with slot:
                st.markdown(f"**{plain(one.name)}**")
                _chart(one, look, rectangle, points, width=330)
    strip(shown, look.depth, points)


def _chart(
    one: Drawn, look: Look, rectangle: FloatArray | None, points: Points, *, width: int
) -> None:
    """One method's map; a box drawn on it becomes the rectangle."""
    chart = f"m_chart_{one.name}"
    view = replace(
        map_view(one, look.depth, look.colour, session.point_units()),
        answering=answering(one, rectangle),
        rectangle=rectangle,
        points=_some(points) if look.shows_points else None,
        aspect=look.aspect,
    )
    st.plotly_chart(
        map_figure(view, frame.ink(), height=look.height(points.box, width)),
        key=chart,
        on_select=lambda: keep_drawn(chart),
        selection_mode="box",
        config=chart_options("map"),
        alt=f"Map of {one.name}: cells coloured by {look.colour}",
    )


def _some(points: Points) -> tuple[FloatArray, FloatArray]:
    stride = max(1, -(-points.n // POINTS_SHOWN))
    return points.x[::stride], points.y[::stride]
