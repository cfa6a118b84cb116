"""What the session of one visitor's browser keeps: the one module that names Streamlit's memory.

An entry is what a visit keeps beside its fields, or what a widget of that key shows. Whoever puts
an entry for a widget does so before the widget is drawn. A run looks an entry up once if no widget
shows it: a page asks for some of them a hundred times, and Streamlit's memory takes a while to say.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

_MISSING = object()
_run = threading.local()  # the entries that the run of this thread has looked up


@contextmanager
def run() -> Iterator[None]:
    """A run of the app, within which this module alone changes entries that no widget shows."""
    _run.seen = {}
    try:
        yield
    finally:
        _run.seen = None


def _seen(key: str) -> dict[str, Any] | None:
    """Where this run remembers an entry; None for a widget's, and outside of a run."""
    is_own = key.startswith("_") or key == "data"
    return getattr(_run, "seen", None) if is_own else None


def _found(key: str) -> Any:
    seen = _seen(key)
    if seen is None:
        return st.session_state.get(key, _MISSING)
    if key not in seen:
        seen[key] = st.session_state.get(key, _MISSING)
    return seen[key]


def get(key: str, otherwise: Any = None) -> Any:
    """An entry, or otherwise where there is none."""
    found = _found(key)
    return otherwise if found is _MISSING else found


def held(key: str) -> Any:
    """An entry that is there.

    Raises: KeyError if it is not.
    """
    found = _found(key)
    return st.session_state[key] if found is _MISSING else found


def holds(key: str) -> bool:
    """Whether there is such an entry, be it None."""
    return _found(key) is not _MISSING


def put(key: str, value: Any) -> None:
    """Let an entry be this value."""
    st.session_state[key] = value
    if (seen := _seen(key)) is not None:
        seen[key] = value


def first(key: str, make: Callable[[], Any]) -> Any:
    """An entry, made where there is none yet."""
    found = _found(key)
    if found is _MISSING:
        found = make()
        put(key, found)
    return found


def take(key: str, otherwise: Any = None) -> Any:
    """An entry, which is gone afterwards; otherwise where there is none."""
    found = get(key, otherwise)
    forget(key)
    return found


def forget(*keys: str) -> None:
    """Let entries go, those that there are."""
    for key in keys:
        if holds(key):
            st.session_state.pop(key, None)
            if (seen := _seen(key)) is not None:
                seen[key] = _MISSING


def selection(chart: str) -> Any:
    """What was clicked or drawn in a picture: its points and boxes, told to the call that asks."""
    return held(chart).picked or {"points": [], "boxes": []}


def clicked(chart: str) -> tuple[int, int] | None:
    """Level and number of the node whose mark was clicked in a chart; None where none was."""
    for point in selection(chart)["points"][:1]:
        carried = point.get("customdata")
        if carried:
            return int(carried[0]), int(carried[1])
    return None
