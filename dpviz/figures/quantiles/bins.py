"""Private bars with their intervals, a panel a group; the original ones in ink."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.answers.quantiles.bins import BinsNumbers, GroupBins
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import axes_at, grid, inside, numbered
from dpviz.figures.kit.picture import Picture, coloured, layout, line, picture, trace, words
from dpviz.figures.quantiles.scale import Scale

FEW = 80  # bars of a panel that still have gaps and whiskers; more have a band
GAP = 0.12  # of a bar's width
LONGEST = 24  # letters of a group's name
ABREAST = 3


def bins_picture(found: BinsNumbers, scale: Scale, people: str, look: Look) -> Picture:
    """Bars of all groups over one axis of counts; people are what is counted."""
    many = len(found.groups)
    places = grid(many, look.said(min(many, ABREAST), 1), (0.06, 0.18))
    tops = [one.counts.max() + found.law.half for one in found.groups]
    tops += [one.truth.max() for one in found.groups if one.truth is not None]
    lows = [(one.counts - found.law.half).min() for one in found.groups]
    top, low = max(1.0, *tops), min(0.0, *lows)
    arranged = layout(look, left=64, right=28, top=56 if many > 1 else 34, bottom=34)
    arranged |= {"annotations": [], "shapes": [], "barmode": "overlay"}
    marks: list[dict[str, Any]] = []
    across = {"most": 6 if many == 1 else 3}
    for at, (one, place) in enumerate(zip(found.groups, places, strict=True)):
        up = {"range": [low - 0.02 * top, 1.05 * top], "showgrid": True, "nticks": 6,
              "showticklabels": place.is_first, "ticklabelstandoff": 6, "tickformat": ",.0f",
              "zeroline": True, "zerolinecolor": look.ink.grain, "zerolinewidth": 1}  # fmt: skip
        arranged |= axes_at(look, at, place, scale.axis(look, **across), up)
        on = {"xaxis": f"x{numbered(at)}", "yaxis": f"y{numbered(at)}"}
        drawn = [*_bars(one, found, people, look)]
        if one.truth is not None:
            drawn.append(_truth(found.edges, one.truth, look))
        marks += [mark | on for mark in drawn]
        if many > 1:
            name = one.name if len(one.name) <= LONGEST else f"{one.name[: LONGEST - 1]}…"
            arranged["annotations"].append(
                words(look, f"<b>{html_safe(name)}</b>", 0, 1, axes=inside(at), stand="bottom",
                      shift=(0, 4))
            )  # fmt: skip
    arranged["annotations"].append(_key(found, people, look, lifted=many > 1))
    return picture(marks, arranged)


def _key(found: BinsNumbers, people: str, look: Look, *, lifted: bool) -> dict[str, Any]:
    blue = look.ink.written("blue")
    said = f"{html_safe(people).capitalize()} in each bin: "
    said = look.said(said, "")
    said += coloured("private, 19 times in 20", blue, bold=True)
    if found.far is not None:
        said += f" · {coloured('original', look.ink.truth, bold=True)}"
    return words(
        look, said, 0, 1, axes=("paper", "paper"), stand="bottom", colour=look.ink.second,
        shift=(-look.text(56), look.text(28 if lifted else 10)),
    )  # fmt: skip


def _bars(
    one: GroupBins, found: BinsNumbers, people: str, look: Look
) -> tuple[dict[str, Any], dict[str, Any]]:
    blue, wide = look.ink.private, np.diff(found.edges)
    middles, few = found.edges[:-1] + wide / 2, one.counts.size <= FEW
    bars = {
        "type": "bar",
        "name": "private",
        "x": middles,
        "y": one.counts,
        "width": wide * (1 - GAP if few else 1),
        "marker": {"color": translucent(blue, 0.45), "line": line(blue, 0)},
        "customdata": np.stack((found.edges[:-1], found.edges[1:]), axis=1),
        "hovertemplate": f"%{{customdata[0]:,.6g}} to %{{customdata[1]:,.6g}}: <b>%{{y:,.0f}}</b> "
        f"± {found.law.half:,.0f} {html_safe(people)}<extra></extra>",
    }
    low, high = one.counts - found.law.half, one.counts + found.law.half
    if few:
        gone = np.full(middles.size, np.nan)
        x, y = _joined(middles, middles, gone), _joined(low, high, gone)
        return bars, trace("intervals", x, y, mode="lines", line=line(blue, look.mark(2.5)))
    x = np.repeat(found.edges, 2)[1:-1]
    ends = np.concatenate((np.repeat(low, 2), np.repeat(high, 2)[::-1]))
    band = trace("intervals", np.concatenate((x, x[::-1])), ends, mode="none", fill="toself")
    return bars, band | {"fillcolor": translucent(blue, 0.35)}


def _truth(edges: FloatArray, truth: FloatArray, look: Look) -> dict[str, Any]:
    """A tick across each bar, as wide as its bin."""
    gone = np.full(truth.size, np.nan)
    x, y = _joined(edges[:-1], edges[1:], gone), _joined(truth, truth, gone)
    return trace("original", x, y, mode="lines", line=line(look.ink.truth, look.mark(2)))


def _joined(*parts: FloatArray) -> FloatArray:
    return np.stack(parts, axis=1).ravel()
