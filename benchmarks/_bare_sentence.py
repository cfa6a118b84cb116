"""An app that does nothing but show one component with a word, and one of two ready pictures."""

import json
import sys
from pathlib import Path

import streamlit as st

PICTURES = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]
HTML = "<h1 class='sentence'>Off by <input name='word'> takes <output></output></h1>"
JS = """
export default function ({ data, parentElement, setStateValue }) {
  const word = parentElement.querySelector("input");
  word.onkeydown = (event) => event.key === "Enter" && setStateValue("words", word.value);
  parentElement.querySelector("output").textContent = data;
}
"""
sentence = st.components.v2.component("bare_sentence", html=HTML, js=JS, isolate_styles=False)


@st.fragment
def page() -> None:
    """The sentence and the picture, and no computation."""
    sentence(key="sentence", data=str(st.session_state.get("at", 0)), on_words_change=lambda: None)
    at = st.session_state["at"] = 1 - st.session_state.get("at", 0)
    st.plotly_chart(PICTURES[at], key="picture", theme=None)


page()
