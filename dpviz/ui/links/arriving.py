"""What a link brings to a widget: read before the widget is drawn, and refused where it is nonsense.

A refused value leaves the address, its widget starts at the default, and the page says so in one
quiet line. Only what a link says when it is opened is read here; afterwards the address follows
the widgets.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.ui import visitor
from dpviz.ui.kit.process import private


def linked(key: str) -> Sequence[str]:
    """Everything that the address says of a key; nothing where it does not hold it."""
    return st.query_params.get_all(key)


def decides() -> bool:
    """Whether the address decides in this run: the browser went back or on, or a link is followed."""
    return private.went_back() or bool(visitor.get("_follows"))


def went_back() -> bool:
    """Whether the browser went back or on to the address of this run."""
    return private.went_back()


def follows(link: Mapping[str, str] | None) -> None:
    """Let this run take a link that is followed within the visit; None follows none."""
    visitor.put("_follows", link is not None)
    for key, text in (link or {}).items():
        visitor.forget(key)  # what a widget showed before gives way
        say_anew(key, [text])


def tell() -> None:
    """Let the browser know a link that is followed: what it says was put in without a message."""
    if visitor.get("_follows") and st.query_params:
        key = next(iter(st.query_params))
        st.query_params[key] = list(linked(key))


def refuse(key: str) -> None:
    """Remember that a link's value of a key was of no use, and say so on the page."""
    refused: dict[str, str] = visitor.first("_links_refused", dict)
    refused[key] = visitor.get("_links_page", "")
    _say()


def notice_on(page: str) -> None:
    """Where a page says which values of its link were of no use: once, and on no other page."""
    refused: dict[str, str] = visitor.first("_links_refused", dict)
    for key, where in list(refused.items()):
        if where not in {"", page}:
            del refused[key]
        else:
            refused[key] = page
    visitor.put("_links_page", page)
    visitor.put("_links_place", (st.container(), None))
    _say()


def begin() -> None:
    """A new run of the app: what is refused before a page has its heading waits for it."""
    visitor.put("_links_page", "")
    visitor.put("_links_place", None)


def _say() -> None:
    keys = visitor.held("_links_refused")
    place = visitor.get("_links_place")
    if not keys or place is None:
        return
    room, line = place
    line = room.empty() if line is None else line  # one line, written anew as more is refused
    visitor.put("_links_place", (room, line))
    said = ", ".join(f"`{key}`" for key in sorted(keys))
    line.caption(f":material/link_off: Of the link, {said} cannot be used: defaults are in effect.")


def say_anew(key: str, texts: Sequence[str]) -> None:
    """Let a link say something else of a key, before its widget is drawn: the same in other words."""
    private.say_query(key, texts)
