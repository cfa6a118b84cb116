"""The dock of Audit: the claim, the runs, a new draw, the truth; pair, twin and confidence behind."""

from __future__ import annotations

import streamlit as st

from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import BY_KEY
from dpviz.ui.bench import budget as budgets
from dpviz.ui.bench.dock import dock
from dpviz.ui.kit import session
from dpviz.ui.understand import controls, questions, settings
from dpviz.ui.understand.audit.trials import twin_of, twins_of
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked, AskedTree
from dpviz.ui.visit.page import Tabs, Visit

PAGE = "audit"
ASKS = {**controls.ASKS, settings.TREE: "A tree"}
TABS = Tabs("a_shown", {"proof": "What runs prove", "outputs": "What was said"})
COLUMNS = {settings.OWN: "these data", settings.HARD: "made up"}


def audit_dock(
    now: Visit, asked: Asked | AskedTree | None, who: Person | None, facts: list[tuple[str, str]]
) -> None:
    """Sliders, buttons and popovers of the page."""
    with dock(now, sliders=2) as place:
        place.budget()
        place.second_of_visit(
            "Runs of each", settings.RUNS, settings.widget("n_runs"), format_func="{:,}".format
        )
        place.new_draw()
        place.truth()
        with place.explore(_label(asked, who)):
            kind = str(settings.get("a_ask"))
            controls.asks("a_asks", ASKS, kind, questions.choose_audited)
            if kind == settings.TREE:
                st.caption(_tree_words(TreeQuery()))
            else:
                controls.number(kind)
            if now.truth and kind != settings.TREE:
                _columns()
            if isinstance(asked, Asked) and not asked.is_made_up:
                controls.person(asked.query, who.at if who else None)
            controls.data(now)
        with place.expert():
            budgets.expert(now)
            if settings.get("a_ask") == settings.COUNT:
                controls.noise(now.budget)
            controls.read_at(now.budget)
            _how(asked)
            controls.facts(facts)


def _label(asked: Asked | AskedTree | None, who: Person | None) -> str:
    if asked is None:
        return "Question"
    name = questions.number_name(asked.query)
    label = f"{name}, made up" if asked.is_made_up or who is None else f"{name}, {who.who}"
    return label[0].upper() + label[1:]


def _columns() -> None:
    """Which pair is audited; on a file every run about its people is paid for."""
    hard = session.is_upload()
    value = settings.get("n_columns") or (settings.HARD if hard else settings.OWN)
    st.segmented_control(
        "Pair of columns",
        list(COLUMNS),
        format_func=COLUMNS.__getitem__,
        required=True,
        help="An audit sees only the pair of columns that it is given. The made-up pair is one on "
        "which one person counts for nearly all of ε; it depends on no data.",
        **settings.widget("n_columns", value),
    )


def _tree_words(query: TreeQuery) -> str:
    return (
        f"All counts of a tree of {query.layers} layers with {query.leaves:,} leaves, such as the "
        "hours of some days. A person has at most one row in each leaf. Nothing of it is data."
    )


def _how(asked: Asked | AskedTree | None) -> None:
    st.segmented_control(
        "Confidence",
        list(settings.CONFIDENCES),
        required=True,
        help="How sure the bound is, at a number of runs fixed beforehand (Clopper and Pearson "
        "1934).",
        **settings.widget("n_confidence"),
    )
    st.toggle(
        "A broken twin",
        help="A mechanism with one mistake, while it claims ε. An audit should catch it.",
        **settings.widget("n_twin"),
    )
    twin = twin_of(asked) if asked else None
    if asked is None or twin is None:
        return
    st.segmented_control(
        "Its mistake",
        [one.key for one in twins_of(asked)],
        format_func=lambda key: BY_KEY[key].label,
        required=True,
        **settings.widget("n_mistake", twin.key),
    )
    st.caption(twin.card)
