"""Marks that a picture stands on: axes, rules and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import Mark, Place, Spot, finite, named, spot

Run = tuple[str, str]  # words and their colour, or "bold"
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of an axis in words; a name lets it walk when its value and words change."""

    value: float
    text: str
    style: Literal["", "ink", "bold"] = ""
    anchor: Anchor | None = None
    name: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As draw.js reads it."""
        every = {"value": self.value, "text": self.text, "style": self.style}
        maybe = {"anchor": self.anchor, "id": self.name}
        return every | {key: value for key, value in maybe.items() if value is not None}


def axis(
    name: str,
    along: Literal["x", "y"],
    span: tuple[float, float],
    start: Place,
    end: Place,
    *,
    at: Place | None = None,
    ticks: Sequence[Tick] = (),
    log: bool = False,
    line: bool = False,
    marks: bool = False,
    most: tuple[str, float] | None = None,
) -> Mark:
    """Values between two places; `at` says where its ticks stand on the other side.

    most keeps one unit no longer than so many units of another axis, which comes before this one.
    Raises: InvalidParameter for an empty span, a log axis from 0, or ticks without a place.
    """
    finite(name, *span, *(tick.value for tick in ticks))
    if not span[0] < span[1] or (log and span[0] <= 0):
        raise InvalidParameter(f"Axis '{name}' cannot go from {span[0]:g} to {span[1]:g}.")
    if (ticks or line) and at is None:
        raise InvalidParameter(f"Axis '{name}' has ticks or a line, but no place for them.")
    return {
        "kind": "axis",
        "id": named("axis", name),
        "along": along,
        "low": span[0],
        "high": span[1],
        "from": start.to_json(),
        "to": end.to_json(),
        "at": at and at.to_json(),
        "ticks": [tick.to_json() for tick in ticks],
        "log": log,
        "line": line,
        "marks": marks,
        "most": most and {"axis": most[0], "value": most[1]},
    }


def rule(
    name: str,
    start: Spot,
    end: Spot,
    *,
    width: float = 1.5,
    colour: Colour = "ink",
    dash: str | None = None,
) -> Mark:
    """A straight line; dash as in SVG."""
    return {
        "kind": "rule",
        "id": named("rule", name),
        "from": spot(start),
        "to": spot(end),
        "width": width,
        "colour": colour,
        "dash": dash,
    }


def label(
    name: str,
    at: Spot,
    text: str | Sequence[Run],
    *,
    size: float = 15.0,
    colour: Colour = "ink",
    font: Literal["sans", "serif"] = "sans",
    weight: int = 400,
    anchor: Anchor = "start",
    spaced: bool = False,
    halo: bool = False,
    plate: bool = False,
) -> Mark:
    """One line of words with its baseline at a spot.

    A halo of paper keeps it readable on lines, a plate of paper behind it on grains.
    """
    finite(name, size)
    return {
        "kind": "label",
        "id": named("label", name),
        "at": spot(at),
        "text": text if isinstance(text, str) else [list(run) for run in text],
        "size": size,
        "colour": colour,
        "font": font,
        "weight": weight,
        "anchor": anchor,
        "spaced": spaced,
        "halo": halo,
        "plate": plate,
    }


def alternative(text: str) -> Mark:
    """What the picture says, for those who do not see it."""
    return {"kind": "alt", "id": "alt", "text": named("text alternative", text)}
