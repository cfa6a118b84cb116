"""The rectangle: drawn by hand or typed, kept while everything else changes, one for each set.

It is kept by the visit and stands in the link as m_x0, m_x1, m_y0 and m_y1; a file's, drawn around
its points, stands in none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import grid_edges
from dpviz.ui.kit import session
from dpviz.ui.links import arriving
from dpviz.ui.spatial.controls import take_depth
from dpviz.ui.visit import state
from dpviz.ui.visit.fields import number, short

KEYS = ("m_x0", "m_x1", "m_y0", "m_y1")
LABELS = ("x from", "x to", "y from", "y to")
FIRST = (0.58, 0.82, 0.2, 0.475)  # of the box: what a page asks about at first
Ends = tuple[float | None, ...]
NONE: Ends = (None,) * 4


def take_link() -> None:
    """Take over what a link asks about, once, and whenever the address decides."""
    if st.session_state.get("_m_arrived") and not arriving.decides():
        return
    st.session_state["_m_arrived"] = True
    take_depth()
    found = [_read(key) for key in KEYS]
    if any(end is not None for end in found):
        _keep(tuple(found))


def _read(key: str) -> float | None:
    texts = arriving.linked(key)
    if not texts:
        return None
    try:
        (text,) = texts
        return number(text)
    except ValueError:
        arriving.refuse(key)
        return None


def _scope() -> str:
    own = session.upload()
    is_own = session.is_upload() and own is not None
    return (
        f"rectangle_own{own.number}" if is_own and own else f"rectangle_{st.session_state['data']}"
    )


def _keep(ends: Ends) -> None:
    state.put(_scope(), ends)


def _held(box: Box) -> Ends:
    kept: Ends | None = state.store().get(_scope())
    return first_of(box) if kept is None else kept


def first_of(box: Box) -> Ends:
    """The rectangle that a page opens with."""
    low, high = FIRST[:2], FIRST[2:]
    return (*_rounded([_at(box.x, share) for share in low], box.x),
            *_rounded([_at(box.y, share) for share in high], box.y))  # fmt: skip


def _at(bounds: Bounds, share: float) -> float:
    return bounds.low + share * bounds.width


def rectangle_tab(box: Box) -> FloatArray | None:
    """Four fields and a button to clear them; None while one is empty.

    Raises: InvalidParameter for ends that are out of order.
    """
    drawn = _settled(st.session_state.pop("_m_drawn", None), box)
    if drawn is not None:
        _keep(drawn)
    held = _held(box)
    st.caption("Draw a rectangle on a map with the mouse, or type its ends.")
    for pair in ((0, 1), (2, 3)):
        for place, at in zip(st.columns(2, wrap=False), pair, strict=True):
            place.number_input(
                LABELS[at], format="%.8g", step=None, placeholder="any",
                **_widget(at, held), value=None,
            )  # fmt: skip
    st.button(
        "Clear",
        icon=":material/close:",
        on_click=_keep,
        args=(NONE,),
        key="m_clear",
        disabled=all(end is None for end in held),
        help="Takes the rectangle away: the page then speaks of the whole map.",
    )
    _write(held, box)
    found = _checked([end for end in held if end is not None], box)
    return _on_the_grid(found, box) if found is not None and session.has_counts_alone() else found


def _on_the_grid(rectangle: FloatArray, box: Box) -> FloatArray:
    """The ends moved to the lines of the grid that a table is counted on: its truth is exact."""
    ends = []
    for (low, high), side in zip(rectangle.reshape(2, 2), (box.x, box.y), strict=True):
        lines = grid_edges(side, session.SIDE)
        first = int(np.abs(lines[:-1] - low).argmin())
        ends += [lines[first], lines[max(first + 1, int(np.abs(lines - high).argmin()))]]
    return np.array(ends)


def _widget(at: int, held: Ends) -> dict[str, Any]:
    """A field's key, the value that holds, and a callback that keeps what is typed."""
    key = KEYS[at]
    st.session_state[key] = held[at]

    def typed() -> None:
        found = st.session_state[key]
        _keep((*held[:at], None if found is None else float(found), *held[at + 1 :]))

    return {"key": key, "on_change": typed}


def _write(held: Ends, box: Box) -> None:
    """Into the link, unless it is a file's or the first one."""
    shown = not session.is_upload() and held != first_of(box)
    texts = [short(end) if shown and end is not None else None for end in held]
    state.write(dict(zip(KEYS, texts, strict=True)))


def _checked(ends: list[float], box: Box) -> FloatArray | None:
    if len(ends) < len(KEYS):
        return None
    x_low, x_high, y_low, y_high = ends
    if not (x_low < x_high and y_low < y_high):
        raise InvalidParameter(
            "The rectangle's ends are out of order: 'from' must be below 'to' in x and in y."
        )
    x = np.clip(ends[:2], box.x.low, box.x.high)
    y = np.clip(ends[2:], box.y.low, box.y.high)
    if not (x[0] < x[1] and y[0] < y[1]):
        raise InvalidParameter("The rectangle lies outside the declared box.")
    return np.concatenate([x, y])


def keep_drawn(chart: str) -> None:
    """Copy a box selection out of a chart: any redraw of the chart would lose it."""
    selection = st.session_state[chart].selection
    for drawn in selection.get("box", [])[-1:]:  # the last one: the other map may hold another
        # drags in any direction; the order of the ends is the hand's
        x, y = sorted(drawn["x"]), sorted(drawn["y"])
        st.session_state["_m_drawn"] = (x[0], x[-1], y[0], y[-1])


def selecting(chart: str) -> dict[str, Any]:
    """What makes a chart take a box drawn on it as the rectangle."""
    return {"on_select": partial(keep_drawn, chart), "selection_mode": "box"}


def _settled(drawn: Sequence[float] | None, box: Box) -> tuple[float, ...] | None:
    """What a hand drew, to a thousandth of the box: finer than a pixel, and short to read."""
    if drawn is None:
        return None
    x, y = (_rounded(drawn[:2], box.x), _rounded(drawn[2:], box.y))
    return (*x, *y) if x[0] < x[1] and y[0] < y[1] else None


def _rounded(ends: Sequence[float], bounds: Bounds) -> tuple[float, float]:
    places = 3 - math.floor(math.log10(bounds.width))
    low, high = (round(float(np.clip(end, bounds.low, bounds.high)), places) for end in ends)
    return low, high
