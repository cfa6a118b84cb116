"""Marks that carry a finding: curves, beams, bands, frames, handles, and the rows of a card."""

from collections.abc import Sequence
from itertools import pairwise

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor
from dpviz.figures.stage.places import Mark, Place, Spot, finite, named, numbers, spot


def curve(
    name: str,
    axes: tuple[str, str],
    x: Sequence[float],
    y: Sequence[float],
    *,
    width: float = 6.0,
    colour: Colour = "private",
    steps: bool = False,
    dotted: bool = False,
    until: float | None = None,
    split: tuple[float, Colour] | None = None,
    area: float = 0.0,
    floor: float = 0.0,
    stops: Sequence[int] = (),
    chosen: int | None = None,
) -> Mark:
    """A line through values of two axes, x growing; 6 px for the main one, 3 for another.

    until is where it ends; from split on it has another colour; area is how much colour lies
    between it and the floor. stops, and the chosen one, are dots at places of x.
    Raises: InvalidParameter for x and y of unequal length, x that falls, or a stop beyond them.
    """
    if len(x) != len(y) or any(one > other for one, other in pairwise(x)):
        raise InvalidParameter(f"'{name}' needs as many x as y, and x that never falls.")
    every = [*stops, *([] if chosen is None else [chosen])]
    if any(not 0 <= one < len(x) for one in every):
        raise InvalidParameter(f"'{name}' has {len(x)} places, and no stop beyond them.")
    finite(name, width, area, floor)
    return {
        "kind": "curve",
        "id": named("curve", name),
        "axes": [named("axis", one) for one in axes],
        "x": numbers(name, x),
        "y": numbers(name, y),
        "width": width,
        "colour": colour,
        "steps": steps,
        "dotted": dotted,
        "until": until,
        "split": split and split[0],
        "beyond": split[1] if split else colour,
        "area": area,
        "floor": floor,
        "stops": list(stops),
        "chosen": chosen,
    }


def beam(
    name: str,
    start: Spot,
    ends: Sequence[Spot],
    *,
    width: float = 5.0,
    head: float = 6.0,
    opacity: float = 1.0,
    share: float = 1.0,
    colour: Colour = "danger",
) -> Mark:
    """Straight lines from one spot to others; many thin ones without heads are a fan.

    share is how much of each is drawn; head is the radius of the dot at the end, 0 for none.
    """
    if not ends:
        raise InvalidParameter(f"'{name}' leads nowhere.")
    finite(name, width, head, opacity, share)
    return {
        "kind": "beam",
        "id": named("beam", name),
        "from": spot(start),
        "to": [spot(end) for end in ends],
        "width": width,
        "head": head,
        "opacity": opacity,
        "share": share,
        "colour": colour,
    }


def band(name: str, axis: str, span: tuple[float, float], top: Place, bottom: Place) -> Mark:
    """A stretch of an axis across the picture, behind what comes after it."""
    finite(name, *span)
    return {
        "kind": "band",
        "id": named("band", name),
        "axis": named("axis", axis),
        "low": span[0],
        "high": span[1],
        "from": top.to_json(),
        "to": bottom.to_json(),
    }


def frame(name: str, start: Spot, end: Spot, text: str = "", *, colour: Colour = "ink") -> Mark:
    """A rectangle with a word at its upper edge."""
    return {
        "kind": "frame",
        "id": named("frame", name),
        "from": spot(start),
        "to": spot(end),
        "text": text,
        "colour": colour,
    }


def handle(
    name: str,
    axis: str,
    value: float,
    at: Place,
    text: str,
    source: str,
    *,
    stem: float = 40.0,
    leak: bool = False,
    anchor: Anchor = "middle",
    colour: Colour = "ink",
) -> Mark:
    """A value that holds an axis from below, over its source; a leak falls on it from above."""
    finite(name, value, stem)
    return {
        "kind": "handle",
        "id": named("handle", name),
        "axis": named("axis", axis),
        "value": value,
        "at": at.to_json(),
        "text": text,
        "source": source,
        "stem": stem,
        "leak": leak,
        "anchor": anchor,
        "colour": colour,
    }


def card(
    name: str,
    start: Spot,
    end: Spot,
    rows: Sequence[tuple[str, str]],
    *,
    row: float = 74.0,
    indent: float = 250.0,
) -> Mark:
    """Rows of a small heading and a sentence; other marks may stand at their right ends."""
    if not rows:
        raise InvalidParameter(f"The card '{name}' has no rows.")
    finite(name, row, indent)
    return {
        "kind": "card",
        "id": named("card", name),
        "from": spot(start),
        "to": spot(end),
        "rows": [list(one) for one in rows],
        "row": row,
        "indent": indent,
    }
