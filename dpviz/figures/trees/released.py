"""What an outsider gets of a noisy tree: its rows with the ± of each, and its CDF with a band."""

from __future__ import annotations

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.curve import Curve, curve_marks, heading, people_axis, values_axis
from dpviz.figures.trees.icicle import Side, icicle
from dpviz.figures.trees.names import Names

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
