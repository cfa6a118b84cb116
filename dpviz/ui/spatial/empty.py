"""What stands in the Map page's place for a set on a line, and the way out."""

from __future__ import annotations

import streamlit as st

from dpviz.intake.samples import Sample, samples
from dpviz.ui.kit import frame
from dpviz.ui.kit.messages import empty_state


def nothing_in_the_plane() -> None:
    """Name the sets in the plane, and offer the first of them."""
    planes = [one for one in samples() if len(one.columns) > 1]
    listed = ", ".join(one.title for one in planes)
    empty_state(
        f"The map needs two columns: choose one of the sets in the plane in the sidebar ({listed}), "
        "or a second column of your file on the Data page."
    )
    if planes:
        st.button(
            f"Use {planes[0].title}",
            on_click=_use,
            args=(planes[0],),
            icon=":material/arrow_forward:",
            type=frame.emphasis(),
            key="m_use",
        )


def _use(one: Sample) -> None:
    st.session_state["data"] = one.key
