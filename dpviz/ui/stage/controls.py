"""Controls of a stage: a slider of named stops, a switch, a button that plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpviz.core.errors import InvalidParameter

Control = dict[str, Any]
EVERY, FIRST = 85, 500  # ms between two dots of a play, and before the first play


def slider(
    name: str, label: tuple[str, ...], says: str, stops: Sequence[tuple[str, str]]
) -> Control:
    """Stops as (value, words); label stands before the value, its first part in blue."""
    if len(stops) < 2:
        raise InvalidParameter(f"A slider needs at least two stops, '{name}' has {len(stops)}.")
    listed = [{"value": value, "text": text} for value, text in stops]
    return {"kind": "slider", "name": name, "label": list(label), "says": says, "stops": listed}


def toggle(name: str, text: str, on: str, off: str) -> Control:
    """A switch between two values."""
    return {"kind": "toggle", "name": name, "text": text, "on": on, "off": off}


def play(
    name: str, text: str, sets: int, source: str, off: tuple[float, float] = (0.0, 0.0)
) -> Control:
    """Lets the dots fly from beside a label through the barrier; each play shows the next set."""
    if sets < 1:
        raise InvalidParameter(f"A play needs at least one set of draws, got {sets}.")
    timing = {"every": EVERY, "first": FIRST}
    return timing | {
        "kind": "play",
        "name": name,
        "text": text,
        "sets": sets,
        "from": source,
        "off": list(off),
    }
