"""The words of the recursion's picture: drawn numbers, people in each part, and what hills are."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.releases import Recursion
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import coloured, words
from dpviz.figures.quantiles.marks import LABEL
from dpviz.figures.quantiles.scale import Scale

FREE = 0.042  # of the axis: room for the number of people
APART = 0.012  # of the axis a letter, between two numbers of one row


def heading(people: str, left: float, look: Look) -> dict[str, Any]:
    """What hills and dots are, above the picture, left of its axis."""
    said = "Each hill is the exact chance of every answer at that step; the dot was drawn from it"
    more = "" if look.presenting else f" and cuts the {people} in two"
    return words(
        look, said + more, 0, 1, colour=look.ink.second, stand="bottom",
        axes=("x domain", "y domain"), shift=(-left * look.text(1) + 2, 6),
    )  # fmt: skip


def numbers(
    recursion: Recursion,
    published: FloatArray,
    at: FloatArray,
    scale: Scale,
    look: Look,
    named: str,
) -> list[dict[str, Any]]:
    """The drawn numbers below their dots, where there is room; the first one says what it is.

    At the end of the axis a number stands left of its dot.
    """
    found, colour = [], look.ink.written(PRIVATE)
    last = _last(published, scale, look)
    for node in np.flatnonzero(_roomy(published, at, scale, look)).tolist():
        value = scale.writing.value(float(published[node]))
        first = recursion.level[node] == 1
        said = look.said(f" {named}, drawn first", " drawn first")
        said = coloured(said, colour) if first and scale.position(published[node]) < 0.7 else ""
        text = coloured(value, colour, bold=True) + said
        place = float(recursion.value[node]), float(at[node])
        found.append(_below(look, text, *place, LABEL, 7, at_end=bool(last[node])))
    return found


def _need(published: FloatArray, scale: Scale, look: Look) -> float:
    """The share of the axis that a number takes."""
    letters = len(scale.writing.value(float(published[-1]))) + 1
    return letters * APART * look.text(1) * look.said(1, 2.5)


def _last(published: FloatArray, scale: Scale, look: Look) -> BoolArray:
    """Which dots have no room for a number on their right."""
    low, high = scale.view
    return (high - published) / (high - low) < _need(published, scale, look) / 2


def _roomy(published: FloatArray, at: FloatArray, scale: Scale, look: Look) -> BoolArray:
    """Which numbers have room before the next one of their row; nodes are in ascending order."""
    need, order = _need(published, scale, look), np.lexsort((published, at))
    ahead = np.diff(published[order], append=np.inf) / (scale.view[1] - scale.view[0])
    ahead[np.append(np.diff(at[order]) != 0, True)] = np.inf
    behind, last = np.append(np.inf, ahead[:-1]), _last(published, scale, look)[order]
    fits = np.zeros(at.size, dtype=bool)
    fits[order] = np.where(last, behind >= 2 * need, ahead >= need)
    return fits


def sizes(
    recursion: Recursion,
    counts: FloatArray,
    at: FloatArray,
    scale: Scale,
    look: Look,
    people: str,
    published: FloatArray,
) -> list[dict[str, Any]]:
    """How many people each part holds, at its left end, where there is room before its dot."""
    low = scale.clipped(recursion.low)
    free = (recursion.value - low) / (scale.view[1] - scale.view[0])
    found = []
    named = _roomy(published, at, scale, look)
    for node in _wide(free, look).tolist():
        if _is_taken(recursion.value[named & (at == at[node])], low[node], scale, look):
            continue
        text = f"{counts[node]:,.0f}"
        if free[node] > 3.4 * FREE * look.text(1) and recursion.level[node] <= 2 and at[node] > -2:
            text += f" {people}"
        found.append(_below(look, text, float(low[node]), float(at[node]), 14.5, 4))
    return look.full(*found)


def _wide(free: FloatArray, look: Look) -> IntArray:
    return np.flatnonzero(free >= FREE * look.text(1))


def _is_taken(numbers: FloatArray, start: float, scale: Scale, look: Look) -> bool:
    """Whether a number of the row stands where the words at start would."""
    ahead = (numbers - start) / (scale.view[1] - scale.view[0])
    return bool((np.abs(ahead) < FREE * look.text(1)).any())


def _below(
    look: Look,
    text: str,
    x: float,
    row: float,
    size: float,
    right: float,
    *,
    at_end: bool = False,
) -> dict[str, Any]:
    shift = ((-right if at_end else right) * look.text(1), -6 * look.text(1))
    side = "right" if at_end else "left"
    return words(look, text, x, row, size=size, stand="top", align=side, shift=shift)
