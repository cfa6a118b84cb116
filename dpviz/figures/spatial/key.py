"""The key of a map: the ramp of its colours with round counts, and what is flat."""

from __future__ import annotations

from typing import Any

from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import words
from dpviz.figures.spatial.field import Field
from dpviz.figures.spatial.ramp import shade, ticks

LONG, SHORT, HIGH, PIECES = 150, 104, 9, 30
CLEAR = 56  # px at the right for the chart's own buttons, which presenting does without
APART = 30  # px between numbers
# px that title and key need, and that a square map has, as far as the window is known
NEEDED, PRESENTED = 430, 500
SIDE = {"wide": 540, "low": 376, "narrow": 430, "phone": 0}


def fits(shape: float, look: Look) -> bool:
    """Whether a map that is so many times as wide as high has room for a key beside its title."""
    side = SIDE[look.screen] + (54 if look.presenting else 0)
    return side * shape >= (PRESENTED if look.presenting else NEEDED)


def key_marks(
    field: Field, look: Look, axes: tuple[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and words of a key above a map's right end; axes are its own, as "x2" and "y2"."""
    size = look.text(1)
    long = look.said(LONG, SHORT, low=True, presenting=True) * size
    high, low = HIGH * size, 24 * size
    start = -(long + (8 if look.presenting else CLEAR))
    top = axes[1] + " domain"
    across = axes[0] + " domain"
    shapes = [
        _block(
            (start + piece * long / PIECES, start + (piece + 1) * long / PIECES + 0.5),
            (low, low + high),
            shade(look.ink, (piece + 0.5) / PIECES),
            (across, top),
        )
        for piece in range(PIECES)
    ]
    flat = look.ink.below if field.sure is None else look.ink.unsure
    name = "below 0" if field.sure is None else "not sure"
    square = start - 72 * size - high
    shapes.append(_block((square, square + high), (low - 12, low - 12 + high), flat, (across, top)))
    shapes[-1]["line"] = {"color": look.ink.grain, "width": 0.5}
    at: dict[str, Any] = {
        "axes": (across, top),
        "colour": look.ink.second,
        "size": TICK,
        "stand": "middle",
    }
    notes = [words(look, name, 1, 1, align="right", shift=(start - 14 * size, low - 7), **at)]
    notes += [
        words(look, text, 1, 1, align="center", shift=(start + place, low - 11), **at)
        for text, place in ticks(field.top, long, APART * size)
    ]
    return shapes, notes


def _block(
    across: tuple[float, float], up: tuple[float, float], colour: str, axes: tuple[str, str]
) -> dict[str, Any]:
    """A rectangle in px from the upper right corner of a map."""
    return {
        "type": "rect",
        "xref": axes[0],
        "yref": axes[1],
        "xsizemode": "pixel",
        "ysizemode": "pixel",
        "xanchor": 1,
        "yanchor": 1,
        "x0": across[0],
        "x1": across[1],
        "y0": up[0],
        "y1": up[1],
        "fillcolor": colour,
        "line": {"width": 0},
    }
