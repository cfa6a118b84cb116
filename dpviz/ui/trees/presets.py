"""Settings of the papers for the Trees page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.core.trees.tree_noise import Root
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

# by name: what goes into the visit, into the page's widgets, and the view that opens
PRESETS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "own choices": ({}, {}, ""),
    "poster: ε = .01, β = .05": (
        {"notion": "pure", "eps": 0.01},
        {
            "t_fanout": 2,
            "t_height": 7,
            "t_split": "uniform",
            "t_noise": "Laplace",
            "t_root": Root.RELEASED,
            "t_reading": "raw",
            "t_beta": 0.05,
        },
        "cdf",
    ),
    "Honaker's tree: 16 leaves": (
        {},
        {"t_fanout": 2, "t_height": 4, "t_split": "uniform", "t_root": Root.RELEASED},
        "levels",
    ),
}


def preset_picker() -> None:
    """Settings of the papers, put into the widgets."""
    st.selectbox(
        "Settings of a paper",
        list(PRESETS),
        key="t_preset",
        on_change=_apply_preset,
        help="Puts a paper's settings into the widgets: Manohar's poster, or the tree of Honaker's "
        "simulation.",
    )


def _apply_preset() -> None:
    visit, widgets, view = PRESETS[st.session_state["t_preset"]]
    for key, value in visit.items():
        state.put(key, value)
    st.session_state.update(widgets)
    if view:
        visits.show_view("trees", view)
