"""Choosing a node of a tree, of intervals or of rectangles: by its numbers, or by a click."""

from __future__ import annotations

import streamlit as st

from dpviz.core.trees.shape import TreeShape


def node_picker(shape: TreeShape, prefix: str, help: str) -> tuple[int, int]:  # noqa: A002
    """Level and number of the chosen node; what was clicked in the picture comes first."""
    keys = level_key, node_key = f"{prefix}level", f"{prefix}node"
    clicked = st.session_state.pop(_clicked(prefix), None)
    if clicked is not None:
        st.session_state.update(zip(keys, clicked, strict=True))
    left, right = st.columns(2, wrap=False)
    keep_inside(level_key, shape.height)
    level = int(left.number_input("Level", 0, shape.height, key=level_key, help="0 is the root."))
    last = shape.nodes(level) - 1
    keep_inside(node_key, last)
    return level, int(right.number_input("Node", 0, last, key=node_key, help=help))


def node_words(level: int, index: int) -> str:
    """A node in words that read as no decimal: "level 2, node 3"."""
    return f"level {level}, node {index}" if level else "the root"


def keep_inside(key: str, last: int) -> None:
    """Bring a number field back to 0..last before it is drawn: another tree may be smaller."""
    st.session_state[key] = min(int(st.session_state.get(key, 0)), last)


def choose_clicked(chart: str, prefix: str) -> None:
    """Take over the node that was clicked in a chart: its mark carries level and number."""
    st.session_state[_clicked(prefix)] = None
    for point in st.session_state[chart].selection.points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            st.session_state[_clicked(prefix)] = int(carried[first]), int(carried[second])


def _clicked(prefix: str) -> str:
    return f"_{prefix}clicked"
