"""Start: the headline, the picture with its controls, one sentence, and the doors."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.lessons.words import STRENGTH
from dpviz.ui.bench.headline import headline
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Heights
from dpviz.ui.stage.controls import Control, play, press, slider, toggle
from dpviz.ui.start import doors, numbers, outside, picture, words
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERE = Path(__file__).parent
KEY, OUTSIDE = "start_stage", "start_outside"
ENDS = {one: f"{one:g} {word}" for one, word in STRENGTH.items() if one >= 0.1}
HEIGHTS = Heights(
    wide="clamp(260px, calc(100dvh - 492px), min(560px, 56vw))",
    low="clamp(240px, calc(100dvh - 402px), 400px)",
    phone="452px",
)
LECTURE = Heights(
    wide="clamp(300px, calc(100dvh - 320px), 900px)",
    low="clamp(300px, calc(100dvh - 292px), 600px)",
    phone="452px",
)
ZOOM = 1.4  # of everything in the picture, presenting


def start_page(now: Visit) -> None:
    """Draw the page; with the truth off only what an outsider would get."""
    st.html(HERE / "start.css")
    if now.presenting:
        st.html(HERE / "lecture.css")
    epsilon, ida = now.epsilon, component.said(KEY, "ida", "in")
    shown = bool(state.get("truth"))
    with st.container(key="start"):
        headline("Start", words.heading(epsilon), words.LEDE)
        (_teaching if shown else _outside)(now, ida)
        if not now.presenting:
            with st.container(key="start_doors_row"):
                doors.doors()


def _teaching(now: Visit, ida: str) -> None:
    stops = _stops(now.epsilon)
    staged = picture.stage(now.epsilon, stops, now.seed).at(ida=ida)
    controls = [
        _slider(stops),
        toggle("ida", "Ida is in the data", on="in", off="out"),
        play("draw", f"Play {numbers.DRAWS} draws", numbers.SETS, "count", off=(58, -11)),
    ]
    with st.container(key="start_picture"):
        component.show(KEY, staged, controls, _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.sentence(now.epsilon, ida == "in"))


def _outside(now: Visit, ida: str) -> None:  # noqa: ARG001  who is in is confidential
    stops = _stops(now.epsilon)
    staged = outside.stage(now.epsilon, stops, now.seed)
    controls = [_slider(stops), press("truth", "Reveal (teaching only)", "on")]
    with st.container(key="start_picture"):
        component.show(OUTSIDE, staged, controls, _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.outside(now.epsilon, outside.answer(now.epsilon, now.seed)))


def _heights(now: Visit) -> Heights:
    return LECTURE if now.presenting else HEIGHTS


def _zoom(now: Visit) -> float:
    return ZOOM if now.presenting and not now.look.phone else 1.0


def _slider(stops: tuple[float, ...]) -> Control:
    named = [(f"{stop:g}", ENDS.get(stop, f"{stop:g}")) for stop in stops]
    return slider("epsilon", ("ε", " = "), "Privacy, ε: smaller is more private", named)


def _stops(epsilon: float) -> tuple[float, ...]:
    """The slider's stops; an ε from elsewhere becomes one of them, and stays one."""
    gained: set[float] = state.store().setdefault("start_stops", set())
    gained.add(epsilon)
    return tuple(sorted({*numbers.STOPS, *gained}))


def _turned(name: str, value: str) -> None:
    if name == "epsilon":
        state.put("eps", float(value))
    elif name == "truth":
        state.put("truth", True)
