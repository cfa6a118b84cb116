"""How the readings of a noisy tree are drawn on every picture of it."""

from __future__ import annotations

from dpviz.figures.kit.palette import Ink, Mark

# by the names that the estimators have in tidy frames and releases
READINGS: dict[str, Mark] = {
    "raw": Mark("#B85C91", "#E3A0C6", "dot", "circle-open"),
    "from-below": Mark("#B87A00", "#F0B740", "dash", "triangle-up"),
    "from-above": Mark("#D55E00", "#F58B4C", "dashdot", "triangle-down"),
    "efficient": Mark("#0072B2", "#4FA8E0", "solid", "circle"),
}
TITLES: dict[str, str] = {
    "raw": "raw",
    "from-below": "from below",
    "from-above": "from above",
    "efficient": "efficient",
}


def reading_colour(name: str, ink: Ink) -> str:
    """The colour of a reading on this page."""
    mark = READINGS[name]
    return mark.dark if ink.dark else mark.light
