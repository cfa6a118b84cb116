"""The visit's memory: read from the link when it opens, kept for all pages, written into every link.

It lies apart from the widgets: a widget takes its value from here before it is drawn and hands a
change back by its callback, so that a page that lacks the widget forgets nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpviz.ui import visitor
from dpviz.ui.links import arriving
from dpviz.ui.visit.fields import FIELDS, KEYS, Field

STORE = "_visit"


def store() -> dict[str, Any]:
    """Everything that was set in this visit; what is missing is as at first."""
    kept: dict[str, Any] = visitor.first(STORE, dict)
    return kept


def get(key: str) -> Any:
    """What holds now."""
    return store().get(key, KEYS[key].first if key in KEYS else None)


def put(key: str, value: Any) -> None:
    """Let a value hold from now on."""
    store()[key] = value


def is_set(key: str) -> bool:
    """Whether a person or a link has said what holds."""
    return key in store()


def begin() -> None:
    """At the start of a run of the app: take over what the link says, once a session."""
    arriving.begin()
    arriving.follows(visitor.take("_followed"))
    if visitor.holds(STORE) and not arriving.decides():
        return
    store()
    for field in FIELDS:
        if not (field.key == "eps" and arriving.linked("story")):  # a scene's ε is its own
            _take(field)


def follow(link: Mapping[str, str]) -> None:
    """Let the page that is opened next start as a link to it would, within this visit.

    To be called just before the page is opened: a callback would come before its own page's run.
    """
    visitor.put("_followed", dict(link))


def followed() -> dict[str, str] | None:
    """The link that the next run is to follow, if any."""
    link: dict[str, str] | None = visitor.get("_followed")
    return link


def _take(field: Field) -> None:
    texts = arriving.linked(field.key)
    if not texts:
        return
    try:
        (text,) = texts
        put(field.key, field.read(text))
    except (ValueError, KeyError, OverflowError):
        arriving.refuse(field.key)


def write(extra: dict[str, str | None]) -> None:
    """Make the address say what holds; extra are the page's own keys, None for what is left out.

    Only differences are written: each one would be a step of the browser's history.
    """
    wanted = {field.key: _text(field) for field in FIELDS} | extra
    there = set(st.query_params)
    before = st.query_params.to_dict()
    for key, text in wanted.items():
        if text is None and key in there:
            del st.query_params[key]
        elif text is not None and list(arriving.linked(key)) != [text]:
            st.query_params[key] = text
    if st.query_params.to_dict() == before:
        arriving.tell()


def write_more(wanted: Mapping[str, list[str] | None]) -> None:
    """Make the address say what holds on a page besides; only differences are written."""
    for key, texts in wanted.items():
        there = list(arriving.linked(key))
        if texts is None and there:
            del st.query_params[key]
        elif texts is not None and there != texts:
            st.query_params[key] = texts


def _text(field: Field) -> str | None:
    value = get(field.key)
    return None if value == field.first else field.write(value)


def widget(key: str, value: Any, settled: Callable[[Any], None] | None = None) -> dict[str, Any]:
    """The key, and the callback, of a widget that shows an entry of the visit.

    The widget gets the value that holds now, whatever it showed before; settled takes a change over
    in place of storing it under the key.
    """
    visitor.put(key, value)

    def changed() -> None:
        found = visitor.held(key)
        if found is None:
            return
        if settled is None:
            put(key, found)
        else:
            settled(found)

    return {"key": key, "on_change": changed}
