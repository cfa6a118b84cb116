"""A node of a tree that was clicked in its picture, of intervals or of rectangles."""

from __future__ import annotations

import streamlit as st


def clicked(chart: str) -> tuple[int, int] | None:
    """Level and number of the node whose mark was clicked in a chart; None where none was."""
    for point in st.session_state[chart].selection.points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            return int(carried[first]), int(carried[second])
    return None
