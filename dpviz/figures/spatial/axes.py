"""Where maps stand in a picture: side by side, one below the other, or alone; always to scale.

Their axes are limited, not the picture: where it is wider than its maps, they meet in its middle.
"""

from typing import Any, Literal

from dpviz.core.bounds import Bounds, Box
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import axis, layout, line, words

Place = Literal["alone", "left", "right", "above", "below"]
FIRST, SECOND = ("x", "y"), ("x2", "y2")
# where two maps stand: beside each other, or one above the other on a phone
SIDES: tuple[tuple[Place, Place], tuple[Place, Place]] = ("left", "right"), ("above", "below")
FIRST_BELOW: tuple[tuple[Place, Place], tuple[Place, Place]] = SIDES[0], ("below", "above")
GAP = 0.006  # of the width, on either side of the middle
TITLE = 16.0

ACROSS: dict[Place, tuple[tuple[float, float], str]] = {
    "alone": ((0.0, 1.0), "left"),
    "left": ((0.0, 0.5 - GAP), "right"),
    "right": ((0.5 + GAP, 1.0), "left"),
    "above": ((0.0, 1.0), "left"),
    "below": ((0.0, 1.0), "left"),
}
UP: dict[Place, tuple[float, float]] = {"above": (0.535, 1.0), "below": (0.0, 0.465)}


def map_layout(
    box: Box, places: tuple[Place, ...], look: Look, aspect: float, *, drags: bool = True
) -> dict[str, Any]:
    """The layout of one or two maps on axes x, y and x2, y2, which zoom together."""
    found = layout(
        look,
        left=1,
        right=1,
        top=look.said(46, 32),
        bottom=4,
        dragmode="select" if drags else "pan",
        selectdirection="any",
        newselection={"line": {"color": look.ink.private, "width": look.mark(2), "dash": "dot"}},
        shapes=[],
        annotations=[],
        images=[],
    )
    for number, (place, axes) in enumerate(zip(places, (FIRST, SECOND), strict=False)):
        found[_long(axes[0])] = _across(box.x, place, look, axes, first=number == 0)
        found[_long(axes[1])] = _up(box.y, place, look, axes, aspect, first=number == 0)
        found["shapes"].append(_edge(look, axes))
    return found


def _long(axis_name: str) -> str:
    return f"{axis_name[0]}axis{axis_name[1:]}"


def _across(bounds: Bounds, place: Place, look: Look, axes: tuple[str, str], *, first: bool) -> Any:
    domain, toward = ACROSS[place]
    linked = {} if first else {"matches": FIRST[0]}
    own = {"domain": list(domain), "constrain": "domain", "constraintoward": toward}
    return _axis(bounds, look) | own | {"anchor": axes[1]} | linked


def _up(
    bounds: Bounds, place: Place, look: Look, axes: tuple[str, str], aspect: float, *, first: bool
) -> Any:
    linked = {"scaleanchor": FIRST[0], "scaleratio": aspect} if first else {"matches": FIRST[1]}
    own = {"domain": list(UP.get(place, (0.0, 1.0))), "constrain": "domain"}
    return _axis(bounds, look) | own | {"anchor": axes[0], "constraintoward": "top"} | linked


def _axis(bounds: Bounds, look: Look) -> dict[str, Any]:
    """An axis without a line: a map needs none; nobody can leave the declared box."""
    ends = [bounds.low, bounds.high]
    allowed = {"minallowed": bounds.low, "maxallowed": bounds.high}
    return axis(look, range=ends, fixedrange=False, visible=False) | allowed


def _edge(look: Look, axes: tuple[str, str]) -> dict[str, Any]:
    return {
        "type": "rect",
        "xref": axes[0] + " domain",
        "yref": axes[1] + " domain",
        "x0": 0,
        "x1": 1,
        "y0": 0,
        "y1": 1,
        "line": line(look.ink.hairline, 1),
    }


def title(look: Look, text: str, colour: str, axes: tuple[str, str]) -> dict[str, Any]:
    """Words above a map's upper left corner."""
    above = (axes[0] + " domain", axes[1] + " domain")
    settled: dict[str, Any] = {"align": "left", "stand": "bottom", "axes": above, "size": TITLE}
    return words(look, text, 0, 1, colour=colour, shift=(2, 5), **settled)
