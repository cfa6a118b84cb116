"""The recursion of ApproximateQuantiles, step by step: what each node was drawn from, and where."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import MANY
from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.releases import Recursion
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE, translucent
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, line, picture, trace, words
from dpviz.figures.quantiles.marks import LABEL, PALE, dots, segments, sticks, true_ticks
from dpviz.figures.quantiles.scale import Scale

HILL = 0.6  # of a row
FREE = 0.042  # of the axis: room for the number of people
APART = 0.012  # of the axis a letter, between two numbers of one row


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


def heading(people: str, left: float, look: Look) -> dict[str, Any]:
    """What hills and dots are, above the picture, left of its axis."""
    said = "Each hill is the exact chance of every answer at that step; the dot was drawn from it"
    more = "" if look.presenting else f" and cuts the {people} in two"
    return words(
        look, said + more, 0, 1, colour=look.ink.second, stand="bottom",
        axes=("x domain", "y domain"), shift=(-left * look.text(1) + 2, 6),
    )  # fmt: skip


def numbers(
    recursion: Recursion,
    published: FloatArray,
    at: FloatArray,
    scale: Scale,
    look: Look,
    named: str,
) -> list[dict[str, Any]]:
    """The drawn numbers below their dots, where there is room; the first one says what it is.

    At the end of the axis a number stands left of its dot.
    """
    found, colour = [], look.ink.written(PRIVATE)
    last = _last(published, scale, look)
    for node in np.flatnonzero(_roomy(published, at, scale, look)).tolist():
        value = scale.writing.value(float(published[node]))
        first = recursion.level[node] == 1
        said = look.said(f" {named}, drawn first", " drawn first")
        said = coloured(said, colour) if first and scale.position(published[node]) < 0.7 else ""
        text = coloured(value, colour, bold=True) + said
        place = float(recursion.value[node]), float(at[node])
        found.append(_below(look, text, *place, LABEL, 7, at_end=bool(last[node])))
    return found


def _need(published: FloatArray, scale: Scale, look: Look) -> float:
    """The share of the axis that a number takes."""
    letters = len(scale.writing.value(float(published[-1]))) + 1
    return letters * APART * look.text(1) * look.said(1, 2.5)


def _last(published: FloatArray, scale: Scale, look: Look) -> BoolArray:
    """Which dots have no room for a number on their right."""
    low, high = scale.view
    return (high - published) / (high - low) < _need(published, scale, look) / 2


def _roomy(published: FloatArray, at: FloatArray, scale: Scale, look: Look) -> BoolArray:
    """Which numbers have room before the next one of their row; nodes are in ascending order."""
    need, order = _need(published, scale, look), np.lexsort((published, at))
    ahead = np.diff(published[order], append=np.inf) / (scale.view[1] - scale.view[0])
    ahead[np.append(np.diff(at[order]) != 0, True)] = np.inf
    behind, last = np.append(np.inf, ahead[:-1]), _last(published, scale, look)[order]
    fits = np.zeros(at.size, dtype=bool)
    fits[order] = np.where(last, behind >= 2 * need, ahead >= need)
    return fits


def sizes(
    recursion: Recursion,
    counts: FloatArray,
    at: FloatArray,
    scale: Scale,
    look: Look,
    people: str,
    published: FloatArray,
) -> list[dict[str, Any]]:
    """How many people each part holds, at its left end, where there is room before its dot."""
    low = scale.clipped(recursion.low)
    free = (recursion.value - low) / (scale.view[1] - scale.view[0])
    found = []
    named = _roomy(published, at, scale, look)
    for node in _wide(free, look).tolist():
        if _is_taken(recursion.value[named & (at == at[node])], low[node], scale, look):
            continue
        text = f"{counts[node]:,.0f}"
        if free[node] > 3.4 * FREE * look.text(1) and recursion.level[node] <= 2 and at[node] > -2:
            text += f" {people}"
        found.append(_below(look, text, float(low[node]), float(at[node]), 14.5, 4))
    return look.full(*found)


def _wide(free: FloatArray, look: Look) -> IntArray:
    return np.flatnonzero(free >= FREE * look.text(1))


def _is_taken(numbers: FloatArray, start: float, scale: Scale, look: Look) -> bool:
    """Whether a number of the row stands where the words at start would."""
    ahead = (numbers - start) / (scale.view[1] - scale.view[0])
    return bool((np.abs(ahead) < FREE * look.text(1)).any())


def _below(
    look: Look, text: str, x: float, row: float, size: float, right: float, *, at_end: bool = False
) -> dict[str, Any]:
    shift = ((-right if at_end else right) * look.text(1), -6 * look.text(1))
    side = "right" if at_end else "left"
    return words(look, text, x, row, size=size, stand="top", align=side, shift=shift)
