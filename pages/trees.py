"""Trees: noisy counts of nested intervals, their efficient estimates, and the CDF they give."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import barrier, frame, session
from dpviz.ui.kit.draws import draw_picker
from dpviz.ui.kit.memory import start_with
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.number_text import counted
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.kit.views import view_picker
from dpviz.ui.trees.controls import PREFIX, tree_picker
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.presets import preset_picker
from dpviz.ui.trees.views import VIEWS
from dpviz.ui.visit import page as visits

frame.guard()
visits.open_page("trees", "column")
frame.title("Trees", "One noisy count for every node, and what least squares makes of them.")
controls, picture = st.columns([3, 7], gap="medium")

with picture:
    above = st.container()
    start_with("t_view", VIEWS[0].title)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = view_picker(VIEWS, "t_view", default="kept")
        asked = view.controls()

with controls:
    preset_picker()
    draw = draw_picker(PREFIX)
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=0.1))
    choice = None
    if budget is not None:
        choice = attempt(lambda: tree_picker(budget, asks_workload=view.asks_workload))

with picture:
    column = attempt(session.column)
    if column is None or choice is None:
        empty_state("Mend the marked choice to see the tree.")
        st.stop()
    page = TreePage.of(choice, column, draw)
    with above:
        released = counted(page.noisy_counts, "noisy count")
        barrier.noise_barrier(column, choice.budget, released, shows_truth=session.shows_truth())
    try:
        view.panel(page, asked)
    except DpvizError as error:
        problem(error)
