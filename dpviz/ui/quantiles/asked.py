"""What the dock asks for, method, quantiles, data, and what experts change; and what views get."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.answers.quantiles.answers import percent_of
from dpviz.core.quantiles import QuantileSet
from dpviz.ui.bench import budget, data_choice, ledger
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.release import publish, release_dock
from dpviz.ui.kit import choices, session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.pickers import OWN, SETS, UNIFORM, quantile_picker
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.mechanisms import Settings, settings_picker
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.visit.page import Tabs, Visit

TABS = Tabs(
    "q_view",
    {
        "picture": "One release",
        "compare": "Methods compared",
        "recursion": "Inside the recursion",
        "column": "Made-up column",
        "profile": "All columns",
    },
    declares=True,
    people="The bands of a release need it.",
)
RUNS = (20, 50, 100, 200, 500)
SHORT = {"recursive halving": "halving"}
MOST_POINTS = 100_000
NODE = "q_node"  # of the recursion, -1 for none


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Choices of one run; quantiles is None while what was typed cannot be read.

    runs is how many further draws are shown beside the release, 0 for none; points is how many a
    made-up column is to have, None for a noisy count.
    """

    dock: Dock
    quantiles: QuantileSet | None
    settings: Settings
    runs: int
    points: int | None


@dataclass(frozen=True, slots=True, eq=False)
class QuantilesPage:
    """The visit, the question to every method, their settings, and what the view asks beside.

    runs are the further draws that are shown with the truth; points those of a made-up column.
    """

    now: Visit
    question: Question
    settings: Settings
    runs: int
    points: int | None


def ask(now: Visit) -> Asked:
    """The dock: with a slider while the truth is shown, else that of a release."""
    return _teaching(now) if now.truth else _release(now)


def _teaching(now: Visit) -> Asked:
    with dock(now, sliders=1) as found:
        found.budget()
        found.new_draw()
        found.truth()
        ledger.in_dock(found)
        with found.explore(label(now)):
            quantiles, points = _what(now)
            runs = _runs()
            data_choice.choose(now)
        with found.expert():
            settings = _experts(now)
    return Asked(found, quantiles, settings, runs, points)


def _release(now: Visit) -> Asked:
    with (
        release_dock(now) as found,
        found.popover("Make another release", "again", ":material/add:"),
    ):
        spend, what, data, expert = st.tabs(["Budget", "Quantiles", "Data", "Expert"])
        with spend:
            publish(now)
        with what:
            quantiles, points = _what(now)
        with data:
            data_choice.choose(now)
        with expert:
            settings = _experts(now)
    return Asked(found, quantiles, settings, 0, points)


def _what(now: Visit) -> tuple[QuantileSet | None, int | None]:
    """Method and quantiles, as the view needs them."""
    if now.view == "column":
        return QuantileSet.of(SETS["deciles"]), _points()
    if now.view == "compare":
        methods.compared_pills()
    elif now.view == "picture":
        methods.method_select(now.budget)
    quantiles = attempt(quantile_picker)
    if now.view == "recursion" and quantiles is not None:
        _node_picker(quantiles)
    return quantiles, None


def _node_picker(quantiles: QuantileSet) -> None:
    """A node by keyboard; a click on its dot does the same."""
    names = {-1: "none: the budgets of a step"} | {
        at: f"the {percent_of(float(quantiles.distinct[at]))} point"
        for at in range(quantiles.count)
    }
    if st.session_state.get(NODE) not in names:
        st.session_state[NODE] = -1
    st.selectbox(
        "Numbers of one node",
        list(names),
        format_func=names.__getitem__,
        key=NODE,
        help="Click a dot, or choose its quantile here: its numbers stand under the picture.",
    )


def _points() -> int | None:
    declared = choices.field(
        "Points (leave empty to pay for a noisy count)",
        "points",
        "How many are declared in advance, or a noisy count bought with a tenth of the budget; the "
        "true number of people is never used (if one value is replaced, it is public).",
        default=1000,
        min_value=1,
        max_value=MOST_POINTS,
        format=None,
    )
    return None if declared is None else int(declared)


def _runs() -> int:
    """Further draws of the same release: free on samples, paid and asked for first on a file."""
    if session.is_upload() and not choices.switch(
        "Other draws beside this one",
        "bands",
        "Where further draws would fall. Each one spends the whole budget again.",
        persist_state=None,
        bind=None,
    ):
        return 0
    return choices.steps(
        "Other draws beside this one",
        RUNS,
        "runs",
        "Where further draws would fall: pale bands and hills. A release holds one draw.",
        default=50 if session.is_upload() else 200,
        persist_state=None,
    )


def _experts(now: Visit) -> Settings:
    budget.expert(now)
    used = methods.compared() if now.view == "compare" else [methods.method()]
    return settings_picker(now.budget, used)


def label(now: Visit) -> str:
    """What the popover holds, in short; at first from the link, for no widget is drawn yet."""
    if now.view == "column":
        return "Made-up column"
    said = {name: name.capitalize() for name in SETS} | {UNIFORM: "Quantiles", OWN: "Own quantiles"}
    quantiles = said[choices.expected("set", said, "deciles")]
    if now.view == "compare":
        count = len(methods.compared())
        return f"{quantiles}, {count} method{'' if count == 1 else 's'}"
    if now.view == "recursion":
        return f"{quantiles}, recursion"
    name = methods.in_words(methods.method())
    return f"{quantiles}, {SHORT.get(name, name)}"
