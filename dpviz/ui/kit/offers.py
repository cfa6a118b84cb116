"""What may be taken away: rows of downloads, and the panel that shows them above the Python lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

REFUSAL = (
    "Nothing to download: this is a teaching view of your own file. It is computed in floating "
    "point, so its promise holds up to rounding, not exactly in the program."
)


@dataclass(frozen=True, slots=True)
class Offer:
    """One download; content is worked out when the visitor asks for it."""

    label: str
    content: str | Callable[[], str]
    file: str
    mime: str
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The downloads of one release, with its name where there are several.

    refusal says why nothing is offered, and is empty where something is.
    """

    offers: Sequence[Offer]
    title: str = ""
    refusal: str = ""


def figure_offer(draw: Callable[[], go.Figure], file: str, help: str) -> Offer:  # noqa: A002
    """A figure made from a release alone, as an interactive page."""
    return Offer(
        "Private figure as HTML",
        lambda: str(draw().to_html(include_plotlyjs=True, div_id="figure")),
        file,
        "text/html",
        help,
    )


def offer_buttons(offers: Sequence[Offer]) -> None:
    """Buttons side by side; their keys come from the names of the files."""
    with st.container(horizontal=True):
        for one in offers:
            st.download_button(
                one.label,
                one.content,
                one.file,
                one.mime,
                key=f"offer_{one.file}",
                icon=":material/download:",
                on_click="ignore",
                help=one.help,
            )


def download_panel(note: str, groups: Sequence[Group], lines: str) -> None:
    """Everything that may leave, group by group, then the Python lines; titles are Markdown."""
    st.caption(note)
    for group in groups:
        if group.title:
            st.markdown(f"**{group.title}**")
        if group.refusal:
            st.caption(group.refusal)
        else:
            offer_buttons(group.offers)
    st.markdown("**The same in Python**")
    st.code(lines, language="python")
