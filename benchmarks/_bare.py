"""An app that does nothing but show one of two ready pictures for a number that is typed."""

import json
import sys
from pathlib import Path

import streamlit as st

PICTURES = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]


@st.fragment
def page() -> None:
    """The field and the picture, and no computation."""
    st.number_input("ε, exact", 0.01, 100.0, 1.0, step=0.1)
    at = st.session_state["at"] = 1 - st.session_state.get("at", 0)
    st.plotly_chart(PICTURES[at], key="picture", theme=None)


page()
