"""The noise barrier: confidential on the left, the budget in the middle, public on the right."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column, Points
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.number_text import counted

HIDDEN = "hidden"


def noise_barrier(
    data: Column | Points,
    budget: Budget,
    released: str,
    *,
    shows_truth: bool,
    spent: str = "spent once",
) -> None:
    """Where data becomes a release, in one line of three boxes; spent says how often, by what."""
    left, middle, right = st.columns([6, 8, 8], border=True, gap="xxsmall")
    relation = frame.RELATIONS[session.neighbours()]
    with left:
        records = _records(data) if shows_truth else HIDDEN
        st.markdown(f":material/lock: **Confidential**  \n:small[{records}]")
    with middle:
        st.markdown(
            f":material/filter_alt: **{plain(str(budget))}**  \n:small[{spent} · {relation}]"
        )
    with right:
        st.markdown(f":material/public: **Public**  \n:small[{released}]")


def _records(data: Column | Points) -> str:
    parts = [counted(data.n, "record")]
    if data.clipped:
        parts.append(f"{data.clipped:,} clipped to the bounds")
    if data.dropped:
        parts.append(f"{data.dropped:,} missing, dropped")
    return " · ".join(parts)
