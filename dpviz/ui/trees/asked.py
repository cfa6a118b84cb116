"""What the dock of the Trees page asks for, and where its slides are offered."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.ui.bench import budget, data_choice
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.release import publish, release_dock
from dpviz.ui.kit.messages import plain
from dpviz.ui.trees import controls
from dpviz.ui.trees.choice import Settings, TreeChoice
from dpviz.ui.trees.splits import Split, split_picker
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Visit

SHOWN = {
    "picture": "The tree, before and after",
    "node": "One node and its weights",
    "cdf": "The CDF",
    "running": "Running counts by a square root",
    "fanouts": "Which fanout for a CDF",
    "buckets": "Buckets from the data",
    "levels": "Errors by level",
    "budgets": "Budgets of the levels",
    "honaker": "Honaker's Fig. 4",
    "take": "Downloads and Python",
}
# views whose panel is about the queries that matter
ASKS_WORKLOAD = {"budgets"}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The choices of one run, and places in popovers for what is known once the tree is."""

    settings: Settings
    reading: TreeEstimator
    offers: DeltaGenerator
    remarks: DeltaGenerator


def ask(now: Visit) -> Asked:
    """The dock: with sliders while the truth is shown, else that of a release."""
    return _teaching(now) if now.truth else _release(now)


def _teaching(now: Visit) -> Asked:
    with dock(now, sliders=2) as found:
        found.budget()
        height = controls.height_picker(found)
        found.new_draw()
        found.truth()
        with found.explore(label()):
            _view_picker(now)
            data_choice.choose(now)
            split = split_picker(height, asks_workload=now.view in ASKS_WORKLOAD)
            reading = controls.reading_picker()
            offers = st.container()
        with found.expert():
            settings = _experts(now, height, split)
            remarks = st.container()
    return Asked(settings, reading, offers, remarks)


def _release(now: Visit) -> Asked:
    with release_dock(now) as found:
        with found.popover("Reading", "reading", ":material/account_tree:"):
            _view_picker(now)
            reading = controls.reading_picker()
            offers = st.container()
        with found.popover("Make another release", "again", ":material/add:"):
            spend, tree, expert = st.tabs(["Budget", "Data, tree", "Expert"])
            with spend:
                publish(now)
            with tree:
                data_choice.choose(now)
                height = controls.height_picker()
                split = split_picker(height, asks_workload=now.view in ASKS_WORKLOAD)
            with expert:
                settings = _experts(now, height, split)
            remarks = st.container()
    return Asked(settings, reading, offers, remarks)


def label() -> str:
    """What the popover says of its state: data, and how the levels share."""
    return f"{plain(data_choice.title())}, {controls.split_name()}"


def exact_cost(choice: TreeChoice) -> None:
    """How much less noise ρ buys since its costs are exact, on the levels of this tree."""
    gain = choice.gain_in_rho
    if gain is not None:
        st.caption(
            f"Noise × {gain:.3g} of the older rule's: a changed count pays exactly what its noise "
            "costs in ρ, not ½ (change / scale)²."
        )


def _view_picker(now: Visit) -> None:
    if folded.is_closed():
        return
    st.selectbox(
        "Show",
        list(SHOWN),
        format_func=SHOWN.__getitem__,
        **state.widget("trees_view", now.view, lambda view: visits.show_view("trees", view)),
    )


def _experts(now: Visit, height: int, split: Split) -> Settings:
    """The visit's expert settings, the tree's own, and what is declared of the column."""
    budget.expert(now)
    settings = controls.shape_and_noise(height, split)
    data_choice.declarations()
    return settings
