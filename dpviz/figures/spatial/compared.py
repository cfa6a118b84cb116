"""Methods compared by the errors of many rectangles: small multiples that share their rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.answers.said import html_safe
from dpviz.answers.spatial.compared import LEAST, ComparedNumbers
from dpviz.answers.spatial.compared_said import error_text
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.labels import row_names
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words

GAP = 0.035  # of the width between two panels
NAMES = 172  # px for the names of the methods
DECADES = (0.001, 0.01, 0.1, 1, 10, 100, 1000)


def compared_picture(
    found: ComparedNumbers, shapes: Sequence[str], hues: Mapping[str, str], look: Look
) -> Picture:
    """One panel a shape of rectangle, one row a method, best at the top; logarithmic, shared.

    shapes are the panels' titles; hues has a hue for methods that have one.
    """
    panels = len(shapes)
    left, right = look.said((NAMES, 44), (8, 56))
    arranged = layout(look, left=left, right=right, top=36, bottom=38)
    width = (1 - GAP * (panels - 1)) / panels
    low, high = _window(found.errors)
    decades = look.said(DECADES, DECADES[1::2], presenting=True)
    methods, rows = [html_safe(found.methods[row]) for row in found.order], range(len(found.order))
    ticks, arranged["annotations"] = row_names(look, methods, rows, x=low, lift=9)
    data: list[dict[str, Any]] = []
    for panel, shape in enumerate(shapes):
        number = "" if panel == 0 else str(panel + 1)
        start = panel * (width + GAP)
        arranged[f"xaxis{number}"] = axis(
            look, type="log", range=[low, high], domain=[start, start + width], anchor="y",
            tickvals=decades, ticktext=[f"{value:,g} %" for value in decades], tickangle=0,
        )  # fmt: skip
        arranged["annotations"].append(
            words(look, html_safe(shape), 0, 1, stand="bottom", colour=look.ink.second,
                  axes=(f"x{number} domain", "paper"), shift=(0, 8))
        )  # fmt: skip
        data += _panel(found, panel, number, hues, look, arranged)
    arranged["yaxis"] = axis(
        look, **ticks, range=[len(rows) - 0.4, -0.6], tickvals=list(rows), showgrid=True,
        ticklabelstandoff=10,
    )  # fmt: skip
    return picture(data, arranged)


def _window(errors: FloatArray) -> tuple[float, float]:
    logs = np.log10(np.maximum(errors, LEAST))
    return float(logs.min()) - 0.25, float(logs.max()) + 0.45


def _panel(
    found: ComparedNumbers,
    panel: int,
    number: str,
    hues: Mapping[str, str],
    look: Look,
    arranged: dict[str, Any],
) -> list[dict[str, Any]]:
    data = []
    for place, row in enumerate(found.order):
        known, name = float(found.errors[row, panel]), found.methods[row]
        error, hue = max(known, LEAST), hues.get(name, "grey")
        own, mark = look.ink.of(hue), look.ink.mark(hue)
        is_right = np.log10(error) > np.mean(_window(found.errors))
        side = look.said(("left", 1), ("right", -1) if is_right else ("left", 1))
        axes = {"xaxis": f"x{number}", "yaxis": "y"}
        marker = {"size": look.mark(13), "color": own, "symbol": mark.symbol}
        marker |= {"line": line(look.ink.page if "open" not in mark.symbol else own, 1.5)}
        data.append(trace(name, [error], [place], mode="markers", marker=marker) | axes)
        arranged["annotations"].append(
            words(look, error_text(known), np.log10(error), place, size=TICK,
                  colour=look.ink.written(hue), axes=(f"x{number}", "y"), plate=True,
                  align=side[0], shift=(side[1] * look.mark(10), 0))
        )  # fmt: skip
    return data
