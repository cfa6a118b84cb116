"""Closed popovers, and the foot of a page: what nobody sees is not drawn, where its values are known.

A page has forty controls in its popovers, and drawing them would take as long as the picture. A
control that shows an entry of the visit is left out while its popover is closed; opening it runs
the page again. Controls whose value lives in the widget alone are drawn always. What stands below a
picture is drawn from when a visitor first looks there; the open page says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.ui import visitor

ALWAYS_OPEN = False  # Streamlit's test runner has no way to open a popover
WIDTH = 360
_CLOSED, _LOOKED = "_folded", "_looked_below"


@contextmanager
def popover(label: str, *, key: str, width: int = WIDTH, **others: Any) -> Iterator[None]:
    """A popover; whoever draws into it asks is_closed."""
    made = st.popover(label, key=key, on_change="rerun", **others)
    is_seen = made.open or ALWAYS_OPEN
    with made, st.container(width=width) if is_seen else nullcontext(), closed(not is_seen):
        yield


def more(
    place: DeltaGenerator, label: str, *, key: str, width: int, **others: Any
) -> tuple[DeltaGenerator, bool]:
    """The same for a popover that is filled bit by bit: where to draw, and whether it is closed."""
    made = place.popover(label, key=key, on_change="rerun", **others)
    return made.container(width=width), not made.open


@contextmanager
def closed(is_so: bool) -> Iterator[None]:
    """What is drawn inside is seen by nobody, or seen."""
    before = visitor.get(_CLOSED, False)
    visitor.put(_CLOSED, is_so and not ALWAYS_OPEN)
    try:
        yield
    finally:
        visitor.put(_CLOSED, before)


def is_closed() -> bool:
    """Whether what is drawn now is seen by nobody."""
    return bool(visitor.get(_CLOSED, False))


def look_below() -> None:
    """The visitor looks below the picture: from now on it is drawn what stands there."""
    visitor.put(_LOOKED, True)


def is_below_seen() -> bool:
    """Whether what stands below a picture is drawn; a button stands there until it is."""
    if ALWAYS_OPEN or visitor.get(_LOOKED, False):
        return True
    with st.container(key="below_waits"):
        st.button("Numbers", key="look_below", icon=":material/expand_more:", on_click=look_below)
    return False
