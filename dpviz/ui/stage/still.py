"""A picture that stands still, as a part of the page: its words are in the page's own fonts."""

from functools import cache
from typing import Any

import streamlit as st

HTML = '<div class="still"></div>'
CSS = """
.still { width: 100%; }
.still svg { display: block; width: 100%; height: auto; }
"""
# a picture in an <img> loads no fonts, and st.html takes no SVG
JS = """
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".still");
  root.style.maxWidth = data.most;
  if (root._drawn !== data.drawn) root.innerHTML = root._drawn = data.drawn;
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component(
        "dpviz_still", html=HTML, css=CSS, js=JS, isolate_styles=False
    )


def still(key: str, drawn: str, most: int | None = None) -> None:
    """Put an SVG that Python wrote into the page, as wide as there is room or `most` px.

    Every text in it is escaped, and its label is read aloud.
    """
    wide = "none" if most is None else f"{most}px"
    _component()(key=key, data={"drawn": drawn, "most": wide})
