"""Methods compared by the errors of many rectangles: small multiples that share their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.layout import plain
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.spatial.sentences import upper

GAP = 0.035  # of the width between two panels
NAMES = 172  # px for the names of the methods
LEAST = 1e-3  # per cent: less has no place on a scale of powers
DECADES = (0.001, 0.01, 0.1, 1, 10, 100, 1000)


@confidential("methods", "shapes")
@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Median relative errors in per cent: of methods (rows) on shapes of rectangles (columns).

    Shapes: errors (methods, shapes). hues has a hue for methods that have one. Confidential.
    """

    methods: tuple[str, ...]
    shapes: tuple[str, ...]
    errors: FloatArray
    hues: Mapping[str, str]

    @property
    def order(self) -> list[int]:
        """Rows, best first: by the mean of their logarithms, so that no shape outweighs others."""
        return [int(row) for row in np.argsort(self._overall, kind="stable")]

    @property
    def _overall(self) -> FloatArray:
        return np.asarray(np.log(np.maximum(self.errors, LEAST)).mean(axis=1))

    def factor(self, row: int) -> float:
        """How many times the best method's error a row's is, by the geometric mean."""
        return float(np.exp(self._overall[row] - self._overall.min()))


def compared_picture(found: Comparison, look: Look) -> Picture:
    """One panel a shape of rectangle, one row a method, best at the top; logarithmic, shared."""
    panels = len(found.shapes)
    arranged = layout(
        look, left=8 if look.phone else NAMES, right=56 if look.phone else 44, top=36, bottom=38
    )
    arranged["annotations"] = []
    width = (1 - GAP * (panels - 1)) / panels
    low, high = _window(found.errors)
    data: list[dict[str, Any]] = []
    for panel, shape in enumerate(found.shapes):
        number = "" if panel == 0 else str(panel + 1)
        start = panel * (width + GAP)
        arranged[f"xaxis{number}"] = axis(
            look, type="log", range=[low, high], domain=[start, start + width], anchor="y",
            tickvals=list(DECADES), ticktext=[f"{value:g} %" for value in DECADES], tickangle=0,
        )  # fmt: skip
        arranged["annotations"].append(
            words(look, plain(shape), 0, 1, stand="bottom", colour=look.ink.second,
                  axes=(f"x{number} domain", "paper"), shift=(0, 8))
        )  # fmt: skip
        data += _panel(found, panel, number, low, look, arranged)
    rows = len(found.methods)
    names = [] if look.phone else [plain(found.methods[row]) for row in found.order]
    arranged["yaxis"] = axis(
        look, range=[rows - 0.4, -0.6], tickvals=list(range(rows)), ticktext=names,
        showticklabels=not look.phone, showgrid=True, ticklabelstandoff=10,
    )  # fmt: skip
    return picture(data, arranged)


def _window(errors: FloatArray) -> tuple[float, float]:
    logs = np.log10(np.maximum(errors, LEAST))
    return float(logs.min()) - 0.25, float(logs.max()) + 0.45


def _panel(
    found: Comparison, panel: int, number: str, low: float, look: Look, arranged: dict[str, Any]
) -> list[dict[str, Any]]:
    data = []
    for place, row in enumerate(found.order):
        error, name = max(float(found.errors[row, panel]), LEAST), found.methods[row]
        hue = found.hues.get(name, "grey")
        own, mark = look.ink.of(hue), look.ink.mark(hue)
        axes = {"xaxis": f"x{number}", "yaxis": "y"}
        marker = {"size": look.mark(13), "color": own, "symbol": mark.symbol}
        marker |= {"line": line(look.ink.page if "open" not in mark.symbol else own, 1.5)}
        data.append(trace(name, [error], [place], mode="markers", marker=marker) | axes)
        arranged["annotations"].append(
            words(look, _percent(error), np.log10(error), place, size=TICK,
                  colour=look.ink.written(hue), axes=(f"x{number}", "y"), plate=True,
                  shift=(look.mark(10), 0))
        )  # fmt: skip
        if look.phone and panel == 0:
            arranged["annotations"].append(
                words(look, plain(name), low, place, stand="bottom", axes=("x", "y"), shift=(0, 6))
            )
    return data


def _percent(value: float) -> str:
    return f"{value:.2g} %" if value < 99.5 else f"{value:,.0f} %"


def comparison_sentence(found: Comparison) -> str:
    """Which method comes closest over all shapes, and how far behind the last one is."""
    best, *others = found.order
    if not others:
        return f"{upper(found.methods[best])} was compared with no other method."
    second, last = others[0], others[-1]
    name = found.methods
    level = found.factor(second) < 1.1
    if level:
        said = f"{upper(name[best])} and {name[second]} are level"
    else:
        said = f"{upper(name[best])} comes closest"
    if last == second and level:
        return f"{said}."
    return f"{said}; {name[last]} is off by {found.factor(last):,.2g} times as much."
