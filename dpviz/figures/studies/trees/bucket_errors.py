"""How many times as far off buckets from the data are as a usual way, against the budget."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import TICK, WORDS, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.studies.trees.edge_errors import FIRST, OTHER, apart, errors_axis, way_colour
from dpviz.figures.trees.curve import heading

ROOM = 104  # px beside the panel for the names of lines
TALL = 300.0  # px of the panel, for words that must not meet
LEAST = 1.25  # times, at least on the axis
BUCKETS = "buckets"


def bucket_errors_picture(
    epsilons: FloatArray,
    errors: Mapping[str, FloatArray],
    usual: str,
    own: float,
    title: str,
    look: Look,
) -> Picture:
    """Errors (k,) by way over those of the usual way, a level line; own is the ε in use.

    The way that is named BUCKETS is what the picture is about. A way that lies above the picture is
    left out, for its line would press all others together.
    """
    times = {name: one / errors[usual] for name, one in errors.items()}
    top = max(LEAST, float(times[BUCKETS].max())) * 1.1
    shown = {name: one for name, one in times.items() if float(one.min()) < top}
    marks, notes = [], [heading(look, f"<b>{title}</b>")]
    for name, one in shown.items():
        is_first = name == BUCKETS
        stroke = line(
            way_colour(is_first, look),
            look.mark(FIRST if is_first else OTHER),
            dash="solid" if is_first or name == usual else "dot",
        )
        marks.append(trace(name, epsilons, np.minimum(one, top), mode="lines", line=stroke))
    gap = look.text(WORDS) * 1.35 * top / TALL
    ends = sorted((min(float(one[-1]), top), name) for name, one in shown.items())
    for at, (_, name) in zip(apart([end for end, _ in ends], gap), ends, strict=True):
        is_first = name == BUCKETS
        notes.append(
            words(
                look,
                f"<b>{name}</b>" if is_first else name,
                1.0,
                at,
                colour=way_colour(is_first, look),
                axes=("x domain", "y"),
                shift=(look.text(6 if look.phone else 10), 0.0),
            )
        )
    shapes = []
    if epsilons[0] <= own <= epsilons[-1]:
        faint = rule(look, own)
        faint["line"] = line(look.ink.second, look.mark(1), dash="dot")
        shapes.append(faint)
        notes.append(
            words(
                look,
                f"ε = {own:g}",
                math.log10(own),
                0.0,
                colour=look.ink.second,
                size=TICK,
                axes=("x", "y domain"),
                stand="bottom",
                align="right" if own > math.sqrt(epsilons[0] * epsilons[-1]) else "left",
                plate=True,
            )
        )
    at_x = [one for one in epsilons.tolist() if f"{one:e}".startswith("1.000000")]
    sides = {"left": 40, "right": 84} if look.phone else {"left": 64, "right": look.text(ROOM)}
    arranged = layout(look, **sides, top=30, bottom=32, annotations=notes, shapes=shapes)
    arranged |= {
        "xaxis": axis(
            look,
            type="log",
            range=np.log10(epsilons[[0, -1]]).tolist(),
            tickvals=at_x,
            ticktext=[f"{'' if place else 'ε = '}{one:g}" for place, one in enumerate(at_x)],
            ticks="outside",
            showline=True,
        ),
        "yaxis": errors_axis(top, look, " ×"),
    }
    return picture(marks, arranged)
