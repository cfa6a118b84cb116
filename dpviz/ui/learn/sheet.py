"""The test on a phone: 15 questions, sent once, and what its owner is told."""

import secrets

import streamlit as st

from dpviz.lessons.stories.gain import Half
from dpviz.lessons.stories.inventory import ITEMS, PASS, Item, guessing, score
from dpviz.lessons.words import plain
from dpviz.ui.bench.headline import headline
from dpviz.ui.beside import component
from dpviz.ui.learn import room, where
from dpviz.ui.lectures.rooms import ROOMS
from dpviz.ui.visit import state

Sheet = tuple[tuple[str | None, ...], tuple[bool, ...]]
ALONE = "alone"
READABLE = 760  # px, of a question


def test_view() -> None:
    """What the link asks for: the teacher's room, a phone in a room, or the questions alone."""
    code, hosted = room.code(), room.hosted()
    if not code and hosted is not None:
        room.host_view(hosted)
    elif code and ROOMS.find(code) is None:
        headline("Learn", "This room is closed.", room.UNKNOWN)
        st.button("Answer alone", key="sheet_alone", on_click=_leave_room)
    elif code:
        _sheet(f"{code} {room.half()}", code, room.half())
    else:
        _sheet(ALONE, "", "before")
    where.all_stories()


def _leave_room() -> None:
    for key in room.KEYS:
        state.store().pop(f"test_{key}", None)


def _sheets() -> dict[str, Sheet]:
    """What this phone handed in, as long as its page is open."""
    kept: dict[str, Sheet] = state.store().setdefault("test_sheets", {})
    return kept


def _sheet(name: str, code: str, half: Half) -> None:
    """The questions, or what becomes of the answers; in a room a phone hands in once."""
    done, place = _sheets().get(name), st.container()
    kept = _remembered(name, None if done is None else score(done[0])) if code else None
    with place:
        if done is None and kept is not None:
            headline(
                "Learn", _score(kept), "This phone has handed in, and did not keep its answers."
            )
        else:
            _asked_or_judged(name, code, half, done)


def _asked_or_judged(name: str, code: str, half: Half, done: Sheet | None) -> None:
    if done is not None and state.store().pop("test_unsent", False):
        st.warning("The room takes no more answers. Yours were not sent.")
    if done is None:
        _ask(name, code, half)
    elif code and half == "before":
        _say_score(done)
        st.markdown("The answers come after the course.")
    else:
        _say_score(done)
        for number, item in enumerate(ITEMS, 1):
            _judge(number, item, done[0][number - 1], sure=done[1][number - 1])
        st.markdown(_score(score(done[0])))  # again, where the page stands after the last question
        if not code:
            st.button("Ask again", key="sheet_again", icon=":material/replay:", type="tertiary",
                      on_click=_forget, args=(name,))  # fmt: skip


def _forget(name: str) -> None:
    _sheets().pop(name, None)


def _ask(name: str, code: str, half: Half) -> None:
    where_to = (
        f"Room {code}, {half} the course. Your answers are added up once, without your name."
        if code
        else "Your answers stay on this page."
    )
    headline("Learn", f"{len(ITEMS)} questions. Choose, and say whether you are sure.", where_to)
    seed = state.store().setdefault("test_order", secrets.token_hex(8))
    with st.form(f"sheet {name}", border=False, width=READABLE):
        given = [_choose(name, number, item, seed) for number, item in enumerate(ITEMS, 1)]
        if st.form_submit_button("Hand in", key="sheet_done", type="primary"):
            chosen, sure = zip(*given, strict=True)
            _hand_in(name, code, half, (chosen, sure))


def _choose(name: str, number: int, item: Item, seed: str) -> tuple[str | None, bool]:
    """One question: the key of the chosen option, and whether its reader is sure."""
    options = {one.key: one.text for one in item.shuffled(seed)}
    with st.container(border=True, key=f"sheet_{number}"):
        chosen = st.radio(
            f"**{number}.** {item.question}",
            list(options),
            index=None,
            format_func=options.__getitem__,
            key=f"sheet {name} {number}",
        )
        sure = st.checkbox("I am sure", key=f"sheet {name} {number} sure")
    return chosen, sure


def _hand_in(name: str, code: str, half: Half, sheet: Sheet) -> None:
    found = ROOMS.find(code) if code else None
    if code and (found is None or not found.hand_in(half, *sheet)):
        state.put("test_unsent", True)
    _sheets()[name] = sheet
    st.rerun()


def _say_score(done: Sheet) -> None:
    """The phone's own score, which nobody else learns."""
    chance = f"Who guesses gets {plain(guessing()[0], 2)} on average. Only you see this."
    headline("Learn", _score(score(done[0])), chance)


def _remembered(name: str, right: int | None) -> int | None:
    """The score that this phone's browser remembers of a sheet; right lets it remember one."""
    data, memory = {"name": name, "score": right}, component(__file__, "sheet")
    found = memory(key=f"kept {name}", data=data, on_score_change=lambda: None, height=1).score
    return found if isinstance(found, int) and 0 <= found <= len(ITEMS) else None


def _score(right: int) -> str:
    passed = "passed" if right >= PASS else f"{PASS} is a pass"
    return f"**{right}** of {len(ITEMS)} right: {passed}."


def _judge(number: int, item: Item, chosen: str | None, *, sure: bool) -> None:
    """Whether an answer was right, the right one, and the scene that teaches it."""
    right = chosen == item.right.key
    mark = ":material/check:" if right else ":material/close:"
    said = f"{mark} **{number}.** {item.question}  \n**{item.right.text}**."
    if not right and chosen is not None:
        mine = next(one.text for one in item.options if one.key == chosen)
        said += f" You said: {mine}{', and were sure' if sure else ''}."
    with st.container(horizontal=True, vertical_alignment="center", key=f"judged_{number}"):
        st.markdown(said)
        st.button(
            item.scene.title,
            key=f"sheet_scene_{number}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=where.open_scene,
            args=(item.scene.story, item.scene.number),
        )
