"""How the levels of a tree share its budget under several splits, the most useful one first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names, spread_error
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, picture, words
from dpviz.figures.trees.bars import TALL, TINT, mixed
from dpviz.figures.trees.curve import heading
from dpviz.figures.trees.level_errors import levels_axis

PALE = 0.45  # paper in the bars of splits that are not in use
WIDE = 0.78  # of a level


@dataclass(frozen=True, slots=True)
class SplitRow:
    """One split: its name, its share by level (root first), and its error on the workload.

    error is the root mean variance of a query in people, ∞ where the leaves are not released.
    """

    name: str
    shares: Sequence[float]
    error: float
    in_use: bool = False


def split_rows_picture(
    rows: Sequence[SplitRow], fanout: int, names: Names, look: Look, *, title: str
) -> Picture:
    """One row a split, a bar for the share of each level, the error of a query at its end."""
    ordered = sorted(rows, key=lambda row: row.error)
    height = max(len(row.shares) for row in rows) - 1
    most = max(max(row.shares) for row in rows) or 1.0
    marks = [_cells(len(ordered), height + 1, look)]
    marks += [_bars(row, number, len(ordered), most, look) for number, row in enumerate(ordered)]
    notes = [heading(look, title)]
    best = ordered[0].error
    for number, row in enumerate(ordered):
        times = "" if row.error <= best * 1.0005 else f"  {row.error / best:.3g} ×"
        said = coloured(spread_error(row.error), look.ink.private, bold=True) + times
        at = len(ordered) - 1 - number + TALL / 2
        notes.append(words(look, said, 1, at, axes=("x domain", "y"), shift=(12, 0)))
    named = [f"<b>{row.name}</b>" if row.in_use else row.name for row in ordered]
    left = 20 + 7.2 * max(len(row.name) for row in rows)
    arranged = layout(look, left=left, right=124, top=30, bottom=34, annotations=notes)
    arranged |= {"barmode": "overlay", "bargap": 0}
    arranged["xaxis"] = levels_axis(height, fanout, names, look, aside=0.55, few=2)
    arranged["yaxis"] = axis(
        look,
        range=[-0.05, len(ordered)],
        tickvals=[len(ordered) - 1 - number + TALL / 2 for number in range(len(ordered))],
        ticktext=named,
        ticklabelstandoff=8,
    )
    return picture(marks, arranged)


def _cells(splits: int, levels: int, look: Look) -> dict[str, Any]:
    """The tinted cells behind all bars: a level that gets nothing is seen to get nothing."""
    return {
        "type": "bar",
        "name": "cells",
        "x": np.tile(np.arange(levels), splits),
        "y": np.full(splits * levels, TALL),
        "base": np.repeat(np.arange(float(splits)), levels),
        "width": WIDE,
        "marker": {"color": mixed(look.ink.private, look.ink.page, TINT), "line": {"width": 0}},
        "hoverinfo": "skip",
    }


def _bars(row: SplitRow, number: int, of: int, most: float, look: Look) -> dict[str, Any]:
    shares = np.asarray(row.shares, dtype=np.float64)
    blue = look.ink.private
    return {
        "type": "bar",
        "name": row.name,
        "x": np.arange(shares.size),
        "y": shares / most * TALL,
        "base": np.full(shares.size, float(of - 1 - number)),
        "width": WIDE,
        "marker": {
            "color": blue if row.in_use else mixed(blue, look.ink.page, PALE),
            "line": {"width": 0},
        },
        "customdata": shares,
        "hovertemplate": f"{row.name}, level %{{x}}: %{{customdata:.1%}}<extra></extra>",
    }
