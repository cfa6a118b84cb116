"""Trees: noisy counts of nested intervals, before and after their levels are combined."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.beforehand import trees
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.slides import slides
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt, problem
from dpviz.ui.trees.asked import ask, exact_cost
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.views import VIEWS
from dpviz.ui.visit import page as visits

frame.guard()
now = visits.open_page("trees", "column", epsilon=0.1, rho=0.01, views=tuple(VIEWS))
asked = ask(now)
heading = st.container()
column = attempt(session.column)
choice = attempt(lambda: asked.settings.choice(session.each(now.budget)))
if column is None or choice is None:
    with heading:
        headline("Trees", "This tree cannot be drawn yet.", "What is missing stands below.")
    st.stop()
try:
    page = TreePage(choice, column, draw_of_visit())
    hero, finding = VIEWS[now.view](page, now, asked.reading)
except NotAsked as waits:
    with heading:
        trees.before(now, waits, choice, column, asked.reading)
    st.stop()
except DpvizError as error:
    problem(error)
    st.stop()
with asked.offers:
    slides(now, hero, finding, "dpviz-tree")
with asked.remarks:
    exact_cost(choice)
