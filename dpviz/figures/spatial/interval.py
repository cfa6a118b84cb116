"""One answer on an axis of its own: the count, its margin, and the truth where it is shown."""

import math
from typing import Any

from dpviz.answers.spatial.names import count
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words

BAND, DOT, TICK = 13, 13, 22  # px
WIDER = 0.32  # of the interval, on either side
HIGH = 138  # px that the picture needs before presenting


def interval_picture(answer: RectangleNumbers, look: Look, title: str) -> Picture:
    """Band, dot and numbers; with the truth a tick of ink. title stands above."""
    low, high = answer.margin
    start, end = _window(answer)
    found = layout(look, left=8, right=8, top=34, bottom=30)
    ends = axis(look, range=[start, end], ticks="outside", ticklen=4, tickformat=",~r", nticks=6)
    found["xaxis"] = ends
    found["yaxis"] = axis(look, range=[-1, 1.15], visible=False)
    blue = look.ink.private
    found["shapes"] = [_band(low, high, look)]
    above: dict[str, Any] = {
        "stand": "bottom",
        "align": "center",
        "colour": blue,
        "shift": (0, 12 * look.text(1)),
    }
    found["annotations"] = [
        words(look, title, 0, 1, axes=("paper", "paper"), stand="bottom", colour=look.ink.second,
              shift=(-6, 8)),
        words(look, count(low), low, 0, **above),
        words(look, f"<b>{count(answer.private)}</b>", answer.private, 0, size=20, **above),
        words(look, count(high), high, 0, **above),
    ]  # fmt: skip
    data = []
    if answer.off is not None:
        data.append(_truth(answer.off.truth, look))
        below: dict[str, Any] = {
            "stand": "top",
            "align": "center",
            "shift": (0, -12 * look.text(1)),
        }
        found["annotations"].append(
            words(look, f"<b>{count(answer.off.truth)}</b> true", answer.off.truth, 0, **below)
        )
    data.append(_dot(answer.private, look))
    return picture(data, found)


def _window(answer: RectangleNumbers) -> tuple[float, float]:
    low, high = answer.margin
    if answer.off is not None:
        low, high = min(low, answer.off.truth), max(high, answer.off.truth)
    more = WIDER * max(high - low, math.ulp(1.0) + 1e-9 * abs(high), 1e-6)
    return low - more, high + more


def _band(low: float, high: float, look: Look) -> dict[str, Any]:
    half = look.mark(BAND) / 2
    return {
        "type": "rect",
        "x0": low,
        "x1": high,
        "yref": "y",
        "ysizemode": "pixel",
        "yanchor": 0,
        "y0": -half,
        "y1": half,
        "fillcolor": translucent(look.ink.private, 0.38),
        "line": {"width": 0},
        "layer": "below",
    }


def _dot(at: float, look: Look) -> dict[str, Any]:
    rim = line(look.ink.page, 1.5)
    marker = {"size": look.mark(DOT), "color": look.ink.private, "line": rim}
    return trace("published", [at], [0], mode="markers", marker=marker, cliponaxis=False)


def _truth(at: float, look: Look) -> dict[str, Any]:
    tick = line(look.ink.truth, look.mark(3))
    marker = {"size": look.mark(TICK) / 2, "symbol": "line-ns", "line": tick}
    return trace("true", [at], [0], mode="markers", marker=marker, cliponaxis=False)
