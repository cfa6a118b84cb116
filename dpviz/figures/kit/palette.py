"""Black is the truth, colour is private: one colour and one line style for each mechanism."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """How one mechanism is drawn everywhere; colour is never the only cue."""

    light: str
    dark: str
    dash: str
    symbol: str


# Okabe-Ito hues, darkened for a light page and lightened for a dark one until lines read well
MARKS: dict[str, Mark] = {
    "ApproximateQuantiles": Mark("#0072B2", "#4FA8E0", "solid", "circle"),
    "JointExp": Mark("#D55E00", "#F58B4C", "dash", "diamond"),
    "IndependentExp": Mark("#009E73", "#2CC79C", "dot", "square"),
    "AggTree": Mark("#B85C91", "#E3A0C6", "dashdot", "triangle-up"),
    "SanitizedColumn": Mark("#B87A00", "#F0B740", "longdash", "cross"),
}
LABELS: dict[str, str] = {
    "ApproximateQuantiles": "AQ",
    "JointExp": "JointExp",
    "IndependentExp": "AppIndExp",
    "AggTree": "AggTree",
}
OTHER = Mark("#5B6570", "#A9B4BF", "longdashdot", "x")


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours that follow the page: text and truth, faint lines, and the page itself."""

    truth: str
    faint: str
    page: str
    dark: bool

    def of(self, mechanism: str) -> str:
        """The colour of a mechanism on this page."""
        mark = mark_of(mechanism)
        return mark.dark if self.dark else mark.light


LIGHT = Ink(truth="#14181D", faint="rgba(20, 24, 29, 0.16)", page="#FFFFFF", dark=False)
DARK = Ink(truth="#F2F4F6", faint="rgba(242, 244, 246, 0.20)", page="#12161C", dark=True)


def mark_of(mechanism: str) -> Mark:
    """The colours, dash and symbol of a mechanism, by its name."""
    return MARKS.get(mechanism, OTHER)


def translucent(colour: str, opacity: float) -> str:
    """A #RRGGBB colour as rgba with an opacity."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"
