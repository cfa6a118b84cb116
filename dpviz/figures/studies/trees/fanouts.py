"""How far a running count is typically off, by fanout, against the number of parts."""

import math
from collections.abc import Sequence

import numpy as np

from dpviz.answers.trees.fanouts import Way
from dpviz.answers.trees.names import Names
from dpviz.core.arrays import IntArray
from dpviz.figures.kit.labels import named
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.studies.trees.edge_errors import (
    APART,
    FIRST,
    OTHER,
    errors_axis,
    way_colour,
    way_end,
)
from dpviz.figures.trees.curve import heading


def fanouts_picture(
    bins: IntArray, ways: Sequence[Way], own: int, names: Names, look: Look
) -> Picture:
    """A line each against the number of parts (k,), a power of two; own is that of one's own tree.

    Public: nothing here has seen data.
    """
    names = names.safe()
    powers = np.log2(bins.astype(np.float64))
    top = max(float(one.errors.max()) for one in ways) * 1.06
    marks = []
    for one in ways:
        colour = way_colour(one.is_first, look)
        dash = "solid" if one.is_tree else "dash"
        stroke = line(colour, look.mark(FIRST if one.is_first else OTHER), dash=dash)
        marks.append(trace(one.name, powers, one.errors, mode="lines", line=stroke))
    said = f"<b>Typical error of a running count</b>, in {names.people}, by number of parts"
    ends = [way_end(one.name, float(one.errors[-1]), one.is_first, look) for one in ways]
    beside = named(look, ends, (0.0, top), apart=APART, scarce="corner")
    said = look.said(said, "<b>Typical error of a running count</b>, by parts")
    notes = [heading(look, said), *beside.notes]
    for one in (way for way in ways if way.best):
        dots = {"size": look.mark(9), "color": look.ink.private}
        marks.append(trace("best fanout", powers, one.errors, mode="markers", marker=dots))
        notes += [
            words(
                look, f"{fanout}", power, error, colour=look.ink.private, size=TICK,
                align="center", stand="top", shift=(0.0, -look.text(7)), plate=True,
            )
            for fanout, power, error in zip(one.best, powers, one.errors, strict=True)
            if power % look.said(1, 4) == 0
        ]  # fmt: skip
    arranged = layout(look, left=64, right=beside.right, top=30, bottom=32, annotations=notes)
    if bins[0] <= own <= bins[-1]:
        faint = rule(look, math.log2(own))
        faint["line"] = line(look.ink.second, look.mark(1), dash="dot")
        arranged["shapes"] = [faint]
        notes.append(
            words(
                look,
                "your tree",
                math.log2(own),
                1.0,
                colour=look.ink.second,
                size=TICK,
                axes=("x", "y domain"),
                stand="top",
                shift=(look.text(5), 0.0),
                plate=True,
            )
        )
    shown = [power for power in powers.tolist() if power % 4 == 0]
    return picture(
        marks,
        arranged
        | {
            "xaxis": axis(
                look,
                range=[powers[0], powers[-1]],
                tickvals=shown,
                ticktext=[
                    look.said(f"{round(2**power):,}", f"2<sup>{power:g}</sup>") for power in shown
                ],
                ticks="outside",
                showline=True,
            ),
            "yaxis": errors_axis(top, look),
        },
    )
