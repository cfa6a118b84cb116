"""The sentence above a picture: the finding, computed on every run, and one grey line below it.

Under it stand the views of a page as a quiet row of tabs, and its data set at the row's end.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpviz.core.quantiles import uniform_quantiles
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import frame
from dpviz.ui.kit.pickers import OWN, UNIFORM
from dpviz.ui.links import arriving
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.fields import short
from dpviz.ui.visit.page import Tabs, Visit

DECIDE = "Decide: what it takes"


def headline(page: str, sentence: str, second: str = "") -> None:
    """The finding as the page's heading, and a second line.

    page is the page's name, for what is said of its link. Both are Markdown: numbers come through
    the marks of answers.said. The page's views stand below them.
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


def tabs_row(now: Visit) -> None:
    """The page's views by name, and the way to the sentence; presenting, nothing of it is shown."""
    if now.tabs is None or now.presenting:
        return
    with st.container(key="views", horizontal=True, wrap=False, vertical_alignment="center"):
        _tabs(now, now.tabs)
        if not now.look.phone and _is_chosen(now):
            state.follow(to_decide(now))
            frame.go("decide")
        if data_choice.is_apart(now):
            with folded.popover(data_choice.title(), icon=":material/database:", key="pop_data"):
                data_choice.pick(now)


def _is_chosen(now: Visit) -> bool:
    """Whether the way to the sentence was clicked in this run: a callback may open no page.

    Eleven names leave a narrow screen room for its first word.
    """
    help_ = "What this data set may publish, and which budget that takes."
    label = now.look.said(DECIDE, DECIDE.partition(":")[0], narrow=True)
    return st.button(label, key="to_decide", type="tertiary", help=help_)


def to_decide(now: Visit) -> dict[str, str]:
    """The sentence about the same data, with the budget of this page as the given one."""
    budget = now.budget
    size = {"rho" if budget.symbol == "ρ" else "eps": short(budget.size)}
    return {"given": "budget"} | size | PUBLISHED.get(now.page, lambda: {"what": "count"})()


def _quantiles() -> dict[str, str]:
    """The set of the page Quantiles, which calls it as the sentence does where both have it."""
    held = state.store()
    named = str(held.get("set", "deciles"))
    if named == UNIFORM:
        listed = uniform_quantiles(int(held.get("m", 15)))
        return {"what": "own", "own": ", ".join(f"{one:.10g}" for one in listed)}
    if named == OWN:
        return {"what": "own"} | ({"own": str(held["own"])} if "own" in held else {})
    return {"what": named}


# what of its data a page is about, in the words of the sentence: of any other page a count
PUBLISHED: dict[str, Callable[[], dict[str, str]]] = {
    "quantiles": _quantiles,
    "trees": lambda: {"what": "curve"},
    "map": lambda: {"what": "map"},
}


def _tabs(now: Visit, tabs: Tabs) -> None:
    """Names side by side; a phone has room for the one that is shown."""
    shown: dict[str, Any] = {
        "format_func": tabs.titles.__getitem__,
        "label_visibility": "collapsed",
        **state.widget(tabs.key, now.view, partial(visits.show_view, now.page)),
    }
    if now.look.phone:
        st.selectbox("View", list(tabs.titles), **shown)
    else:
        st.segmented_control("View", list(tabs.titles), required=True, **shown)
