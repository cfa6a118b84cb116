"""The dock of the Data page: the two steps, the file, the truth, what is declared, and the way on."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.markup import plain
from dpviz.core.neighbours import Neighbours
from dpviz.ui import visitor
from dpviz.ui.bench import ledger
from dpviz.ui.bench.data_choice import SEVERAL, field, size_label
from dpviz.ui.bench.dock import Dock
from dpviz.ui.data import declaring, proposing, sayings
from dpviz.ui.data.declaring import Declared
from dpviz.ui.data.uploading import CHOOSE, DECLARE, PAGE, label, uploader
from dpviz.ui.kit import frame, session
from dpviz.ui.visit import declared, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Visit

STEPS = {CHOOSE: "Choose", DECLARE: "Declare"}
RELATIONS = {
    Neighbours.ADD_REMOVE: "One person joins or leaves",
    Neighbours.REPLACE_ONE: "One person's value changes",
}
RELATION_CAPTIONS = ("their number stays secret", "their number is public")


def controls(dock: Dock, now: Visit) -> None:
    """All of it, in the order in which it is used."""
    with dock.buttons:
        st.segmented_control(
            "Step",
            list(STEPS),
            format_func=STEPS.__getitem__,
            required=True,
            label_visibility="collapsed",
            **state.widget("data_step", now.view, lambda view: visits.show_view(PAGE, view)),
        )
        if not now.presenting:
            words, wide = now.look.said((label(), 420), ("File", 300))
            with (
                st.popover(words, icon=":material/upload_file:", key="pop_file"),
                st.container(width=wide),
            ):
                uploader()
    dock.truth()
    if now.look.phone:
        return  # one row: the rest lies under the picture
    if now.view == DECLARE:
        with dock.popover(sayings.relation_label(now), "neighbours"):
            _relation(now)
        with dock.popover("Type the numbers", "numbers"):
            _numbers(now)
    ledger.in_dock(dock)
    if not now.presenting:
        _onwards(now, dock.popovers.container(width="content"))


def below_the_picture(now: Visit) -> None:
    """What the dock of a phone has no room for."""
    if not now.look.phone:
        return
    with st.container(horizontal=True):
        if now.view == DECLARE:
            with st.popover(sayings.relation_label(now), key="pop_neighbours"):
                _relation(now)
            with st.popover("Type the numbers", key="pop_numbers"):
                _numbers(now)
        _onwards(now, st.container(width="content"))


def _relation(now: Visit) -> None:
    st.radio(
        "Which two data sets must look alike",
        list(RELATIONS),
        format_func=RELATIONS.__getitem__,
        captions=RELATION_CAPTIONS,
        disabled=now.several,
        help=SEVERAL if now.several else None,
        **state.widget("neighbours", now.neighbours),
    )
    st.number_input(
        size_label(),
        min_value=1.0,
        format="%.0f",
        step=None,
        placeholder="not declared",
        help="From public knowledge, never counted in the file. Pages use it for sizes of errors "
        "in what may be published.",
        **field(session.scope(), "size"),
    )


def _numbers(now: Visit) -> None:
    """Exact bounds and steps of every column in use."""
    axes = declaring.columns()
    if len(axes) == 1:
        proposing.proposal(now)
    for place, one in enumerate(axes):
        if len(axes) > 1:
            st.markdown(f"**{plain(one.name)}**")
        low, high = st.columns(2, wrap=False)
        for slot, name, words in ((low, "low", "Lower bound"), (high, "high", "Upper bound")):
            slot.number_input(
                words if not place else f"Its {words.lower()}",
                format="%.10g",
                step=None,
                placeholder="declare",
                help=f"The {'least' if name == 'low' else 'most'} a value can be, from public "
                "knowledge. Values outside are clipped. A bound taken from the data would publish "
                "one person's record.",
                **_typed(one, name),
            )
        if not place and one.scope == session.scope():
            st.number_input(
                "Resolution",
                min_value=0.0,
                format="%.10g",
                step=None,
                help="Spacing of the values: 1 for whole years, 0 for continuous values.",
                **field(one.scope, "resolution"),
            )


def _typed(one: Declared, name: str) -> dict[str, Any]:
    """A field whose change gives an axis without a kind a new scale."""
    found = field(one.scope, name)
    changed = found["on_change"]
    if one.own is not None and declared.of(one.scope, name) is None:
        visitor.put(found["key"], getattr(one.own, name))

    def taken() -> None:
        changed()
        declaring.typed(one.scope)

    return found | {"on_change": taken}


def _onwards(now: Visit, place: DeltaGenerator) -> None:
    """The page that works on this data: of a file the sentence, which asks for what is missing."""
    plane = session.in_plane()
    title, page = ("Go to Map", "map") if plane else ("Go to Quantiles", "quantiles")
    if session.is_upload():
        title, page = "Decide what to publish", "decide"
    kind: Literal["primary", "secondary"] = "secondary" if now.look.ink.dark else "primary"
    if place.button(
        title, key="onwards", type=kind, icon=":material/arrow_forward:", icon_position="right"
    ):
        if page == "decide" and plane:
            state.put("what", "map")
        frame.go(page)
