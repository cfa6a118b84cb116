"""The choices that make the cells: method, height, medians, pruning, and the declared box."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.spatial.height import suggest_height
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import session
from dpviz.ui.kit.choices import menu, number, switch, whole_number
from dpviz.ui.links import arriving, readable
from dpviz.ui.spatial.cuts.picker import cuts_tab
from dpviz.ui.spatial.methods import MapChoice, medians, method_of, names
from dpviz.ui.visit import state

HIGHEST = 11
HEIGHT = 8
# the level that is drawn at first: cells that follow the points are many where people are
LEVEL = {"m_depth": 6, "m_depth_points": 4}
FIRST_METHOD = "quadtree, optimal"


def method_picker() -> tuple[str, ...]:
    """The method, and a second one beside it."""
    first = menu(
        "Method",
        names(),
        "m_method",
        "How the plane is cut into cells. The two marked ones show what privacy costs.",
    )
    second = menu(
        "Beside it, in place of the truth",
        ("none", *names()),
        "m_second",
        "A second method on the same points and budget.",
    )
    return (first,) if second in {"none", first} else (first, second)


def cells_tab(
    methods: tuple[str, ...], budget: Budget, box: Box, cuts: DeltaGenerator
) -> MapChoice:
    """Height, medians and pruning; what only some methods have stands in cuts."""
    height = whole_number(
        "Height",
        0,
        HIGHEST,
        "m_height",
        "h, levels below the root; 4^h leaves.",
        default=HEIGHT,
        width=150,
    )
    _suggestion(budget, box)
    median = _median_picker(methods)
    prune = _prune_picker()
    with cuts:
        settled = cuts_tab([method_of(name) for name in methods], height)
    return MapChoice(methods, height, median, prune, budget, settled)


def _suggestion(budget: Budget, box: Box) -> None:
    expected = number(
        "People expected",
        "m_expected",
        "A public guess or a number of people that was paid for; not the true one. It suggests a "
        "height.",
        default=100_000,
        min_value=1,
        format="%d",
        width=150,
    )
    suggestion = suggest_height(expected, budget, box, Quadtree(noise=Noise.for_budget(budget)))
    st.caption(f"Height **{suggestion.height}**: {suggestion.reason}")


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
    return number("Threshold", "m_threshold", "m, in people.", default=32.0, format="%.6g")


def bounds_tab() -> None:
    """Both sides of the declared box, from public knowledge."""
    st.caption("Points outside are moved to the edge. Declare without looking at the data.")
    for scope, name in zip(_scopes(), session.point_units(), strict=True):
        low, high = st.columns(2, wrap=False)
        for place, end, side in ((low, "low", "from"), (high, "high", "to")):
            place.number_input(
                f"{name} {side}",
                format="%.10g",
                step=None,
                placeholder="declare",
                **data_choice.field(scope, end),
            )


def _scopes() -> tuple[str, str]:
    if session.is_upload():
        return session.scope(), "y"
    key = session.chosen_sample().key
    return f"{key}_0", f"{key}_1"


def take_depth() -> None:
    """Take over the level that a link draws."""
    for key in LEVEL:
        texts = arriving.linked(key)
        if not texts:
            continue
        if readable.whole(0, HIGHEST)(texts):
            state.put(key, int(texts[0]))
        else:
            arriving.refuse(key)


def depth_slider(place: DeltaGenerator, deepest: int, *, follows: bool) -> int:
    """The level that is drawn; it is kept for trees of both kinds, and stands in the link."""
    key = "m_depth_points" if follows else "m_depth"
    kept = state.store().get(key)
    level = min(LEVEL[key] if kept is None else int(kept), deepest)
    settled = state.widget(key, level)
    place.select_slider("Depth of the cells", list(range(deepest + 1)), **settled)
    shown = kept is not None and kept != LEVEL[key]
    state.write({one: str(kept) if shown and one == key else None for one in LEVEL})
    return level
