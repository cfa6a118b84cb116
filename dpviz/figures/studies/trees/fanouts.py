"""How far a running count is typically off, by fanout, against the number of parts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpviz.answers.trees.fanouts import Way
from dpviz.answers.trees.names import Names, spread_error
from dpviz.core.arrays import IntArray
from dpviz.figures.kit.look import TICK, WORDS, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.studies.trees.edge_errors import (
    FIRST,
    OTHER,
    RIGHT,
    TALL,
    apart,
    errors_axis,
    way_colour,
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
    notes = [heading(look, "<b>Typical error of a running count</b>" if look.phone else said)]
    for one in (way for way in ways if way.best):
        dots = {"size": look.mark(9), "color": look.ink.private}
        marks.append(trace("best fanout", powers, one.errors, mode="markers", marker=dots))
        notes += [
            words(
                look, f"{fanout}", power, error, colour=look.ink.private, size=TICK,
                align="center", stand="top", shift=(0.0, -look.text(7)), plate=True,
            )
            for fanout, power, error in zip(one.best, powers, one.errors, strict=True)
            if not look.phone or power % 4 == 0
        ]  # fmt: skip
    typical = {one.name: float(one.errors[-1]) for one in ways}
    rows = [(one.errors[-1], one.name, one.is_first) for one in ways]
    gap = look.text(WORDS) * 1.35 * top / TALL
    rows.sort()
    places = apart([float(row[0]) for row in rows], gap)
    right = 40 if look.phone else look.text(RIGHT)
    for place, (_, name, first) in zip(places, rows, strict=True):
        if look.phone and not first:
            continue
        notes.append(
            words(
                look,
                f"{'<b>' if first else ''}{name}{'</b>' if first else ''}"
                f"  {spread_error(typical[name])}",
                1.0,
                gap if look.phone else place,
                colour=way_colour(first, look),
                align="right" if look.phone else "left",
                axes=("x domain", "y"),
                shift=(-4.0 if look.phone else look.text(10), 0.0),
            )
        )
    arranged = layout(look, left=64, right=right, top=30, bottom=32, annotations=notes)
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
                ticktext=[f"{round(2**power):,}" for power in shown],
                ticks="outside",
                showline=True,
            ),
            "yaxis": errors_axis(top, look),
        },
    )
