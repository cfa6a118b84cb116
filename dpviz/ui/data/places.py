"""Named places of the visitor's file: which columns are levels, and the public list that is counted.

Nothing here depends on a cell while the truth is off: columns and their kinds are on screen, and
the list is typed.
"""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.number_text import counted
from dpviz.answers.said import plain
from dpviz.answers.spatial import place_list
from dpviz.answers.spatial.place_list import MOST_LEVELS, MOST_PLACES
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import DpvizError
from dpviz.core.trees.named_places import NamedPlaces
from dpviz.intake.table import Table
from dpviz.ui import visitor
from dpviz.ui.bench.cards import note, quiet
from dpviz.ui.data import sayings
from dpviz.ui.data.controls import below_the_picture, count_places
from dpviz.ui.data.file_card import file_card
from dpviz.ui.data.flat_barrier import Stays, Words, flat_barrier
from dpviz.ui.data.people import people_card
from dpviz.ui.data.uploading import NOT_COVERED, problem_card
from dpviz.ui.kit import memory, session
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

LEVELS = "place_levels"  # widget
LEVELS_HELP = (
    "Columns that name a place, the widest first. They become the first line of the list. What names "
    "each person, or is free text, is no level: a list holds so many places at most."
)
LIST_HELP = (
    "A line for each place: its names, widest level first, and about how many people live there, as "
    "public numbers have it. The list alone decides what is counted, so it must come from elsewhere "
    "than the file: a row of another place is in no count. It stands in no link."
)
SHAPE = "country,state,people\nLand,North,41000\nLand,South,9300"
FINDING = (
    "Your file holds names alone: its rows can be counted by place.",
    "Say which columns are levels, and which places there are. All else here needs a number.",
)
UNLISTED = "Choose the levels, and paste the public list of places"


def listed() -> tuple[NamedPlaces | None, str]:
    """The list that was pasted, and what is wrong with it, by itself or beside the file's columns."""
    try:
        found = session.places_of(state.store().get(session.PLACE_LIST, "")).listed
        if found is not None:
            session.check_levels(found)
    except DpvizError as error:
        return None, str(error)
    return found, ""


def places_step(now: Visit, picture: DeltaGenerator, left: DeltaGenerator) -> list[tuple[str, str]]:
    """Declare for a file of names alone: its levels, the list, and the numbers that go with them."""
    own = session.upload()
    assert own is not None
    found, wrong = listed()
    with picture:
        flat_barrier("barrier_0", now, (), _above(now), _words(now, found), lambda _: None)
        below_the_picture(now)
    with left, st.container(gap="small"):
        problem_card()
        file_card(own)
        places_panel(own, wrong)
        people_card(own, now, None)
        with st.popover("What does reading show?", type="tertiary"), st.container(width=360):
            st.markdown(NOT_COVERED)
    return _numbers(now, own, found)


def places_panel(own: session.Upload, wrong: str) -> None:
    """The levels and the list, and what of them cannot be counted."""
    written = state.store().get(session.PLACE_LIST, "")
    columns = [info.name for info in own.table.columns if info.kind != "empty"]

    def chosen() -> None:
        levels = visitor.held(LEVELS)
        state.put(session.PLACE_LIST, place_list.with_levels(written, levels, columns))

    visitor.put(LEVELS, list(place_list.levels_of(written, columns)))
    st.multiselect(
        "Levels of places, the widest first",
        columns,
        format_func=plain,
        max_selections=MOST_LEVELS - 1,
        placeholder="country, state, county …",
        key=LEVELS,
        on_change=chosen,
        help=LEVELS_HELP,
    )
    st.text_area(
        "The public list of places",
        max_chars=session.LONGEST_LIST,
        height=150,
        placeholder=SHAPE,
        help=LIST_HELP,
        **state.widget(session.PLACE_LIST, written),
    )
    if wrong:
        note("places", "The list cannot be counted yet", wrong)
    if session.shows_truth() and isinstance(own.table, Table):
        for name in visitor.held(LEVELS):
            _too_many(own, own.table, name)


def places_aside(own: session.Upload) -> None:
    """The same beside columns of numbers, for a file that has names, too."""
    if not (isinstance(own.table, Table) and own.table.name_columns):
        return
    with st.popover("Named places", type="tertiary"), st.container(width=420):
        places_panel(own, listed()[1])
        if st.button("Count its places", key="count_places"):
            count_places()


def _too_many(own: session.Upload, table: Table, name: str) -> None:
    """With the truth on: a column that no list could hold, which tells people apart."""
    many = memory.remembered(
        ("names", own.number, name), lambda: np.unique(table.people(name)).size
    )
    if many > MOST_PLACES:
        quiet(
            f"Column {name} has {many:,} different names, and a list at most {MOST_PLACES:,} places: "
            "it tells people apart, and is no level."
        )


def _above(now: Visit) -> Stays:
    if now.truth:
        return Stays("Nothing to draw yet", ["names have no axis: Map draws counts of places"])
    many = ["how many people there are"] if now.neighbours is Neighbours.ADD_REMOVE else []
    lines = ["every single row", *many, "names of the file that are on no list"]
    return Stays("Stays up here, whatever you publish", lines)


def _words(now: Visit, found: NamedPlaces | None) -> Words:
    places = [] if found is None else [counted(len(one), "place") for one in found.names[1:]]
    levels = list(zip(() if found is None else found.levels, places, strict=True))
    said = ", ".join(f"{name} with {many}" for name, many in levels) or "no list yet"
    return Words(
        confidential=sayings.above_note(now),
        public=sayings.below_note(now, ()),
        open=now.look.said(UNLISTED, "Paste the public list"),
        leads=[
            ("Levels", "Each gets a part of the budget; least squares make their counts fit."),
            ("The list", "It alone decides what is counted. Rows elsewhere are in no count."),
            sayings.whose_rows(now),
        ],
        alt=f"A barrier lies flat. Above it nothing; below it the public list: {said}.",
        levels=levels,
    )


def _numbers(now: Visit, own: session.Upload, found: NamedPlaces | None) -> list[tuple[str, str]]:
    """What is declared, and beside the truth how many rows the list holds."""
    items = [("public: levels", "none yet"), ("public: places", "none yet")]
    if found is not None:
        levels = " › ".join(found.levels)
        items = [("public: levels", levels), ("public: places", f"{len(found.places):,}")]
    if not now.truth:
        return [*items, ("what this view holds", "no value, no count")]
    if found is not None and isinstance(own.table, Table):
        inside = f"{session.place_column(found).n:,} of {own.table.rows:,} rows"
        items.append(("confidential: in the list", inside))
    return items
