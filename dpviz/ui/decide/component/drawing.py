"""Drawings that Python wrote as SVG, put into the page as they are: every text in them is escaped."""

import re
from collections.abc import Sequence
from html import escape

from dpviz.answers.said import unmarked
from dpviz.ui.beside import component

PRIVATE = r":blue\[((?:\\.|[^\]\\])*)\]"  # a published number, as answers.said marks it
HTML = "<div class='drawing'></div>"


def drawing(key: str, *sections: str) -> None:
    """Sections, one below the other or where the style of the page puts them."""
    mounted = component(__file__, "drawing", HTML, isolated=False)
    mounted(key=key, data="".join(sections))


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


def copy_link() -> None:
    """A button that copies the address of the page, which says the whole sentence of a sample."""
    html = "<button type='button'>Copy link</button>"
    component(__file__, "copy_link", html)(key="decide_copy", width="content")
