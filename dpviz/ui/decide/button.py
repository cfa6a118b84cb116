"""The one button: before it nothing is spent, after it the page is the release."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import streamlit as st

from dpviz.answers.decide.price_said import amount_text
from dpviz.core.errors import DpvizError
from dpviz.ui.decide import published
from dpviz.ui.decide.deciding import ASKING, Decision
from dpviz.ui.decide.final import Final
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.messages import problem
from dpviz.ui.visit.page import Visit

CHANGED = "_decide_changed"  # the button was pressed in the run before
_REFUSED = "_decide_refused"


ROOM = "decide_buttons"  # they lie on the dock, and are drawn with the sentence


def draw(found: Decision, now: Visit, more: Callable[[], None] | None = None) -> None:
    """Release, rehearse, or ask for something else; and what can be taken away, or more of it all."""
    if st.session_state.pop(CHANGED, False):
        st.rerun()  # the ledger, too
    if refused := st.session_state.pop(_REFUSED, ""):
        problem(refused)
    final = found.final
    if now.presenting:
        return
    # alone while an answer is checked: a container would cost a message
    is_alone = found.is_open and more is None
    with nullcontext() if is_alone else st.container(key=ROOM, horizontal=True, wrap=False):
        if more is not None:
            more()
        elif final is not None and not found.is_open:  # no card of a number that may yet move
            published.offer_row(published.offers(found))
        if final is None or found.price is None or found.price.size is None:
            return
        if found.released is not None:
            st.button(
                "Ask for something else",
                key="decide_button",
                type=frame.emphasis(),
                on_click=partial(_leave, final),
            )
            return
        st.button(
            _label(found, final),
            key="decide_button",
            type=frame.emphasis(),
            icon=":material/publish:",
            disabled=found.is_open or (session.is_upload() and found.tank.is_too_low),
            on_click=partial(_release, final),
        )


def _label(found: Decision, final: Final) -> str:
    assert found.price is not None
    assert found.price.size is not None
    size = f"{found.symbol} = {amount_text(found.price.size)}"
    if final.released is not None:
        return f"Show the release, {size}"
    if session.is_upload():
        return f"Release, once, {size}"
    return f"Rehearse the release, {size}"


def _leave(final: Final) -> None:
    st.session_state[CHANGED] = True
    st.session_state[ASKING] = final.key


def _release(final: Final) -> None:
    st.session_state[CHANGED] = True
    st.session_state.pop(ASKING, None)
    try:
        final.release()
    except DpvizError as error:
        st.session_state[_REFUSED] = str(error)
