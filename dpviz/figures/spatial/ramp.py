"""How counts become colours: from the paper on, by the square root, and flat below zero."""

from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.palette import Ink, between

LIGHT_STOPS = ("#FBFAF7", "#8FC1E3", "#0072B2", "#062A47")
DARK_STOPS = ("#101418", "#17486B", "#56B4E9", "#EAF6FE")
STEPS = 32
TOP = 0.999  # few places hold many times what the others do: the scale ends before them
LETTER = 8  # px
ROUND = tuple(digit * 10.0**power for power in range(-9, 10) for digit in (1, 2, 5))


def shade(ink: Ink, share: float) -> str:
    """The colour at a share of the ramp: 0 is the paper."""
    return _ramp(ink.dark)[round(share * STEPS)]


@cache
def _ramp(dark: bool) -> list[str]:
    return between(DARK_STOPS if dark else LIGHT_STOPS, np.linspace(0, 1, STEPS + 1))


def colour_scale(ink: Ink, low: str) -> list[list[float | str]]:
    """The scale of values from −top to top: flat in low below zero, above it by the square root."""
    above: list[list[float | str]] = [
        [0.5 + 0.5 * (at / STEPS) ** 2, shade(ink, at / STEPS)] for at in range(STEPS + 1)
    ]
    return [[0.0, low], [0.5, low], *above]


def top_of(values: FloatArray) -> float:
    """Where the scale ends: the 99.9 % point over the area, of values of equal parts of it."""
    known = values[np.isfinite(values)]
    top = float(np.quantile(known, TOP)) if known.size else 0.0
    return top if top > 0 else 1.0


def ticks(top: float, length: float, apart: float) -> list[tuple[str, float]]:
    """Round values as texts, and where they stand on a key so long; from 0 on.

    They are at least so far apart, and further where they are long.
    """
    found = [("0", 0.0)]
    for value in ROUND:
        at, text = length * (value / top) ** 0.5, short(value)
        room = max(apart, LETTER * (len(text) + len(found[-1][0])) / 2 + LETTER)
        if at > length - apart / 3:
            break
        if at - found[-1][1] >= room:
            found.append((text, at))
    return found


def short(value: float) -> str:
    """A round value in few letters: 0.05, 200, 50k, 2M."""
    for size, letter in ((1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if letter == 'k' else size):,g}{letter}"
    return f"{value:,.0f}" if value >= 1 else f"{value:.6f}".rstrip("0")
