"""Start: the headline, the picture with its controls, one sentence, and the doors."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.ui.bench.headline import headline
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Heights
from dpviz.ui.stage.controls import Control, play, slider, toggle
from dpviz.ui.start import doors, numbers, outside, picture, words
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

KEY = "start_stage"
ENDS = {0.1: "0.1 strong", 1.0: "1 usual", 10.0: "10 weak"}
HEIGHTS = Heights(
    wide="clamp(260px, calc(100dvh - 492px), 440px)",
    low="clamp(240px, calc(100dvh - 410px), 400px)",
    phone="452px",
)
ZOOM = 1.4  # of everything in the picture, presenting


def start_page(now: Visit) -> None:
    """Draw the page; with the truth off only what an outsider would get."""
    st.html(Path(__file__).with_name("start.css"))
    epsilon, ida = now.epsilon, component.said(KEY, "ida", "in")
    shown = bool(state.get("truth"))
    with st.container(key="start"):
        headline("Start", words.heading(epsilon), words.LEDE)
        if shown:
            _teaching(now, ida)
        else:
            _outside(now)
        doors.doors()


def _teaching(now: Visit, ida: str) -> None:
    stops = _stops(now.epsilon)
    staged = picture.stage(now.epsilon, stops, now.seed).at(ida=ida)
    controls = [
        _slider(stops),
        toggle("ida", "Ida is in the data", on="in", off="out"),
        play("draw", f"Play {numbers.DRAWS} draws", numbers.SETS, "count", off=(58, -11)),
    ]
    component.show(KEY, staged, controls, HEIGHTS, _turned, zoom=ZOOM if now.presenting else 1)
    with st.container(key="start_sentence"):
        st.markdown(words.sentence(now.epsilon, ida == "in"))


def _outside(now: Visit) -> None:
    stops = _stops(now.epsilon)
    staged = outside.stage(now.epsilon, stops, now.seed)
    component.show(f"{KEY}_outside", staged, [_slider(stops)], HEIGHTS, _turned)
    with st.container(key="start_sentence", horizontal=True):
        st.markdown(words.outside(now.epsilon, outside.answer(now.epsilon, now.seed)))
        st.button("Reveal (teaching only)", on_click=state.put, args=("truth", True))


def _slider(stops: tuple[float, ...]) -> Control:
    named = [(f"{stop:g}", ENDS.get(stop, f"{stop:g}")) for stop in stops]
    return slider("epsilon", ("ε", " = "), "Privacy, ε: smaller is more private", named)


def _stops(epsilon: float) -> tuple[float, ...]:
    """The slider's stops; an ε from elsewhere becomes one of them."""
    return tuple(sorted({*numbers.STOPS, epsilon}))


def _turned(name: str, value: str) -> None:
    if name == "epsilon":
        state.put("eps", float(value))
