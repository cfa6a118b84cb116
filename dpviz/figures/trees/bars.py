"""What an icicle is made of: cells that can be clicked, noisy bars in them, and the true steps.

A row is 1 high and the last one stands on 0; bars reach TALL at most, and DIP below their row.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.rows import Row
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import palette
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import line, trace

TALL, DIP = 0.86, 0.09
TINT = 0.94  # paper in the blue of an empty cell
PALEST = 0.5  # paper in the blue of the noisiest bar
SEPARATE = 64  # cells of a row that have room for a gap between them
GAP = 0.003  # of the axis, 2 px on a laptop
LIFT = np.array([np.nan])  # lifts the pen between two rows
THIN = 0.6  # of a line that steps up and down every few px


def cells(rows: Sequence[Row], ends: tuple[float, float], names: Names, look: Look) -> Any:
    """The tinted cells behind all bars, which say under the pointer what they hold."""
    sizes = [row.at.size for row in rows]
    base = np.repeat([float(_base(rows, number)) for number in range(len(rows))], sizes)
    low, high = (
        np.concatenate(part) for part in zip(*(_drawn(row, ends) for row in rows), strict=True)
    )
    return {
        "type": "bar",
        "name": "cells",
        "x": (low + high) / 2,
        "width": high - low - np.repeat([_gap(row, ends) for row in rows], sizes),
        "y": np.full(base.size, TALL),
        "base": base,
        "marker": {"color": mixed(look.ink.private, look.ink.page, TINT), "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "customdata": _carried(rows, ends),
        "hovertemplate": _hover(rows, names),
    }


@lru_cache(maxsize=1024)
def mixed(colour: str, paper: str, share: float) -> str:
    """A colour with a share of the paper in it; the same few come again at every run."""
    return palette.mixed(colour, paper, share)


def fills(
    rows: Sequence[Row], ends: tuple[float, float], top: float, noisiest: float, look: Look
) -> list[dict[str, Any]]:
    """The bars of each row as one path, fainter where they are noisier."""
    return [
        trace(
            f"level {row.level}",
            *_bars(row, _base(rows, number), ends, top),
            mode="none",
            fill="toself",
            fillcolor=shade(row.error, noisiest, look),
        )
        for number, row in enumerate(rows)
        if np.isfinite(row.error)
    ]


def shade(error: float, noisiest: float, look: Look) -> str:
    """Private blue with the paper in it: none up to half of the largest standard error."""
    share = PALEST * (error / noisiest - 0.5) / 0.5 if noisiest > 0 else 0.0
    return mixed(look.ink.private, look.ink.page, min(max(share, 0.0), PALEST))


def steps(
    rows: Sequence[Row], ends: tuple[float, float], top: float, look: Look
) -> list[dict[str, Any]]:
    """The truth of all rows, finer where a row has many nodes; nothing while it is hidden."""
    if rows[0].truth is None:
        return []
    found = []
    for fine in (False, True):
        x: list[FloatArray] = []
        y: list[FloatArray] = []
        for number, row in enumerate(rows):
            if (row.at.size > SEPARATE) is not fine:
                continue
            height = _base(rows, number) + TALL * np.clip(row.true_heights / top, 0, 1)
            x += [np.stack(_drawn(row, ends), axis=1).ravel(), LIFT]
            y += [np.repeat(height, 2), LIFT]
        if x:
            stroke = line(look.ink.truth, look.mark(1.75) * (THIN if fine else 1))
            found.append(
                trace("truth", np.concatenate(x), np.concatenate(y), mode="lines", line=stroke)
            )
    return found


def frames(
    rows: Sequence[Row], ends: tuple[float, float], nodes: Sequence[tuple[int, int]], look: Look
) -> dict[str, Any]:
    """Frames around the nodes of a path, (level, index) each, on the rows that are drawn."""
    places = {row.level: (number, row.nodes) for number, row in enumerate(rows)}
    x, y = [], []
    for level, index in nodes:
        if level not in places:
            continue
        number, size = places[level]
        low, high = (ends[0] + (index + side) / size * (ends[1] - ends[0]) for side in (0, 1))
        base = _base(rows, number)
        x += [low, high, high, low, low, np.nan]
        y += [base, base, base + TALL, base + TALL, base, np.nan]
    stroke = line(look.ink.second, look.mark(2), dash="dot")
    return trace("path", np.array(x), np.array(y), mode="lines", line=stroke)


def middle(rows: Sequence[Row], number: int) -> float:
    """Where the words of a row stand, counted from the top."""
    return _base(rows, number) + TALL / 2


def _base(rows: Sequence[Row], number: int) -> float:
    return float(len(rows) - 1 - number)


def _gap(row: Row, ends: tuple[float, float]) -> float:
    """The room between two cells, in units of the axis."""
    return GAP * (ends[1] - ends[0]) if 1 < row.at.size <= SEPARATE else 0.0


def _drawn(row: Row, ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """From where to where each bar of a row is drawn."""
    edges = np.linspace(*ends, row.at.size + 1)
    return edges[:-1], edges[1:]


def _bars(
    row: Row, base: float, ends: tuple[float, float], top: float
) -> tuple[FloatArray, FloatArray]:
    """The outline of all bars of a row: up, over and down again, along the row's floor between."""
    low, high = _drawn(row, ends)
    inset = _gap(row, ends) / 2
    height = base + np.clip(TALL * row.heights / top, -DIP, TALL)
    x = np.stack((low + inset, low + inset, high - inset, high - inset), axis=1)
    y = np.stack((np.full(height.size, base), height, height, np.full(height.size, base)), axis=1)
    return x.ravel(), y.ravel()


def _carried(rows: Sequence[Row], ends: tuple[float, float]) -> FloatArray:
    """(level, index, low, high, count, error, truth) of every cell; truth is NaN while hidden."""
    width, parts = ends[1] - ends[0], []
    for row in rows:
        low = ends[0] + row.at / row.nodes * width
        part = np.empty((row.at.size, 7))
        part[:, 0], part[:, 1], part[:, 2], part[:, 3] = (
            row.level,
            row.at,
            low,
            low + width / row.nodes,
        )
        part[:, 4], part[:, 5] = row.counts, row.error
        part[:, 6] = np.nan if row.truth is None else row.truth
        parts.append(part)
    return np.concatenate(parts)


def _hover(rows: Sequence[Row], names: Names) -> str:
    """What stands at the pointer; names are safe already."""
    true = "" if rows[0].truth is None else "<br>true %{customdata[6]:,.0f}"
    return (
        f"{names.axis} %{{customdata[2]:,.6g}} to %{{customdata[3]:,.6g}}<br>"
        f"%{{customdata[4]:,.0f}} {names.people} ± %{{customdata[5]:,.0f}}{true}<extra></extra>"
    )
