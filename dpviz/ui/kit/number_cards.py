"""A row of numbers under a picture."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def number_cards(cards: Sequence[tuple[str, str, str]]) -> None:
    """A row of cards, each a label, a value and what it is of."""
    for slot, (label, value, note) in zip(st.columns(len(cards)), cards, strict=True):
        with slot, st.container(border=True, gap="xsmall", height="stretch"):
            st.metric(label, value)
            st.caption(note)
