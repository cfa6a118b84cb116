"""What one visitor's session keeps: results once computed, and the first values of widgets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import streamlit as st

from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.ui.kit.account.ledger import Account
from dpviz.ui.kit.process.shared import PUBLIC

REMEMBERED = 48  # results kept for one visitor

Result = TypeVar("Result")


def forget() -> None:
    """Drop every result."""
    st.session_state.pop("_results", None)


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


def public(
    of: Column | Points,
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
