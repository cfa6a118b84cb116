"""Quantiles: private numbers beside the true ones, methods compared, the recursion behind them."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.beforehand import quantiles
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt, problem
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.asked import TABS, QuantilesPage, ask
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.quantiles.views import VIEWS
from dpviz.ui.visit import page as visits

MENDED = "The picture returns once that is mended."

frame.guard()
methods.take_link()
now = visits.open_page("quantiles", "column", epsilon=0.1, rho=0.01, views=TABS)
methods.settle(now.budget)
methods.write_link(now.budget)
column = attempt(session.column)
each = attempt(lambda: session.each(now.budget))
asked = ask(now)
if column is None or each is None or asked.quantiles is None:
    missing = "The column needs its bounds." if column is None else "These are no quantiles."
    missing = "The budget cannot be shared." if each is None else missing
    headline("Quantiles", missing, MENDED)
    st.stop()

question = Question(column, asked.quantiles, each, draw_of_visit())
try:
    VIEWS[now.view](QuantilesPage(now, question, asked.settings, asked.runs, asked.points))
except NotAsked as waits:
    quantiles.before(now, waits, question, asked.settings)
except DpvizError as error:
    headline("Quantiles", "Nothing was published.", MENDED)
    problem(error)
