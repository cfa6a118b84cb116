"""The noise barrier: confidential on the left, the budget in the middle, public on the right.

In the middle stands the visit's ledger, too: what all draws of this visit add up to.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import Plane
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost, total_of
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.number_text import counted

HIDDEN = "hidden"
LISTED = 40  # kinds of release that are shown one by one
_PLACES = "_account_places"
OWN = (
    "Everything drawn from your files in this visit, by basic composition. All files share one "
    "total, for nobody can know that two files hold different people; forgetting a file or reading "
    "it again does not lower it. Releases take secure random bits: AES-256 under a key that is "
    "secret, and new for every file; methods that hold up to rounding only take none, and are not "
    "offered for download."
)
LESSON = (
    "A lesson: were these people real, everything drawn from this set in this visit would add up "
    "like this, by basic composition. Every sample set has a total of its own. Its noise comes from "
    "a seed that stands in the link: whoever has it can take the noise away."
)
OUTSIDE = (
    "Long runs are paid in full when they are started, for as many runs as they can take at most. "
    "What shows the truth itself is in no total: no budget covers it."
)


def account_lines(total: DeltaGenerator | None = None) -> None:
    """What made up the visit's total, written anew as more is drawn; total is a place for the sum."""
    own = session.is_upload()
    st.caption(OWN if own else LESSON)
    total = total or st.empty()
    listed = st.empty()
    st.caption(OUTSIDE)
    if own:
        st.button(
            "Forget the file",
            key="ledger_forget",
            icon=":material/delete:",
            on_click=session.forget_upload,
            help="The file and everything worked out from it goes; the total stays.",
        )
    st.session_state[_PLACES] = total, listed
    show_account()


def clear_account() -> None:
    """Forget the places of the run before: this run has none yet."""
    st.session_state.pop(_PLACES, None)


def show_account() -> None:
    """Write the total and the list into their places again, if the page has them."""
    places: tuple[DeltaGenerator, DeltaGenerator] | None = st.session_state.get(_PLACES)
    if places is None:
        return
    account = memory.account(payer())
    total, listed = places
    total.markdown(f":small[This visit: **{plain(str(account.total))}**]")
    listed.markdown("\n".join(_lines(account.lines())) or "Nothing was drawn yet.")


def payer() -> str:
    """Whose account is shown: that of the sample set in use, or that of all uploads.

    What people with several rows spend stands apart: what was drawn while each row counted as one
    person says nothing of how much a person spent.
    """
    if session.is_upload():
        return session.PEOPLE if session.person_rows() else session.UPLOAD
    return str(st.session_state.get("data", ""))


def _lines(costs: list[Cost]) -> list[str]:
    shown = [
        f"- {plain(one.what)}: {one.times:,} × {plain(str(one.budget))}" for one in costs[:LISTED]
    ]
    rest = total_of([(one.budget, one.times) for one in costs[LISTED:]])
    more = [f"- and {counted(len(costs) - LISTED, 'more kind')}: {plain(str(rest))}"]
    return shown + (more if len(costs) > LISTED else [])


def _records(data: Column | Plane) -> str:
    parts = [counted(data.n, "record")]
    if data.clipped:
        parts.append(f"{data.clipped:,} clipped to the bounds")
    if data.dropped:
        parts.append(f"{data.dropped:,} missing, dropped")
    return " · ".join(parts)
