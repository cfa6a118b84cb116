"""Choosing a node of a tree, of intervals or of rectangles: by its numbers, or by a click."""

from __future__ import annotations

import streamlit as st


def keep_inside(key: str, last: int) -> None:
    """Bring a number field back to 0..last before it is drawn: another tree may be smaller."""
    st.session_state[key] = min(int(st.session_state.get(key, 0)), last)


def clicked_node(chart: str) -> tuple[int, int] | None:
    """Level and index that a clicked mark of a chart carries, if one was clicked."""
    for point in st.session_state[chart].selection.points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            return int(carried[first]), int(carried[second])
    return None
