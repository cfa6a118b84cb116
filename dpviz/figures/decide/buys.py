"""What a budget buys in quantiles: values on their curve, and beside them how far off, enlarged."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.decide.quantile_buys_said import BuysNames, PanelTexts, texts
from dpviz.answers.decide.quantile_panels import Panels, panels
from dpviz.answers.said import Size
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import TICK, WORDS, Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import (
    Picture,
    axis,
    coloured,
    layout,
    line,
    picture,
    rule,
    trace,
    words,
)
from dpviz.figures.quantiles.marks import LABEL, band_marks, dots, ribbon, true_ticks

AWAY = 14.0  # px between a mark and its words
UNDER = -5.6  # px from the axis down to the words below it
OFF = 12.0  # px between the second panel and the words at its right
ROWS, THICK = 330.0, 0.75  # px of all rows, about; of a bar, in rows
BEYOND = 0.03  # of the height: dashes go on beyond the first and the last row
HOLLOW, RING = 13.0, 3.0  # px of a dot, and of its line
Notes = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Room:
    """Where both panels stand and how much room words have: shares of the width, px of margins.

    letter is what a letter takes of the first panel; words of a value end left of last of it, or
    stand at the value's left.
    """

    size: Size
    first: tuple[float, float]
    second: tuple[float, float]
    margins: tuple[float, float, float, float]
    letter: float
    last: float


FULL = Room("full", (0.0, 0.705), (0.748, 1.0), (40, 78, 32, 36), 0.0145, 1.0)
NARROW = Room("full", (0.0, 0.705), (0.748, 1.0), (40, 78, 32, 36), 0.022, 1.0)
LARGE = Room("large", (0.0, 0.69), (0.75, 1.0), (40, 78, 30, 34), 0.026, 1.03)
SMALL = Room("small", (0.0, 0.64), (0.75, 1.0), (36, 72, 26, 32), 0.046, 1.15)


def buys(found: QuantileBuys, names: BuysNames, look: Look) -> Picture:
    """Two panels of the same rows; where room is scarce five rows, and fewer words.

    Dots are hollow until they are published. A true curve, true values and this draw's errors are
    drawn where the numbers hold them.
    """
    room = room_of(look)
    ratio = (room.first[1] - room.first[0]) / (room.second[1] - room.second[0])
    shown = panels(found, ratio, few=room.size != "full")
    said = texts(found, shown, names, room.size)
    left, right, top, bottom = room.margins
    arranged = layout(look, left=left, right=right, top=top, bottom=bottom)
    arranged |= _axes(found, shown, said, look, room)
    arranged["shapes"] = [_middle(found, look)]
    arranged["annotations"] = [
        *_titles(said, look, left),
        *_under(said, look, right),
        *(note for row in shown.labelled for note in _beside(row, found, shown, said, look, room)),
        *_offs(found, shown, said, look),
    ]
    if shown.name_at is not None and said.made_up:
        colour, x = look.ink.second, shown.name_at
        note = words(look, said.made_up, *x, colour=colour, align="right", shift=(-1.5 * AWAY, 0))
        arranged["annotations"].append(note | {"bgcolor": look.ink.page})
    return picture([*_main(found, shown, look), *_errors(found, shown, look)], arranged)


def room_of(look: Look) -> Room:
    """What fits the screen."""
    full = look.said(FULL, NARROW, narrow=True)
    return look.said(LARGE if look.presenting else full, SMALL)


def _axes(
    found: QuantileBuys, shown: Panels, said: PanelTexts, look: Look, room: Room
) -> dict[str, Any]:
    """Both pairs of axes, which share their rows: each with words has a hairline and its share."""
    ticks = _ticks(shown, said, room.letter)
    rows = {
        "range": list(shown.share),
        "tickvals": found.quantiles[list(shown.labelled)].tolist(),
        "ticktext": [_share(row, shown, said, look) for row in shown.labelled],
    }
    return {
        "xaxis": axis(
            look,
            domain=list(room.first),
            range=list(shown.view),
            tickvals=[at for at, _ in ticks],
            ticktext=[text for _, text in ticks],
            ticks="outside",
            ticklen=4,
            showline=True,
        ),
        "xaxis2": axis(
            look,
            domain=list(room.second),
            range=[-shown.reach, shown.reach],
            anchor="y2",
            showticklabels=False,
        ),
        "yaxis": axis(look, showgrid=True, **rows),
        "yaxis2": axis(look, anchor="x2", range=list(shown.share), showticklabels=False),
    }


def _ticks(shown: Panels, said: PanelTexts, letter: float) -> list[tuple[float, str]]:
    """Ticks that stay clear of the words at the axis's end."""
    return [
        (at, text)
        for at, text in zip(shown.ticks, said.ticks, strict=True)
        if not said.end or shown.position(at) < 1 - letter * (len(said.end) + len(text) / 2 + 1)
    ]


def _share(row: int, shown: Panels, said: PanelTexts, look: Look) -> str:
    text = said.shares[row]
    if row == shown.middle:
        text = coloured(text, look.ink.truth, bold=True)
    return f"{text} "


def _middle(found: QuantileBuys, look: Look) -> dict[str, Any]:
    """Where an error is 0: the truth in ink, where it is known."""
    if found.truth is not None:
        return dict(rule(look, 0.0, axes=("x2", "y2 domain")))
    grey = line(look.ink.second, look.mark(1))
    return dict(rule(look, 0.0, axes=("x2", "y2 domain"), line=grey))


def _main(found: QuantileBuys, shown: Panels, look: Look) -> Notes:
    """The curve, pale widths, true ticks, and the dots on top."""
    rows = list(shown.rows)
    at, published = found.quantiles[rows], found.published[rows]
    low, high = (np.clip(published + side * found.give[rows], *shown.view) for side in (-1, 1))
    drawn = [_widths(low, high, at, shown, look)]
    if shown.curve_x is not None:
        drawn.append(_curve(found, shown, look))
    if found.truth is not None and not shown.is_many:
        drawn.append(true_ticks(found.truth[rows], at, look))
    drawn.append(_dots(found, published, at, shown, look))
    return drawn


def _widths(
    low: FloatArray, high: FloatArray, at: FloatArray, shown: Panels, look: Look
) -> dict[str, Any]:
    """A pale bar for each row, thinner where rows lie near to each other; a ribbon for many."""
    if shown.is_many:
        return ribbon(low, high, at, look)
    drawn = band_marks(low, high, at, look)
    drawn["line"]["width"] = min(drawn["line"]["width"], THICK * shown.gap * ROWS)
    return drawn


def _curve(found: QuantileBuys, shown: Panels, look: Look) -> dict[str, Any]:
    """In black steps what is true, dotted what is made up, in blue dots what was published."""
    ink = look.ink
    if found.curve_x is None:
        style = line(ink.private, look.mark(2), dash="dot")
    elif found.is_true_curve:
        style = line(ink.truth, look.mark(2), shape="hv")
    else:
        style = line(ink.grain, look.mark(2), dash="dot")
    return trace("curve", shown.curve_x, shown.curve_share, mode="lines", line=style)


def _dots(
    found: QuantileBuys, x: FloatArray, at: FloatArray, shown: Panels, look: Look
) -> dict[str, Any]:
    """Published numbers are filled, others are hollow."""
    drawn = dots(x, at, look, size=6 if shown.is_many else HOLLOW)
    if not found.is_published:
        ring = line(look.ink.private, look.mark(1.5 if shown.is_many else RING))
        drawn["marker"] |= {"color": look.ink.page, "line": ring}
    return drawn


def _errors(found: QuantileBuys, shown: Panels, look: Look) -> Notes:
    """How far off each value is at most, the need in dashes, and this draw where it is known."""
    rows = list(shown.rows)
    at, give, need = found.quantiles[rows], found.give[rows], found.need[rows]
    drawn = [_widths(-give, give, at, shown, look)]
    dashes = line(look.ink.truth, look.mark(1.6), dash=f"{look.mark(6):g}px,{look.mark(4):g}px")
    ends = np.concatenate(([at[0] - BEYOND], at, [at[-1] + BEYOND]))
    wide = np.concatenate((need[:1], need, need[-1:]))
    drawn += [trace("need", side * wide, ends, mode="lines", line=dashes) for side in (-1, 1)]
    if shown.errors is not None:
        drawn.append(_dots(found, shown.errors[rows], at, shown, look))
    return [one | {"xaxis": "x2", "yaxis": "y2"} for one in drawn]


def _titles(said: PanelTexts, look: Look, left: float) -> Notes:
    """What the rows are, and what is beside them."""
    shift = (-left * look.text(1), 9)
    return [
        words(look, said.less, 0, 1, stand="bottom", axes=("x domain", "y domain"), shift=shift),
        words(look, said.off, 0, 1, stand="bottom", axes=("x2 domain", "y2 domain"), shift=(0, 9)),
    ]


def _under(said: PanelTexts, look: Look, right: float) -> Notes:
    """The last tick, how much the errors are enlarged, and what the dashes are."""
    below: dict[str, Any] = {"stand": "top", "size": TICK, "colour": look.ink.second}
    shift = UNDER * look.text(1)
    first, second = ("x domain", "y domain"), ("x2 domain", "y2 domain")
    dash = f"<b>{coloured('– –', look.ink.truth)}</b>"
    need = f"{dash} {said.need}"
    return [
        words(look, said.end, 1, 0, axes=first, align="right", shift=(0, shift), **below),
        *look.full(
            words(look, said.enlarged, 0, 0, axes=second, shift=(0, shift), **below), narrow=True
        ),
        words(
            look,
            need,
            1,
            0,
            axes=("paper", "y2 domain"),
            align="right",
            shift=(right * look.text(1) - 2, shift),
            **below,
        ),
    ]


def _beside(
    row: int, found: QuantileBuys, shown: Panels, said: PanelTexts, look: Look, room: Room
) -> Notes:
    """The published number right of its marks, the true one left of them, where both have room."""
    ink = look.ink
    value = coloured(said.values[row], ink.written(PRIVATE), bold=True)
    size = LABEL + 2 if row == shown.middle else LABEL
    published, at = float(found.published[row]), float(found.quantiles[row])
    true = "" if found.truth is None else said.truths[row]
    ends = [published] if found.truth is None else [published, float(found.truth[row])]
    first, last = shown.inside(min(ends)), shown.inside(max(ends))
    said_true = f"<b>{true} true</b>" if true and row == shown.middle else true
    wide = room.letter * LABEL / TICK
    right = shown.position(last) + wide * (len(said.values[row]) + 2) < room.last
    left = shown.position(first) - wide * (len(true) + 2) > 0
    if not right:
        both = f"{said_true}  {value}" if true else value
        return [_words(look, both, first, at, "right", size)]
    if true and not left:
        return [_words(look, f"{value}  {coloured(said_true, ink.truth)}", last, at, "left", size)]
    notes = [_words(look, value, last, at, "left", size)]
    if true:
        notes.append(_words(look, said_true, first, at, "right", WORDS))
    return notes


def _words(look: Look, text: str, x: float, at: float, align: str, size: float) -> dict[str, Any]:
    away = AWAY * look.text(1) * (1 if align == "left" else -1)
    return words(look, text, x, at, size=size, align=align, shift=(away, 0))


def _offs(found: QuantileBuys, shown: Panels, said: PanelTexts, look: Look) -> Notes:
    """At each row's end how far off it is at most; the middle one in blue."""
    notes = []
    for row in shown.labelled:
        text = said.offs[row]
        if row == shown.middle:
            text = coloured(text, look.ink.written(PRIVATE), bold=True)
        at = float(found.quantiles[row])
        notes.append(words(look, text, 1, at, axes=("paper", "y2"), shift=(OFF, 0)))
    return notes
