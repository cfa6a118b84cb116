"""The rectangle that is asked about, with its answer as a label."""

from typing import Any

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import line, words

LABEL = 21.5
ROOM = 0.085  # of the map's height that a label needs
WIDE = {"wide": 0.24, "low": 0.34, "narrow": 0.34, "phone": 0.42}  # of the map's width


def frame_of(rectangle: FloatArray, colour: str, look: Look, axes: tuple[str, str]) -> Any:
    """The four sides."""
    x_low, x_high, y_low, y_high = map(float, rectangle)
    return {
        "type": "rect",
        "xref": axes[0],
        "yref": axes[1],
        "x0": x_low,
        "x1": x_high,
        "y0": y_low,
        "y1": y_high,
        "line": line(colour, look.mark(3)),
        "layer": "above",
    }


def label_of(
    rectangle: FloatArray, text: str, colour: str, look: Look, axes: tuple[str, str], box: Box
) -> Any:
    """The answer above the rectangle; below or inside where the map ends."""
    x_low, x_high, y_low, y_high = map(float, rectangle)
    need = ROOM * box.y.width * look.text(1)
    fits = x_low + WIDE[look.screen] * look.text(1) * box.x.width <= box.x.high
    x, align = (x_low, "left") if fits else (x_high, "right")
    if y_high + need <= box.y.high:
        y, stand, up = y_high, "bottom", 4.0
    elif y_low - need >= box.y.low:
        y, stand, up = y_low, "top", -4.0
    else:
        y, stand, up = y_high, "top", -4.0
    aside = 3.0 if align == "left" else -3.0
    return words(
        look,
        text,
        x,
        y,
        colour=colour,
        size=LABEL,
        align=align,
        stand=stand,
        axes=axes,
        plate=True,
        shift=(aside if stand == "top" and up < 0 and y == y_high else 0.0, up),
    )
