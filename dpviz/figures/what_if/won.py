"""Which method wins where: budget × people, a panel for each number of quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.number_text import counted
from dpviz.answers.said import html_safe
from dpviz.answers.studies.wins import WonPlace
from dpviz.answers.studies.wins_said import next_text, off_text
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import FONT, TICK, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import axes_at, grid, inside, numbered
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.swept import short

CLEAR, OPEN = 0.5, 0.16  # opacity of a clear win and of one that noise could explain
EDGE = 0.53  # half a cell, and half of its frame
GAPS = 0.07, 0.15  # of the paper, between two panels


@dataclass(frozen=True, slots=True)
class Map:
    """The whole axes, so that a map in the making keeps its shape, and the place that is framed."""

    sizes: Sequence[float]
    records: Sequence[float]
    counts: Sequence[int]
    symbol: str
    names: dict[str, str]
    chosen: tuple[float, float, int] | None = None  # budget, people, quantiles: on the axes


def map_picture(won: Sequence[WonPlace], drawn: Map, look: Look) -> Picture:
    """Every cell names its winner, and how many times as far off the next one is.

    A win that is not clear is pale, with a question mark.
    """
    columns = look.said(min(2, len(drawn.counts)), 1)
    places = grid(len(drawn.counts), columns, GAPS)
    traces, notes, shapes = [], [], []
    axes: dict[str, Any] = {}
    for at, (m, place) in enumerate(zip(drawn.counts, places, strict=True)):
        here = [one for one in won if one.quantiles == m and one.budget in drawn.sizes]
        axes |= axes_at(look, at, place, *_scales(drawn))
        notes.append(_heading(m, look, at))
        if place.is_first:
            notes.append(_beside(look, at))
        for winner in dict.fromkeys(one.winner for one in here):
            mine = [one for one in here if one.winner == winner]
            traces.append(_cells(winner, mine, drawn, look, numbered(at)))
        if drawn.chosen and m == drawn.chosen[2]:
            shapes.append(_frame(drawn, look, numbered(at)))
    arranged = grammar.layout(
        look, left=56, right=8, top=40, bottom=34, annotations=notes, shapes=shapes, **axes
    )
    return grammar.picture(traces, arranged)


def _cells(
    winner: str, mine: Sequence[WonPlace], drawn: Map, look: Look, name: str
) -> dict[str, Any]:
    shape = (len(drawn.records), len(drawn.sizes))
    shade = np.full(shape, np.nan)
    text, details = np.full(shape, "", dtype=object), np.full((*shape, 2), "", dtype=object)
    word = html_safe(drawn.names.get(winner, winner))
    tight = len(drawn.sizes) > look.said(5, 0, presenting=True)
    for place in mine:
        at = drawn.records.index(place.people), drawn.sizes.index(place.budget)
        shade[at] = 1.0 if place.is_clear else 0.0
        label = word.replace(" ", "<br>", 1) if tight else word
        text[at] = label + ("" if place.is_clear else " ?")
        details[at] = off_text(place), html_safe(next_text(place, drawn.names))
    colour = look.ink.of(winner)
    small = len(drawn.sizes) > 5 and len(drawn.counts) > 1
    size = look.said(13.5 if small else TICK, TICK)
    return {
        "type": "heatmap",
        "name": word,
        "x": np.arange(shape[1]),
        "y": np.arange(shape[0]),
        "z": shade,
        "text": text,
        "customdata": details,
        "texttemplate": "%{text}",
        "textfont": {"family": FONT, "size": look.text(size), "color": look.ink.truth},
        "colorscale": [[0, translucent(colour, OPEN)], [1, translucent(colour, CLEAR)]],
        "zmin": 0,
        "zmax": 1,
        "xgap": 2,
        "ygap": 2,
        "showscale": False,
        "hoverongaps": False,
        "xaxis": f"x{name}",
        "yaxis": f"y{name}",
        "hovertemplate": f"{word}: off by %{{customdata[0]}}<br>%{{customdata[1]}}<extra></extra>",
    }


def _scales(drawn: Map) -> tuple[dict[str, Any], dict[str, Any]]:
    """Cells across and up, with the words of their ticks."""
    sizes, records = ([short(one) for one in each] for each in (drawn.sizes, drawn.records))
    sizes[0] = f"{drawn.symbol} = {sizes[0]}"
    return _cell_axis(sizes), _cell_axis(records)


def _cell_axis(texts: Sequence[str]) -> dict[str, Any]:
    ends = [-EDGE, len(texts) - 1 + EDGE]
    return {"tickvals": list(range(len(texts))), "ticktext": texts, "range": ends}


def _heading(m: int, look: Look, at: int) -> dict[str, Any]:
    text = f"<b>{counted(m, 'quantile')}</b>"
    return grammar.words(look, text, 0, 1, axes=inside(at), stand="bottom", shift=(0, 5))


def _beside(look: Look, at: int) -> dict[str, Any]:
    return grammar.words(
        look, "people", 0, 1, axes=inside(at), align="right", stand="bottom",
        colour=look.ink.second, shift=(-8, 5),
    )  # fmt: skip


def _frame(drawn: Map, look: Look, name: str) -> dict[str, Any]:
    assert drawn.chosen is not None
    x, y = drawn.sizes.index(drawn.chosen[0]), drawn.records.index(drawn.chosen[1])
    box = {"x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5}
    line = grammar.line(look.ink.truth, look.mark(3))
    return {"type": "rect", "xref": f"x{name}", "yref": f"y{name}", "line": line} | box
