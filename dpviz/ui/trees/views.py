"""What the Trees page shows: the view, the reading of the counts, and what colours mean."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.ui.kit import memory, session

VIEWS = ("Tree", "CDF", "Variances", "Budgets", "Honaker's Fig. 4", "Download")
WITH_READING = {"Tree", "CDF", "Download"}
ERROR = "standard error"
TRUE_ERROR = "true error"


@dataclass(frozen=True, slots=True)
class Shown:
    """One view of a release, by its name."""

    view: str
    reading: TreeEstimator = TreeEstimator.EFFICIENT
    colour: str = ERROR


def view_picker() -> Shown:
    """The view, and beside it what this view needs."""
    memory.start_with("t_view", VIEWS[0], VIEWS)
    memory.start_with("t_reading", TreeEstimator.EFFICIENT, TITLES.values())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = st.segmented_control(
            "View",
            VIEWS,
            required=True,
            key="t_view",
            bind="query-params",
            persist_state="session",
            label_visibility="collapsed",
            wrap=True,
        )
        if view not in WITH_READING:
            return Shown(str(view))
        reading = _reading_picker()
        return Shown(view, reading, _colour_picker() if view == "Tree" else ERROR)


def _reading_picker() -> TreeEstimator:
    return TreeEstimator(
        st.segmented_control(  # type: ignore[arg-type]  # required: never None
            "Estimator",
            list(TreeEstimator),
            required=True,
            format_func=lambda one: TITLES[one],
            key="t_reading",
            bind="query-params",
            persist_state="session",
            wrap=True,
            help="How the noisy counts are read: as they are, combined with those below, with "
            "those above and beside, or with all (least squares). Post-processing.",
        )
    )


def _colour_picker() -> str:
    """The true error is offered with the truth only."""
    if not session.shows_truth():
        return ERROR
    return str(
        st.segmented_control(
            "Colour",
            (ERROR, TRUE_ERROR),
            default=ERROR,
            required=True,
            key="t_colour",
            persist_state="session",
            help="The standard error of every count is public: it depends on the noise alone. The "
            "true error of this draw is confidential.",
        )
    )
