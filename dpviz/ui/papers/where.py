"""Which figure the Papers page shows: in the link and in the visit."""

import streamlit as st

from dpviz.ui.links import arriving
from dpviz.ui.papers.figures import BY_KEY
from dpviz.ui.visit import state

KEY = "fig"
GALLERY = ""


def settle() -> str:
    """The key of the figure that is shown, or GALLERY; afterwards the link says so.

    Only a link that is opened, or the browser's back button, decides; clicks go through show.
    """
    texts = arriving.linked(KEY)
    asked = texts[0] if len(texts) == 1 else GALLERY
    arrived = KEY not in state.store().get("papers_seen", ())
    if arriving.decides() or (arrived and texts):
        if asked in BY_KEY or not texts:
            show(asked)
        else:
            arriving.refuse(KEY)
    state.put("papers_seen", (KEY,))
    return str(state.store().get(KEY, GALLERY))


def write(key: str) -> None:
    """Make the address say which figure is shown; the gallery is the bare address."""
    if key == GALLERY:
        if KEY in st.query_params:
            del st.query_params[KEY]
    elif arriving.linked(KEY) != [key]:
        st.query_params[KEY] = key


def show(key: str) -> None:
    """Show another figure, or the gallery, from the next run on."""
    state.put(KEY, key)
