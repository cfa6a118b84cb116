"""What if: sweeps, the smallest ε for a target, which mechanism wins where."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import barrier, frame, session
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.views import View, view_picker
from dpviz.ui.papers import where
from dpviz.ui.visit import page as visits
from dpviz.ui.what_if.smallest import smallest_controls, smallest_panel
from dpviz.ui.what_if.sweep import sweep_controls, sweep_panel
from dpviz.ui.what_if.winners import winners_controls, winners_panel

VIEWS = (
    View("Sweep", sweep_controls, sweep_panel, needs_truth=True),
    View("Smallest ε", smallest_controls, smallest_panel, needs_truth=True),
    View("Which wins", winners_controls, winners_panel, needs_truth=True),
)

frame.guard()
where.forward()
visits.open_page("what_if", "column")
frame.title("What if", "Before a release: what would another budget, set or mechanism give?")
forget_other_uploads()
barrier.account_panel()
view = view_picker(VIEWS, "w_view")

controls, picture = st.columns([3, 7], gap="medium")

with controls:
    choice = view.controls()

with picture:
    if not session.shows_truth():
        st.info(
            "The truth is off. Errors are computed from the true quantiles, so they are "
            "confidential: nothing of this view could be part of a release.",
            icon=":material/lock:",
        )
        st.stop()
    column = attempt(session.column)
    if column is None or choice is None:
        empty_state("Mend the marked choice to go on.")
    elif column.n == 0:
        empty_state("No record is left: every value of the column is missing.")
    elif not choice.compared.mechanisms:
        empty_state("Choose at least one mechanism on the left.")
    else:
        try:
            view.panel(column, choice)
        except DpvizError as error:
            problem(error)
