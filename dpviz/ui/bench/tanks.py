"""What the visit has spent: one tank for each sample set, one for all files, a line for each release.

Rows and people of a file are not two budgets: whoever has one row is in every draw. So the tank of
people with one row holds what is promised to people with several rows, too; in the tank of these
a draw as rows is named and not counted, for it promises them nothing.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.said import plain
from dpviz.core.budgets import Neighbours
from dpviz.ui import visitor
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import (
    Account,
    Balance,
    Cost,
    Total,
    at_least,
    at_most,
    simulated_words,
    total_of,
)
from dpviz.ui.visit import data, state
from dpviz.ui.visit.fields import LARGEST, LEAST

PROMISE = 1.0  # that is promised to the people of one data set, unless the visitor says otherwise
PROMISED = "b_promise"  # in the visit: the same on Budget and in every ledger
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
ONE_ROW = "Your file, its people with one row"
APART = (
    "People with one row are in every draw, so their tank holds all of it. What is promised to "
    "people with several rows holds for all rows of a person together, and a draw in which each row "
    "counted as one person promises them nothing: with r rows they have spent r times its ε, or r² "
    "times its ρ."
)
OUTSIDE = (
    "By basic composition, rounded up. Where records are replaced, a draw for added or removed ones "
    "counts as two of its ε, or four of its ρ. What is simulated is shown beside the truth alone, as errors "
    "or how often something happens: it is counted, for as many runs as it can take, and not added "
    "up. Like the truth itself it must not be published, and no budget covers it."
)


def panel() -> None:
    """Every tank of the visit, that of the data in use first."""
    st.markdown("**What this visit has spent**")
    first = payer()
    drawn = memory.accounts()
    both = session.PEOPLE in {first, *drawn}
    also = [session.UPLOAD] if session.PEOPLE in drawn else []  # its people may have one row
    for one in dict.fromkeys([first, *drawn, *also]):
        if one == session.PEOPLE:
            for persons in _all_persons():
                _tank(f"{session.data_title(one)}, by '{persons}'", one, persons)
        else:
            _tank(ONE_ROW if both and one == session.UPLOAD else session.data_title(one), one)
    own = session.is_upload()
    st.caption(OWN if own else LESSON)
    if both:
        st.caption(APART)
    st.caption(OUTSIDE)
    st.number_input(
        f"Promised to the people of one data set ({symbol()})",
        LEAST,
        LARGEST,
        format="%.6g",
        step=None,
        **state.widget("ledger_promise", promise(), lambda one: state.put(PROMISED, one)),
    )
    if own:
        st.toggle(
            "Draw at every change, without asking",
            help="To play with your own data beside the truth. Every slider that moves then spends.",
            **state.widget("draws_always", bool(visitor.get(session.DRAWS_ALWAYS)), _take_always),
        )
        st.button(
            "Forget the file",
            key="ledger_forget",
            icon=":material/delete:",
            on_click=session.forget_upload,
            help="The file and everything worked out from it goes; what was spent stays spent.",
        )


def _take_always(is_on: bool) -> None:
    visitor.put(session.DRAWS_ALWAYS, is_on)


def payer() -> str:
    """Whose tank is shown first: that of the sample set in use, or that of all uploads.

    What people with several rows spend stands apart: what was drawn while each row counted as one
    person promised them nothing.
    """
    if session.is_upload():
        return session.PEOPLE if session.person_rows() else session.UPLOAD
    return data.shown()


def balance(one: str, more: Sequence[Cost] = (), persons: str | None = None) -> Balance:
    """Where the people of a payer stand, once more was paid as well.

    persons is the column that names people with several rows: the one in use if none is given.
    """
    if one == session.PEOPLE:
        persons = _persons() if persons is None else persons
        return Balance.of_people(_account(session.UPLOAD), _account(one), more, persons=persons)
    people = _account(session.PEOPLE) if one == session.UPLOAD else Account()
    replaced = session.neighbours() is Neighbours.REPLACE_ONE
    return Balance.of_rows(_account(one), people, more, replaced=replaced)


def _persons() -> str:
    own = session.upload()
    return "" if own is None else own.people.column or ""


def _all_persons() -> list[str]:
    """Every column that named people for a draw, the one in use first."""
    drawn = [one.persons for one in _account(session.PEOPLE).entries]
    first = [_persons()] if payer() == session.PEOPLE else []
    return list(dict.fromkeys([*first, *drawn]))


def _account(one: str) -> Account:
    return memory.accounts().get(one, Account())


def promise() -> float:
    """What was promised to the people of one data set, in the notion of the visit."""
    return float(state.store().get(PROMISED, PROMISE))


def symbol() -> str:
    """What is promised: ε, or ρ where that is the notion of the visit."""
    return "ρ" if state.get("notion") == "zcdp" else "ε"


def _tank(title: str, one: str, persons: str = "") -> None:
    found = balance(one, persons=persons)
    left, right = st.columns([5, 6], wrap=False, vertical_alignment="bottom")
    left.markdown(f"**{plain(title)}**")
    right.markdown(plain(spent_of(found, promise(), symbol())), text_alignment="right")
    own = found.total.rho if symbol() == "ρ" else found.total.epsilon
    st.html(bar(own / promise()))
    if said := tight_words(found, state.get("delta")):
        st.caption(said)
    costs = [cost for cost in _account(one).lines() if cost.persons == persons]
    lines = [plain(str(cost)) for cost in costs]
    if found.jointly:
        lines.insert(0, plain(f"promised to people with all their rows: {found.jointly}"))
    if lines:
        st.markdown("\n".join(f"- {line}" for line in _few(lines, costs)))


def _few(lines: list[str], costs: Sequence[Cost]) -> list[str]:
    """The first lines, and what all others add up to."""
    if len(lines) <= LISTED:
        return lines
    rest = costs[LISTED - len(lines) :]
    runs = sum(cost.times for cost in rest if cost.simulated)
    total = total_of(rest, replaced=session.neighbours() is Neighbours.REPLACE_ONE)
    said = [str(total)] if total or not runs else []
    said += [simulated_words(runs)] if runs else []
    return [*lines[:LISTED], f"and {counted(len(rest), 'more kind')}: {plain(', '.join(said))}"]


def spent_of(found: Balance, promised: float, notion: str) -> str:
    """What was spent of what was promised in ε or in ρ; the other stands beside it, not converted."""
    own, other = Total(found.total.epsilon, found.total.delta), Total(rho=found.total.rho)
    if notion == "ρ":
        own, other = other, own
    if other and not own:
        return str(found)
    beside = f", and {other}" if other else ""
    return f"{own} of {at_least(promised)} promised{beside}{found.rest}"


def tight_words(found: Balance, delta: float) -> str:
    """What the same budgets had come to in (ε, δ), if a plan had named them all; "" for nothing new."""
    tight = found.tight(delta)
    if tight is None:
        return ""
    basic = plain(str(found.total))
    return (
        f"Basic {basic}. Named in a plan before the first draw, the same budgets come to "
        f"ε = {at_most(tight)} at δ = {at_most(delta)} (privacy loss distributions)."
    )


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
        f"<div role='img' aria-label='{at_most(100 * share)} % of the promise is spent' "
        f"style='display:flex;height:14px'>{tank}{over}</div>"
    )
