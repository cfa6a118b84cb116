"""The frame around every page: navigation, identity, and what follows the visitor."""

import time
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from dpviz import catalogue
from dpviz.figures.kit.palette import Ink
from dpviz.ui import visitor
from dpviz.ui.kit import glossary
from dpviz.ui.visit import screen, state
from dpviz.ui.visit.fields import RELATIONS

__all__ = ["RELATIONS"]

HERE = Path(__file__).parent
MOVED_SECONDS = 0.1  # until a browser has taken over the address of a page
_MOVED, _PAGES = "_moved", "_pages"
# sections of the menu: pages/<file>.py and the name of each; a page's file is named after its address
PAGES: dict[str, tuple[tuple[str, str], ...]] = {
    "": (("start", "Start"), ("learn", "Learn"), ("decide", "Decide"), ("papers", "Papers")),
    "Explore": (
        ("quantiles", "Quantiles"),
        ("trees", "Trees"),
        ("map", "Map"),
        ("neighbours", "One person"),
        ("budget", "Budget"),
        ("audit", "Audit"),
    ),
    "Reference": (("data", "Data"), ("methods", "Methods")),
}
WITHIN = (("what_if", "Look inside"),)  # pages that others lead to: they stand in no menu


def page_file(name: str) -> str:
    """The file of a page, for links within the app."""
    return f"pages/{name}.py"


def go(name: str) -> None:
    """Open another page from within this one."""
    visitor.put(_MOVED, True)
    st.switch_page(page_file(name))


def navigation() -> Any:
    """Register the pages and return the current one; presenting, the menu is not drawn."""
    pages = visitor.get(_PAGES)
    if pages is None:  # each one looks for its file
        pages = _pages()
        visitor.put(_PAGES, pages)
    return st.navigation(pages, position="hidden" if state.get("present") else "top")


def _pages() -> dict[str, list[Any]]:
    first = next(iter(PAGES.values()))[0][0]
    pages = {
        section: [
            st.Page(page_file(name), title=title, default=name == first) for name, title in rows
        ]
        for section, rows in PAGES.items()
    }
    pages[""] += [
        st.Page(page_file(name), title=title, visibility="hidden") for name, title in WITHIN
    ]
    return pages


def guard() -> None:
    """Send a session that entered through a page's own address through the frame first.

    Because a folder pages/ exists, the first session on a fresh server that opens a page directly
    runs it without app.py; registering the navigation and running again cures it.
    """
    if not visitor.take("_framed", False):  # set anew by every run of app.py
        followed = state.followed()
        state.begin()
        navigation()
        if followed is not None:  # by the run that comes
            state.follow(followed)
        st.rerun()


def begin() -> Any:
    """At the start of every run: what the link says, the style, the menu; returns the page."""
    state.begin()
    page = navigation()
    if visitor.take(_MOVED, False):
        # the browser hears of the page and of its link; at once it would write the new page's
        # link under the old page's address, and Back would lead there
        time.sleep(MOVED_SECONDS)
    visitor.put("_framed", True)
    st.html(_style("style.css"))
    if state.get("present"):
        st.html(_style("presenting.css"))
    else:
        st.logo(image("logo_dark.svg" if screen.is_dark() else "logo.svg"), size="large")
    with st.container(key="watch"):  # the first thing on every page, so that its style knows it
        if not state.get("present"):
            glossary.on_every_page()
        screen.watch()
    return page


@cache
def _style(name: str) -> str:
    return f"<style>{(HERE / name).read_text(encoding='utf-8')}</style>"


@cache
def image(name: str) -> str:
    """One of the app's own drawings as a link that holds it: no run reads its file again."""
    return "data:image/svg+xml;base64," + b64encode((HERE / name).read_bytes()).decode("ascii")


def is_dark() -> bool:
    """Whether the visitor sees the dark theme."""
    return screen.is_dark()


def emphasis() -> Literal["primary", "secondary"]:
    """The type of the button that matters most: a dark theme's accent is too pale for white text."""
    return "secondary" if is_dark() else "primary"


def ink() -> Ink:
    """Colours that fit the visitor's theme, with the marks and labels of all methods."""
    return screen.ink()


def label_of(mechanism: str) -> str:
    """The short name of a quantile mechanism on screen; the name itself for an unknown one."""
    labels = {kind.name: kind.card.label for kind in catalogue.QUANTILES}
    return labels.get(mechanism, mechanism)
