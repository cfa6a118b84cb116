"""Names of lines: beside their ends and kept apart, or on a phone as a key above the panel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import coloured, words

LETTER, AWAY = 7.6, 12.0  # px that a letter takes at most, and between a line and its name
ROW = 22.0  # px of a row of a key
KEY, BETWEEN = 46, "   "  # letters in a row of a key, and what stands between two names
APART, LOWEST = 0.06, 0.02  # of the height, between two names, and below all of them
MARKUP = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class End:
    """The name of a line: markup of ours, where its line ends on the axis, and its colour."""

    text: str
    at: float
    colour: str


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
    **others: Any,
) -> Named:
    """Names at the ends of their lines, by default right of the panel; on a phone above it.

    span is the range of the axis in the units of the ends, apart a share of it, and left the px
    between the paper's edge and the panel, all before presenting.
    """
    if look.phone:
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
            look, one.text, x, float(at), colour=one.colour, axes=axes,
            shift=(look.text(AWAY), 0), **others,
        )
        for one, at in zip(ends, places, strict=True)
    ]  # fmt: skip
    return Named(notes, AWAY + width(*(one.text for one in ends)))


def width(*texts: str) -> float:
    """The px that the longest of some words takes at most, without its markup."""
    return LETTER * max(map(letters, texts), default=0)


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
