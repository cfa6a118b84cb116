"""What the open page tells: its theme and window, so that pictures fit both, and a visit that was lost."""

import secrets
from typing import cast

import streamlit as st

from dpviz import catalogue
from dpviz.figures.kit.look import Look, Screen
from dpviz.figures.kit.palette import DARK, LIGHT, Ink
from dpviz.ui import visitor
from dpviz.ui.beside import component
from dpviz.ui.visit import folded, state

LOST = (  # a toast shows three lines of it at first
    "The server began this visit anew. A file of your own, results and the account are gone: hand the "
    "file in again, and add what was spent before, for it stays spent. The settings are still in the "
    "page's link."
)
_LOST = "_lost"
KINDS: tuple[Screen, ...] = ("wide", "low", "narrow", "phone")


def watch() -> None:
    """Mount the invisible component that reruns the page when theme or window change in kind.

    It says when the visitor first looks below a picture. It also knows which visit the page belonged to before: after a process has died, Streamlit's page
    connects to another one by itself, and the visitor must hear that the session is an empty one.
    """
    visit = visitor.first("_visit_name", lambda: secrets.token_hex(8))
    page = component(__file__, "screen")(
        key="screen",
        data={"believed": believed(), "visit": visit},
        default={"seen": believed()},
        on_seen_change=_take,
        on_back_change=lambda: None,  # only runs the script
        on_lost_change=lambda: None,
        on_below_change=folded.look_below,
        height=1,
    )
    if page.lost:
        visitor.put(_LOST, True)
        st.toast(LOST, icon=":material/restart_alt:", duration="infinite")


def was_lost() -> bool:
    """Whether the page belonged to a visit of a process that has died."""
    return visitor.get(_LOST, False) is True


def uploader_key(key: str) -> str:
    """The key of a file uploader: another one once the visit was lost.

    The open page keeps the list of an uploader by its key, and what it says of each file: a file that
    died with its process would stay listed, or stand there with "AxiosError: Network Error".
    """
    return f"{key}_again" if was_lost() else key


def _take() -> None:
    seen = (visitor.get("screen") or {}).get("seen")
    if isinstance(seen, str) and tuple(seen.split()[1:]) in {(kind,) for kind in KINDS}:
        visitor.put("_screen", seen)


def believed() -> str:
    """Theme and window as far as they are known: seen by the watcher, else guessed from headers."""
    seen = visitor.get("_screen")
    if seen is not None:
        return cast("str", seen)
    theme = "dark" if st.context.theme.type == "dark" else "light"
    agent = visitor.get("_agent")
    if agent is None:  # reading the headers takes a while, and they stay
        agent = st.context.headers.get("User-Agent", "")
        visitor.put("_agent", agent)
    return f"{theme} {'phone' if 'Mobi' in agent else 'low' if state.get('present') else 'wide'}"


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
