"""How the map speaks of the data in use: its people, its unit, and the marks of numbers."""

from __future__ import annotations

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.figures.spatial.answer import People
from dpviz.figures.spatial.sentences import Voice
from dpviz.ui.bench.headline import private, true
from dpviz.ui.kit import session


def people() -> People:
    """Who the points are, and what they do somewhere: a file's are people who are there."""
    own = session.words()
    live = own.at_most[0].split()[0]
    return People(own.people.one, own.people.many, live if live == "live" else "are")


def page_voice() -> Voice:
    """The voice of headlines: private numbers blue, true ones bold."""
    return Voice(people(), private, true)


def plain_voice() -> Voice:
    """The voice of text alternatives."""
    return Voice(people())


def square() -> str:
    """What a density is by: "per square km"; coordinates without a unit are units."""
    return f"per square {session.words().unit.one or 'unit'}"


def extent(box: Box) -> str:
    """How large the map is: "100 by 80 km"."""
    return f"{box.x.width:,.6g} by {box.y.width:,.6g} {session.words().unit.many}".strip()


def data_name() -> str:
    """A short name of the data in use, for labels."""
    return "Your file" if session.is_upload() else str(st.session_state["data"]).capitalize()
