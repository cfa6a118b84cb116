"""Start: the headline, the picture with its controls, one sentence, and the doors."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.figures.stage.controls import Heights, press
from dpviz.lessons.start import numbers, picture, words
from dpviz.lessons.start.controls import HEIGHTS, LECTURE, controls, epsilon
from dpviz.ui.bench.headline import headline
from dpviz.ui.stage import component
from dpviz.ui.start import doors, outside
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERE = Path(__file__).parent
KEY, OUTSIDE = "start_stage", "start_outside"
ZOOM = 1.4  # of everything in the picture, presenting


def start_page(now: Visit) -> None:
    """Draw the page; with the truth off only what an outsider would get."""
    st.html(HERE / "start.css")
    if now.presenting:
        st.html(HERE / "lecture.css")
    size, ida = now.epsilon, component.said(KEY, "ida", "in")
    shown = bool(state.get("truth"))
    with st.container(key="start"):
        headline("Start", words.heading(size), words.LEDE)
        (_teaching if shown else _outside)(now, ida)
        if not now.presenting:
            with st.container(key="start_doors_row"):
                doors.doors()


def _teaching(now: Visit, ida: str) -> None:
    stops = _stops(now.epsilon)
    staged = picture.stage(now.epsilon, stops, now.seed).at(ida=ida)
    with st.container(key="start_picture"):
        component.show(KEY, staged, controls(stops), _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.sentence(now.epsilon, ida == "in"))


def _outside(now: Visit, ida: str) -> None:  # noqa: ARG001  who is in is confidential
    stops = _stops(now.epsilon)
    staged = outside.stage(now.epsilon, stops, now.seed)
    row = [epsilon(stops), press("truth", "Reveal (teaching only)", "on")]
    with st.container(key="start_picture"):
        component.show(OUTSIDE, staged, row, _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.outside(now.epsilon, outside.answer(now.epsilon, now.seed)))


def _heights(now: Visit) -> Heights:
    return LECTURE if now.presenting else HEIGHTS


def _zoom(now: Visit) -> float:
    return now.look.said(ZOOM if now.presenting else 1.0, 1.0)


def _stops(now: float) -> tuple[float, ...]:
    """The slider's stops; an ε from elsewhere becomes one of them, and stays one."""
    gained: set[float] = state.store().setdefault("start_stops", set())
    gained.add(now)
    return tuple(sorted({*numbers.STOPS, *gained}))


def _turned(name: str, value: str) -> None:
    if name == "epsilon":
        state.put("eps", float(value))
    elif name == "truth":
        state.put("truth", True)
