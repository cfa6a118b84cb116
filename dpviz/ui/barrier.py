"""The noise barrier: confidential on the left, the budget in the middle, public on the right."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.ui import frame, session
from dpviz.ui.messages import counted, plain


def noise_barrier(column: Column, budget: Budget, released: str, *, shows_truth: bool) -> None:
    """Where data becomes a release, in one line of three boxes."""
    left, middle, right = st.columns(3, border=True, gap="xxsmall")
    hidden = "everything about the records: hidden"
    relation = frame.RELATIONS[session.neighbours()]
    with left:
        st.markdown(
            f":material/lock: **Confidential**  \n:small[{_column_line(column) if shows_truth else hidden}]"
        )
    with middle:
        st.markdown(
            f":material/filter_alt: **{plain(str(budget))}**  \n:small[spent once by each · {relation}]"
        )
    with right:
        st.markdown(f":material/public: **Public**  \n:small[{released}]")


def _column_line(column: Column) -> str:
    parts = [counted(column.n, "record")]
    if column.clipped:
        parts.append(f"{column.clipped:,} clipped to the bounds")
    if column.dropped:
        parts.append(f"{column.dropped:,} missing, dropped")
    return " · ".join(parts)
