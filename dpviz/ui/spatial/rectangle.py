"""The rectangle: drawn by hand or typed, kept while everything else changes, one for each set.

It is kept by the visit and stands in the link; a file's, drawn around its points, stands in none.
"""

import math
from collections.abc import Sequence

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import grid_edges
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.model.fields import Values
from dpviz.ui.visit import data, state
from dpviz.ui.visitor import selection

_DRAWN = "m_drawn"  # in the visit until the next run takes it over
KEY = "m_rectangle"
LABELS = {"m_x0": "x from", "m_x1": "x to", "m_y0": "y from", "m_y1": "y to"}
FIRST = (0.58, 0.82, 0.2, 0.475)  # of the box: what a page asks about at first
Ends = tuple[float | None, ...]
NONE: Ends = (None,) * 4


def kept() -> str:
    """The rectangle's name in the visit: every set has its own, and every file."""
    own = session.upload()
    is_own = session.is_upload() and own is not None
    return f"rectangle_own{own.number}" if is_own and own else f"rectangle_{data.shown()}"


def first_of(box: Box) -> Ends:
    """The rectangle that a page opens with."""
    low, high = FIRST[:2], FIRST[2:]
    return (*_rounded([_at(box.x, share) for share in low], box.x),
            *_rounded([_at(box.y, share) for share in high], box.y))  # fmt: skip


def _at(bounds: Bounds, share: float) -> float:
    return bounds.low + share * bounds.width


def asked_of(values: Values, box: Box) -> FloatArray | None:
    """The rectangle that is asked about; None for the whole map while its ends ask for none."""
    try:
        return _checked(values[KEY], box)
    except InvalidParameter:
        return None


def below_ends(place: DeltaGenerator, values: Values) -> None:
    """A button that takes the rectangle away, and what is wrong with its ends."""
    ends = values[KEY]
    place.button(
        "Clear",
        icon=":material/close:",
        on_click=state.put,
        args=(kept(), NONE),
        key="m_clear",
        disabled=all(end is None for end in ends),
        help="Takes the rectangle away: the page then speaks of the whole map.",
    )
    attempt(lambda: _checked(ends, values["points"].box))


def _checked(ends: Ends, box: Box) -> FloatArray | None:
    """None while an end is empty. Raises: InvalidParameter for ends that are out of order."""
    known = [end for end in ends if end is not None]
    if len(known) < len(LABELS):
        return None
    x_low, x_high, y_low, y_high = known
    if not (x_low < x_high and y_low < y_high):
        raise InvalidParameter(
            "The rectangle's ends are out of order: 'from' must be below 'to' in x and in y."
        )
    x = np.clip(known[:2], box.x.low, box.x.high)
    y = np.clip(known[2:], box.y.low, box.y.high)
    if not (x[0] < x[1] and y[0] < y[1]):
        raise InvalidParameter("The rectangle lies outside the declared box.")
    found = np.concatenate([x, y])
    return _on_the_grid(found, box) if session.has_counts_alone() else found


def _on_the_grid(rectangle: FloatArray, box: Box) -> FloatArray:
    """The ends moved to the lines of the grid that a table is counted on: its truth is exact."""
    ends = []
    for (low, high), side in zip(rectangle.reshape(2, 2), (box.x, box.y), strict=True):
        lines = grid_edges(side, session.SIDE)
        first = int(np.abs(lines[:-1] - low).argmin())
        ends += [lines[first], lines[max(first + 1, int(np.abs(lines - high).argmin()))]]
    return np.array(ends)


def keep_drawn(chart: str) -> None:
    """Copy a box selection out of a chart: any redraw of the chart would lose it."""
    for drawn in selection(chart)["boxes"][-1:]:
        # drags in any direction; the order of the ends is the hand's
        x, y = sorted(drawn["x"]), sorted(drawn["y"])
        state.put(_DRAWN, (x[0], x[-1], y[0], y[-1]))


def take_drawn(box: Box) -> None:
    """What a hand drew, to a thousandth of the box: finer than a pixel, and short to read."""
    drawn = state.store().pop(_DRAWN, None)
    if drawn is None:
        return
    x, y = (_rounded(drawn[:2], box.x), _rounded(drawn[2:], box.y))
    if x[0] < x[1] and y[0] < y[1]:
        state.put(kept(), (*x, *y))


def _rounded(ends: Sequence[float], bounds: Bounds) -> tuple[float, float]:
    places = 3 - math.floor(math.log10(bounds.width))
    low, high = (round(float(np.clip(end, bounds.low, bounds.high)), places) for end in ends)
    return low, high
