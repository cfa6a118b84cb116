"""Black is the truth, colour is private: one colour and one line style for each mechanism."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """How one mechanism is drawn everywhere; colour is never the only cue."""

    colour: str
    dash: str
    symbol: str


# Okabe-Ito colours; the two last stand for what has no mark of its own yet
MARKS: dict[str, Mark] = {
    "ApproximateQuantiles": Mark("#0072B2", "solid", "circle"),
    "JointExp": Mark("#D55E00", "dash", "diamond"),
    "IndependentExp": Mark("#009E73", "dot", "square"),
    "AggTree": Mark("#CC79A7", "dashdot", "triangle-up"),
    "SanitizedColumn": Mark("#E69F00", "longdash", "cross"),
}
OTHER = Mark("#56B4E9", "longdashdot", "x")


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours that follow the page: text and truth, faint lines, and the page itself."""

    truth: str
    faint: str
    page: str


LIGHT = Ink(truth="#14181D", faint="rgba(20, 24, 29, 0.16)", page="#FFFFFF")
DARK = Ink(truth="#F2F4F6", faint="rgba(242, 244, 246, 0.20)", page="#12161C")


def mark_of(mechanism: str) -> Mark:
    """The colour, dash and symbol of a mechanism, by its name."""
    return MARKS.get(mechanism, OTHER)


def translucent(colour: str, opacity: float) -> str:
    """A #RRGGBB colour as rgba with an opacity."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"
