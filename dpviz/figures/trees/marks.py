"""How the readings of a noisy tree are drawn on every picture of it."""

from __future__ import annotations

from dataclasses import replace

from dpviz.figures.kit.palette import HUES, Ink, Mark

# by the names that the estimators have in tidy frames and releases; vermilion is none of them
READINGS: dict[str, Mark] = {
    "raw": replace(HUES["pink"], dash="dot", symbol="circle-open"),
    "from-below": replace(HUES["amber"], dash="dash", symbol="triangle-up"),
    "from-above": replace(HUES["green"], dash="dashdot", symbol="triangle-down"),
    "efficient": replace(HUES["blue"], dash="solid", symbol="circle"),
}


def reading_colour(name: str, ink: Ink) -> str:
    """The colour of a reading on this page."""
    mark = READINGS[name]
    return mark.dark if ink.dark else mark.light
