"""One row of numbers under the picture, with chips for unusual settings and the badge at its end."""

from collections.abc import Sequence

import streamlit as st

from dpviz.answers.said import NOTICE, plain
from dpviz.core.budgets import Neighbours
from dpviz.ui.bench import ledger as ledgers
from dpviz.ui.visit import state
from dpviz.ui.visit.fields import NOTIONS
from dpviz.ui.visit.page import Visit

SPACE = "&emsp;&emsp; "  # between two items, where a line may break
OUTSIDE = "Only what may be published"


def strip(
    now: Visit,
    items: Sequence[tuple[str, str]],
    chips: Sequence[str] = (),
    *,
    badge: bool = True,
    ledger: bool = False,
) -> None:
    """Numbers with their words, at most four of them: ("spent", "ε = 0.1").

    Texts are plain. chips name the page's own settings that were changed; those of the visit come
    by themselves. badge says whether true data can be on screen at all; ledger ends the numbers
    with what the visit has spent, for pages whose dock has no room for it.
    """
    if now.presenting:
        if badge and now.truth:
            with st.container(key="strip", horizontal=True, horizontal_alignment="right"):
                teaching_badge()
        return
    with st.container(key="strip", horizontal=True, vertical_alignment="center", gap="medium"):
        if items:  # in one message: the strip is drawn anew with every move of a slider
            st.markdown(SPACE.join(map(_item, items)), width="content")
        if ledger:
            ledgers.in_strip()
        for chip in (*visit_chips(now), *chips):
            st.badge(plain(chip), color="gray")
        st.space("stretch")
        if badge:
            teaching_badge() if now.truth else st.badge(
                OUTSIDE, icon=":material/lock:", color="gray"
            )


def _item(item: tuple[str, str]) -> str:
    """Words and their number, which stay on one line where there is room for one."""
    words, number = item
    return f":small[{plain(words)} **{plain(number)}**]"


def teaching_badge() -> None:
    """Says that confidential values are on screen."""
    st.badge(NOTICE, icon=":material/visibility:", color="gray")


def visit_chips(now: Visit) -> list[str]:
    """Expert settings of the visit that are not as at first."""
    notion = state.get("notion")
    found = [] if notion == "pure" else [NOTIONS[notion]]
    if now.neighbours is Neighbours.REPLACE_ONE:
        found.append("one value replaced")
    return found
