"""Names of lines and rows: beside them, or on a phone as a key above the panel, above the rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import coloured, words

LETTER, AWAY = 7.6, 12.0  # px that a letter takes at most, and between a line and its name
ROW = 22.0  # px of a row of a key
KEY, BETWEEN = 46, "   "  # letters in a row of a key, and what stands between two names
APART, LOWEST = 0.06, 0.02  # of the height, between two names, and below all of them
GLYPHS = {
    "circle": "●",
    "diamond": "◆",
    "triangle-up": "▲",
    "square": "■",
    "pentagon": "⬟",
    "star": "★",
    "circle-open": "○",
    "diamond-open": "◇",
    "triangle-down": "▼",
    "x": "✕",
}
EDGE = 6.0  # px that stay free right of names
GLYPH = 2  # letters that a mark takes more than a letter
Scarce = Literal["above", "corner", "beside"]
MARKUP = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class End:
    """The name of a line: markup of ours, where its line ends on the axis, and its colour.

    x is where that is across the panel, for lines that end at different places.
    """

    text: str
    at: float
    colour: str
    x: float | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """The words that name lines, and the px beside and above the panel that they take."""

    notes: list[dict[str, Any]]
    right: float
    above: float = 0.0


def placed(wanted: ArrayLike, apart: float, low: float, high: float) -> FloatArray:
    """The places (k,) from low to high nearest to the wanted ones, each two at least so far apart.

    Nearest in squares: an isotonic regression of the wanted places less what lies below each. Where
    the range has no room for all of them, they go beyond high.
    """
    at = np.asarray(wanted, dtype=np.float64)
    order, steps = np.argsort(at, kind="stable"), apart * np.arange(at.size)
    pools: list[tuple[float, int]] = []
    for one in at[order] - steps:
        place, size = float(one), 1
        while pools and pools[-1][0] >= place:
            other, count = pools.pop()
            place, size = (place * size + other * count) / (size + count), size + count
        pools.append((place, size))
    fitted = np.repeat([place for place, _ in pools], [size for _, size in pools])
    found = np.empty(at.size)
    found[order] = np.clip(fitted, low, max(high - apart * (at.size - 1), low)) + steps
    return found


def named(
    look: Look,
    ends: Sequence[End],
    span: tuple[float, float],
    *,
    apart: float = APART,
    x: float | str = 1,
    axes: tuple[str, str] = ("x domain", "y domain"),
    left: float = 0.0,
    scarce: Scarce = "above",
    **others: Any,
) -> Named:
    """Names at the ends of their lines, by default right of the panel.

    span is the range of the axis in the units of the ends, apart a share of it, and left the px
    between the paper's edge and the panel, all before presenting. scarce says where names stand on
    a phone: above the panel, in its lower right corner in the order of the lines, which then need
    no hues, or beside their ends, if they are short.
    """
    if look.phone and scarce == "corner":
        highest = sorted(ends, key=lambda one: -one.at)
        text = "<br>".join(coloured(one.text, one.colour) for one in highest)
        key = words(
            look, text, 1, 0, axes=("x domain", "y domain"), stand="bottom", align="right",
            shift=(-4, 4),
        )  # fmt: skip
        return Named([key], AWAY)
    if look.phone and scarce == "above":
        rows = packed([coloured(one.text, one.colour) for one in ends], KEY / look.text(1))
        key = words(
            look, "<br>".join(rows), 0, 1, axes=("x domain", "y domain"), stand="bottom",
            shift=(-left * look.text(1), 6),
        )  # fmt: skip
        return Named([key], AWAY, ROW * len(rows))
    low, high = span
    places = placed(
        [(one.at - low) / (high - low) for one in ends], apart * look.text(1), LOWEST, 1.0
    )
    notes = [
        words(
            look, one.text, x if one.x is None else one.x, float(at), colour=one.colour,
            axes=axes, shift=(look.text(AWAY), 0), **others,
        )
        for one, at in zip(ends, places, strict=True)
    ]  # fmt: skip
    return Named(notes, AWAY + width(*(one.text for one in ends)) + EDGE)


def called(look: Look, key: str, name: str) -> str:
    """Markup for a method's mark and its name, in its hue."""
    glyph = GLYPHS.get(look.ink.mark(key).symbol, "●")
    return f"{coloured(glyph, look.ink.of(key))} {coloured(name, look.ink.written(key), bold=True)}"


def row_names(
    look: Look, names: Sequence[str], rows: Sequence[float | str], *, x: float, lift: float
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What names rows: ticks left of them, or on a phone words lift px above where they begin."""
    above = [
        words(look, name, x, row, stand="bottom", shift=(0, lift))
        for name, row in zip(names, rows, strict=True)
    ]
    beside = {"ticktext": list(names), "showticklabels": True}
    return look.said((beside, []), ({"ticktext": [], "showticklabels": False}, above))


def width(*texts: str) -> float:
    """The px that the longest of some words takes at most, without its markup."""
    wide = (letters(text) + GLYPH * any(one in text for one in GLYPHS.values()) for text in texts)
    return LETTER * max(wide, default=0)


def letters(text: str) -> int:
    """How many letters a text has without its markup; a break begins another text."""
    return max(len(MARKUP.sub("", line)) for line in text.split("<br>"))


def packed(names: Sequence[str], most: float) -> list[str]:
    """Names in as few rows as they fit into, each of so many letters at most."""
    rows: list[list[str]] = []
    used = 0
    for name in names:
        size = letters(name) + len(BETWEEN)
        if not rows or used + size > most:
            rows.append([])
            used = 0
        rows[-1].append(name)
        used += size
    return [BETWEEN.join(row) for row in rows]
