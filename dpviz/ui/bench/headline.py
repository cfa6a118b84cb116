"""The sentence above a picture: the finding, computed on every run, and one grey line below it."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.kit.messages import plain
from dpviz.ui.links import arriving

__all__ = ["danger", "headline", "plain", "private", "true"]


def private(text: str) -> str:
    """A published number, in blue; text is plain."""
    return f":blue[{plain(text)}]"


def true(text: str) -> str:
    """A true number, in bold ink; text is plain."""
    return f"**{plain(text)}**"


def danger(text: str) -> str:
    """What leaked about one person; text is plain."""
    return f":orange[{plain(text)}]"


def headline(page: str, sentence: str, second: str = "") -> None:
    """The finding as the page's heading, and a second line.

    page is the page's name, for what is said of its link. Both are Markdown: numbers come through
    private, true and danger, and texts from a file through plain.
    """
    with st.container(key="headline", gap=None):
        st.title(_unbroken(sentence), anchor=False)
        if second:
            st.markdown(_unbroken(second))
        arriving.notice_on(page)


def _unbroken(text: str) -> str:
    """Text whose ± stays on the line of its number."""
    return text.replace("± ", "±\N{NO-BREAK SPACE}")
