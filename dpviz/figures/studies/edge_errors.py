"""How far a running count is typically off: edge by edge, and against the number of parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.figures.kit.look import TICK, WORDS, Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.trees.curve import heading, round_step, values_axis
from dpviz.figures.trees.names import Names, spread_error

FIRST, OTHER = 3.5, 2.0  # px of the line that the picture is about, and of the others
RIGHT, PHONE = 222, 20  # px beside the panel for the names of lines
TALL = 520.0  # px of the panel, for words that must not meet
LEAST = "least possible, on average"


@dataclass(frozen=True, slots=True, eq=False)
class EdgeErrors:
    """One way: its name, standard errors (k,) at edges (k,), and their root mean square."""

    name: str
    edges: FloatArray
    errors: FloatArray
    typical: float
    is_first: bool = False


def edge_errors_picture(
    every: Sequence[EdgeErrors],
    bound: float | None,
    ends: tuple[float, float],
    names: Names,
    look: Look,
) -> Picture:
    """A line each, named at its right end; bound is what no way gets below on average.

    All of it depends on public choices alone: nothing here has seen data.
    """
    names = names.safe()
    top = max(float(one.errors.max()) for one in every) * 1.08
    marks = [_line(one, look) for one in every]
    if bound is not None:
        dashed = line(look.ink.second, look.mark(1.5), dash="dash")
        marks.append(trace("least", list(ends), [bound, bound], mode="lines", line=dashed))
    said = f"<b>Standard error of a running count</b>, in {names.people}, by {names.axis}"
    notes = [heading(look, "<b>Standard error of a running count</b>" if look.phone else said)]
    notes += _names(every, bound, top, look)
    right = PHONE if look.phone else look.text(RIGHT)
    arranged = layout(look, left=64, right=right, top=30, bottom=32, annotations=notes)
    step = round_step(top)
    at = np.arange(0.0, top + 0.01 * step, step)
    arranged |= {
        "xaxis": values_axis(ends, names, look),
        "yaxis": axis(
            look,
            range=[0.0, top],
            tickvals=at,
            ticktext=[f"{one:,.6g}" for one in at],
            ticklabelstandoff=6,
            showgrid=True,
        ),
    }
    return picture(marks, arranged)


def _line(one: EdgeErrors, look: Look) -> dict[str, Any]:
    stroke = line(_colour(one.is_first, look), look.mark(FIRST if one.is_first else OTHER))
    return trace(one.name, one.edges, one.errors, mode="lines", line=stroke)


def _colour(is_first: bool, look: Look) -> str:
    return look.ink.private if is_first else look.ink.second


def _names(
    every: Sequence[EdgeErrors], bound: float | None, top: float, look: Look
) -> list[dict[str, Any]]:
    """The name of each line beside its right end; on a phone in their order below the lines."""
    rows = [(_height(one), one.name, one.typical, one.is_first) for one in every]
    if bound is not None:
        rows.append((bound, LEAST, bound, False))
    rows.sort()
    gap = look.text(WORDS) * 1.35 * top / TALL
    places = apart([row[0] for row in rows], gap)
    if look.phone:
        places = [gap * (1 + number) for number in range(len(rows))]
    return [
        words(
            look,
            (f"<b>{name}</b>" if first else name) + f"  {spread_error(typical)}",
            1.0,
            place,
            colour=_colour(first, look),
            align="right" if look.phone else "left",
            axes=("x domain", "y"),
            shift=(-4.0 if look.phone else look.text(10), 0.0),
        )
        for place, (_, name, typical, first) in zip(places, rows, strict=True)
    ]


def _height(one: EdgeErrors) -> float:
    """Where a line lies near its right end."""
    return float(one.errors[-max(1, one.errors.size // 10) :].mean())


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to release a CDF of any number of parts: its typical errors (k,).

    best are the fanouts that its dots are labelled with, where it is the best of all fanouts.
    """

    name: str
    errors: FloatArray
    is_first: bool = False
    is_tree: bool = True
    best: tuple[int, ...] = ()


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
        colour = _colour(one.is_first, look)
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
                colour=_colour(first, look),
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
    step = round_step(top)
    at = np.arange(0.0, top + 0.01 * step, step)
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
            "yaxis": axis(
                look,
                range=[0.0, top],
                tickvals=at,
                ticktext=[f"{one:,.6g}" for one in at],
                ticklabelstandoff=6,
                showgrid=True,
            ),
        },
    )


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The same places in ascending order, moved as little as need be to lie a gap apart."""
    found = np.array(places, dtype=np.float64)
    for _ in range(64):
        near = np.flatnonzero(np.diff(found) < gap * (1 - 1e-9))
        if not near.size:
            break
        for at in near.tolist():
            push = (gap - (found[at + 1] - found[at])) / 2
            found[at] -= push
            found[at + 1] += push
    for at in range(found.size):  # none below the axis
        found[at] = max(found[at], gap / 2 if at == 0 else found[at - 1] + gap * (1 - 1e-9))
    return [float(one) for one in found]
