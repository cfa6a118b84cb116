"""How many times as far off buckets from the data are as a usual way, against the budget."""

import math
from collections.abc import Mapping

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.studies.trees.edge_errors import FIRST, OTHER, errors_axis, way_colour
from dpviz.figures.trees.curve import heading

APART = 0.0675  # of the height, between two names
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
    marks, ends = [], []
    for name, one in shown.items():
        is_first = name == BUCKETS
        stroke = line(
            way_colour(is_first, look),
            look.mark(FIRST if is_first else OTHER),
            dash="solid" if is_first or name == usual else "dot",
        )
        marks.append(trace(name, epsilons, np.minimum(one, top), mode="lines", line=stroke))
        called = f"<b>{name}</b>" if is_first else name
        ends.append(End(called, min(float(one[-1]), top), way_colour(is_first, look)))
    names = named(look, ends, (0.0, top), apart=APART, scarce="beside")
    notes = [heading(look, f"<b>{title}</b>"), *names.notes]
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
    arranged = layout(
        look, left=look.said(64, 40), right=names.right, top=30, bottom=32, annotations=notes,
        shapes=shapes,
    )  # fmt: skip
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
