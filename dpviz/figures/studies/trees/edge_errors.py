"""How far a running count is typically off, edge by edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names, spread_error
from dpviz.answers.trees.running import EdgeErrors
from dpviz.figures.kit.look import WORDS, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.trees.curve import heading, round_step, values_axis

FIRST, OTHER = 3.5, 2.0  # px of the line that the picture is about, and of the others
RIGHT, PHONE = 222, 20  # px beside the panel for the names of lines
TALL = 520.0  # px of the panel, for words that must not meet
LEAST = "least by mean variance"


def edge_errors_picture(
    every: Sequence[EdgeErrors],
    bound: float | None,
    ends: tuple[float, float],
    names: Names,
    look: Look,
) -> Picture:
    """A line each, named at its right end; bound is what no way gets below on average.

    All of it depends on public choices alone: nothing here has seen data.
    """
    names = names.safe()
    top = max(float(one.errors.max()) for one in every) * 1.08
    marks = [_line(one, look) for one in every]
    if bound is not None:
        dashed = line(look.ink.second, look.mark(1.5), dash="dash")
        marks.append(trace("least", list(ends), [bound, bound], mode="lines", line=dashed))
    said = f"<b>Standard error of a running count</b>, in {names.people}, by {names.axis}"
    notes = [heading(look, "<b>Standard error of a running count</b>" if look.phone else said)]
    notes += _names(every, bound, top, look)
    right = PHONE if look.phone else look.text(RIGHT)
    arranged = layout(look, left=64, right=right, top=30, bottom=32, annotations=notes)
    arranged |= {"xaxis": values_axis(ends, names, look), "yaxis": errors_axis(top, look)}
    return picture(marks, arranged)


def errors_axis(top: float, look: Look, unit: str = "") -> dict[str, Any]:
    """An axis from 0 to top in round steps, with a grid; unit stands behind each number."""
    step = round_step(top)
    at = np.arange(0.0, top + 0.01 * step, step)
    return axis(
        look,
        range=[0.0, top],
        tickvals=at,
        ticktext=[f"{one:,.6g}{unit}" for one in at],
        ticklabelstandoff=6,
        showgrid=True,
    )


def _line(one: EdgeErrors, look: Look) -> dict[str, Any]:
    stroke = line(way_colour(one.is_first, look), look.mark(FIRST if one.is_first else OTHER))
    return trace(one.name, one.edges, one.errors, mode="lines", line=stroke)


def way_colour(is_first: bool, look: Look) -> str:
    """Blue for what the picture is about, second ink for the others."""
    return look.ink.private if is_first else look.ink.second


def _names(
    every: Sequence[EdgeErrors], bound: float | None, top: float, look: Look
) -> list[dict[str, Any]]:
    """The name of each line beside its right end; on a phone in their order below the lines."""
    rows = [(_height(one), one.name, one.typical, one.is_first) for one in every]
    if bound is not None:
        rows.append((bound, LEAST, bound, False))
    rows.sort()
    gap = look.text(WORDS) * 1.35 * top / TALL
    places = apart([row[0] for row in rows], gap)
    if look.phone:
        places = [gap * (1 + number) for number in range(len(rows))]
    return [
        words(
            look,
            (f"<b>{name}</b>" if first else name) + f"  {spread_error(typical)}",
            1.0,
            place,
            colour=way_colour(first, look),
            align="right" if look.phone else "left",
            axes=("x domain", "y"),
            shift=(-4.0 if look.phone else look.text(10), 0.0),
        )
        for place, (_, name, typical, first) in zip(places, rows, strict=True)
    ]


def _height(one: EdgeErrors) -> float:
    """Where a line lies near its right end."""
    return float(one.errors[-max(1, one.errors.size // 10) :].mean())


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The same places in ascending order, moved as little as need be to lie a gap apart."""
    found = np.array(places, dtype=np.float64)
    for _ in range(64):
        near = np.flatnonzero(np.diff(found) < gap * (1 - 1e-9))
        if not near.size:
            break
        for at in near.tolist():
            push = (gap - (found[at + 1] - found[at])) / 2
            found[at] -= push
            found[at + 1] += push
    for at in range(found.size):  # none below the axis
        found[at] = max(found[at], gap / 2 if at == 0 else found[at - 1] + gap * (1 - 1e-9))
    return [float(one) for one in found]
