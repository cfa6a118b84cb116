"""The frame around every page: navigation, the shared choices, and the badge."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from dpviz import catalogue
from dpviz.core.neighbours import Neighbours
from dpviz.figures.kit.palette import DARK, LIGHT, Ink
from dpviz.intake.samples import samples
from dpviz.ui.kit import choices, session
from dpviz.ui.links import arriving
from dpviz.ui.links import data as data_link

PAGES: tuple[tuple[str, str], ...] = (
    ("pages/data.py", "Data"),
    ("pages/quantiles.py", "Quantiles"),
    ("pages/trees.py", "Trees"),
    ("pages/map.py", "Map"),
    ("pages/neighbours.py", "Neighbours"),
    ("pages/what_if.py", "What if"),
    ("pages/methods.py", "Methods"),
)

RELATIONS = {
    Neighbours.ADD_REMOVE: "add/remove",
    Neighbours.REPLACE_ONE: "replace",
}


def navigation() -> Any:
    """Register the pages and return the current one."""
    pages = [
        st.Page(path, title=title, default=index == 0) for index, (path, title) in enumerate(PAGES)
    ]
    return st.navigation(pages)


def guard() -> None:
    """Send a session that entered through a page's own address through the frame first.

    Because a folder pages/ exists, the first session on a fresh server that opens a page directly
    runs it without app.py; registering the navigation and running again cures it.
    """
    if not st.session_state.pop("_framed", False):  # set anew by every run of app.py
        navigation()
        st.rerun()


def shared_controls() -> None:
    """The choices that follow the visitor to every page."""
    st.session_state["_framed"] = True
    arriving.begin()
    titles = {key: session.data_title(key) for key in session.data_options()}
    first = samples()[0].key
    data_link.settle(titles, first)
    with st.sidebar:
        choices.menu(
            "Data",
            titles,
            data_link.KEY,
            "A sample set, or your own file once you uploaded it on the Data page.",
            bind=None,
            persist_state=None,
        )
        data_link.write(first)
        if len(session.axis_options()) > 1:
            choices.segments(
                "Coordinate",
                session.axis_options(),
                "axis",
                "The set has two columns; quantiles are of one of them.",
                persist_state=None,
            )
        _declarations()
        choices.switch(
            "Show the truth",
            "truth",
            "Off: only what a release would contain stays on screen, so that the page can be "
            "shown with real data.",
            default=True,
            persist_state=None,
        )


def _declarations() -> None:
    low, high, resolution = session.default_declarations()
    ends = (("low", "Lower bound", "least", low), ("high", "Upper bound", "most", high))
    for slot, (name, label, side, value) in zip(st.columns(2), ends, strict=True):
        choices.field(
            label,
            f"{session.scope()}_{name}",
            f"The {side} a value can be, from public knowledge. Values outside are clipped. "
            "Taking it from the data would release one person's record.",
            default=value,
            place=slot,
            bind=session.link(),
            placeholder="declare",
        )
    choices.field(
        "Resolution",
        f"{session.scope()}_resolution",
        "Spacing of the values: 1 for whole years, 0 for continuous values. Ties are spread "
        "over it before an exponential mechanism sees them.",
        default=resolution,
        bind=session.link(),
        min_value=0.0,
    )
    choices.segments(
        "Neighbours",
        RELATIONS,
        "neighbours",
        "Which two data sets must look alike: one record more or less, or one record changed "
        "(then the number of records is public).",
        persist_state=None,
    )


def title(text: str, blurb: str, *, has_data: bool = True) -> None:
    """A page's heading, with the badge that says whether confidential values are on screen."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(text, width="content", anchor=False)
        if not has_data:
            pass  # nothing on the page depends on anyone's records
        elif session.shows_truth():
            st.badge("Teaching view: shows true data", icon=":material/visibility:", color="orange")
        else:
            st.badge("Release view: private values only", icon=":material/lock:", color="green")
    st.caption(blurb)
    arriving.notice_on(text)


def is_dark() -> bool:
    """Whether the visitor sees the dark theme."""
    return st.context.theme.type == "dark"


def emphasis() -> Literal["primary", "secondary"]:
    """The type of the button that matters most: a dark theme's accent is too pale for white text."""
    return "secondary" if is_dark() else "primary"


def truth_colour() -> str:
    """What the truth is drawn in: black, which a dark page shows as white."""
    return "white" if is_dark() else "black"


def ink() -> Ink:
    """Colours that fit the visitor's theme, with the marks and labels of all methods."""
    return (DARK if is_dark() else LIGHT).carrying(*catalogue.shown())


def label_of(mechanism: str) -> str:
    """The short name of a quantile mechanism on screen; the name itself for an unknown one."""
    labels = {kind.name: kind.card.label for kind in catalogue.QUANTILES}
    return labels.get(mechanism, mechanism)
