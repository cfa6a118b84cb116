"""The noise barrier lying flat: people above, below it bounds as handles on an axis or a box.

Python says what stands where; the browser draws, also while a handle moves, and tells the numbers
when it is let go. What it tells is checked before it is taken.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.ui import visitor
from dpviz.ui.beside import component
from dpviz.ui.data.grains import Columns, Grains
from dpviz.ui.data.kinds import nudge, ticks
from dpviz.ui.data.pictures import amount_of
from dpviz.ui.visit.page import Visit

DRAWN = (1_000, 800)  # the box in px that places of people are handed over in
HTML = "<div class='flat'><div class='stage'><svg></svg></div><div class='leads'></div></div>"


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis below the barrier. Without a scale nothing can be dragged: the numbers are typed.

    name is untrusted text; seen is what of the axis there is room for.
    """

    name: str
    bounds: Bounds | None
    scale: Bounds | None
    seen: Bounds
    step: float = 0

    @property
    def is_open(self) -> bool:
        """Whether there are no bounds yet."""
        return self.bounds is None or self.scale is None


@dataclass(frozen=True, slots=True)
class Stays:
    """What is said above the line while nothing is drawn there."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of the component: two notes, what to do while there are no bounds, columns below."""

    confidential: str
    public: str
    open: str
    leads: Sequence[tuple[str, str]]
    alt: str
    levels: Sequence[tuple[str, str]] = ()  # in place of axes: levels of named places, and how many


def flat_barrier(
    key: str,
    now: Visit,
    axes: Sequence[Axis],
    above: Stays | Columns | Grains,
    words: Words,
    on_move: Callable[[list[tuple[float, float]]], None],
) -> None:
    """Draw it; on_move gets the ends of every axis as the browser tells them, unchecked."""
    told_key = f"_told_{key}"

    def moved() -> None:
        told, ends = heard((visitor.get(key) or {}).get("moved"), len(axes))
        if ends is not None and told > visitor.get(told_key, 0):
            visitor.put(told_key, told)
            on_move(ends)

    component(__file__, "flat_barrier", HTML)(
        key=key,
        data=payload(now, axes, above, words, visitor.get(told_key, 0)),
        on_moved_change=moved,
    )


def payload(
    now: Visit, axes: Sequence[Axis], above: Stays | Columns | Grains, words: Words, told: int = 0
) -> dict[str, Any]:
    """All that is sent to the browser: with the truth off it holds nothing of any value."""
    few = now.look.said(8, 5, presenting=True)
    sent = {
        "axes": [_sent(one, few) for one in axes],
        "notes": [words.confidential, words.public],
        "open": words.open,
        "leads": now.look.full(*words.leads) if len(axes) < 2 else [],
        "levels": list(words.levels),
        "alt": words.alt,
        "told": told,
        "phone": now.look.phone,
        "present": now.presenting,
        "text": now.look.text(1),
        "ratio": axes[0].seen.width / axes[1].seen.width if _alike(axes) else 0,
    }
    if isinstance(above, Stays):
        return sent | {"stays": {"title": above.title, "lines": list(above.lines)}}
    if isinstance(above, Columns):
        edges, heights = above.edges.tolist(), above.heights.round(4).tolist()
        return sent | {"people": {"edges": edges, "heights": heights}}
    pairs = np.rint(np.column_stack((above.x, above.y))).astype(int)
    return sent | {"people": {"places": pairs.ravel().tolist(), "box": list(DRAWN)}}


def _sent(axis: Axis, few: int) -> dict[str, Any]:
    bounds, scale = axis.bounds or axis.seen, axis.scale or axis.seen
    return {
        "name": axis.name,
        "low": bounds.low,
        "high": bounds.high,
        "window": [axis.seen.low, axis.seen.high],
        "step": axis.step,
        "nudge": nudge(scale, axis.step),
        "ticks": [] if axis.is_open else [[at, amount_of(at)] for at in ticks(axis.seen, few)],
        "open": axis.is_open,
    }


def _alike(axes: Sequence[Axis]) -> bool:
    """Whether two axes are so alike that a box can be drawn to scale, as land is."""
    if len(axes) < 2 or any(one.is_open for one in axes):
        return False
    return 0.4 < axes[0].seen.width / axes[1].seen.width < 2.5


def heard(message: object, axes: int) -> tuple[int, list[tuple[float, float]] | None]:
    """What the browser tells: a number that counts its messages, and two ends an axis."""
    if not isinstance(message, dict):
        return 0, None
    told, ends = message.get("told"), message.get("ends")
    if not (isinstance(told, int) and isinstance(ends, list) and len(ends) == axes):
        return 0, None
    try:
        found = [(float(low), float(high)) for low, high in ends]
    except (TypeError, ValueError):
        return 0, None
    return told, found if all(map(math.isfinite, np.ravel(found))) else None
