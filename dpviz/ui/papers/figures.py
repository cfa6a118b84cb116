"""The Paper figures view: which paper and which of its figures."""

from __future__ import annotations

import streamlit as st

from dpviz.experiments.papers.psd_figures import PRESETS as SPATIAL_PRESETS
from dpviz.ui.papers.aq import aq_panel, aq_picker
from dpviz.ui.papers.spatial import BUILT as ON_POINTS
from dpviz.ui.papers.spatial import FIGURES as SPATIAL
from dpviz.ui.papers.spatial import points_picker, spatial_panel
from dpviz.ui.papers.trees import HONAKER, MANOHAR, trees_panel

AQ = "Kaplan et al."
OTHERS = {
    "Cormode et al.": (SPATIAL, "w_spatial", "Cormode, Procopiuc, Srivastava, Shen and Yu 2012."),
    "Honaker": (HONAKER, "w_honaker", "Honaker 2019."),
    "Manohar": (MANOHAR, "w_manohar", "Manohar 2014, a poster."),
}


def figure_picker() -> tuple[str, str, bool]:
    """The figure of a paper, its preset, and whether our own variants are drawn too."""
    paper = st.segmented_control(
        "Paper",
        [AQ, *OTHERS],
        default=AQ,
        required=True,
        key="w_paper",
        bind="query-params",
        persist_state="session",
        wrap=True,
    )
    return _other_picker(paper) if paper in OTHERS else aq_picker()


def _other_picker(paper: str) -> tuple[str, str, bool]:
    figures, key, source = OTHERS[paper]
    left, middle, right = st.columns([4, 2, 6], vertical_alignment="bottom")
    figure = left.selectbox(
        "Figure",
        list(figures),
        key=key,
        format_func=lambda one: figures[one],
        bind="query-params",
        persist_state="session",
        help=source,
    )
    preset = "quick"
    if figures is SPATIAL and figure != "psd2":
        preset = middle.segmented_control(
            "Preset",
            list(SPATIAL_PRESETS),
            default="quick",
            required=True,
            key="w_spatial_preset",
            bind="query-params",
            persist_state="session",
            help="Full is the paper's: its heights, 600 rectangles, and 10 releases each.",
        )
        if figure in ON_POINTS:
            with right:
                points_picker()
    return str(figure), str(preset), False


def papers_panel(figure: str, preset: str, *, improved: bool) -> None:
    """One figure, and under it how it differs from the printed one."""
    if figure in SPATIAL:
        spatial_panel(figure, preset)
        return
    if figure in HONAKER or figure in MANOHAR:
        trees_panel(figure)
        return
    aq_panel(figure, preset, improved=improved)
