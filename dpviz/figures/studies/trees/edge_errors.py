"""How far a running count is typically off, edge by edge."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names, spread_error
from dpviz.answers.trees.running import EdgeErrors
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace
from dpviz.figures.trees.curve import heading, round_step, values_axis

FIRST, OTHER = 3.5, 2.0  # px of the line that the picture is about, and of the others
APART = 0.039  # of the height, between two names
LEAST = "least by mean variance"


def edge_errors_picture(
    every: Sequence[EdgeErrors],
    bound: float | None,
    ends: tuple[float, float],
    names: Names,
    look: Look,
    largest: Sequence[EdgeErrors] = (),
) -> Picture:
    """A line each, named at its right end; bound is what no way gets below on average.

    largest are drawn dotted, in errors over time. All of it depends on public choices alone:
    nothing here has seen data.
    """
    names = names.safe()
    top = max(float(one.errors.max()) for one in (*every, *largest)) * 1.08
    marks = [_line(one, look, dash="dot") for one in largest]
    marks += [_line(one, look) for one in every]
    if bound is not None:
        dashed = line(look.ink.second, look.mark(1.5), dash="dash")
        marks.append(trace("least", list(ends), [bound, bound], mode="lines", line=dashed))
    said = f"<b>Standard error of a running count</b>, in {names.people}, by {names.axis}"
    ways = named(look, _ends(every, bound, look), (0.0, top), apart=APART, scarce="corner")
    if largest:
        said += "; dotted: the largest so far"
    said = look.said(said, "<b>Standard error of a running count</b>")
    notes = [heading(look, said), *ways.notes]
    arranged = layout(look, left=64, right=ways.right, top=30, bottom=32, annotations=notes)
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


def _line(one: EdgeErrors, look: Look, **others: Any) -> dict[str, Any]:
    width = look.mark(FIRST if one.is_first and not others else OTHER)
    stroke = line(way_colour(one.is_first, look), width, **others)
    return trace(one.name, one.edges, one.errors, mode="lines", line=stroke)


def way_colour(is_first: bool, look: Look) -> str:
    """Blue for what the picture is about, second ink for the others."""
    return look.ink.private if is_first else look.ink.second


def _ends(every: Sequence[EdgeErrors], bound: float | None, look: Look) -> list[End]:
    """Each line's name and typical error, and those of the bound."""
    found = [way_end(one.name, one.typical, one.is_first, look, _height(one)) for one in every]
    return found if bound is None else [*found, way_end(LEAST, bound, False, look)]


def way_end(name: str, typical: float, is_first: bool, look: Look, at: float | None = None) -> End:
    """What a line is called, with its typical error; bold for what the picture is about.

    at is where it ends, if that is not at its typical error.
    """
    text = f"<b>{name}</b>" if is_first else name
    colour = way_colour(is_first, look)
    return End(f"{text}  {spread_error(typical)}", typical if at is None else at, colour)


def _height(one: EdgeErrors) -> float:
    """Where a line lies near its right end."""
    return float(one.errors[-max(1, one.errors.size // 10) :].mean())
