"""Error against the number of quantiles: asking grows, a curve stays, and they cross."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.answers.studies.many import ManyNumbers
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import (
    Picture,
    axis,
    below,
    layout,
    line,
    measured,
    picture,
    rule,
    trace,
)
from dpviz.figures.kit.picture import words as placed
from dpviz.figures.studies.swept import decades

HUES = {"halving": "amber", "together": "pink", "tree": "blue", "density": "green"}
DASHES = {"halving": "solid", "together": "dot", "tree": "solid", "density": "dash"}
LEFT = 70
LEAST = 1e-3  # of the largest error: less has no place on the axis


def many_picture(found: ManyNumbers, names: Mapping[str, str], look: Look) -> Picture:
    """A line a method over the number of quantiles, and the crossing as an upright."""
    known = np.concatenate([one[np.isfinite(one)] for one in found.errors.values()])
    high = float(known.max()) * 1.5
    low = max(float(known[known > 0].min()) / 1.5, high * LEAST)
    up = (math.log10(low), math.log10(high))
    x = np.log10(found.counts)
    ends = [_end(name, one, names[name], low, look) for name, one in found.errors.items()]
    last = named(look, ends, up, left=LEFT - 6)
    crosses = found.place.crosses
    has_one = 1 < crosses < math.inf
    mark = [rule(look, math.log10(crosses))] if has_one else []
    notes = [
        placed(
            look, f"<b>{math.ceil(crosses)}</b>", math.log10(crosses), 1, axes=("x", "y domain"),
            align="center", stand="bottom", shift=(0, 2), colour=look.ink.truth,
        )
        for _ in mark
    ]  # fmt: skip
    ticks = look.said(found.counts, found.counts[::3])
    return picture(
        [_line(name, x, one, low, look) for name, one in found.errors.items()],
        layout(
            look,
            left=LEFT,
            right=last.right,
            top=36 + last.above,
            bottom=56,
            xaxis=axis(
                look, range=[-0.04, float(x[-1]) + 0.04], tickvals=np.log10(ticks),
                ticktext=[f"{one:g}" for one in ticks], ticks="outside",
                title=below("quantiles that are asked for", look),
            ),
            yaxis=axis(look, range=list(up), showgrid=True, **_heights(low, high)),
            shapes=[one | {"layer": "below"} for one in mark],
            annotations=[
                measured(look, "Mean error in people", LEFT - 6, 10 + last.above), *notes,
                *last.notes,
            ],
        ),
    )  # fmt: skip


def _heights(low: float, high: float) -> dict[str, Any]:
    """Ticks of the errors."""
    found = decades((low, high))
    return found | {"tickvals": np.log10(found["tickvals"])}


def _line(name: str, x: FloatArray, errors: FloatArray, low: float, look: Look) -> dict[str, Any]:
    """The errors of one method; those of nothing lie at the foot."""
    colour, kept = look.ink.of(HUES[name]), np.isfinite(errors)
    return trace(
        name, x[kept], np.log10(np.maximum(errors[kept], low)), mode="lines+markers",
        line=line(colour, look.mark(2.5), dash=DASHES[name]),
        marker={"color": colour, "size": look.mark(8)},
    )  # fmt: skip


def _end(name: str, errors: FloatArray, words: str, low: float, look: Look) -> End:
    """A method's name at the end of its line."""
    last = float(errors[np.isfinite(errors)][-1])
    return End(words, math.log10(max(last, low)), look.ink.written(HUES[name]))
