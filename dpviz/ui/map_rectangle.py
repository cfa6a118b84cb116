"""The rectangle: drawn with the mouse or typed, kept while everything else changes."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.errors import InvalidParameter

ENDS = ("m_x0", "m_x1", "m_y0", "m_y1")
LABELS = ("x from", "x to", "y from", "y to")


def rectangle_picker(box: Box) -> FloatArray | None:
    """Four fields and a button to clear them; None while one of them is empty.

    Raises: InvalidParameter for ends that are out of order.
    """
    pending = st.session_state.pop("_m_drawn", None)
    if pending is not None:
        for key, value in zip(ENDS, pending, strict=True):
            st.session_state[key] = value
    values = []
    for slot, key, label in zip(st.columns(4), ENDS, LABELS, strict=True):
        with slot:
            values.append(
                st.number_input(
                    label,
                    value=None,
                    key=key,
                    format="%.8g",
                    bind="query-params",
                    persist_state="session",
                    placeholder="draw or type",
                )
            )
    st.button("Clear the rectangle", on_click=_clear, type="tertiary")
    if any(value is None for value in values):
        return None
    x_low, x_high, y_low, y_high = (float(value) for value in values if value is not None)
    if not (x_low < x_high and y_low < y_high):
        raise InvalidParameter(
            "The rectangle's ends are out of order: 'from' must be below 'to' in x and in y."
        )
    low = np.array([max(x_low, box.x.low), max(y_low, box.y.low)])
    high = np.array([min(x_high, box.x.high), min(y_high, box.y.high)])
    if not (low < high).all():
        raise InvalidParameter("The rectangle lies outside the declared box.")
    return np.array([low[0], high[0], low[1], high[1]])


def keep_drawn(chart: str) -> None:
    """Copy a box selection out of a chart: any redraw of the chart would lose it."""
    selection = st.session_state[chart].selection
    for drawn in selection.get("box", [])[:1]:
        # drags in any direction; the order of the ends is the hand's
        x, y = sorted(drawn["x"]), sorted(drawn["y"])
        st.session_state["_m_drawn"] = (x[0], x[-1], y[0], y[-1])


def _clear() -> None:
    for key in ENDS:
        st.session_state[key] = None
