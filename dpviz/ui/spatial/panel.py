"""The map with its rectangle and answers beside it, and the strip of numbers below."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points
from dpviz.figures.spatial.map import map_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.messages import attempt, plain
from dpviz.ui.spatial.cells import Drawn, answering, map_view
from dpviz.ui.spatial.look import Look
from dpviz.ui.spatial.numbers import answer_panel, strip
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.rectangle import keep_drawn, rectangle_picker

POINTS_SHOWN = 20_000


def map_panel(page: MapPage, look: Look) -> None:
    """One method with the rectangle at its side, or two beside each other with it below."""
    shown = page.shown
    if len(shown) == 1:
        picture, side = st.columns([5, 3], gap="small")
        with side:
            rectangle = attempt(lambda: rectangle_picker(page.box))
            _answer(page, shown[0], rectangle, "Records inside")
        with picture:
            _chart(page, shown[0], look, rectangle, width=390)
    else:
        pictures = st.columns(len(shown), gap="small")
        rectangle = attempt(lambda: rectangle_picker(page.box))
        for slot, answer, one in zip(pictures, st.columns(len(shown)), shown, strict=True):
            with answer:
                _answer(page, one, rectangle, f"Inside: {one.name}")
            with slot:
                st.markdown(f"**{plain(one.name)}**")
                _chart(page, one, look, rectangle, width=330)
    strip(page, look.depth)


def _answer(page: MapPage, one: Drawn, rectangle: FloatArray | None, label: str) -> None:
    if rectangle is not None:
        answer_panel(one, rectangle, page.truth.cells(one) if page.truth else None, label)


def _chart(
    page: MapPage, one: Drawn, look: Look, rectangle: FloatArray | None, *, width: int
) -> None:
    """One method's map; a box drawn on it becomes the rectangle."""
    key = f"m_chart_{one.name}"
    view = replace(
        map_view(one, look.depth, look.colour, session.point_units()),
        answering=answering(one, rectangle),
        rectangle=rectangle,
        points=_some(page.points) if look.shows_points else None,
        aspect=look.aspect,
    )
    chart(
        map_figure(view, frame.ink(), height=look.height(page.box, width)),
        key,
        "map",
        f"Map of {one.name}: cells coloured by {look.colour}",
        scroll=True,
        on_select=partial(keep_drawn, key),
        selection_mode="box",
    )


def _some(points: Points) -> tuple[FloatArray, FloatArray]:
    stride = max(1, -(-points.n // POINTS_SHOWN))
    return points.x[::stride], points.y[::stride]
