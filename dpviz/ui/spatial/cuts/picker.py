"""The widgets of a map's detailed settings: those alone that the chosen methods have a use for."""

from __future__ import annotations

import re

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.method import SpatialMethod
from dpviz.ui.kit import memory
from dpviz.ui.kit.choices import menu, number, switch, text, whole_number
from dpviz.ui.links import readable
from dpviz.ui.spatial.cuts.settings import COLUMNS, HALF_WAY, LEVELS, WRITTEN, Cuts
from dpviz.ui.trees.splits import parse_numbers

SHARES = "m_shares"
WIDTH = 170


def cuts_tab(rows: list[SpatialMethod], height: int) -> Cuts:
    """What the chosen methods let a person set; a caption where there is nothing."""
    knobs = {knob for row in rows for knob in row.knobs}
    if not knobs:
        st.caption("The chosen methods have no further settings: they settle cells by themselves.")
        return Cuts()
    levels = _levels() if "levels" in knobs else LEVELS[0]
    return Cuts(
        switch=_switch(height) if "switch" in knobs else HALF_WAY,
        share=_share() if "share" in knobs else 0.3,
        order=_order(height) if "order" in knobs else 18,
        columns=_columns() if "cells" in knobs else COLUMNS,
        tested=_tested() if "cells" in knobs else False,
        levels=levels,
        shares=_shares(height) if levels == WRITTEN else "",
    )


def _switch(height: int) -> int:
    chosen = whole_number(
        "Switch level of kd-hybrid",
        HALF_WAY,
        11,
        "m_switch",
        "Levels that are cut at private medians, the rest at middles: −1 is half-way down, which "
        "the paper found best; 0 is a quadtree.",
        default=HALF_WAY,
        width=WIDTH,
    )
    return min(chosen, height)


def _share() -> float:
    return number(
        "Share of the medians",
        "m_share",
        "Part of the budget that goes to private medians; counts get the rest. The paper's is 0.3.",
        default=0.3,
        min_value=0.01,
        max_value=0.99,
        format="%.4g",
        width=WIDTH,
    )


def _order(height: int) -> int:
    chosen = whole_number(
        "Order of the Hilbert curve",
        1,
        24,
        "m_order",
        "2^order cells along each side of the map. The paper found 16 to 24 alike and took 18.",
        default=18,
        width=WIDTH,
    )
    return max(chosen, height)


def _columns() -> int:
    return whole_number(
        "Columns of kd-cell's grid",
        1,
        2048,
        "m_columns",
        "How fine the noisy grid is on which kd-cell grows; its cells are nearly square.",
        default=COLUMNS,
        width=WIDTH,
    )


def _tested() -> bool:
    return switch(
        "kd-cell: keep negative cells, stop at even nodes",
        "m_tested",
        "Our variant: noisy cells below 0 stay, and a node that looks even is not cut further. "
        "Off: as the authors have it, negative cells are 0 and nodes of at most 32 end.",
    )


def _levels() -> str:
    return menu(
        "Budget of the levels",
        LEVELS,
        "m_levels",
        "How the levels of a tree share the budget of its counts (Cormode et al. 2012, §4.2).",
    )


def _shares(height: int) -> str:
    even = ", ".join(["1"] * (height + 1))
    memory.start_with(SHARES, even)
    if re.fullmatch(r"1(, 1)*", str(st.session_state.get(SHARES, ""))):  # untouched: any height
        st.session_state[SHARES] = even

    def read(written: str) -> LevelBudget:
        return LevelBudget.own(parse_numbers(written, "Shares"))

    return text(
        "Shares, root first",
        SHARES,
        "One number a level, h + 1 in all; 0 leaves a level out.",
        is_readable=readable.parsed_by(read, DpvizError),
    )
