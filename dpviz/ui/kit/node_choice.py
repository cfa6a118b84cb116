"""What was clicked or drawn in a picture; a node of a tree, of intervals or of rectangles."""

from __future__ import annotations

from typing import Any

import streamlit as st


def selection(chart: str) -> Any:
    """What is selected in a chart now."""
    return st.session_state[chart].selection


def clicked(chart: str) -> tuple[int, int] | None:
    """Level and number of the node whose mark was clicked in a chart; None where none was."""
    for point in selection(chart).points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            return int(carried[first]), int(carried[second])
    return None
