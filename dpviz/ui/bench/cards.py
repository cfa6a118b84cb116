"""Cards in ink on a hairline: notes, refusals and what is under way. Vermilion is for leaks alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.answers.markup import plain


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
