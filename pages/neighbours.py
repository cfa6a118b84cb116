"""Neighbours: what one record changes, how that is audited, and what ε means."""

from dataclasses import dataclass

import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.ui.kit import barrier, frame, memory, session
from dpviz.ui.kit.draws import draw_in_use, draw_picker
from dpviz.ui.kit.messages import attempt, empty_state
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.kit.views import View, view_picker
from dpviz.ui.neighbours.audit import audit_panel
from dpviz.ui.neighbours.audit_controls import audit_controls
from dpviz.ui.neighbours.averaging import averaging_panel, releases_picker
from dpviz.ui.neighbours.controls import PREFIX, Asked, delta_picker, needs_delta, query_picker
from dpviz.ui.neighbours.odds import DELTA_MEANING, odds_panel, prior_picker
from dpviz.ui.neighbours.pairs import spreads_ties
from dpviz.ui.neighbours.record import record_controls, record_panel
from dpviz.ui.visit import page as visits


@dataclass(frozen=True, slots=True)
class NumberView(View):
    """A view of one private number; is_drawn: it needs a draw, reads_delta: it needs a δ."""

    is_drawn: bool = True
    reads_delta: bool = False


MEANING = View("What ε means", prior_picker, odds_panel)
VIEWS = (
    NumberView("One record", record_controls, record_panel, needs_truth=True, is_drawn=False),
    NumberView("Audit", audit_controls, audit_panel, needs_truth=True),
    NumberView("Averaging", releases_picker, averaging_panel, reads_delta=True),
    MEANING,
)

BLURB = "What one record changes, how that can be checked, and what ε means."
AT_DELTA = "Chance that is set aside for outputs beyond ε; choose it far below 1 / records."
MEND = "The picture returns once what is marked in red is mended."
HIDDEN = "What an output's law is depends on the records: hidden while the truth is off."
UNREAD = 0.5  # a δ where nothing reads it

frame.guard()
visits.open_page("neighbours", "column", epsilon=1.0)
heading = st.container()
memory.start_with("n_view", VIEWS[0].title)
view = view_picker(VIEWS, "n_view", default="kept")
with heading:
    frame.title("Neighbours", BLURB, has_data=view is not MEANING)
controls, picture = st.columns([3, 7], gap="medium")
delta: float | None = UNREAD

if view is MEANING:
    with controls:
        budget = attempt(lambda: budget_picker(PREFIX, epsilon=1.0, rho=0.1))
        if budget is not None and not isinstance(budget, PureDP):
            delta = attempt(lambda: delta_picker(budget, DELTA_MEANING))
        prior = view.controls()
    with picture:
        if budget is None or delta is None:
            empty_state(MEND)
        else:
            view.panel(budget, delta, prior)
    st.stop()

with picture:
    column = attempt(session.column)
if column is None:
    st.stop()
with controls:
    query = attempt(query_picker)
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=1.0, rho=0.1))
    if query and budget and (view.reads_delta or needs_delta(query, budget)):
        delta = attempt(lambda: delta_picker(budget, AT_DELTA))
    choice = view.controls(column)
    draw = draw_in_use(1)  # unused where nothing is drawn
    if view.is_drawn or (query and spreads_ties(query, column)):
        draw = draw_picker(PREFIX)

with picture:
    barrier.account_panel()
    if view.needs_truth and not session.shows_truth():
        empty_state(HIDDEN)
    elif query is None or budget is None or delta is None or choice is None:
        empty_state(MEND)
    else:
        attempt(lambda: view.panel(Asked(query, column, budget, delta, draw), choice))
