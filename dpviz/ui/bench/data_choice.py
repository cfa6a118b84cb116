"""The data set in a popover: which one, which of its columns, and what is declared of it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.ui import visitor
from dpviz.ui.kit import frame, session
from dpviz.ui.visit import data, declared, folded, state
from dpviz.ui.visit.page import Visit

SEVERAL = "A person who has several rows joins or leaves with all of them."


def title() -> str:
    """The name of the data set in use; a file is not named."""
    return session.data_title(data.shown())


def is_apart(now: Visit) -> bool:
    """Whether the set stands at the end of the row of tabs; else a popover of the dock holds it."""
    has_room = now.look.screen not in {"phone", "narrow"} and not now.presenting
    return now.tabs is not None and now.kind is not None and now.truth and has_room


def choose(now: Visit) -> None:
    """The set among others of a dock's controls, unless it stands apart."""
    if not is_apart(now):
        pick(now)


def pick(now: Visit) -> None:
    """The set that this page works on, its column, a way to the Data page, and what is declared."""
    if folded.is_closed():
        return
    kind = now.kind or "column"
    st.selectbox(
        "Data set",
        data.options(kind),
        format_func=session.data_title,
        **state.widget("data_choice", data.shown(), lambda key: data.choose(key, kind)),
    )
    names = session.axis_options()
    if kind == "column" and len(names) > 1:
        st.segmented_control(
            "Coordinate", names, required=True, **state.widget("axis", session.unit())
        )
    st.page_link(frame.page_file("data"), label="All data, your own file, and what is declared")
    if now.tabs is not None and now.tabs.declares:
        declarations()
    if now.tabs is not None and now.tabs.people:
        people_field(st, now.tabs.people)


def declarations() -> None:
    """Bounds and steps of the column in use as numbers: from public knowledge, never the data."""
    scope = session.scope()
    bound_fields(lambda name: field(scope, name))
    resolution_field(scope)


def bound_fields(typed: Callable[[str], dict[str, Any]], *, is_other: bool = False) -> None:
    """Fields of both bounds beside each other; typed is the field of "low" or "high"."""
    low, high = st.columns(2, wrap=False)
    for place, name, words in ((low, "low", "Lower bound"), (high, "high", "Upper bound")):
        place.number_input(
            f"Its {words.lower()}" if is_other else words,
            format="%.10g",
            step=None,
            placeholder="declare",
            help=f"The {'least' if name == 'low' else 'most'} a value can be, from public "
            "knowledge. Values outside are clipped. A bound taken from the data would publish one "
            "person's record.",
            **typed(name),
        )


def resolution_field(scope: str) -> None:
    """The field of the spacing of a column's values."""
    st.number_input(
        "Resolution",
        min_value=0.0,
        format="%.10g",
        step=None,
        help="Spacing of the values: 1 for whole years, 0 for continuous values.",
        **field(scope, "resolution"),
    )


def size_label(people: str = "About how many people, if that is public") -> str:
    """What may be declared of the data's size: of rows where at most so many of a person count."""
    rows = session.person_rows()
    if rows is not None and not rows.shared:
        return "About how many rows count, if that is public"
    return people


def people_field(place: Any, why: str, **widget: Any) -> None:
    """The field for a public number of people; why says what it is for. widget keeps what is typed."""
    place.number_input(
        size_label("About how many people (public)"),
        min_value=0.0,
        format="%.0f",
        step=None,
        placeholder="declare",
        help=f"From public knowledge, never counted in the data. {why}",
        **({"value": None} | (widget or field(session.scope(), "size"))),
    )


def field(scope: str, name: str) -> dict[str, Any]:
    """Key, value and callback of a number field for one declaration; an empty one declares nothing."""
    key = declared.key(scope, name)
    visitor.put(
        key, session.declared(name) if scope == session.scope() else declared.of(scope, name)
    )

    def changed() -> None:
        state.put(key, visitor.held(key))

    return {"key": key, "on_change": changed, "value": None}
