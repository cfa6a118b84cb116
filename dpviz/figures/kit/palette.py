"""Black is the truth, colour is private: one colour and one line style for each mechanism.

Colours are mixed as the eye mixes them: in OKLab, where equal steps look equal.
Source: Ottosson 2020, "A perceptual color space for image processing".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray

CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
FROM_LAB, FROM_CONES = np.linalg.inv(LAB), np.linalg.inv(CONES)


@dataclass(frozen=True, slots=True)
class Mark:
    """How one mechanism is drawn everywhere; colour is never the only cue."""

    light: str
    dark: str
    dash: str
    symbol: str
    text: str = ""  # on light paper, where the mark's own colour is too pale to read

    def written(self, *, dark: bool) -> str:
        """The colour of words that name the method, readable on either paper."""
        return self.dark if dark else self.text or self.light


# first the hues of Okabe and Ito, in the order of the methods that are compared; vermilion is none
# of them: it says that something leaked about one person
HUES: dict[str, Mark] = {
    "blue": Mark("#0072B2", "#56B4E9", "solid", "circle"),
    "amber": Mark("#E69F00", "#F0B94D", "dash", "diamond", "#7A5400"),
    "pink": Mark("#CC79A7", "#E3A3C4", "dashdot", "triangle-up", "#8C3A68"),
    "green": Mark("#009E73", "#3CCBA3", "dot", "square", "#00664A"),
    "violet": Mark("#5E4B9C", "#A99AE6", "longdashdot", "pentagon"),
    "brown": Mark("#7F3C10", "#C98A5E", "5px,2px", "star"),
    "teal": Mark("#00707A", "#4CC3CE", "9px,3px,2px,3px", "hexagon"),
    "olive": Mark("#6B6B00", "#C9C94A", "longdash", "cross"),
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


@lru_cache(maxsize=256)
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

    truth: str  # ink: the truth, people, headlines
    faint: str
    page: str  # the paper that everything lies on
    dark: bool
    second: str = "#4A545F"  # captions and ticks
    grain: str = "#8A929A"  # people out of focus
    hairline: str = "#E3DFD6"
    panel: str = "#FFFFFF"
    band: str = "#F3F0E9"  # a stretch of an axis, a shaded row; never a mark
    private: str = "#0072B2"  # whatever has passed the barrier
    danger: str = "#D55E00"  # marks of a leak about one person, and nothing else
    danger_text: str = "#B04C00"
    below: str = "#F3EBDB"  # a noisy count below 0
    unsure: str = "#F5F2EB"  # a cell that says nothing sure
    marks: Mapping[str, Mark] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def carrying(self, *groups: Iterable[Named]) -> "Ink":
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

    def written(self, name: str) -> str:
        """The colour of words that name a method, or a hue, on this page."""
        return self.mark(name).written(dark=self.dark)

    def label(self, name: str) -> str:
        """The short name of a method on screen."""
        return self.labels.get(name, name)


LIGHT = Ink(truth="#14181D", faint="rgba(20, 24, 29, 0.16)", page="#FBFAF7", dark=False)


DARK = Ink(
    truth="#EDEFF2",
    faint="rgba(242, 244, 246, 0.20)",
    page="#101418",
    dark=True,
    second="#B4BDC6",
    grain="#7C8791",
    hairline="#2B333C",
    panel="#1A2027",
    band="#1A2027",
    private="#56B4E9",
    danger="#F0883E",
    danger_text="#F6AC77",
    below="#2A251D",
    unsure="#171C21",
)


def translucent(colour: str, opacity: float) -> str:
    """A #RRGGBB colour as rgba with an opacity."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def lab_of(colours: Sequence[str]) -> FloatArray:
    """#RRGGBB colours (k,) in OKLab: lightness, green to red, blue to yellow; (k, 3)."""
    bytes_of = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colours]
    red_green_blue = np.array(bytes_of, dtype=np.float64) / 255
    linear = np.where(
        red_green_blue <= 0.04045, red_green_blue / 12.92, ((red_green_blue + 0.055) / 1.055) ** 2.4
    )
    return np.asarray(np.cbrt(linear @ CONES.T) @ LAB.T)


def colours_of(lab: ArrayLike) -> list[str]:
    """OKLab (k, 3) as #RRGGBB (k,); what no screen can show is cut to what it can."""
    linear = np.clip((np.asarray(lab) @ FROM_LAB.T) ** 3 @ FROM_CONES.T, 0, 1)
    shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in np.rint(255 * shown).astype(int)]


def between(stops: Sequence[str], at: ArrayLike) -> list[str]:
    """Colours at some shares (k,) of the way through equally spaced stops."""
    lab = lab_of(stops)
    places = np.clip(np.asarray(at, dtype=np.float64), 0, 1) * (len(stops) - 1)
    known = np.arange(len(stops))
    return colours_of(np.stack([np.interp(places, known, part) for part in lab.T], axis=1))


def mixed(first: str, second: str, share: float) -> str:
    """A colour with a share of the second one in it."""
    return between((first, second), [share])[0]
