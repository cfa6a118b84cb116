"""What a histogram buys: bars as they could be published, and beside them how far off each is."""

from typing import Any

import numpy as np

from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.exact.histogram import HistogramBuys
from dpviz.answers.said import html_safe
from dpviz.figures.decide.curve import errors_beside, frame, made_up_note, marker
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, line, picture, trace
from dpviz.figures.spatial.raster import outline

GAP = 0.14  # of a bar's width, between bars
FEW = 80  # bars that still have gaps and outlines
PALE, FULL = 0.1, 0.85  # opacity of a bar that is not published, and of one that is


def histogram_picture(found: HistogramBuys, names: Names, look: Look) -> Picture:
    """Bars, hollow unless they are published, with their width; and their errors enlarged."""
    top = found.counts + found.half
    each = look.said(f"each of {found.counts.size:,} parts", "each part", presenting=True)
    said = html_safe(f"How many {names.many} are in {each}")
    arranged = frame(found.edges, (top, found.counts, found.truth), names, look, said)
    errors_beside(arranged, found.half, found.asked, found.sure, found.errors, look, names)
    if found.is_made_up:
        arranged["annotations"].append(made_up_note(look))
    marks = [_bars(found, names, look), _widths(found, look)]
    if found.truth is not None:
        marks.append(_truth(found, look))
    if found.errors is not None:
        small = 6 if found.counts.size > FEW else 9
        dot = marker(look, is_published=found.is_published, size=small)
        middles = _middles(found)
        marks.append(
            trace("errors", middles, found.errors, mode="markers", marker=dot, cliponaxis=False)
            | {"xaxis": "x2", "yaxis": "y2"}
        )
    return picture(marks, arranged)


def _middles(found: HistogramBuys) -> Any:
    return found.edges[:-1] + np.diff(found.edges) / 2


def _gap(found: HistogramBuys) -> float:
    return GAP if found.counts.size <= FEW else 0.0


def _bars(found: HistogramBuys, names: Names, look: Look) -> dict[str, Any]:
    blue, wide = look.ink.private, np.diff(found.edges)
    colour = translucent(blue, FULL if found.is_published else PALE)
    stroke = line(blue, look.mark(1.5) if found.counts.size <= FEW else 0)
    return {
        "type": "bar",
        "name": "bars",
        "x": _middles(found),
        "y": found.counts,
        "width": wide * (1 - _gap(found)),
        "marker": {"color": colour, "line": stroke},
        "hovertemplate": f"%{{y:,.0f}} {html_safe(names.many)} around %{{x:,.6g}}<extra></extra>",
    }


def _widths(found: HistogramBuys, look: Look) -> dict[str, Any]:
    """The width of each bar around its end."""
    aside = np.diff(found.edges) * _gap(found) / 2
    sides = (found.edges[:-1] + aside, found.edges[1:] - aside)
    boxes = np.stack((*sides, found.counts - found.half, found.counts + found.half), axis=1)
    x, y = outline(boxes)
    fill = translucent(look.ink.private, 0.3)
    return trace("widths", x, y, mode="none", fill="toself", fillcolor=fill)


def _truth(found: HistogramBuys, look: Look) -> dict[str, Any]:
    """A tick across each bar."""
    assert found.truth is not None
    x = np.stack((found.edges[:-1], found.edges[1:], np.full(found.truth.size, np.nan)), axis=1)
    y = np.stack((found.truth, found.truth, np.full(found.truth.size, np.nan)), axis=1)
    stroke = line(look.ink.truth, look.mark(2))
    return trace("truth", x.ravel(), y.ravel(), mode="lines", line=stroke)
