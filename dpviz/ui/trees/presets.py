"""Settings of the papers for the Trees page."""

from __future__ import annotations

import streamlit as st

from dpviz.core.trees.tree_noise import Root

PRESETS = {
    "own choices": {},
    "poster: ε = .01, β = .05": {
        "t_notion": "pure",
        "t_eps": 0.01,
        "t_fanout": 2,
        "t_height": 7,
        "t_split": "uniform",
        "t_noise": "Laplace",
        "t_root": Root.RELEASED,
        "t_reading": "raw",
        "t_view": "CDF",
        "t_beta": 0.05,
    },
    "Honaker's tree: 16 leaves": {
        "t_fanout": 2,
        "t_height": 4,
        "t_split": "uniform",
        "t_root": Root.RELEASED,
        "t_view": "Variances",
    },
}


def preset_picker() -> None:
    """Settings of the papers, put into the widgets."""
    st.selectbox(
        "Preset",
        list(PRESETS),
        key="t_preset",
        on_change=_apply_preset,
        help="Puts a paper's settings into the widgets: Manohar's poster, or the tree of Honaker's "
        "simulation.",
    )


def _apply_preset() -> None:
    chosen = PRESETS[st.session_state["t_preset"]]
    for key, value in chosen.items():
        st.session_state[key] = value
    if "t_eps" in chosen:
        st.session_state.pop("t_eps_slider", None)
