"""How released cells are read and coloured: choices that spend nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpviz.core.bounds import Box
from dpviz.ui.kit import session
from dpviz.ui.kit.choices import segments, switch
from dpviz.ui.visit.page import Visit

FILLED = 1.25  # times as wide as high: a map whose columns share no unit fills its frame
COLOURS = {
    "density": "how many people live on equal areas",
    "count": "how many people each cell holds",
    "standard error": "how noisy each cell is; that is public",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """aspect is how many units of x make as much ground as one of y.

    sure colours only cells above three standard errors, points draws the true points over the
    cells, answering outlines the cells that an answer is put together from.
    """

    colour: str = "density"
    sure: bool = False
    points: bool = False
    answering: bool = False
    aspect: float = 1.0


def look_tab(now: Visit, box: Box) -> Reading:
    """Everything about the picture that spends nothing."""
    colour = segments(
        "Colour",
        list(COLOURS),
        "m_colour",
        "Density: the private count over the area of its cell. Count: the private count. "
        "Standard error: the root of its variance, which is public.",
    )
    sure = switch(
        "Only what is sure",
        "m_sure",
        "Colours only cells above three standard errors. A page without the truth always does.",
        disabled=not now.truth,
    )
    points = switch(
        "True points over the cells",
        "m_points",
        "Confidential.",
        disabled=not now.truth,
        bind=None,
        persist_state=None,
    )
    answering = switch(
        "Cells behind the answer",
        "m_behind",
        "Outlines the nodes of a tree whose counts are added up for the rectangle.",
    )
    earth = switch(
        "Degrees",
        "m_earth",
        "x is a longitude and y a latitude: draw them with the right aspect.",
    )
    aspect = degrees(box) if earth else 1.0
    if not earth and not _shares_unit():
        aspect = box.x.width / (box.y.width * FILLED)
    return Reading(colour, sure or not now.truth, points and now.truth, answering, aspect)


def _shares_unit() -> bool:
    """Whether both columns count the same: a sample's places do; of a file its owner says so."""
    if not session.is_upload():
        return True
    return switch(
        "Both columns share a unit",
        "m_share_unit",
        "Draws one unit as long across as up. Off, as for pay by age, the map fills its frame.",
        persist_state="session",
        bind=None,
    )


def degrees(box: Box) -> float:
    """The aspect of a map in degrees, right in its middle."""
    middle = box.y.low + box.y.width / 2
    return 1 / max(math.cos(math.radians(middle)), 0.05)
