"""How often one event fell on either side of a pair: two bars for each mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpviz.answers.privacy.audit_said import ratio_text
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place
from dpviz.figures.kit.picture import axis, words
from dpviz.figures.privacy.audited import Audited
from dpviz.figures.privacy.parts import bold

AXES = ("x2", "y2")
LONG_EVENT = 24  # letters for which a phone, or large words, have no room
ASKED, TELLS = 0.76, 0.12  # of a unit, where there is room for the words


@dataclass(frozen=True, slots=True)
class Unit:
    """One mechanism in a unit of height: its heading, both bars, how thick they are.

    room is the whole width in shares of the widest bar, for the words at its end; least how many
    units the height is divided into at least.
    """

    room: float
    head: float
    bars: tuple[float, float]
    thick: float
    least: int


FULL = Unit(1.42, 0.92, (0.58, 0.34), 0.16, 2)
DENSE = Unit(1.6, 0.83, (0.52, 0.2), 0.24, 1)


def evidence_axes(look: Look, mechanisms: int, place: Place) -> dict[str, Any]:
    """Both axes of the bars: shares to the right, one unit of height for each mechanism."""
    unit = look.said(FULL, DENSE)
    across, up = [0, unit.room], [-max(mechanisms, unit.least), 0]
    hidden = {"showticklabels": False}
    return {
        "xaxis2": axis(look, domain=place.across, range=across, anchor="y2", **hidden),
        "yaxis2": axis(look, domain=place.up, range=up, anchor="x2", **hidden),
    }


def evidence(
    found: list[Audited], claimed: float, names: tuple[str, str], look: Look
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The bars and their words, the first mechanism that leaks most on top."""
    bars: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    heights = look.said(FULL, DENSE).bars
    ordered = sorted(found, key=lambda one: not one.is_twin)
    for row, audited in enumerate(ordered):
        base = -row - 1.0
        shares = (audited.audit.one, audited.audit.other)
        fills = (audited.hue(claimed, look)[0], look.ink.truth)
        inks = (audited.hue(claimed, look)[1], look.ink.truth)
        for share, fill, ink, name, height in zip(shares, fills, inks, names, heights, strict=True):
            bars.append(_bar(f"{audited.name} {name}", share, base + height, fill, look))
            text = f"{bold(_percent(share), ink)} {name}"
            place: dict[str, Any] = {"axes": AXES, "colour": ink, "shift": (look.mark(8), 0)}
            beside.append(words(look, text, share, base + height, size=16, **place))
        beside += _around(audited, claimed, base, look)
    return bars, beside


def _bar(name: str, share: float, y: float, fill: str, look: Look) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "orientation": "h",
        "x": [share],
        "y": [y],
        "width": [look.said(FULL, DENSE).thick],
        "marker": {"color": translucent(fill, 0.85), "line": {"width": 0}},
        "hoverinfo": "skip",
        "xaxis": "x2",
        "yaxis": "y2",
    }


def _around(audited: Audited, claimed: float, base: float, look: Look) -> list[dict[str, Any]]:
    _, ink = audited.hue(claimed, look)
    name = audited.name[0].upper() + audited.name[1:]
    head = bold(f"{name}: {audited.fault}" if audited.is_twin else name, look.ink.truth)
    is_long = len(audited.event) > LONG_EVENT
    asked = audited.event if is_long and look.presenting else f"how often it says {audited.event}"
    said = look.said(head, head if is_long else f"{head}, {audited.event}")
    place: dict[str, Any] = {"axes": AXES}
    ratio = ratio_text(audited.audit, claimed, brief=look.presenting)
    return [
        words(look, said, 0, base + look.said(FULL, DENSE).head, size=look.large(16), **place),
        *look.full(
            words(look, asked, 0, base + ASKED, colour=look.ink.second, **place),
            words(look, ratio, 0, base + TELLS, colour=ink, **place),
        ),
    ]


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 0.95 or share == 0 else f"{percent:.1g} %"
