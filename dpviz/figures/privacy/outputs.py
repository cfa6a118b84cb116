"""What a mechanism said on both sides of a pair, and the event that tells them apart."""

from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.privacy.parts import FILL, area, title

LEFT = 60


def outputs_picture(
    edges: FloatArray,
    one: IntArray,
    other: IntArray,
    event: tuple[float, float] | None,
    said: str,
    names: tuple[str, str],
    look: Look,
) -> Picture:
    """Histograms of the outputs on both sides as outlines; the event is a shaded stretch.

    Shapes: edges (b+1,), one and other (b,) are numbers of outputs; event is (low, high), and said
    names it, such as "more than 864". Where it is None, other are those of one that give somebody
    away.
    """
    ink = look.ink
    strokes = (
        line(ink.private, look.mark(2.5), shape="hv"),
        line(ink.truth if event else ink.danger, look.mark(2), dash="dot", shape="hv"),
    )
    fill = {"fill": "tozeroy", "fillcolor": translucent(ink.private, FILL)}
    data = [
        trace(name, edges, np.append(counts, counts[-1:]), mode="lines", line=stroke, **own)
        for name, counts, stroke, own in zip(
            ("with", "without"), (one, other), strokes, (fill, {}), strict=True
        )
    ]
    top = max(one.max(), other.max(), 1) * look.said(1.05, 1.3)  # a phone's words stand above all
    # whole outputs have bins around them, and what lies beyond a whole number begins half after it
    half = 0.5 if (edges % 1 == 0.5).all() else 0.0
    above = event is None or event[1] == np.inf
    sides: dict[str, Any] = {"stand": "top", "axes": ("x domain", "y domain"), "size": 16}
    left: dict[str, Any] = {"align": "left", "shift": (8, -6)}
    right: dict[str, Any] = {"align": "right", "shift": (-8, -6), "colour": ink.private}
    corner = right if above else left
    shift = (corner["shift"][0], -look.text(32))
    counted: dict[str, Any] = {"align": corner["align"], "shift": shift, "colour": ink.second}
    second: dict[str, Any] = {} if event else {"colour": ink.danger_text}
    shapes, shaded = [], []
    if event is not None:
        low, high = max(event[0] + half, float(edges[0])), min(event[1] + half, float(edges[-1]))
        shapes = [area(("x", "y domain"), (low, high, 0, 1), ink.band)]
        shaded = [words(look, f"shaded: {said}", int(above), 1, **sides | counted)]
    return picture(
        data,
        layout(
            look,
            left=LEFT,
            top=34,
            bottom=36,
            xaxis=axis(look, range=[float(edges[0]), float(edges[-1])], nticks=9, ticks="outside"),
            yaxis=axis(look, range=[0, top], nticks=5, showgrid=True),
            shapes=shapes,
            annotations=[
                title(look, "How often each answer came", LEFT),
                words(look, f"{names[1]}, dotted", 0, 1, **left | sides | second),
                words(look, names[0], 1, 1, **right | sides),
                *shaded,
            ],
        ),
    )
