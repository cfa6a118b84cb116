"""What the visit has spent: one tank for each sample set, one for all files, a line for each release."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.kit import barrier, memory, session
from dpviz.ui.kit.account.ledger import Account, Cost, Total, total_of
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.number_text import counted
from dpviz.ui.visit import state

PROMISE = 2.0  # ε that is promised to the people of one data set, unless the visitor says otherwise
LISTED = 12  # kinds of release that are shown one by one
BLUE, OVER = "#3B8DC4", "#D55E00"  # readable on both papers, as marks
HATCHED = f"repeating-linear-gradient(to right, {OVER} 0 4px, transparent 4px 6px)"
LESSON = (
    "One tank for each sample set: budgets spent on different people do not add up. Were these "
    "people real, everything drawn in this visit would count, draws of the teaching view too."
)
OWN = (
    "All your files share one tank, for nobody can know that two files hold different people. "
    "Forgetting a file or reading it again does not refill it."
)
APART = (
    "What people with several rows spend is in a tank of its own. Draws from the time when each row "
    "counted as one person are in the other: a person with r rows has spent r times as much of it."
)
OUTSIDE = (
    "By basic composition. Long runs are paid in full when they start. What shows the truth itself "
    "is in no tank: no budget covers it."
)


def panel() -> None:
    """Every tank of the visit, that of the data in use first."""
    st.markdown("**What this visit has spent**")
    accounts = memory.accounts()
    first = barrier.payer()
    for payer in sorted({first, *accounts}, key=lambda one: one != first):
        _tank(session.data_title(payer), accounts.get(payer, Account()))
    own = session.is_upload()
    st.caption(OWN if own else LESSON)
    if session.person_rows() is not None:
        st.caption(APART)
    st.caption(OUTSIDE)
    st.number_input(
        "Promised to the people of one data set (ε)",
        1e-6,
        1e6,
        format="%.6g",
        step=None,
        **state.widget("promise", promise()),
    )
    if own:
        st.button(
            "Forget the file",
            key="ledger_forget",
            icon=":material/delete:",
            on_click=session.forget_upload,
            help="The file and everything worked out from it goes; what was spent stays spent.",
        )


def promise() -> float:
    """What was promised to the people of one data set."""
    return float(state.store().get("promise", PROMISE))


def _tank(title: str, account: Account) -> None:
    total = account.total
    left, right = st.columns([5, 6], wrap=False, vertical_alignment="bottom")
    left.markdown(f"**{plain(title)}**")
    right.markdown(plain(spent_of(total, promise())), text_alignment="right")
    st.html(bar(total.epsilon / promise()))
    lines = "\n".join(_lines(account.lines()))
    if lines:
        st.markdown(lines)


def spent_of(total: Total, promised: float) -> str:
    """What was spent of what was promised; ρ stands beside it, for it is not converted."""
    if not total.epsilon and total.rho:
        return str(total)
    return f"{total if total.epsilon else 'nothing'} of {promised:g} promised"


def bar(share: float) -> str:
    """A tank as HTML: what was taken in blue; whole tanks beyond the promise hatched, to scale.

    share is what was spent over what was promised.
    """
    tanks = max(1.0, share)
    width = 100 / min(tanks, 100)
    tank = (
        f"<div style='width:{width:.2f}%;box-sizing:border-box;border:1px solid currentColor'>"
        f"<div style='width:{100 * min(share, 1.0):.2f}%;height:100%;background:{BLUE}'></div></div>"
    )
    over = f"<div style='flex:1;background:{HATCHED}'></div>" if share > 1 else ""
    return (
        f"<div role='img' aria-label='{100 * share:.0f} % of the promise is spent' "
        f"style='display:flex;height:14px'>{tank}{over}</div>"
    )


def _lines(costs: list[Cost]) -> list[str]:
    shown = [
        f"- {plain(one.what)}: {one.times:,} × {plain(str(one.budget))}" for one in costs[:LISTED]
    ]
    rest = total_of([(one.budget, one.times) for one in costs[LISTED:]])
    more = [f"- and {counted(len(costs) - LISTED, 'more kind')}: {plain(str(rest))}"]
    return shown + (more if len(costs) > LISTED else [])
