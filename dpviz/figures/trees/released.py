"""What an outsider gets: a noisy tree as rows with its CDF, and a histogram in buckets."""

import numpy as np

from dpviz.answers.trees.names import Names
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace
from dpviz.figures.trees.curve import (
    Curve,
    curve_marks,
    heading,
    people_axis,
    round_step,
    values_axis,
)
from dpviz.figures.trees.icicle import Side, icicle

CURVE, BETWEEN = 0.4, 0.1  # shares of the height: the CDF, and the room with its words


def released_tree(
    side: Side,
    curve: Curve,
    ends: tuple[float, float],
    names: Names,
    look: Look,
    *,
    noisiest: float,
    sure: str = "",
) -> Picture:
    """One reading without any truth: rows above, running counts of people below, on one axis.

    sure says in words what the band of the curve holds.
    """
    drawn = icicle([side], ends, names, look, noisiest=noisiest)
    arranged, names = drawn["layout"], names.safe()
    arranged["xaxis"] = values_axis(ends, names, look, anchor="y2")
    arranged["yaxis"]["domain"] = [CURVE + BETWEEN, 1]
    arranged["yaxis2"] = people_axis(curve, look, domain=[0, CURVE])
    said = f"{names.people.capitalize()} below each {names.axis}"
    above = ("x domain", "y2 domain")
    arranged["annotations"].append(heading(look, said, above))
    if sure and curve.band is not None:
        blue = look.ink.private
        arranged["annotations"].append(heading(look, sure, above, at=1, colour=blue, align="right"))
    drawn["data"] += [mark | {"xaxis": "x", "yaxis": "y2"} for mark in curve_marks(curve, look)]
    return drawn


def buckets_picture(
    edges: FloatArray, spread: FloatArray, truth: FloatArray | None, names: Names, look: Look
) -> Picture:
    """Bins (k,) with their even part of a bucket's private count; truth (k,) is confidential."""
    names = names.safe()
    stairs = np.repeat(edges, 2)[1:-1]
    marks = []
    tops = [float(spread.max())]
    lows = [float(spread.min()), 0.0]
    if truth is not None:
        tops.append(float(truth.max()))
        stroke = line(look.ink.truth, look.mark(1.5))
        marks.append(trace("truth", stairs, np.repeat(truth, 2), mode="lines", line=stroke))
    stroke = line(look.ink.private, look.mark(3))
    marks.append(trace("buckets", stairs, np.repeat(spread, 2), mode="lines", line=stroke))
    top, low = max(*tops, 1.0), min(lows)
    step = round_step(top)
    at = np.arange(0.0, top + 0.3 * step, step)
    said = f"<b>{names.people.capitalize()} in each bin</b>"
    if truth is not None:
        said += look.said(": true in ink, published in blue", "")
    arranged = layout(look, left=64, right=28, top=30, bottom=32, annotations=[heading(look, said)])
    arranged |= {
        "xaxis": values_axis((float(edges[0]), float(edges[-1])), names, look),
        "yaxis": axis(
            look,
            range=[low - 0.03 * top, max(top, float(at[-1])) + 0.03 * top],
            tickvals=at,
            ticktext=[f"{each:,.6g}" for each in at],
            ticklabelstandoff=6,
            showgrid=True,
        ),
    }
    return picture(marks, arranged)
