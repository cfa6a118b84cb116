"""What if: sweeps, the smallest ε for a target, which mechanism wins where, the papers' figures."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.pickers import budget_picker, quantile_picker
from dpviz.ui.papers.figures import figure_picker, papers_panel
from dpviz.ui.what_if import controls as what_if_controls
from dpviz.ui.what_if.controls import PREFIX, notion_picker
from dpviz.ui.what_if.smallest import smallest_panel, target_picker
from dpviz.ui.what_if.sweep import axis_picker, preset_picker, sweep_panel
from dpviz.ui.what_if.winners import map_picker, winners_panel

VIEWS = ("Sweep", "Smallest ε", "Which wins", "Paper figures")

frame.guard()
frame.title("What if", "Before a release: what would another budget, set or mechanism give?")
forget_other_uploads()
view = st.segmented_control(
    "View",
    VIEWS,
    default=VIEWS[0],
    required=True,
    key="w_view",
    bind="query-params",
    persist_state="session",
    label_visibility="collapsed",
    wrap=True,
)
if view == "Paper figures":
    figure, preset, improved = figure_picker()
    papers_panel(figure, preset, improved=improved)
    st.stop()

controls, picture = st.columns([3, 7], gap="medium")

with controls:
    if view == "Sweep":
        preset_picker()
        axis = axis_picker()
    elif view == "Smallest ε":
        target = target_picker()
    else:
        size = map_picker()
    names = what_if_controls.mechanisms_picker(2 if view == "Which wins" else 1)
    searched = view == "Smallest ε"
    budget = attempt(notion_picker if searched else lambda: budget_picker(PREFIX, 1.0, 0.5))
    quantiles = attempt(lambda: quantile_picker(PREFIX))
    mechanisms = attempt(lambda: what_if_controls.built(names, budget)) if budget else None
    metric = what_if_controls.metric_picker()
    if view == "Sweep":
        relative = what_if_controls.unit_picker()
        runs = what_if_controls.runs_picker()

with picture:
    if not session.shows_truth():
        st.info(
            "The truth is off. Errors are computed from the true quantiles, so they are "
            "confidential: nothing of this view could be part of a release. The paper figures stay "
            "as far as they use public data.",
            icon=":material/lock:",
        )
        st.stop()
    column = attempt(session.column)
    if column is None or budget is None or quantiles is None or mechanisms is None:
        empty_state("Mend the marked choice to go on.")
        st.stop()
    if column.n == 0:
        empty_state("No record is left: every value of the column is missing.")
        st.stop()
    if not mechanisms:
        empty_state("Choose at least one mechanism on the left.")
        st.stop()
    try:
        if view == "Sweep":
            sweep_panel(
                column, mechanisms, quantiles, budget, axis, runs, metric, relative=relative
            )
        elif view == "Smallest ε":
            smallest_panel(column, mechanisms, quantiles, budget, target, metric)
        else:
            winners_panel(column, mechanisms, quantiles, budget, size, metric)
    except DpvizError as error:
        problem(error)
