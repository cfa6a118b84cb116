"""What the session of one visitor's browser keeps: the one module that names Streamlit's memory.

An entry is what a visit keeps beside its fields, or what a widget of that key shows. Whoever puts
an entry for a widget does so before the widget is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st


def get(key: str, otherwise: Any = None) -> Any:
    """An entry, or otherwise where there is none."""
    return st.session_state.get(key, otherwise)


def held(key: str) -> Any:
    """An entry that is there.

    Raises: KeyError if it is not.
    """
    return st.session_state[key]


def holds(key: str) -> bool:
    """Whether there is such an entry, be it None."""
    return key in st.session_state


def put(key: str, value: Any) -> None:
    """Let an entry be this value."""
    st.session_state[key] = value


def first(key: str, make: Callable[[], Any]) -> Any:
    """An entry, made where there is none yet."""
    if key not in st.session_state:
        st.session_state[key] = make()
    return st.session_state[key]


def take(key: str, otherwise: Any = None) -> Any:
    """An entry, which is gone afterwards; otherwise where there is none."""
    return st.session_state.pop(key, otherwise)


def forget(*keys: str) -> None:
    """Let entries go, those that there are."""
    for key in keys:
        st.session_state.pop(key, None)


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
