"""The frame of a page whose draw nobody has asked for yet: what it would cost, how exact it would be."""

from __future__ import annotations

import streamlit as st

from dpviz.figures.studies.expected import Expected, expected_picture
from dpviz.ui.bench.headline import headline, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.release import ask_button
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.visit.page import Visit


def frame_of(page: str, now: Visit, waits: NotAsked, expected: Expected | None, said: str) -> None:
    """Headline, button and the error to expect; said is what it is reckoned from, or is missing."""
    head = st.container()
    cost = ask_button(waits)
    with head:
        headline(page, f"Nothing is drawn yet: this draw spends {private(cost)}.", said)
    if expected is not None:
        rows = "; ".join(map(expected.text, range(len(expected.names))))
        hero(expected_picture(expected, now.look), "expected", f"{said} {rows}.", slides="expected")
