"""Cards in ink on a hairline: notes, refusals and what is under way. Vermilion is for leaks alone.

Wherever a mechanism draws between the values of a column there is a word about ties.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.answers.said import plain
from dpviz.core.data.column import Column
from dpviz.metrics.column import tied_share
from dpviz.ui.kit import memory

MANY_TIED = 0.1  # a share worth a warning


@contextmanager
def card(key: str, title: str, icon: str) -> Iterator[None]:
    """A card with a bold title; title is plain text."""
    with st.container(border=True, key=f"card_{key}", gap="small"):
        st.markdown(f"{icon} **{plain(title)}**")
        yield


def note(key: str, title: str, text: str, icon: str = ":material/info:") -> None:
    """A card of one sentence; both are plain text."""
    with card(key, title, icon):
        st.markdown(plain(text))


def quiet(text: str) -> None:
    """A line in second ink; text is plain. Streamlit's own captions are too pale to read."""
    st.markdown(f":gray[{plain(text)}]")


def ties_note(column: Column) -> None:
    """Many equal values at resolution 0: the exponential mechanism would avoid them."""
    if column.resolution > 0:
        return
    share = memory.public(column, ("tied", column.fingerprint), lambda: tied_share(column))
    if share > MANY_TIED:
        note(
            "ties",
            "Many values tie",
            f"{share:.0%} of the values are shared by several people, and the resolution is 0. "
            "An exponential mechanism draws between the values, so it drifts away from tied ones. "
            "Declare their spacing as Resolution: 1 for whole numbers.",
        )
