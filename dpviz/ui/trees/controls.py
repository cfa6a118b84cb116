"""The choices of the Trees page, drawn in its dock: height, levels, shape, noise, total, reading."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.shape import MAX_LEAVES
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.prefix_fanout import best_fanout, prefix_variance
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.ui.bench.dock import Dock
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.choices import expected, menu, segments, steps, whole_number
from dpviz.ui.kit.pickers import declared_total
from dpviz.ui.links import arriving, readable
from dpviz.ui.trees.choice import BY_BUDGET, NOISES, Settings
from dpviz.ui.trees.splits import SPLITS, Split
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits

HEIGHT, FANOUT, READING, SPLIT = "t_height", "t_fanout", "t_reading", "t_split"
KEPT: Any = "kept"  # the height is set above, not by a default
FIRST_HEIGHT, FIRST_FANOUT = 6, 2
FANOUTS, HEIGHTS = (2, 4096), (0, 22)  # least and most of any tree here
LOWEST = 3  # of the slider, while the tree is not flatter already
# by name: what goes into the visit, into the page's widgets, and the view that opens
PRESETS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "own choices": ({}, {}, ""),
    "poster: ε = .01, β = .05": (
        {"notion": "pure", "eps": 0.01, "neighbours": Neighbours.ADD_REMOVE},
        {
            "t_fanout": 2,
            "t_height": 7,
            "t_split": "uniform",
            "t_noise": "Laplace",
            "t_root": Root.SUM,  # as on Papers: Lap(7/ε) on every node below the root
            "t_reading": "raw",
            "t_beta": 0.05,
            "t_poster": True,
        },
        "cdf",
    ),
    "Honaker's tree: 16 leaves": (
        {},
        {"t_fanout": 2, "t_height": 4, "t_split": "uniform", "t_root": Root.RELEASED},
        "levels",
    ),
}
ROOTS = {Root.RELEASED: "noised", Root.SUM: "summed", Root.PUBLIC: "public"}


def highest(fanout: int) -> int:
    """The greatest height that a tree of this fanout may have.

    Raises: InvalidParameter for a fanout below 2, whose trees never have too many leaves.
    """
    if fanout < FANOUTS[0]:
        raise InvalidParameter(f"A tree needs a fanout of 2 or more, got {fanout}.")
    height = 0
    while fanout ** (height + 1) <= MAX_LEAVES:
        height += 1
    return height


def heights(fanout: int, current: int) -> list[int]:
    """The stops of the height slider, the height that holds among them."""
    top = highest(fanout)
    least = LOWEST if top > LOWEST + 2 else 0
    return sorted({*range(least, top + 1), min(current, top)})


def height_picker(dock: Dock | None = None) -> int:
    """The height on a slider; one that is too tall for the fanout is cut to what fits."""
    fanout = _whole(FANOUT, FIRST_FANOUT, FANOUTS)
    options = heights(fanout, _whole(HEIGHT, FIRST_HEIGHT, HEIGHTS))
    memory.start_with(HEIGHT, min(FIRST_HEIGHT, options[-1]))
    if HEIGHT in st.session_state:  # every time: other stops would set the slider back
        st.session_state[HEIGHT] = min(int(st.session_state[HEIGHT]), options[-1])
    label = "Height of the tree"
    if dock is None:
        return steps(label, options, HEIGHT)
    return int(dock.second(label, options, HEIGHT, KEPT))


def split_name() -> str:
    """How the levels share, before its widget is drawn."""
    return expected(SPLIT, SPLITS, SPLITS[0])


def _whole(key: str, first: int, ends: tuple[int, int]) -> int:
    """A whole number of the page before its widget is drawn: as it stands, else as linked."""
    if key in st.session_state:
        return int(st.session_state[key])
    texts = arriving.linked(key)
    return int(texts[0]) if readable.whole(*ends)(texts) else first


def reading_picker() -> TreeEstimator:
    """How the noisy counts are read."""
    memory.start_with(READING, TreeEstimator.EFFICIENT)
    reading = segments(
        "Counts are read",
        {one: TITLES[one] for one in TreeEstimator},
        READING,
        "As they are (raw), combined with those below, with those above and beside, or with all "
        "(efficient: least squares). Post-processing: costs nothing.",
        default="kept",
        wrap=True,
    )
    return TreeEstimator(reading)


def shape_and_noise(height: int, split: Split) -> Settings:
    """What experts set: fanout, noise, what is done with N, and the settings of the papers."""
    memory.start_with(FANOUT, FIRST_FANOUT)
    left, right = st.columns(2, wrap=False)
    fanout = whole_number("Fanout", *FANOUTS, FANOUT, "Children of each node.", place=left)
    _suggested(fanout, height, left)
    noise = menu(
        "Noise",
        (BY_BUDGET, *NOISES),
        "t_noise",
        "By budget: Laplace for pure ε, Gaussian for zCDP and (ε, δ).",
        place=right,
    )
    root = Root(
        segments(
            "Total N",
            ROOTS,
            "t_root",
            "N is private and noised like any node, or private and summed from the level below, "
            "or public, which means replace-one neighbours.",
        )
    )
    records = declared_total("t_records") if root is Root.PUBLIC else None
    preset_picker()
    return Settings(fanout, height, split, noise, root, session.neighbours(), records)


def _suggested(fanout: int, height: int, place: DeltaGenerator) -> None:
    """The fanout that suits the CDF of as many parts, with its reason, and a way to take it."""
    leaves = fanout**height
    if folded.is_closed() or not 2 <= leaves <= MAX_LEAVES:
        return
    unit = "rho" if state.get("notion") != "pure" else "eps"
    reading = "raw" if st.session_state.get(READING) == TreeEstimator.RAW else "efficient"
    found = best_fanout(leaves, unit, reading)
    if found == (fanout, height):
        place.caption("Suits the CDF best")
        return
    place.button(
        f"For the CDF: {found[0]}",
        key="t_suggested",
        on_click=lambda: st.session_state.update({FANOUT: found[0], HEIGHT: found[1]}),
        help=f"Fanout {found[0]} with height {found[1]} has the least mean variance over all "
        f"running counts of {leaves:,} parts, for equal shares in {'ρ' if unit == 'rho' else 'ε'} "
        f"and the {reading} reading: {_gain(leaves, fanout, found[0], unit, reading)}.",
    )


def _gain(leaves: int, fanout: int, best: int, unit: str, reading: str) -> str:
    """How much less it is than that of the fanout in use."""
    own, other = (prefix_variance(leaves, one, unit, reading) for one in (fanout, best))
    return f"{100 * (1 - other / own):.0f} % less than fanout {fanout}"


def preset_picker() -> None:
    """Settings of the papers, put into the widgets."""
    st.selectbox(
        "Settings of a paper",
        list(PRESETS),
        key="t_preset",
        on_change=_apply_preset,
        help="Puts a paper's settings into the widgets, on the data in use: the tree of Manohar's "
        "poster as Papers shows it, of one row a person, who joins or leaves: noise Lap(7/ε) on every "
        "node below the root, smoothed as he does, counts below 0 cut; or a tree of the shape that "
        "Honaker simulates, whose number of people is noised here and known there.",
    )


def _apply_preset() -> None:
    visit, widgets, view = PRESETS[st.session_state["t_preset"]]
    for key, value in visit.items():
        state.put(key, value)
    st.session_state.update(widgets)
    if view:
        visits.show_view("trees", view)
