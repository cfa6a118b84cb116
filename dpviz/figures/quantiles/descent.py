"""The recursion of ApproximateQuantiles, step by step: what each node was drawn from, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import MANY
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.releases import Recursion
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE, translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace
from dpviz.figures.quantiles.descent_words import heading, numbers, sizes
from dpviz.figures.quantiles.marks import PALE, dots, segments, sticks, true_ticks
from dpviz.figures.quantiles.scale import Scale

HILL = 0.6  # of a row


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """What only the teaching view knows of each node, in the order of the recursion's arrays.

    Shapes: truth (m,), sizes (m,) people in each part, x (m, b) and height (m, b) the outline of
    the exact density, its peak at 1. All confidential.
    """

    truth: FloatArray
    sizes: FloatArray
    x: FloatArray
    height: FloatArray


def descent_picture(
    recursion: Recursion,
    published: FloatArray,
    inside: Inside | None,
    scale: Scale,
    look: Look,
    *,
    first: str,
    people: str = "",
    chosen: int | None = None,
) -> Picture:
    """One row a step: ranges as lines, drawn values as dots that cut the next rows.

    published (m,) are the values as they were released, which the dots may be finer than; first
    names the quantile of step 1; chosen is the node with a ring around it.
    """
    at = 1.0 - recursion.level
    steps = int(recursion.level.max())
    data = [_cuts(recursion, at, look), *_ranges(recursion, at, scale, look)]
    labels = numbers(recursion, published, at, scale, look, first)
    if inside is not None:
        data.insert(0, _densities(inside, at, scale, look))
        many = published.size > MANY
        if not many:
            data.append(sticks(inside.truth, recursion.value, at, look))
        data.append(true_ticks(inside.truth, at, look, 10 if many else 20))
        labels += sizes(recursion, inside.sizes, at, scale, look, people, published)
    data.append(_dots(recursion, at, look, chosen))
    if inside is not None:
        labels += look.full(heading(people, _left(look), look))
    arranged = layout(look, left=_left(look), right=24, top=26 if inside is not None else 10) | {
        "xaxis": scale.axis(look),
        "yaxis": _step_axis(recursion, steps, look),
        "annotations": labels,
    }
    return picture(data, arranged)


def _left(look: Look) -> float:
    return look.said(92, 62)


def _step_axis(recursion: Recursion, steps: int, look: Look) -> dict[str, Any]:
    ends = np.bincount(recursion.level.astype(np.int64), minlength=steps + 1)[1:]
    texts = [
        f"<b>Step {step}</b>  <br>{count} of {recursion.level.size}  "
        for step, count in enumerate(ends.tolist(), start=1)
    ]
    return axis(
        look,
        range=[-steps + 1 - 0.4, 0.7],
        tickvals=[-float(step) for step in range(steps)],
        ticktext=texts,
    )


def _ranges(recursion: Recursion, at: FloatArray, scale: Scale, look: Look) -> list[dict[str, Any]]:
    low, high = scale.clipped(recursion.low), scale.clipped(recursion.high)
    x, y = segments(low, high, at)
    colour = translucent(look.ink.second, 0.8)
    mark = {
        "symbol": "line-ns-open",
        "size": look.mark(9),
        "color": colour,
        "line": line(colour, look.mark(1.5)),
    }
    ends = np.concatenate((low, high)), np.concatenate((at, at))
    return [
        trace("ranges", x, y, mode="lines", line=line(colour, look.mark(1.5))),
        trace("ends", *ends, mode="markers", marker=mark),
    ]


def _densities(inside: Inside, at: FloatArray, scale: Scale, look: Look) -> dict[str, Any]:
    """Hills on the ranges: outlines from the line up and back, separated by NaN."""
    base, gap = at[:, None], np.full((at.size, 1), np.nan)
    x = np.clip(inside.x, *scale.view)
    x = np.concatenate((x[:, :1], x, x[:, -1:], gap), axis=1)
    y = np.concatenate((base, base + HILL * inside.height, base, gap), axis=1)
    return trace(
        "densities",
        x.ravel(),
        y.ravel(),
        mode="lines",
        line=line(translucent(look.ink.of(PRIVATE), 2 * PALE), 1),
        fill="toself",
        fillcolor=translucent(look.ink.of(PRIVATE), PALE),
    )


def _cuts(recursion: Recursion, at: FloatArray, look: Look) -> dict[str, Any]:
    """A dotted line down from each drawn value: there its part was cut in two."""
    down = at.min() - 0.06 if at.size <= MANY else at - 1
    gap = np.full(at.shape, np.nan)
    y = np.stack((at, np.broadcast_to(down, at.shape), gap), 1).ravel()
    drawn = line(look.ink.of(PRIVATE), look.mark(1.5), dash="dot")
    return trace("cuts", np.repeat(recursion.value, 3), y, mode="lines", line=drawn)


def _dots(recursion: Recursion, at: FloatArray, look: Look, chosen: int | None) -> dict[str, Any]:
    """Drawn values; a click on one tells more of its node."""
    found = dots(recursion.value, at, look, size=12 if at.size <= MANY else 7)
    ring = np.arange(at.size) == (-1 if chosen is None else chosen)
    found["marker"]["size"] = np.where(ring, 1.4, 1.0) * found["marker"]["size"]
    found["marker"]["line"] = {
        "width": np.where(ring, look.mark(2.5), found["marker"]["line"]["width"]),
        "color": [look.ink.truth if one else look.ink.page for one in ring.tolist()],
    }
    return found | {
        "customdata": recursion.normalised,
        "hoverinfo": "x",
        "hovertemplate": "%{x:,.6g}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
