"""Which noisy counts one efficient estimate listens to: the weight of every measurement."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.rows import MOST_CELLS, Row, drawn_levels, strongest
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.labels import width
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.trees.bars import TALL, TINT, frames, middle, mixed
from dpviz.figures.trees.curve import heading, values_axis
from dpviz.figures.trees.icicle import left_margin, row_names

AWAY = 10  # px of words from the end of a row
ZERO = 0.34  # of a row, where weights are 0: below it a count is subtracted


def weight_rows(weights: Sequence[FloatArray]) -> tuple[Row, ...]:
    """The drawn levels; where cells are too many, the heaviest of each stretch stands for it."""
    rows = []
    for level in drawn_levels(len(weights) - 1):
        at = strongest(weights[level], MOST_CELLS)
        rows.append(Row(level, weights[level].size, at, weights[level][at], 0.0))
    return tuple(rows)


def weights_picture(
    weights: Sequence[FloatArray],
    ends: tuple[float, float],
    names: Names,
    look: Look,
    *,
    path: Sequence[tuple[int, int]],
    title: str,
) -> Picture:
    """One row a level: bars up are added, bars down are subtracted, as much as they are long.

    weights are (fanout**l,) a level, root first; path leads from the root to the node. At the end
    of a row stands its part of all weights.
    """
    rows, names = weight_rows(weights), names.safe()
    most = max(float(np.abs(level).max()) for level in weights) or 1.0
    whole = sum(float(np.abs(level).sum()) for level in weights) or 1.0
    notes = [heading(look, title)]
    for number, row in enumerate(rows):
        part = float(np.abs(weights[row.level]).sum()) / whole
        at, said = middle(rows, number), f"{100 * part:.0f} %"
        notes.append(words(look, said, 1, at, axes=("x domain", "y"), shift=(AWAY, 0)))
    marks = [_cells(rows, ends, names, look), *_bars(rows, ends, most, look)]
    marks.append(frames(rows, ends, path, look))
    right = AWAY + look.text(width("100 %"))
    arranged = layout(look, left=left_margin(rows, names), right=right, annotations=notes)
    arranged |= {"barmode": "overlay", "bargap": 0, "clickmode": "event+select"}
    arranged["xaxis"] = values_axis(ends, names, look)
    arranged["yaxis"] = axis(
        look,
        range=[-0.05, len(rows) - 0.1],
        tickvals=[middle(rows, number) for number in range(len(rows))],
        ticktext=row_names(rows, names),
        ticklabelstandoff=8,
    )
    return picture(marks, arranged)


def _cells(rows: Sequence[Row], ends: tuple[float, float], names: Names, look: Look) -> Any:
    sizes = [row.at.size for row in rows]
    base = np.repeat(np.arange(len(rows))[::-1].astype(float), sizes)
    part = np.repeat([(ends[1] - ends[0]) / size for size in sizes], sizes)
    index = np.concatenate([np.arange(size) for size in sizes])
    level = np.repeat([row.level for row in rows], sizes)
    at = np.concatenate([row.at for row in rows])
    width = np.repeat([(ends[1] - ends[0]) / row.nodes for row in rows], sizes)
    low = ends[0] + at * width
    carried = (level, at, low, low + width, np.concatenate([row.counts for row in rows]))
    return {
        "type": "bar",
        "name": "cells",
        "x": ends[0] + (index + 0.5) * part,
        "width": part,
        "y": np.full(base.size, TALL),
        "base": base,
        "marker": {"color": mixed(look.ink.private, look.ink.page, TINT), "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "customdata": np.stack(carried, axis=1),
        "hovertemplate": f"{names.axis} %{{customdata[2]:,.6g}} to %{{customdata[3]:,.6g}}<br>"
        "weight %{customdata[4]:.3f}<extra></extra>",
    }


def _bars(
    rows: Sequence[Row], ends: tuple[float, float], most: float, look: Look
) -> list[dict[str, Any]]:
    """Every row's bars around its zero line."""
    marks: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        zero = len(rows) - 1 - number + ZERO * TALL
        edges = np.linspace(*ends, row.at.size + 1)
        height = zero + row.counts / most * (1 - ZERO) * TALL
        height = np.maximum(height, zero - ZERO * TALL)
        flat = np.full(height.size, zero)
        x = np.stack((edges[:-1], edges[:-1], edges[1:], edges[1:]), axis=1).ravel()
        y = np.stack((flat, height, height, flat), axis=1).ravel()
        blue = look.ink.private
        marks.append(trace(f"level {row.level}", x, y, mode="none", fill="toself", fillcolor=blue))
        stroke = line(look.ink.second, 1)
        marks.append(trace("0", list(ends), [zero, zero], mode="lines", line=stroke))
    return marks
