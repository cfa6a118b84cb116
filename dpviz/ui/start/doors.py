"""The doors of Start: cards that are links as a whole, each with a pictogram."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from dpviz.lessons.start.doors import DOORS
from dpviz.ui.kit import frame

KEY = "start_doors"


HTML = '<nav aria-label="Where to begin">' + "".join(
    f'<a href="{door.page}" data-door="{door.page}">'
    f'<svg width="72" height="56" viewBox="0 0 72 56" aria-hidden="true">{door.drawing}</svg>'
    f"<span><strong>{door.name}</strong>{door.line}</span></a>"
    for door in DOORS
)


@cache
def _component() -> Any:
    css, js = (
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("doors.css", "doors.js")
    )
    return st.components.v2.component("dpviz_doors", html=f"{HTML}</nav>", css=css, js=js)


def doors() -> None:
    """Three cards in a row, one below the other on a phone; a click opens its page in this visit."""
    chosen = _component()(key=KEY, on_door_change=lambda: None).door
    if chosen in {door.page for door in DOORS}:
        frame.go(chosen)
