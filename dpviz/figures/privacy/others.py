"""Budgets that others chose, a row each over one axis of ε, with ours as lines through all rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.answers.privacy.deployments import Deployment
from dpviz.answers.privacy.others import OthersNumbers
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import (
    Picture,
    axis,
    below,
    coloured,
    layout,
    line,
    picture,
    rule,
    trace,
    words,
)

GROUPS = (
    (True, "They protect all of a person or a device"),
    (False, "They protect a part: a day, a month, one action"),
)
LEAST, MOST, ROOM = 0.1, 50.0, 1.35  # ends of the axis; what a line of ours is kept away from them
LABELS = 48  # px above the rows, for ours
NAMES, BRIEF = 330, 150  # px left of the rows
CROWDED = 0.38  # share of a phone's axis that words left of a mark take
EDGE, APART = 0.14, 0.4  # shares of the axis: at its ends words turn inwards; between two words
WHERE = "ε      ● noise by a trusted server      ○ noise on the device"
Ends = tuple[float, float]  # of the axis, log10


@dataclass(frozen=True, slots=True)
class _Row:
    """A deployment at a height, or the words over a group of them."""

    y: float
    one: Deployment | None
    text: str = ""


def others_picture(found: OthersNumbers, look: Look) -> Picture:
    """A dot or a bar a deployment; filled where a server is trusted, hollow on the device."""
    rows = _rows(found.others)
    ours = (found.one.epsilon, found.total.epsilon)
    low, high = min(LEAST, ours[0] / ROOM), max(MOST, ours[1] * ROOM)
    ends = (math.log10(low), math.log10(high))
    ticks = [10.0**power for power in range(math.ceil(ends[0]), math.floor(ends[1]) + 1)]
    listed = [row for row in rows if row.one is not None]
    names = look.said(NAMES, BRIEF)
    return picture(
        [_leaders(listed, ends, look), *_marks(listed, look)],
        layout(
            look,
            left=names,
            right=24,
            top=LABELS,
            bottom=look.said(58, 34),
            xaxis=axis(
                look, range=list(ends), tickvals=[math.log10(one) for one in ticks],
                ticktext=[f"{one:,.10g}" for one in ticks], ticks="outside",
                title=below(look.said(WHERE, ""), look),
            ),
            yaxis=axis(
                look, range=[rows[-1].y - 0.7, rows[0].y + 0.5],
                tickvals=[row.y for row in listed],
                ticktext=[_name(row.one, look) for row in listed if row.one],
                ticklabelstandoff=10,
            ),
            shapes=_lines(found, look),
            annotations=[
                *_headings(rows, names, look),
                *_sizes(listed, ends, look),
                *_ours(found, ends, look),
            ],
        ),
    )  # fmt: skip


def _rows(others: Sequence[Deployment]) -> list[_Row]:
    """Each group under its words, from the lowest ε."""
    rows: list[_Row] = []
    y = 0.0
    for whole, text in GROUPS:
        rows.append(_Row(y, None, text))
        for one in sorted((one for one in others if one.whole == whole), key=lambda one: one.low):
            y -= 1
            rows.append(_Row(y, one))
        y -= 1.3
    return rows


def _name(one: Deployment, look: Look) -> str:
    name = f"<b>{one.name}</b>"
    return look.said(f"{name}  {coloured(one.protects, look.ink.second)}", name)


def _leaders(rows: Sequence[_Row], ends: Ends, look: Look) -> dict[str, Any]:
    """A hairline from each name to its mark."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row in rows:
        assert row.one is not None
        x += [ends[0], math.log10(row.one.low), None]
        y += [row.y, row.y, None]
    return trace("leaders", x, y, mode="lines", line=line(look.ink.hairline, 1))


def _marks(rows: Sequence[_Row], look: Look) -> list[dict[str, Any]]:
    """A stroke from low to high with a dot at each end, all of a kind in two traces."""
    ink, found = look.ink.truth, []
    for name, on_device in (("server", False), ("device", True)):
        mine = [(row.y, row.one) for row in rows if row.one and row.one.on_device == on_device]
        x: list[float | None] = []
        y: list[float | None] = []
        for at, one in mine:
            x += [math.log10(one.low), math.log10(one.high), None]
            y += [at, at, None]
        marker = {
            "color": look.ink.page if on_device else ink, "size": look.mark(11),
            "line": line(ink, look.mark(2)),
        }  # fmt: skip
        found.append(
            trace(name, x, y, mode="lines+markers", line=line(ink, look.mark(3)), marker=marker)
        )
    return found


def _sizes(rows: Sequence[_Row], ends: Ends, look: Look) -> list[dict[str, Any]]:
    """What each of them states, right of its mark, or left where there is no room."""
    notes = []
    for row in rows:
        assert row.one is not None
        is_left = _share(row.one.high, ends) > look.said(0.92, 0.5)
        if is_left and _share(row.one.low, ends) < CROWDED:
            continue  # no side has room; the table below says it
        at, align = (row.one.low, "right") if is_left else (row.one.high, "left")
        aside = look.mark(9) * (-1 if is_left else 1)
        notes.append(
            words(look, row.one.size, math.log10(at), row.y, align=align, size=TICK,
                  shift=(aside, 0))
        )  # fmt: skip
    return notes


def _lines(found: OthersNumbers, look: Look) -> list[dict[str, Any]]:
    """One answer, and dashed what all of them add up to."""
    blue = look.ink.private
    drawn = [rule(look, math.log10(found.one.epsilon))]
    drawn[0]["line"] = line(blue, look.mark(2.5))
    if found.answers > 1:
        drawn.append(rule(look, math.log10(found.total.epsilon)))
        drawn[1]["line"] = line(blue, look.mark(2.5), dash="dash")
    return [one | {"layer": "below"} for one in drawn]


def _ours(found: OthersNumbers, ends: Ends, look: Look) -> list[dict[str, Any]]:
    """What our lines are, one above the other where both have no room beside each other."""
    said = [("one answer", found.one.epsilon)]
    if found.answers > 1:
        said.insert(0, (f"{found.answers:,} answers", found.total.epsilon))
    shares = [_share(epsilon, ends) for _, epsilon in said]
    lifts = 0 if len(said) == 1 or shares[0] - shares[1] > look.said(APART, 1.0) else 21
    notes = []
    for row, ((text, epsilon), share) in enumerate(zip(said, shares, strict=True)):
        align = "left" if share < EDGE else "right" if share > 1 - EDGE else "center"
        label = f"{text}: <b>{epsilon_text(epsilon)}</b>"
        notes.append(
            words(
                look, label, math.log10(epsilon), 1, axes=("x", "y domain"), align=align,
                colour=look.ink.written("blue"), stand="bottom",
                shift=(0, look.text(2 + lifts * row)),
            )
        )  # fmt: skip
    return notes


def _share(epsilon: float, ends: Ends) -> float:
    """Where an ε stands on the axis, from 0 to 1."""
    return (math.log10(epsilon) - ends[0]) / (ends[1] - ends[0])


def _headings(rows: Sequence[_Row], names: float, look: Look) -> list[dict[str, Any]]:
    """The words over each group, at the left edge."""
    return [
        words(
            look, row.text, 0, row.y, axes=("x domain", "y"), colour=look.ink.second,
            shift=(-look.text(names - 8), 0), plate=True,
        )
        for row in rows if row.one is None
    ]  # fmt: skip
