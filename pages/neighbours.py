"""Neighbours: what one record changes, how that is audited, and what ε means."""

import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.draws import Draw, draw_picker
from dpviz.ui.kit.messages import attempt, empty_state
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.neighbours.audit import audit_panel
from dpviz.ui.neighbours.audit_controls import audit_picker, columns_picker
from dpviz.ui.neighbours.averaging import averaging_panel, releases_picker
from dpviz.ui.neighbours.change import change_picker
from dpviz.ui.neighbours.controls import PREFIX, delta_picker, needs_delta, query_picker
from dpviz.ui.neighbours.odds import DELTA_MEANING, odds_panel, prior_picker
from dpviz.ui.neighbours.pairs import spreads_ties
from dpviz.ui.neighbours.record import record_panel

RECORD, AUDIT, AVERAGING, MEANING = VIEWS = ("One record", "Audit", "Averaging", "What ε means")
BLURB = "What one record changes, how that can be checked, and what ε means."
AT_DELTA = "Chance that is set aside for outputs beyond ε; choose it far below 1 / records."
MEND = "The picture returns once what is marked in red is mended."
HIDDEN = "What an output's law is depends on the records: hidden while the truth is off."

frame.guard()
heading = st.container()
memory.start_with("n_view", RECORD, VIEWS)
view = st.segmented_control(
    "View",
    VIEWS,
    required=True,
    key="n_view",
    bind="query-params",
    persist_state="session",
    label_visibility="collapsed",
    wrap=True,
)
with heading:
    frame.title("Neighbours", BLURB, has_data=view != MEANING)
controls, picture = st.columns([3, 7], gap="medium")

if view == MEANING:
    with controls:
        budget = attempt(lambda: budget_picker(PREFIX, epsilon=1.0, rho=0.1))
        delta = 0.5 if isinstance(budget, PureDP) else None  # of no use there
        if budget is not None and delta is None:
            delta = attempt(lambda: delta_picker(budget, DELTA_MEANING))
        prior = prior_picker()
    with picture:
        if budget is None or delta is None:
            empty_state(MEND)
        else:
            odds_panel(budget, delta, prior)
    st.stop()

with picture:
    column = attempt(session.column)
if column is None:
    st.stop()
shows_truth = session.shows_truth()
change, hard = None, False
with controls:
    query = attempt(query_picker)
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=1.0, rho=0.1))
    delta = 0.5  # read only where it is asked for
    if query and budget and (view == AVERAGING or needs_delta(query, budget)):
        delta = attempt(lambda: delta_picker(budget, AT_DELTA))
    if view == AUDIT:
        hard = columns_picker()
    if view != AVERAGING and shows_truth and not hard:
        change = attempt(lambda: change_picker(column))
    if view == AUDIT:
        choice = audit_picker(hard)
    elif view == AVERAGING:
        releases = releases_picker()
    draw = Draw(seed=1, salt=0)  # unused where nothing is drawn
    if view != RECORD or (query and spreads_ties(query, column)):
        draw = draw_picker(PREFIX)

with picture:
    if view != AVERAGING and not shows_truth:
        empty_state(HIDDEN)
    elif not (query and budget and delta) or (view != AVERAGING and not hard and change is None):
        empty_state(MEND)
    elif view == RECORD:
        attempt(lambda: record_panel(query, column, change, budget, delta, draw))
    elif view == AUDIT:
        attempt(lambda: audit_panel(query, column, change, budget, delta, choice, draw))
    else:
        attempt(lambda: averaging_panel(query, column, budget, delta, releases, draw))
