"""What one visitor's session keeps: results once computed, and the first values of widgets."""

import secrets
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import streamlit as st

from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.intake.counted.counting import Counting, Stopped
from dpviz.ui import visitor
from dpviz.ui.kit.account.ledger import Account
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.process.shared import PUBLIC

REMEMBERED = 64  # results kept for one visitor: more than the columns of a profile
AT_ONCE = 0.4  # seconds after which the page says that it waits for a count
PACE = 0.25  # seconds between two looks at it
COUNTING = "Counting where the table lies"
NONCE_BYTES = 32

Result = TypeVar("Result")
Data = TypeVar("Data", Column, GridCounts)
# what a count gave: a nonce of its own, whether or not the same rows were counted before
_NONCES: weakref.WeakKeyDictionary[object, bytes] = weakref.WeakKeyDictionary()


def forget() -> None:
    """Drop every result, and end the counts that still run."""
    visitor.forget("_results")
    forget_counts()


def forget_counts() -> None:
    """Drop every count of a table and end those that still run: what is asked next counts anew."""
    for job in visitor.take("_counts", {}).values():
        job.stop()


def holds(key: Hashable) -> bool:
    """Whether a result is there already."""
    return key in visitor.get("_results", {})


def remembered(key: Hashable, compute: Callable[[], Result]) -> Result:
    """A result of this session, computed once for a key that names its inputs in full."""
    return _once("_results", key, compute)


def _once(place: str, key: Hashable, compute: Callable[[], Result]) -> Result:
    store: OrderedDict[Hashable, Any] = visitor.first(place, OrderedDict)
    if key in store:
        store.move_to_end(key)
        return cast("Result", store[key])
    result = compute()
    store[key] = result
    while len(store) > REMEMBERED:
        store.popitem(last=False)
    return result


def awaited(key: Hashable, start: Callable[[], Counting[Data]]) -> Data:
    """What a count gives, started once a key in this visit; counts are in nobody else's memory.

    Nothing of the table decides that it is counted again: only who asks for it does, or a visit
    that keeps too many counts. What comes of it has a nonce of its own.
    Raises: NotYet for a count that was stopped; DpvizError as the engine's way does.
    """
    job = _once("_counts", key, start)
    if not job.wait(AT_ONCE):
        with turns.aside():
            _wait(job)
    try:
        counts = job.result()
    except Stopped:
        st.button(
            "Count again",
            f"again_{id(job)}",
            icon=":material/refresh:",
            on_click=_drop_count,
            args=(key,),
        )
        raise NotYet("The count was stopped, and nothing of it was kept.") from None
    _NONCES.setdefault(counts, secrets.token_bytes(NONCE_BYTES))
    return counts


def nonce_of(data: Column | Plane) -> bytes:
    """What tells the count that these data are from every other one; empty for what is no count.

    A table may change between two counts. If noise were decided by what was found, equal releases
    would tell that nothing has changed.
    """
    return _NONCES.get(data, b"")


def _drop_count(key: Hashable) -> None:
    visitor.get("_counts", {}).pop(key, None)


def _wait(job: Counting[Any]) -> None:
    place = st.empty()
    with place.container(border=True, key=f"counting_{id(job)}"):
        bar = st.progress(0.0, COUNTING)
        key = f"stop_{id(job)}"  # a run may wait for several
        st.button("Stop counting", key, icon=":material/stop:", on_click=job.stop)
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
    kept: dict[str, Account] = visitor.first("_accounts", dict)
    return kept.setdefault(payer, Account())


def accounts() -> dict[str, Account]:
    """The accounts of everyone about whom something was drawn, by payer."""
    kept: dict[str, Account] = visitor.get("_accounts", {})
    return dict(kept)


def released_once() -> dict[bytes, Any]:
    """The releases that were made once and for all in this visit, by what was asked: public."""
    kept: dict[bytes, Any] = visitor.first("_released_once", dict)
    return kept
