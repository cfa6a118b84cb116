"""What one visitor's session keeps: results once computed, and the first values of widgets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import streamlit as st

from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import Plane
from dpviz.intake.counted.counting import Counting, Stopped
from dpviz.ui.kit.account.ledger import Account
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.process.shared import PUBLIC

REMEMBERED = 48  # results kept for one visitor
AT_ONCE = 0.4  # seconds after which the page says that it waits for a count
PACE = 0.25  # seconds between two looks at it
COUNTING = "Counting where the table lies"

Result = TypeVar("Result")


def forget() -> None:
    """Drop every result, and end the counts that still run."""
    for result in st.session_state.pop("_results", {}).values():
        if isinstance(result, Counting):
            result.stop()


def drop(key: Hashable) -> None:
    """Drop one result: it is computed again when it is asked for."""
    st.session_state.get("_results", {}).pop(key, None)


def holds(key: Hashable) -> bool:
    """Whether a result is there already."""
    return key in st.session_state.get("_results", {})


def remembered(key: Hashable, compute: Callable[[], Result]) -> Result:
    """A result of this session, computed once for a key that names its inputs in full."""
    return _once("_results", key, compute)


def _once(place: str, key: Hashable, compute: Callable[[], Result]) -> Result:
    store: OrderedDict[Hashable, Any] = st.session_state.setdefault(place, OrderedDict())
    if key in store:
        store.move_to_end(key)
        return cast("Result", store[key])
    result = compute()
    store[key] = result
    while len(store) > REMEMBERED:
        store.popitem(last=False)
    return result


def awaited(key: Hashable, start: Callable[[], Counting[Result]]) -> Result:
    """What a count gives, started once a key in this visit; counts are in nobody else's memory.

    Raises: NotYet for a count that was stopped; DpvizError as the engine's way does.
    """
    job = remembered(key, start)
    if not job.wait(AT_ONCE):
        with turns.aside():
            _wait(job)
    try:
        return job.result()
    except Stopped:
        st.button("Count again", icon=":material/refresh:", on_click=drop, args=(key,))
        raise NotYet("The count was stopped, and nothing of it was kept.") from None


def _wait(job: Counting[Result]) -> None:
    place = st.empty()
    with place.container(border=True, key="counting"):
        bar = st.progress(0.0, COUNTING)
        st.button("Stop counting", icon=":material/stop:", on_click=job.stop)
        while not job.wait(PACE):  # each look is also where a click ends this run
            share = job.progress()
            bar.progress(share or 0.0, COUNTING)
    place.empty()


def public(
    of: Column | Plane,
    key: Hashable,
    compute: Callable[[], Result],
    pay: Callable[[], None] = lambda: None,
) -> Result:
    """A result about these data: every visitor's if they are a sample, else this session's alone.

    What decides is where the data came from, not what is on screen. A shared result must not
    depend on anything of the visitor that its key leaves out, and nobody may write into it. pay
    books the result once for each visitor, whoever computed it.
    """

    def paid() -> Result:
        result = compute()  # first: what refuses is not paid
        pay()
        return result

    if not PUBLIC.knows(of):
        return remembered(key, paid)
    _once("_paid_public", key, pay)  # apart, so that it pushes out no result about a file
    return PUBLIC.get(key, compute)


def account(payer: str) -> Account:
    """What was paid in this visit about the people of one payer; forgetting leaves it as it is."""
    kept: dict[str, Account] = st.session_state.setdefault("_accounts", {})
    return kept.setdefault(payer, Account())


def accounts() -> dict[str, Account]:
    """The accounts of everyone about whom something was drawn, by payer."""
    kept: dict[str, Account] = st.session_state.get("_accounts", {})
    return dict(kept)


def released_once() -> dict[bytes, Any]:
    """The releases that were made once and for all in this visit, by what was asked: public."""
    kept: dict[bytes, Any] = st.session_state.setdefault("_released_once", {})
    return kept


def start_with(key: str, value: object) -> None:
    """A widget's first value, unless a link brings one; for widgets that callbacks set as well.

    Whether what a link brings can be read is for the widget to say: if not, it starts with this
    value.
    """
    st.session_state.setdefault("_first_values", {})[key] = value
    if key not in st.session_state and key not in st.query_params:
        st.session_state[key] = value


def starts(key: str) -> bool:
    """Whether a widget was given a first value."""
    return key in st.session_state.get("_first_values", {})


def first(key: str) -> Any:
    """The first value that a widget was given."""
    return st.session_state["_first_values"][key]
