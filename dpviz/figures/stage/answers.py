"""Marks of what is published: the barrier that it passes, its dots, the law behind them."""

import math
from collections.abc import Sequence
from typing import Literal

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import Mark, Place, finite, named, numbers, spot

THINNEST, THICKEST, USUAL = 4.0, 60.0, 19.0  # px, half of the barrier; USUAL at ε = 1


def half_width(epsilon: float) -> float:
    """Half of the barrier's width in px: thicker for a smaller ε."""
    if not epsilon > 0:  # NaN too
        raise InvalidParameter(f"ε must be positive, got {epsilon}.")
    return round(min(max(USUAL * math.sqrt(1 / epsilon), THINNEST), THICKEST), 2)


def barrier(
    name: str,
    at: Place,
    start: Place,
    end: Place,
    *,
    direction: Literal["vertical", "horizontal"] = "vertical",
    half: float = USUAL,
    bar: float = 3.0,
    scale: float = 1.0,
    gaps: Sequence[tuple[Place, Place]] = (),
    none: bool = False,
) -> Mark:
    """The noise between what is confidential and what is public; none leaves a dotted line.

    scale makes half smaller where there is less room, in every state alike. gaps, in order, are
    where a leak passes.
    """
    finite(name, half, bar, scale)
    return {
        "kind": "barrier",
        "id": named("barrier", name),
        "at": at.to_json(),
        "from": start.to_json(),
        "to": end.to_json(),
        "direction": direction,
        "half": half,
        "bar": bar,
        "scale": scale,
        "gaps": [spot(ends) for ends in gaps],
        "none": none,
    }


def dots(
    name: str,
    axes: tuple[str, str],
    values: Sequence[float],
    *,
    step: float = 1.0,
    row: int = 1,
    size: float = 0.94,
    colour: Colour = "private",
) -> Mark:
    """Answers, stacked on their values in columns of `step`, `row` of them side by side.

    The axis of the values comes first; where it lies along y, the stacks grow sideways.
    """
    finite(name, step, size)
    if row < 1:
        raise InvalidParameter(f"'{name}' needs at least one dot a row, got {row}.")
    return {
        "kind": "dots",
        "id": named("dots", name),
        "axes": [named("axis", one) for one in axes],
        "values": numbers(name, values),
        "step": step,
        "row": row,
        "size": size,
        "colour": colour,
    }


def law(
    name: str,
    axes: tuple[str, str],
    start: float,
    heights: Sequence[float],
    *,
    step: float = 1.0,
    form: Literal["steps", "bars"] = "steps",
    dotted: bool = False,
    fill: float = 0.0,
    line: Colour = "private",
    colour: Colour = "private",
    first: int | None = None,
) -> Mark:
    """The law of an answer in columns of `step` from `start`; heights are in dots.

    fill is how much of the colour lies under the line, or in bars, where 0 is the usual .3.
    Of bars only the first so many are drawn, where a number says so.
    """
    finite(name, start, step, fill)
    return {
        "kind": "law",
        "id": named("law", name),
        "axes": [named("axis", one) for one in axes],
        "start": start,
        "step": step,
        "heights": numbers(name, heights, least=0),
        "form": form,
        "dotted": dotted,
        "fill": fill,
        "line": line,
        "colour": colour,
    } | ({} if first is None else {"first": first})


def cells(
    name: str,
    axes: tuple[str, str],
    x: tuple[float, float],
    y: tuple[float, float],
    columns: int,
    shades: Sequence[int],
    *,
    deepest: int = 8,
    colour: Colour = "private",
) -> Mark:
    """A map of equal cells between two values of both axes, row by row from the lowest.

    A shade is a whole number from 0, which stays empty, to the deepest.
    Raises: InvalidParameter for rows of unequal length or a shade that is none.
    """
    finite(name, *x, *y)
    if columns < 1 or not shades or len(shades) % columns:
        raise InvalidParameter(f"'{name}' has {len(shades)} cells, no rows of {columns}.")
    if any(shade not in range(deepest + 1) for shade in shades):
        raise InvalidParameter(f"The shades of '{name}' must be whole numbers up to {deepest}.")
    return {
        "kind": "cells",
        "id": named("cells", name),
        "axes": [named("axis", one) for one in axes],
        "x": list(x),
        "y": list(y),
        "columns": columns,
        "shades": [int(shade) for shade in shades],
        "deepest": deepest,
        "colour": colour,
    }


def errorbar(
    name: str,
    axis: str,
    at: Place,
    value: float,
    half: float,
    *,
    height: float = 16.0,
    radius: float = 8.5,
    strong: bool = True,
    colour: Colour = "private",
) -> Mark:
    """An answer with the reach of its error to both sides, at a height of the picture."""
    finite(name, value, half, height, radius)
    if half < 0:
        raise InvalidParameter(f"The error of '{name}' cannot reach {half:g}.")
    return {
        "kind": "errorbar",
        "id": named("error bar", name),
        "axis": named("axis", axis),
        "at": at.to_json(),
        "value": value,
        "half": half,
        "height": height,
        "radius": radius,
        "strong": strong,
        "colour": colour,
    }
