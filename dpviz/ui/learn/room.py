"""The test with a class: the room in the link, the way in for phones, and what its teacher sees."""

import pandas as pd
import streamlit as st

from dpviz.answers.said import plain
from dpviz.lessons.stories import gain
from dpviz.lessons.stories.gain import FEWEST, HALVES, Half
from dpviz.lessons.stories.inventory import ITEMS
from dpviz.ui.bench.headline import headline
from dpviz.ui.learn.address import address_of
from dpviz.ui.learn.lead import COUNT_SECONDS, picture
from dpviz.ui.lectures import codes
from dpviz.ui.lectures.counters import SECONDS
from dpviz.ui.lectures.rooms import ROOMS, Room
from dpviz.ui.lectures.table import TooManyLectures
from dpviz.ui.links import arriving
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

VIEW = "test"
KEYS = ("room", "half")
HOST = "host"  # in links: CODE.SECRET; it leaves the address as soon as it was read
UNKNOWN = (
    "No room of the test has this code. It may be deleted, which happens "
    f"{SECONDS / 3600:g} hours after it was opened, or a sign of it may be another one."
)


def settle() -> None:
    """Take what the link says of a room. The link decides when it is opened."""
    if not arriving.decides() and "test_seen" in state.store():
        return
    state.put("test_seen", True)
    texts = {key: arriving.linked(key) for key in (*KEYS, HOST)}
    for key in KEYS:
        state.store().pop(f"test_{key}", None)
    if texts[HOST]:
        code, _, secret = texts[HOST][0].partition(".")
        if len(texts[HOST]) == 1 and ROOMS.led(code, secret) is not None:
            state.put("test_host", (code, secret))
        else:
            arriving.refuse(HOST)
        del st.query_params[HOST]  # the screen with this address may be projected
    if texts["half"]:
        if list(texts["half"]) in [[half] for half in HALVES]:
            state.put("test_half", texts["half"][0])
        else:
            arriving.refuse("half")
    if texts["room"]:
        code_read = codes.read(texts["room"][0]) if len(texts["room"]) == 1 else None
        if code_read is None:
            arriving.refuse("room")
        else:
            state.put("test_room", code_read)


def link(view: str) -> dict[str, str | None]:
    """What stands in the address of a phone in a room."""
    return {key: state.store().get(f"test_{key}") if view == VIEW else None for key in KEYS}


def code() -> str:
    """The code of the room that this phone's link leads to, "" without one."""
    return str(state.store().get("test_room", ""))


def half() -> Half:
    """Which half the phone's link is of."""
    return "after" if state.store().get("test_half") == "after" else "before"


def hosted() -> Room | None:
    """The room that this session opened."""
    held: tuple[str, str] | None = state.store().get("test_host")
    found = None if held is None else ROOMS.led(*held)
    if found is None:  # deleted, and so is what was looked at in it
        state.store().pop("test_host", None)
        state.store().pop("test_gain", None)
    return found


def _open() -> None:
    try:
        state.put("test_host", ROOMS.open())
    except TooManyLectures as error:
        state.put("test_refused", str(error))


def _close() -> None:
    ROOMS.close(*state.store().pop("test_host"))
    state.store().pop("test_gain", None)


def panel() -> None:
    """On the teacher's page: a room for the test, and the way into it."""
    refused = state.store().pop("test_refused", None)
    if refused:
        st.warning(plain(refused))
    label = "Test a class" if hosted() is None else "Your room of the test"
    st.button(label, key="room_begin", icon=":material/fact_check:", on_click=_enter,
              help="15 questions before and after, by phone, without names.")  # fmt: skip


def _enter() -> None:
    if hosted() is None:
        _open()
    if hosted() is not None:
        for key in KEYS:
            state.store().pop(f"test_{key}", None)
        visits.show_view("learn", VIEW)


def host_view(room: Room) -> None:
    """What a teacher sees: the ways in, how many handed in, exact numbers, and what may leave."""
    found: gain.Gain | None = state.store().get("test_gain")
    if found is None:
        words = (
            f"Room {room.code}: {len(ITEMS)} questions, before and after.",
            "No names, no accounts. Phones send their answers once; here they are only added up.",
        )
    else:
        words = gain.said(found)
    headline("Learn", *words)
    ways, numbers = st.columns([1, 2], gap="large")
    with ways:
        _ways(room)
    with numbers:
        _counts(room)
        st.button("Show the class", key="room_look", icon=":material/bar_chart:",
                  on_click=_look, args=(room,))  # fmt: skip
        if found is not None:
            _exact(found)
        _leaves(room)
        st.button("Delete the room now", key="room_end", icon=":material/delete:",
                  type="tertiary", on_click=_close)  # fmt: skip


def _ways(room: Room) -> None:
    """Addresses to photograph, and that of another machine."""
    for one in HALVES:
        way = f"view={VIEW}&room={room.code}&half={one}"
        st.markdown(f"**{one.title()} the course**")
        address = address_of(way)
        if address is None:
            st.caption(f"/learn?{way}")
        else:
            picture(address, f"Phones answer at {address}")
    with st.popover("Another machine", key="room_link"):
        st.markdown("Whoever has this link sees the class: do not project it.")
        held = ".".join(state.store()["test_host"])
        way = f"view={VIEW}&{HOST}={held}"
        st.code(address_of(way) or f"/learn?{way}", language=None, wrap_lines=True)


@st.fragment(run_every=COUNT_SECONDS)
def _counts(room: Room) -> None:
    """How many handed in, counted anew by itself; nothing else moves with a phone."""
    told = ", ".join(f"{room.people(one)} {one}" for one in HALVES)
    st.markdown(f"Phones that handed in: **{told}**.")


def _look(room: Room) -> None:
    state.put("test_gain", room.gain())


def _exact(found: gain.Gain) -> None:
    """Exact numbers, as they were when they were asked for: who watches bars grow sees who was last."""
    if not found.rows:
        return
    rows = [
        {
            "sure and wrong": row.sure_and_wrong,
            "question": f"{row.number}. {ITEMS[row.number - 1].question}",
            "right before, %": row.before,
            "right after, %": row.after,
            "most chosen wrong": row.most,
        }
        for row in found.rows
    ]
    percent = st.column_config.NumberColumn(format="%.0f", width=100)
    text = st.column_config.TextColumn(width=250)
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height="content",
        column_config={
            "question": text,
            "most chosen wrong": text,
            "right before, %": percent,
            "right after, %": percent,
        },
        alt="Each question: who is sure and wrong, who is right before and after",
    )
    st.caption(f"Exact, for this room alone; deleted {SECONDS / 3600:g} hours after it was opened.")


def _leaves(room: Room) -> None:
    """What may be told outside: how many passed, with noise."""
    drawn = room.released
    with st.container(border=True, key="room_leaves"):
        st.markdown("**What may leave the room**")
        if drawn:
            st.markdown(gain.released(drawn))
        else:
            st.markdown(
                f"How many passed, with noise of ε = {gain.BUDGET.epsilon:g} a half. It is drawn once, "
                "and closes its half."
            )
        for one in HALVES:
            if one not in drawn and room.people(one) >= FEWEST:
                st.button(
                    f"Release who passed {one} (ε = {gain.BUDGET.epsilon:g})",
                    key=f"room_release_{one}",
                    on_click=room.release,
                    args=(one,),
                )
        people = max(room.people(one) for one in HALVES)
        if people >= FEWEST:
            st.caption(gain.why_not_the_mean(people))
