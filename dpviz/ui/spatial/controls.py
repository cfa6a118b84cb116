"""The choices of the Map page: method, height, medians, pruning."""

from __future__ import annotations

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.noise import Noise
from dpviz.mechanisms.spatial.height import suggest_height
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.ui.kit.choices import menu, number, switch, whole_number
from dpviz.ui.spatial.methods import MapChoice, medians, method_of, names

HIGHEST = 10


def map_picker(budget: Budget, box: Box) -> MapChoice:
    """Methods, height, medians and pruning."""
    methods = _method_picker()
    height = _height_picker(budget, box)
    median = _median_picker(methods)
    return MapChoice(methods, height, median, _prune_picker(), budget)


def _method_picker() -> tuple[str, ...]:
    first = menu(
        "Method",
        names(),
        "m_method",
        "How the plane is cut into cells. The two marked ones show what privacy costs.",
    )
    second = menu(
        "Beside it",
        ("none", *names()),
        "m_second",
        "A second method on the same points and budget.",
    )
    return (first,) if second in {"none", first} else (first, second)


def _height_picker(budget: Budget, box: Box) -> int:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        height = whole_number(
            "Height",
            0,
            HIGHEST,
            "m_height",
            "h, levels below the root; 4^h leaves.",
            default=6,
            width=120,
        )
        _suggestion(budget, box)
    return height


def _suggestion(budget: Budget, box: Box) -> None:
    with st.popover("Which?", icon=":material/height:", width="stretch"):
        expected = number(
            "Records expected",
            "m_expected",
            "A public guess or a number of records that was paid for; not the true one.",
            default=100_000,
            min_value=1,
            format="%d",
        )
        suggestion = suggest_height(expected, budget, box, Quadtree(noise=Noise.for_budget(budget)))
        st.markdown(f"Height **{suggestion.height}**: {suggestion.reason}")


def _median_picker(methods: tuple[str, ...]) -> str:
    used = any(method_of(name).uses_median for name in methods)
    splitting = [name for name in names() if method_of(name).uses_median]
    who = f"{', '.join(splitting[:-1])} and {splitting[-1]}"
    return menu(
        "Private medians",
        list(medians()),
        "m_median",
        f"How {who} find their splits. Smooth sensitivity needs (ε, δ)."
        if used
        else f"Only {who} split at medians of your choice; what is chosen above does not.",
        disabled=not used,
    )


def _prune_picker() -> float | None:
    prunes = switch(
        "Prune",
        "m_prune",
        "Drop what lies below a node whose estimate is under the threshold "
        "(Cormode et al. 2012, §7). Post-processing.",
    )
    if not prunes:
        return None
    return number("Threshold", "m_threshold", "m, in records.", default=32.0, format="%.6g")
