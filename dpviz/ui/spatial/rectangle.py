"""The rectangle: drawn with the mouse or typed, kept while everything else changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import InvalidParameter
from dpviz.ui.kit import session
from dpviz.ui.kit.choices import field

ENDS = ("x0", "x1", "y0", "y1")
FIELD = 112  # pixels: so narrow that no steppers take the room of the number
LABELS = ("x from", "x to", "y from", "y to")


def rectangle_keys() -> tuple[str, ...]:
    """Keys of the four fields. A file's are its own: drawn around its points, they stay here."""
    own = session.upload()
    prefix = f"m_own{own.number}_" if session.is_upload() and own is not None else "m_"
    return tuple(prefix + end for end in ENDS)


def rectangle_picker(box: Box) -> FloatArray | None:
    """Four fields and a button to clear them, as many in a row as fit; None while one is empty.

    The fields are always on the page: one that is folded away would not learn what was drawn.
    Raises: InvalidParameter for ends that are out of order.
    """
    keys = rectangle_keys()
    drawn = _settled(st.session_state.pop("_m_drawn", None), box)
    if drawn is not None:
        for key, value in zip(keys, drawn, strict=True):
            st.session_state[key] = value
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        look: dict[str, Any] = {
            "format": "%.8g",
            "bind": session.link(),
            "placeholder": "any",
            "width": FIELD,
        }
        values = [field(label, key, **look) for key, label in zip(keys, LABELS, strict=True)]
        st.button(
            "Clear",
            icon=":material/close:",
            on_click=_clear,
            key="m_clear",
            disabled=all(value is None for value in values),
            help="Takes the rectangle away.",
        )
    found = _checked([value for value in values if value is not None], box)
    if found is None:
        st.caption("Draw a rectangle on the map, or type its ends: how many records lie in it?")
    return found


def _checked(ends: list[float], box: Box) -> FloatArray | None:
    if len(ends) < len(ENDS):
        return None
    x_low, x_high, y_low, y_high = ends
    if not (x_low < x_high and y_low < y_high):
        raise InvalidParameter(
            "The rectangle's ends are out of order: 'from' must be below 'to' in x and in y."
        )
    x = np.clip(ends[:2], box.x.low, box.x.high)
    y = np.clip(ends[2:], box.y.low, box.y.high)
    if not (x[0] < x[1] and y[0] < y[1]):
        raise InvalidParameter("The rectangle lies outside the declared box.")
    return np.concatenate([x, y])


def keep_drawn(chart: str) -> None:
    """Copy a box selection out of a chart: any redraw of the chart would lose it."""
    selection = st.session_state[chart].selection
    for drawn in selection.get("box", [])[:1]:
        # drags in any direction; the order of the ends is the hand's
        x, y = sorted(drawn["x"]), sorted(drawn["y"])
        st.session_state["_m_drawn"] = (x[0], x[-1], y[0], y[-1])


def _settled(drawn: Sequence[float] | None, box: Box) -> tuple[float, ...] | None:
    """What a hand drew, to a thousandth of the box: finer than a pixel, and short to read."""
    if drawn is None:
        return None
    x, y = (_rounded(drawn[:2], box.x), _rounded(drawn[2:], box.y))
    return (*x, *y) if x[0] < x[1] and y[0] < y[1] else None


def _rounded(ends: Sequence[float], bounds: Bounds) -> tuple[float, float]:
    places = 3 - math.floor(math.log10(bounds.width))
    low, high = (round(float(np.clip(end, bounds.low, bounds.high)), places) for end in ends)
    return low, high


def _clear() -> None:
    for key in rectangle_keys():
        st.session_state[key] = None
