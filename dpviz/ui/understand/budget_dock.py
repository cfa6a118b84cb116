"""The dock of Budget: its own ε of one answer, how often, a new draw, the truth, the promise."""

from __future__ import annotations

import streamlit as st

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.experiments.privacy.budget import Bill
from dpviz.ui.bench import budget as budgets
from dpviz.ui.bench.dock import dock
from dpviz.ui.understand import controls, settings
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit import state
from dpviz.ui.visit.fields import LARGEST, LEAST
from dpviz.ui.visit.page import Tabs, Visit

PAGE = "budget"
TABS = Tabs("b_shown", {"tank": "Tank", "accounts": "Every account"})


def budget_dock(now: Visit, asked: Asked | None, bill: Bill, facts: list[tuple[str, str]]) -> None:
    """Sliders, buttons and popovers of the page."""
    key = "b_rho" if state.get("notion") == "zcdp" else "b_eps"
    with dock(now, sliders=2) as place:
        place.sliders.select_slider(
            f"Privacy budget {bill.symbol} of one answer",
            budgets.stops(float(settings.get(key))),
            format_func="{:g}".format,
            **settings.widget(key),
        )
        place.second_of_visit(
            "How often it is answered",
            settings.ANSWERS,
            settings.widget("b_k", bill.answers),
            format_func="{:,}".format,
        )
        place.new_draw()
        place.truth()
        with place.explore(f"Promised: {bill.symbol} = {epsilon_text(bill.promise)}"):
            st.number_input(
                f"Promised to everybody ({bill.symbol})",
                LEAST,
                LARGEST,
                format="%.6g",
                step=None,
                **settings.widget("b_promise"),
            )
            kind = str(settings.get("b_ask"))
            controls.asks("b_asks", controls.ASKS, kind, lambda one: settings.put("b_ask", one))
            controls.number(kind)
            controls.data(now)
        with place.expert():
            budgets.expert(now)
            if asked and settings.get("b_ask") == settings.COUNT:
                controls.noise(asked.budget)
            controls.read_at(asked.budget if asked else now.budget)
            controls.facts(facts)
