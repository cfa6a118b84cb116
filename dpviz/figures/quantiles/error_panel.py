"""Errors enlarged: x is private minus true, hills are other draws, the stick is this draw."""

from typing import Any, Literal

import numpy as np

from dpviz.answers.quantiles.answers import Answers, Writing
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE, translucent
from dpviz.figures.kit.picture import axis, coloured, line, rule, trace, words
from dpviz.figures.quantiles.hills import hills
from dpviz.figures.quantiles.marks import PALE, dots, ribbon, row_axis, sticks

LONG = 5  # letters of a tick
Named = Literal["both", "alone", "none"]  # ends of the axis that have their number


def error_traces(
    answers: Answers,
    reach: float,
    resolution: float,
    look: Look,
    *,
    axes: tuple[str, str],
    hue: str = PRIVATE,
) -> list[dict[str, Any]]:
    """Hills, sticks and dots of one release on the axes of one panel, from −reach to reach."""
    rows, errors = answers.quantiles, answers.errors
    inside = np.clip(errors, -reach, reach)
    found: list[dict[str, Any]] = []
    if answers.draws is not None:
        found.append(_spread(answers, reach, resolution, look, hue))
    if answers.are_many:
        found.append(dots(inside, rows, look, hue, size=6))
    else:
        found.append(sticks(np.zeros(rows.size), inside, rows, look, hue))
        marks = dots(inside, rows, look, hue)
        marks["marker"] |= {"symbol": _symbols(errors, reach, look.ink.mark(hue).symbol)}
        found.append(marks)
    on = {"xaxis": axes[0], "yaxis": axes[1]}
    return [one | on for one in found]


def _spread(
    answers: Answers, reach: float, resolution: float, look: Look, hue: str
) -> dict[str, Any]:
    assert answers.truth is not None
    if answers.are_many:
        low, high = (np.clip(end - answers.truth, -reach, reach) for end in answers.band)
        return ribbon(low, high, answers.quantiles, look, hue)
    outline = hills(answers.other_errors, answers.quantiles, reach, answers.spacing, resolution)
    return trace(
        "other draws",
        *outline,
        mode="lines",
        line=line("rgba(0,0,0,0)", 0),
        fill="toself",
        fillcolor=translucent(look.ink.of(hue), PALE),
    )


def _symbols(errors: FloatArray, reach: float, symbol: str) -> list[str]:
    """The shape of each dot; an error beyond the panel becomes an arrowhead at its edge."""
    beyond = np.where(errors > 0, "triangle-right", "triangle-left")
    return [str(one) for one in np.where(np.abs(errors) > reach, beyond, symbol)]


def error_axis(look: Look, reach: float, *, ends: Named = "both", **others: Any) -> dict[str, Any]:
    """The axis of errors: the word truth at 0, and the ends of the range, their halves, or both."""
    writing = Writing(0, 0)
    places: tuple[float, ...] = (-reach, -reach / 2, reach / 2, reach)
    if ends == "none" or len(writing.signed(reach)) > LONG:
        places = places[1:3]  # ends of long numbers would run into the panel beside
    elif ends == "alone":
        places = places[::3]
    texts = [writing.signed(place) for place in places]
    return axis(
        look,
        range=[-reach, reach],
        tickvals=[*places, 0.0],
        ticktext=[*texts, coloured("truth", look.ink.truth, bold=True)],
        ticks="outside",
        ticklen=4,
        **others,
    )


def panel_axes(
    answers: Answers, look: Look, reach: float, domain: tuple[float, float]
) -> dict[str, Any]:
    """The second pair of axes, which shares its rows with the first, and the line of the truth."""
    rows = row_axis(answers, look, matches="y", anchor="x2") | {"showticklabels": False}
    both: Named = "both"
    crowded: Named = "both" if _is_short(reach) else "alone"
    numbered = look.said(both, crowded, narrow=True, presenting=True)
    return {
        "xaxis2": error_axis(look, reach, ends=numbered, domain=list(domain), anchor="y2"),
        "yaxis2": rows,
        "shapes": [rule(look, 0.0, axes=("x2", "y2 domain"), layer="below")],
    }


def _is_short(reach: float) -> bool:
    return len(f"{reach / 2:,.10g}") <= 3


def panel_words(
    answers: Answers, larger: float, look: Look, axes: tuple[str, str] = ("x2 domain", "y2 domain")
) -> list[dict[str, Any]]:
    """What the panel shows, and how many draws its hills are made of."""
    times = f"{larger:,.0f} times enlarged" if larger >= 1.95 else "on a scale of its own"
    title = words(
        look, f"How far off, {times}", 0, 1, colour=look.ink.second, stand="bottom", axes=axes,
        shift=(2, 8),
    )  # fmt: skip
    if answers.draws is None:
        return [title]
    what = "other draws", "draws"
    if answers.mixed_of:
        what = f"draws of {answers.mixed_of}", "draws, about"
    above: tuple[str, str, float] = what[0], "bottom", 8
    below: tuple[str, str, float] = what[1], "top", -2
    of, stand, up = look.said(above, below, narrow=True, presenting=True)
    inside: dict[str, Any] = {"stand": stand, "shift": (-2, up)}
    other = f"{answers.draws.shape[0]} {of}"
    note = words(
        look, other, 1, 1, colour=look.ink.written(PRIVATE), align="right", axes=axes, **inside
    )
    return [title, note]
