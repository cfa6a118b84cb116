"""Black is the truth, colour is private: one colour and one line style for each mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mark:
    """How one mechanism is drawn everywhere; colour is never the only cue."""

    light: str
    dark: str
    dash: str
    symbol: str


# first the hues of Okabe and Ito, darkened for a light page and lightened for a dark one
HUES: dict[str, Mark] = {
    "blue": Mark("#0072B2", "#4FA8E0", "solid", "circle"),
    "vermilion": Mark("#D55E00", "#F58B4C", "dash", "diamond"),
    "green": Mark("#009E73", "#2CC79C", "dot", "square"),
    "magenta": Mark("#B85C91", "#E3A0C6", "dashdot", "triangle-up"),
    "ochre": Mark("#B87A00", "#F0B740", "longdash", "cross"),
    "violet": Mark("#5E4B9C", "#A99AE6", "longdashdot", "pentagon"),
    "brown": Mark("#7F3C10", "#C98A5E", "5px,2px", "star"),
    "teal": Mark("#00707A", "#4CC3CE", "9px,3px,2px,3px", "hexagon"),
}
OTHER = Mark("#5B6570", "#A9B4BF", "longdashdot", "x")
GREY = "grey"  # the name of OTHER as a hue
PRIVATE = "blue"  # of the one method that a picture is about


class Named(Protocol):
    """How a method is named and coloured: its key in data, its label on screen, its hue."""

    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def label(self) -> str: ...  # noqa: D102
    @property
    def hue(self) -> str: ...  # noqa: D102


def mark_of(hue: str) -> Mark:
    """The mark of a hue, with its own dash and symbol where it names them: "blue dot x".

    Any other text, such as the name of a method that no group holds, is drawn in grey.
    """
    name, *own = hue.split() or [""]
    if name not in {*HUES, GREY}:
        return OTHER
    return replace(HUES.get(name, OTHER), **dict(zip(("dash", "symbol"), own, strict=False)))


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours that follow the page, and the marks and labels of the methods that it may show."""

    truth: str
    faint: str
    page: str
    dark: bool
    marks: Mapping[str, Mark] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def carrying(self, *groups: Iterable[Named]) -> Ink:
        """The same colours with the methods of several groups; one picture shows one group.

        A method without a hue of its own gets one that nobody in its group has claimed.
        """
        marks, labels = dict(self.marks), dict(self.labels)
        for group in map(list, groups):
            claimed = {one.hue.split()[0] for one in group if one.hue}
            free = iter([hue for hue in HUES if hue not in claimed])
            for one in group:
                marks[one.key] = mark_of(one.hue or next(free, GREY))
                labels[one.key] = one.label
        return replace(self, marks=marks, labels=labels)

    def mark(self, name: str) -> Mark:
        """The mark of a method, or of a hue, by its name."""
        return self.marks.get(name) or mark_of(name)

    def of(self, name: str) -> str:
        """The colour of a method, or of a hue, on this page."""
        mark = self.mark(name)
        return mark.dark if self.dark else mark.light

    def label(self, name: str) -> str:
        """The short name of a method on screen."""
        return self.labels.get(name, name)


LIGHT = Ink(truth="#14181D", faint="rgba(20, 24, 29, 0.16)", page="#FFFFFF", dark=False)
DARK = Ink(truth="#F2F4F6", faint="rgba(242, 244, 246, 0.20)", page="#12161C", dark=True)


def translucent(colour: str, opacity: float) -> str:
    """A #RRGGBB colour as rgba with an opacity."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"
