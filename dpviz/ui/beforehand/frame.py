"""The frame of a page whose draw nobody has asked for yet: what it would cost, how exact it would be."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.answers.markup import private
from dpviz.answers.studies import expected_said
from dpviz.answers.studies.expected import Expected
from dpviz.core.errors import DpvizError
from dpviz.figures.studies.expected import expected_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.release import ask_button
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.visit.page import Visit

DECIDE = "Or say what you need to know, and how exactly: Decide finds method and budget"
OTHERWISE = "How exact it will be is not reckoned for these settings."
Reckoned = tuple[Expected | None, str]  # the errors to expect, and what is said of them


def frame_of(page: str, now: Visit, waits: NotAsked, reckon: Callable[[], Reckoned]) -> None:
    """Headline, button and the error to expect; what refuses says so once it is asked for."""
    try:
        expected, said = reckon()
    except DpvizError:
        expected, said = None, OTHERWISE
    head = st.container()
    cost = ask_button(waits)
    st.page_link(frame.page_file("decide"), label=DECIDE)
    spends = "this draw spends" if len(waits.waiting) == 1 else "these draws spend"
    with head:
        headline(page, f"Nothing is drawn yet: {spends} {private(cost)}.", said)
    if expected is not None:
        alt = expected_said.alt(expected, said)
        hero(expected_picture(expected, now.look), "expected", alt, slides="expected")


def people() -> str:
    """What counts of the data in use count."""
    return session.words().people.many


def noise_alone(expected: Expected, what: str) -> Reckoned:
    """Errors that do not depend on data, and what is said of those of the finest counts."""
    return expected, expected_said.noise_alone(expected, what)
