"""What is odd about the column in use, said while the truth is shown: every number is confidential."""

from __future__ import annotations

import streamlit as st

from dpviz.core.data import Column
from dpviz.metrics.column import infinite_values, tied_share
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.number_text import counted

MANY_CLIPPED, MANY_TIED = 0.05, 0.1  # shares worth a warning


def column_notes(column: Column) -> None:
    """Warnings about the records outside the bounds, infinite values, and ties."""
    for note in (_clipped_note(column), _infinite_note(column)):
        if note:
            st.warning(note, icon=":material/warning:")
    ties_note(column)


def ties_note(column: Column) -> None:
    """Many equal values at resolution 0: the exponential mechanism would avoid them."""
    if column.resolution > 0:
        return
    share = memory.remembered(("tied", column.fingerprint), lambda: tied_share(column))
    if share > MANY_TIED:
        st.warning(
            f"{share:.0%} of the records share their value with another one, and the resolution is 0. "
            "An exponential mechanism draws between the values, so it drifts away from tied ones. "
            "Declare the spacing as **Resolution** in the sidebar: 1 for whole numbers.",
            icon=":material/warning:",
        )


def _clipped_note(column: Column) -> str:
    if column.n == 0 or column.clipped <= MANY_CLIPPED * column.n:
        return ""
    return (
        f"{column.clipped / column.n:.0%} of the records lie outside the declared bounds and were "
        "moved to the nearest one. Check the unit, and the bounds in the sidebar."
    )


def _infinite_note(column: Column) -> str:
    if not column.clipped:
        return ""
    count = memory.remembered(
        ("infinite", column.fingerprint), lambda: infinite_values(session.raw_values())
    )
    return (
        f"{counted(count, 'infinite value')}: each counts as a record at a bound." if count else ""
    )
