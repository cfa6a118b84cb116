"""The doors of Start: cards that are links as a whole, each with a pictogram."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.ui.kit import frame

INK = 'fill="none" stroke="currentColor" stroke-width="2"'
BLUE = 'fill="none" stroke="var(--st-blue-color)" stroke-width="2"'
GROUND = '<path d="M4 50H68" stroke="var(--st-border-color)" fill="none"/>'


@dataclass(frozen=True, slots=True)
class Door:
    """A page behind a name, one line about it, and a pictogram of 72 x 56."""

    name: str
    line: str
    page: str
    drawing: str


DOORS = (
    Door(
        "Teach",
        "One person in or out: who can tell?",
        "neighbours",
        f'{GROUND}<path d="M10 50C24 50 26 12 34 12S44 50 58 50" {INK}/>'
        f'<path d="M18 50C32 50 34 12 42 12S52 50 66 50" {BLUE} stroke-dasharray="2 3"/>',
    ),
    Door(
        "Show",
        "What a budget buys, in one sentence.",
        "what_if",
        f'{GROUND}<path d="M8 10C14 34 30 45 66 47" {BLUE}/>'
        f'<path d="M4 35H25V50" {INK} stroke-dasharray="2 3"/>'
        '<circle cx="25" cy="35" r="6" fill="var(--st-blue-color)"/>',
    ),
    Door(
        "Try",
        "Your data or ours, true beside private.",
        "quantiles",
        f'<path d="M4 50H16V38H28V26H42V14H54V5H68" {INK}/>'
        + "".join(
            f'<circle cx="{x}" cy="{y}" r="3.5" fill="var(--st-blue-color)"/>'
            for x, y in ((15, 47), (27, 35), (40, 23), (52, 14), (62, 5))
        ),
    ),
)


def doors() -> None:
    """Three cards in a row, one below the other on a phone."""
    with st.container(key="start_doors"):
        for door in DOORS:
            with st.container(key=f"door_{door.name.lower()}"):
                st.html(
                    f'<svg width="72" height="56" viewBox="0 0 72 56" aria-hidden="true">'
                    f"{door.drawing}</svg>"
                )
                with st.container(gap=None):
                    st.page_link(frame.page_file(door.page), label=door.name)
                    st.html(f"<span>{door.line}</span>")
