"""The visitor's theme and window, so that pictures fit both and follow a change while a page is open."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, cast

import streamlit as st

from dpviz import catalogue
from dpviz.figures.kit.look import Look, Screen
from dpviz.figures.kit.palette import DARK, LIGHT, Ink
from dpviz.ui.visit import state

KINDS: tuple[Screen, ...] = ("wide", "low", "narrow", "phone")


@cache
def _watcher() -> Any:
    script = Path(__file__).with_name("screen.js").read_text(encoding="utf-8")
    return st.components.v2.component("dpviz_screen", js=script)


def watch() -> None:
    """Mount the invisible component that reruns the page when theme or window change in kind."""
    with st.container(key="watch"):
        _watcher()(
            key="screen",
            data={"believed": believed()},
            default={"seen": believed()},
            on_seen_change=_take,
            height=1,
        )


def _take() -> None:
    seen = (st.session_state.get("screen") or {}).get("seen")
    if isinstance(seen, str) and tuple(seen.split()[1:]) in {(kind,) for kind in KINDS}:
        st.session_state["_screen"] = seen


def believed() -> str:
    """Theme and window as far as they are known: seen by the watcher, else guessed from headers."""
    guess = "dark" if st.context.theme.type == "dark" else "light"
    agent = st.context.headers.get("User-Agent", "")
    room = "phone" if "Mobi" in agent else "low" if state.get("present") else "wide"
    return cast("str", st.session_state.get("_screen", f"{guess} {room}"))


def is_dark() -> bool:
    """Whether the visitor sees the dark theme."""
    return believed().startswith("dark")


def room() -> Screen:
    """The kind of window that the visitor has."""
    return cast("Screen", believed().split()[1])


def ink() -> Ink:
    """Colours that fit the visitor's theme, with the marks and labels of all methods."""
    return (DARK if is_dark() else LIGHT).carrying(*catalogue.shown())


def look() -> Look:
    """How every picture on the page is drawn."""
    return Look(ink(), presenting=bool(state.get("present")), screen=room())
