"""Standard errors of a tree's nodes by level under the four readings: theory and simulation.

Every picture of a noisy tree draws its readings alike.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dpviz.answers.trees.names import READING_NAMES, Names, level_name
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import HUES, Ink, Mark
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace
from dpviz.figures.trees.curve import heading, round_step

APART = 0.065  # of the height, between two words at the ends of lines
# by the names that the estimators have in tidy frames and releases; vermilion is none of them
READINGS: dict[str, Mark] = {
    "raw": replace(HUES["pink"], dash="dot", symbol="circle-open"),
    "from-below": replace(HUES["amber"], dash="dash", symbol="triangle-up"),
    "from-above": replace(HUES["green"], dash="dashdot", symbol="triangle-down"),
    "efficient": replace(HUES["blue"], dash="solid", symbol="circle"),
}


def level_errors_picture(
    theory: pd.DataFrame,
    fanout: int,
    names: Names,
    look: Look,
    *,
    simulated: pd.DataFrame | None = None,
) -> Picture:
    """Exact standard errors as lines with their names at the end, simulated ones as points ± 2.

    theory has columns estimator, level, variance; simulated estimator, level, mse, standard_error.
    Their units are people².
    """
    height = int(theory["level"].max())
    known = theory[np.isfinite(theory["variance"])]
    drawn = [name for name in READINGS if name in set(known["estimator"])]
    people = names.safe().people
    marks: list[dict[str, Any]] = []
    ends = []
    for name in drawn:
        rows = known[known["estimator"] == name]
        errors = np.sqrt(rows["variance"].to_numpy(np.float64))
        stroke = line(reading_colour(name, look.ink), look.mark(2.5), dash=READINGS[name].dash)
        marks.append(
            trace(READING_NAMES[name], rows["level"].to_numpy(), errors, mode="lines", line=stroke)
            | {
                "hoverinfo": "all",
                "hovertemplate": f"{READING_NAMES[name]}, level %{{x}}: ± %{{y:,.4~r}} {people}"
                "<extra></extra>",
            }
        )
        if simulated is not None:
            marks.append(_points(simulated[simulated["estimator"] == name], name, look))
        text, colour = f"<b>{READING_NAMES[name]}</b>", READINGS[name].written(dark=look.ink.dark)
        ends.append(End(text, float(errors[-1]), colour))
    top = 1.08 * max((float(np.sqrt(known["variance"].max())), 1e-9))
    beside = named(look, ends, (0.0, top), apart=APART, scarce="beside")
    said = "Standard error of a node, "
    notes = [*beside.notes, heading(look, said + look.said(people, "by parts of a level"))]
    arranged = layout(look, left=64, right=beside.right, top=30, bottom=34, annotations=notes)
    arranged["xaxis"] = levels_axis(height, fanout, names, look)
    arranged["yaxis"] = _up(top, look)
    return picture(marks, arranged)


def _points(rows: pd.DataFrame, name: str, look: Look) -> dict[str, Any]:
    """Roots of simulated mean squared errors, with two standard errors by the delta method."""
    errors = np.sqrt(rows["mse"].to_numpy(np.float64))
    half = rows["standard_error"].to_numpy(np.float64) / np.where(errors > 0, errors, np.inf)
    colour = reading_colour(name, look.ink)
    dots = {"color": colour, "symbol": READINGS[name].symbol, "size": look.mark(9)}
    return trace(
        f"{READING_NAMES[name]}, simulated",
        rows["level"].to_numpy(),
        errors,
        mode="markers",
        marker=dots,
        error_y={"type": "data", "array": half, "thickness": 1.5, "width": 0, "color": colour},
    )


def levels_axis(
    height: int, fanout: int, names: Names, look: Look, *, aside: float = 0.15, few: int = 7
) -> dict[str, Any]:
    """The levels from the root to the leaves by their names, at most eight of them.

    On a phone by their numbers of parts, at most so few of them, or four of large numbers.
    """
    few = few if fanout**height < 1_000 else min(few, 4)
    every = max(1, -(-(height + 1) // look.said(8, few)))
    at = [level for level in range(height) if level % every == 0 and height - level >= every]
    at.append(height)
    people = names.safe().people
    parts = [fanout**level for level in at]
    said = look.said(
        [level_name(one, people, leaves=one == parts[-1]) for one in parts],
        [f"{one:,}" if one > 1 else "all" for one in parts],
    )
    reach = [-aside, height + aside] if height else [-1, 1]
    return axis(look, range=reach, tickvals=at, ticktext=said, ticks="outside", ticklen=5)


def _up(top: float, look: Look) -> dict[str, Any]:
    step = round_step(top)
    at = np.arange(0, top, step)
    said = [f"± {each:,.6g}" if each else "0" for each in at]
    return axis(
        look, range=[0, top], tickvals=at, ticktext=said, ticklabelstandoff=6, showgrid=True
    )


def reading_colour(name: str, ink: Ink) -> str:
    """The colour of a reading on this page."""
    mark = READINGS[name]
    return mark.dark if ink.dark else mark.light
