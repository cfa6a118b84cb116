"""The views of a page as a quiet row of tabs under its headline, and its data set at the row's end."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpviz.ui.bench import data_choice
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Tabs, Visit


def tabs_row(now: Visit) -> None:
    """The page's views by name; presenting, nothing of it is shown."""
    if now.tabs is None or now.presenting:
        return
    with st.container(key="views", horizontal=True, wrap=False, vertical_alignment="center"):
        _tabs(now, now.tabs)
        if data_choice.is_apart(now):
            with folded.popover(data_choice.title(), icon=":material/database:", key="pop_data"):
                data_choice.pick(now)


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
