"""The sentence above a picture: the finding, computed on every run, and one grey line below it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.ui.bench.views import tabs_row
from dpviz.ui.links import arriving
from dpviz.ui.visit import page as visits


def headline(page: str, sentence: str, second: str = "") -> None:
    """The finding as the page's heading, and a second line.

    page is the page's name, for what is said of its link. Both are Markdown: numbers come through
    the marks of answers.markup. The page's views stand below them.
    """
    with st.container(key="headline", gap=None):
        _words(sentence, second)
        arriving.notice_on(page)
    _views()


def headline_in_motion(page: str) -> Callable[[str, str], None]:
    """A headline that a fragment says anew: what is returned draws its words in their place.

    The row of views stands outside of the fragment: a click in it runs the whole page.
    """
    with st.container(key="headline", gap=None):
        place = st.empty()
        arriving.notice_on(page)
    _views()

    def say(sentence: str, second: str) -> None:
        with place.container(gap=None):
            _words(sentence, second)

    return say


def _words(sentence: str, second: str) -> None:
    st.title(_unbroken(sentence), anchor=False)
    if second:
        st.markdown(_unbroken(second))


def _views() -> None:
    now = visits.opened()
    if now is not None:
        tabs_row(now)


def _unbroken(text: str) -> str:
    """Text whose ± stays on the line of its number."""
    return text.replace("± ", "±\N{NO-BREAK SPACE}")
