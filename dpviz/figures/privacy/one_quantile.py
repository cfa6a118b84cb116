"""The exact densities of one private quantile with and without a person, and their ratio."""

from typing import Any

import numpy as np

from dpviz.answers.number_text import in_digits
from dpviz.experiments.privacy.loss_view import LossCurves
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, line, picture, trace, words
from dpviz.figures.privacy.floors import Floors, arranged, labels, laws, limits, ratios
from dpviz.figures.privacy.one_count import Names

TICKS = (1, 2, 5)  # times a power of ten


def quantile_picture(
    curves: LossCurves,
    view: tuple[float, float],
    epsilon: float,
    names: Names,
    look: Look,
    *,
    what: str = "median",
    marks: tuple[tuple[str, float], ...] = (),
) -> Picture:
    """Both densities over a view, with the ratio of every output below.

    marks are values on the axis that are named if they are in view, such as the person's own.
    """
    floors = Floors(
        curves.x,
        curves.one,
        curves.other,
        curves.ratio_x,
        curves.ratio,
        True,
        view,
        epsilon,
        names.one,
    )
    at = _ticks(view, look.said(10, 5))
    written = [in_digits(value) for value in at]
    seen = [(name, value) for name, value in marks if view[0] <= value <= view[1]]
    annotations = [
        *labels(floors, look, f"Exact density of the published {what}"),
        *_names(names, look),
        *(_mark_name(name, value, view, look) for name, value in seen),
    ]
    data = [*laws(floors, look), *ratios(floors, look)]
    data += [_mark(name, value, floors, look) for name, value in seen]
    return picture(
        data,
        arranged(floors, look, (at, written), shapes=limits(floors, look), annotations=annotations),
    )


def _names(names: Names, look: Look) -> list[dict[str, Any]]:
    """Both names in the upper corners, where densities have fallen, and how each is drawn.

    On a phone the headline alone says who it is.
    """
    axes, down = ("x domain", "y domain"), look.text(26)
    below: dict[str, Any] = {"x": 1, "align": "right", "shift": (-4, -down)}
    # one above the other they would lie on a phone's peak
    other = look.said(below, {"x": 0, "align": "left", "shift": (2, 0)})
    one = below | {"colour": look.ink.private, "shift": (-4, 0)}
    return [
        words(look, text, y=1, size=16, stand="top", axes=axes, **place)
        for text, place in (
            (look.said(names.with_one, "with"), one),
            (f"{look.said(names.without, 'without')}, dotted", other),
        )
    ]


def _mark(name: str, value: float, floors: Floors, look: Look) -> dict[str, Any]:
    stroke = line(look.ink.truth, look.mark(3))
    marker = {"symbol": "line-ns", "size": look.mark(22), "line": stroke}
    return trace(name, [value], [0.04 * floors.top], mode="markers", marker=marker)


def _mark_name(name: str, value: float, view: tuple[float, float], look: Look) -> dict[str, Any]:
    align = "right" if value - view[0] > view[1] - value else "left"
    shift = (-6 if align == "right" else 6, look.text(16))
    return words(look, name, value, 0, align=align, stand="bottom", shift=shift, plate=True)


def _ticks(view: tuple[float, float], room: int) -> Any:
    width = view[1] - view[0]
    power = np.floor(np.log10(width / room))
    step = next(size * 10.0**power for size in (*TICKS, 10) if width / (size * 10.0**power) <= room)
    ticks = step * np.arange(np.ceil(view[0] / step), np.floor(view[1] / step) + 1)
    return np.round(ticks, int(max(0, 2 - power)))
