"""How wide letters are: those of Source Sans at weight 600, in hundredths of a size, rounded up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree as ET

# measured in a browser
LETTERS = {
    26: "|",
    28: "',.:;ijl’·",
    30: "I›",
    32: "!f",
    34: "()-[]{}",
    36: "/\\",
    38: "rt⁻⁰¹²³⁴⁵⁶⁷⁸⁹",
    44: "*s",
    46: "?zε",
    48: "c–",
    50: '"J_vxy',
    52: "#$+0123456789<=>FLY^aeg~±−×",
    54: "EVZkδ",
    56: "ASTX`hnouρ",
    58: "Cbdpq",
    60: "BKPR",
    64: "&DG",
    66: "NU",
    68: "HOQ",
    76: "Mw",
    80: "W∞",
    86: "%m",
    88: "@",
    98: "…",
    20: " ",
}
WIDTHS = {letter: wide / 100 for wide, letters in LETTERS.items() for letter in letters}
SERIF = 0.42  # a mean letter of Source Serif at weight 600, where numbers are written in it
ASCENT, DESCENT = 0.72, 0.2  # of words above and below their baseline, in sizes
SLACK = 1.0  # px that words may touch


def long(text: str, size: float) -> float:
    """The width of words in px."""
    return size * sum(WIDTHS[letter] for letter in text)


@dataclass(frozen=True, slots=True)
class Box:
    """The place of some words."""

    text: str
    size: float
    left: float
    top: float
    right: float
    bottom: float


def boxes(picture: str) -> list[Box]:
    """The places of all words of an SVG."""
    return [_box(one) for one in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def _box(shape: ET.Element) -> Box:
    text, size = "".join(shape.itertext()), float(shape.get("font-size", 0))
    sans = "sans" in shape.get("font-family", "").lower()
    wide = long(text, size) if sans else SERIF * size * len(text)
    x, y = float(shape.get("x", 0)), float(shape.get("y", 0))
    left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.get("text-anchor", "start")]
    return Box(text, size, left, y - ASCENT * size, left + wide, y + DESCENT * size)


def faults(picture: str, least: float) -> list[str]:
    """What is wrong with the words of an SVG: too small, outside, or over other words."""
    root, every = ET.fromstring(picture), boxes(picture)
    wide, high = (float(root.get(side, 0)) for side in ("width", "height"))
    return [
        *(f"'{one.text}' is {one.size:g} px" for one in every if one.size < least),
        *(f"'{one.text}' leaves the picture" for one in every if _leaves(one, wide, high)),
        *(
            f"'{one.text}' lies over '{other.text}'"
            for one, other in combinations(every, 2)
            if _overlap(one, other)
        ),
    ]


def _leaves(one: Box, wide: float, high: float) -> bool:
    near = min(one.left, one.top)
    return near < -SLACK or one.right > wide + SLACK or one.bottom > high + SLACK


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > SLACK and min(one.bottom, other.bottom) - max(one.top, other.top) > SLACK
