"""The visit's ledger on every page: a popover whose label is its state.

What a page draws is booked while it runs, and a label cannot be written again: the place is kept
where the ledger belongs, and filled when the run is over.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.number_text import upper
from dpviz.answers.said import plain
from dpviz.ui import visitor
from dpviz.ui.bench import tanks
from dpviz.ui.bench.dock import Dock
from dpviz.ui.kit.account.ledger import simulated_words
from dpviz.ui.visit import folded

_PLACE = "_ledger_place"


def label(*, in_strip: bool) -> str:
    """What all draws of this visit about the data in use add up to; in a dock there is less room.

    What was simulated is named where nothing else was drawn.
    """
    found = tanks.balance(tanks.payer())
    if found.simulated and not (found.total or found.has_more or found.has_other):
        said = simulated_words(found.simulated)
        return plain(said if in_strip else upper(said.partition(";")[0]))
    if in_strip:
        return f"spent in all **{plain(str(found))}**"
    also = ", and others" if found.has_more or found.has_other else ""
    return f"Spent {plain(str(found.total))}{also}"


def in_dock(dock: Dock) -> None:
    """Keep a place in the dock, for pages with at most one slider; presenting there is none."""
    if not dock.now.presenting:
        _keep(dock.slot(), in_strip=False)


def in_strip() -> None:
    """Keep a place at the end of the numbers strip, for pages with two sliders."""
    _keep(st.container(width="content"), in_strip=True)


def _keep(place: DeltaGenerator, *, in_strip: bool) -> None:
    visitor.put(_PLACE, (place, in_strip))


def begin() -> None:
    """At the start of a run no page has kept a place yet."""
    visitor.forget(_PLACE)


def end() -> None:
    """At the end of a run: draw the ledger in its place."""
    kept: tuple[DeltaGenerator, bool] | None = visitor.take(_PLACE)
    if kept is None:
        return
    place, in_strip = kept
    with (
        place,
        folded.popover(
            label(in_strip=in_strip),
            type="tertiary" if in_strip else "secondary",
            icon=None if in_strip else ":material/receipt_long:",
            key="pop_ledger",
        ),
    ):
        if not folded.is_closed():
            tanks.panel()
