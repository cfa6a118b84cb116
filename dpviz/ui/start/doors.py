"""The doors of Start: cards that are links as a whole, each with a pictogram."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from dpviz.ui.kit import frame

KEY = "start_doors"


@dataclass(frozen=True, slots=True)
class Door:
    """A page behind a name, one line about it, and its pictogram: SVG of 72 x 56 px."""

    name: str
    line: str
    page: str
    drawing: str


_GROUND = '<path class="ground" d="M4 51.5H68"/>'
DOORS = (
    Door(
        "Teach",
        "Why noise? A story that asks first.",
        "learn",
        f'{_GROUND}<path class="ink" d="M6 50C22 50 24 12 32 12S42 50 58 50"/>'
        '<path class="blue dotted" d="M14 50C30 50 32 12 40 12S50 50 66 50"/>',
    ),
    Door(
        "Show",
        "What a budget buys, in one sentence.",
        "decide",
        f'{_GROUND}<path class="blue" d="M8 8C14 34 30 45 66 47"/>'
        '<path class="ink dotted" d="M4 35.5H24V51"/><circle cx="24.5" cy="35.5" r="5.5"/>',
    ),
    Door(
        "Try",
        "Your data or ours, true beside private.",
        "quantiles",
        f'{_GROUND}<path class="ink" d="M4 50H16V40H28V28H42V16H54V7H68"/>'
        + "".join(
            f'<circle cx="{x}" cy="{y}" r="3.5"/>'
            for x, y in ((15, 47), (27, 36), (39, 25), (51, 16), (61, 7))
        ),
    ),
)
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
