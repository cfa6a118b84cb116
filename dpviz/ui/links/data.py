"""The choice of data in a link: by its short name, or by its title as in older links.

Streamlit writes an option's text into links; a short name outlives a change of the title.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.ui.links import arriving

KEY = "data"


def settle(titles: Mapping[str, str], default: str) -> None:
    """At the start of a session, and after the browser's back button: what the link asks for."""
    if KEY not in st.session_state or arriving.is_history():
        st.session_state[KEY] = _asked_for(titles, default)


def write(default: str) -> None:
    """Put the choice into the link, unless it is the default."""
    chosen = st.session_state[KEY]
    wanted = [] if chosen == default else [chosen]
    if list(arriving.linked(KEY)) == wanted:
        return  # writing it again would add a step to the browser's history
    if wanted:
        st.query_params[KEY] = chosen
    else:
        del st.query_params[KEY]


def _asked_for(titles: Mapping[str, str], default: str) -> str:
    named = {title: key for key, title in titles.items()} | {key: key for key in titles}
    texts = arriving.linked(KEY)
    if len(texts) == 1 and texts[0] in named:
        return named[texts[0]]
    if texts:
        arriving.refuse(KEY)
    return default
