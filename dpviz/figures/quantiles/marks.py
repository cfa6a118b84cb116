"""The marks that all pictures of private quantiles share: dots, sticks, true ticks, bands, rows."""

from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import Answers, percent_of
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE, translucent
from dpviz.figures.kit.picture import axis, line, trace

PALE = 0.3  # opacity of bands and hills
LABEL = 17.0  # px of the numbers at the marks


def segments(start: FloatArray, end: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Level strokes from start to end at heights, as one line with gaps."""
    gap = np.full(at.shape, np.nan)
    return np.stack((start, end, gap), 1).ravel(), np.repeat(at, 3)


def band_marks(
    low: FloatArray, high: FloatArray, at: FloatArray, look: Look, hue: str = PRIVATE
) -> dict[str, Any]:
    """Pale bars across rows: where other draws, or the truth, may be."""
    x, y = segments(low, high, at)
    colour = translucent(look.ink.of(hue), PALE)
    return trace("bands", x, y, mode="lines", line=line(colour, look.mark(18)))


def ribbon(
    low: FloatArray, high: FloatArray, at: FloatArray, look: Look, hue: str = PRIVATE
) -> dict[str, Any]:
    """The same bands where rows are too many: one pale ribbon."""
    return trace(
        "bands",
        np.concatenate((low, high[::-1])),
        np.concatenate((at, at[::-1])),
        mode="lines",
        line=line("rgba(0,0,0,0)", 0),
        fill="toself",
        fillcolor=translucent(look.ink.of(hue), PALE),
    )


def sticks(
    start: FloatArray, end: FloatArray, at: FloatArray, look: Look, hue: str = PRIVATE
) -> dict[str, Any]:
    """From the truth to what was published: the error."""
    x, y = segments(start, end, at)
    return trace("errors", x, y, mode="lines", line=line(look.ink.of(hue), look.mark(4)))


def dots(
    x: FloatArray,
    at: FloatArray,
    look: Look,
    hue: str = PRIVATE,
    *,
    size: float = 12,
    **others: Any,
) -> dict[str, Any]:
    """Published numbers; each method has a shape of its own."""
    ink = look.ink
    marker = {
        "color": ink.of(hue),
        "symbol": ink.mark(hue).symbol,
        "size": look.mark(size),
        "opacity": 1,
        "line": line(ink.page, 1.5 if size > 8 else 0),
    }
    return trace("published", x, at, mode="markers", marker=marker, cliponaxis=False) | others


def true_ticks(x: FloatArray, at: FloatArray, look: Look, size: float = 22) -> dict[str, Any]:
    """The truth on each row: an ink stroke."""
    marker = {
        "symbol": "line-ns-open",
        "size": look.mark(size) / 1.4,  # plotly draws it 1.4 times as long
        "color": look.ink.truth,
        "opacity": 1,
        "line": line(look.ink.truth, look.mark(3)),
    }
    return trace("truth", x, at, mode="markers", marker=marker)


def row_axis(answers: Answers, look: Look, **others: Any) -> dict[str, Any]:
    """The axis of shares, with a hairline for each row that has a label."""
    rows = answers.quantiles[answers.labelled]
    top = float(max(1.0, rows[-1] + 0.06))
    return axis(
        look,
        range=[0, top],
        tickvals=rows.tolist(),
        ticktext=[f"{percent_of(row)} " for row in rows],
        showgrid=True,
        **others,
    )
