"""Drawings that Python wrote as SVG, put into the page as they are: every text in them is escaped."""

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

import streamlit as st

from dpviz.answers.said import unmarked

PRIVATE = r":blue\[((?:\\.|[^\]\\])*)\]"  # a published number, as answers.said marks it
HTML = "<div class='drawing'></div>"
CSS = """
.drawing svg { display: block; max-width: 100%; height: auto; font-family: var(--st-font, "Source Sans", sans-serif); }
.drawing .row { display: flex; align-items: flex-end; justify-content: space-between; gap: 24px; }
.drawing .beside { flex: 1 1 0; font: 400 14.5px/19px var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); min-width: 150px; align-self: center; }
.drawing table { width: 100%; border-collapse: collapse; margin: 4px 0 14px; font: 400 15px/20px var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); }
.drawing th { width: 112px; padding: 6px 12px 6px 0; text-align: left; vertical-align: top; font-weight: 400; opacity: .78; }
.drawing td { padding: 6px 0; border-bottom: 1px solid var(--st-border-color, rgba(128, 128, 128, .3)); }
.drawing h4 { margin: 0; font: 600 13.5px/18px var(--st-font, "Source Sans", sans-serif); letter-spacing: .06em; }
.drawing h3 { margin: 0; font: 600 22px/30px var(--st-heading-font, "Source Serif", serif); color: var(--st-text-color, #14181d); }
.drawing .large h4 { font-size: 19px; line-height: 24px; }
.drawing .large h3 { font-size: 27px; line-height: 38px; }
@media (max-width: 640px) { .drawing .row { flex-wrap: wrap; } .drawing h3 { font-size: 19.5px; line-height: 26px; } }
.drawing p { margin: 0 0 10px; font: 400 15px/22px var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); opacity: .85; }
"""
JS = """
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".drawing");
  if (root._drawn !== data) root.innerHTML = root._drawn = data;
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component(
        "dpviz_drawing", html=HTML, css=CSS, js=JS, isolate_styles=False
    )


def drawing(key: str, *sections: str) -> None:
    """Sections, one below the other or where the style of the page puts them."""
    _component()(key=key, data="".join(sections))


def section(name: str, *svgs: str, above: str = "") -> str:
    """Drawings in a row, with a heading above that heading() made; name is for its style."""
    row = f"<div class='row'>{''.join(svgs)}</div>" if svgs else ""
    return f"<section class='{name}'>{above}{row}</section>"


def heading(colour: str, title: str, finding: str, second: str, *, large: bool = False) -> str:
    """A title in small capitals, a finding and a line below it, in Markdown, as HTML.

    Published numbers of the finding have the colour of the title.
    """
    line = f"<p>{_html(second)}</p>" if second else ""
    parts = re.split(PRIVATE, finding)
    shown = [
        f"<span style='color:{colour}'>{_html(one)}</span>" if at % 2 else _html(one)
        for at, one in enumerate(parts)
    ]
    head = f"<h3>{''.join(shown)}</h3>" if finding else ""
    size = " class='large'" if large else ""
    return f"<div{size}><h4 style='color:{colour}'>{escape(title)}</h4>{head}{line}</div>"


def beside(title: str, lines: Sequence[str]) -> str:
    """A title and lines at the right of a drawing, as HTML."""
    listed = "<br>".join(escape(one) for one in lines)
    return f"<div class='beside'><b>{escape(title)}</b><br>{listed}</div>"


def _html(text: str) -> str:
    """Marked text as HTML: bold, and nothing else; every text is escaped."""
    parts = text.split("**")
    return "".join(
        f"<b>{escape(unmarked(part))}</b>" if at % 2 else escape(unmarked(part))
        for at, part in enumerate(parts)
    )


COPY = """
export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  button.onclick = async () => {
    await navigator.clipboard?.writeText(window.location.href);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  };
}
"""
COPY_CSS = """
button { font: 400 15px/24px var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); background: var(--st-background-color, #fff); border: 1px solid var(--st-border-color, #ccc); border-radius: var(--st-button-radius, 8px); padding: 7px 12px; cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--st-primary-color, #0072b2); color: var(--st-primary-color, #0072b2); }
"""


@cache
def _copy() -> Any:
    html = "<button type='button'>Copy link</button>"
    return st.components.v2.component("dpviz_copy_link", html=html, css=COPY_CSS, js=COPY)


def copy_link() -> None:
    """A button that copies the address of the page, which says the whole sentence of a sample."""
    _copy()(key="decide_copy", width="content")
