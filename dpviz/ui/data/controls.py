"""The dock of the Data page: the two steps, the file, the truth, what is declared, and the way on.

Where nobody can name bounds they are proposed privately: two searches, each for 5 % of the budget.
"""

import hashlib
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.number_text import significant
from dpviz.answers.said import plain
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import DpvizError
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.mechanisms.unbounded.propose import propose_bounds
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.ui import visitor
from dpviz.ui.bench import ledger
from dpviz.ui.bench.cards import quiet
from dpviz.ui.bench.data_choice import SEVERAL, bound_fields, field, resolution_field, size_label
from dpviz.ui.bench.dock import Dock
from dpviz.ui.data import declaring, sayings
from dpviz.ui.data.declaring import Declared
from dpviz.ui.data.uploading import CHOOSE, DECLARE, PAGE, label, uploader
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import draw_of_visit
from dpviz.ui.visit import declared, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Visit

STEPS = {CHOOSE: "Choose", DECLARE: "Declare"}
RELATIONS = {
    Neighbours.ADD_REMOVE: "One person joins or leaves",
    Neighbours.REPLACE_ONE: "One person's value changes",
}
RELATION_CAPTIONS = ("their number stays secret", "their number is public")
SHARE = 0.05  # of the budget, for each end
SAID = "_proposed_bounds"
HELP = (
    "Two private searches through public guesses that grow by a tenth each: one for the place that "
    "half a percent lie below, one for the place that half a percent lie above. Each takes 5 % of the "
    "budget, found or not. What is publicly known about the column costs nothing, and is better "
    "unless it is some hundred times wider than the data: 4,000 incomes at ε = 0.1 lose as much by bounds "
    "a hundred times too wide as by a tenth of the budget; at ε = 1 such bounds cost them nearly nothing."
)


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
        if not session.has_names_alone():
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
            if not session.has_names_alone():
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
        proposal(now)
    for place, one in enumerate(axes):
        if len(axes) > 1:
            st.markdown(f"**{plain(one.name)}**")
        bound_fields(partial(_typed, one), is_other=place > 0)
        if not place and one.scope == session.scope():
            resolution_field(one.scope)


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
    if session.has_names_alone():
        title, page = "Count its places", "places"
    kind: Literal["primary", "secondary"] = "secondary" if now.look.ink.dark else "primary"
    if place.button(
        title, key="onwards", type=kind, icon=":material/arrow_forward:", icon_position="right"
    ):
        if page == "decide" and plane:
            state.put("what", "map")
        count_places() if page == "places" else frame.go(page)


def count_places() -> None:
    """To the page Map, whose named places count the file from now on."""
    state.put(session.counts_places(), True)
    visits.show_view("map", "places")
    frame.go("map")


def proposal(now: Visit) -> None:
    """The button, for files whose rows are people each, and what came of it."""
    own = session.upload()
    if own is None or not session.is_upload() or session.is_counted() or now.several:
        return
    size = f"{now.budget.symbol} = {2 * SHARE * now.budget.size:.3g}"
    st.button(
        f"Propose them privately, for {size}",
        key="propose_bounds",
        icon=":material/search:",
        help=HELP,
        on_click=_propose,
        args=(now,),
    )
    said = visitor.get(SAID)
    if said is not None and said[0] == (own.number, own.column) and (said[2] or now.truth):
        quiet(said[1])


def _propose(now: Visit) -> None:
    own = session.upload()
    assert own is not None
    assert own.column is not None
    released = False  # what refused may quote a cell: it is shown beside the truth alone
    try:
        found = _found(now, own, own.column)
    except DpvizError as error:
        said, released = str(error), not now.truth
    else:
        released = True
        said = found.refusal
        if found.bounds is not None:
            declaring.declare(session.scope(), found.bounds)
            low, high = (significant(end, 3) for end in (found.bounds.low, found.bounds.high))
            said = f"Proposed: {low} to {high}, for {found.spent}. They are as public as a release."
    visitor.put(SAID, ((own.number, own.column), said, released))


def _found(now: Visit, own: session.Upload, name: str) -> BoundsProposal:
    """Drawn with the bits of this visit's draw, and booked."""
    values, draw = session.upload_values(own, name), draw_of_visit()
    digest = hashlib.blake2b(values.tobytes(), digest_size=32).digest()
    search = UnboundedQuantile(base=1.1, both_signs=True, neighbours=now.neighbours)
    prepared = (name, own.drop_unreadable, own.people)
    purpose = ("proposed bounds", search, prepared, digest, now.budget, SHARE)
    found = draw.released(
        lambda rng: propose_bounds(values, now.budget, rng, search, share=SHARE), purpose
    )
    draw.book(purpose, paid=[Cost("proposed bounds", found.spent)])
    return found
