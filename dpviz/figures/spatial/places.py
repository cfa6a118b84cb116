"""Noise over the people of each named place, against its size; small places are marked."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.said import html_safe
from dpviz.answers.spatial.places import PlaceLevel, PlacesNumbers
from dpviz.answers.spatial.places_said import plural
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import HUES, translucent
from dpviz.figures.kit.picture import Picture, axis, below, layout, line, picture, trace, words

EMPTY = 0.4  # people, where a place without any stands on the axis
ROOM = 1.6  # factor of free space around all marks
SYMBOLS = ("star", "diamond", "square", "triangle-up", "circle")  # from the root; the last: circle
SIZES = (15, 12, 10, 9, 6)  # px
CLEAR = 0.55  # opacity of a mark on a level of many places


def places_picture(found: PlacesNumbers, look: Look) -> Picture:
    """The chosen reading in blue, amber where a place is smaller than its noise; the other grey."""
    shown = [_shares(one, found.is_after) for one in found.levels]
    other = [_shares(one, not found.is_after) for one in found.levels]
    known = np.concatenate([one[np.isfinite(one)] for one in (*shown, *other)])
    low, high = math.log10(min(known.min(), 1) / ROOM), math.log10(max(known.max(), 1) * ROOM)
    ends = math.log10(EMPTY / ROOM), math.log10(max(found.people, 10) * 2.5)
    marks = [_grey(one, shares, look) for one, shares in zip(found.levels, other, strict=True)]
    for at, (one, shares) in enumerate(zip(found.levels, shown, strict=True)):
        marks += _marks(one, shares, _kind(at, len(shown)), look)
    powers = range(math.ceil(low), math.floor(high) + 1, look.said(1, 2))
    tens = range(math.floor(math.log10(max(found.people, 10))) + 1)
    is_said = look.said(tens, [ten for ten in tens if ten % 2 == 0])
    whole = {"type": "line", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": 0, "y1": 0,
             "line": line(look.ink.truth, look.mark(1.5)), "layer": "below"}  # fmt: skip
    shaded = {"type": "rect", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": 0,
              "y1": high, "line": {"width": 0}, "layer": "below",
              "fillcolor": translucent(look.ink.written("amber"), 0.08)}  # fmt: skip
    reading = "after least squares" if found.is_after else "as measured"
    said = f"<b>Two standard errors {reading}</b>, per cent of the people in a place"
    notes = [
        words(look, look.said(said, f"<b>± {reading}</b>, of a place's people"), 0, 1,
              axes=("x domain", "paper"), stand="bottom", shift=(0, look.text(6))),
        *_names(found.levels, look),
        words(look, "smaller than its noise", 1, high, axes=("x domain", "y"), align="right",
              stand="top", colour=look.ink.written("amber")),
    ]  # fmt: skip
    return picture(
        marks,
        layout(
            look,
            left=look.said(84, 70),
            right=24,
            bottom=54,
            xaxis=axis(
                look, range=list(ends), tickvals=[math.log10(EMPTY), *is_said],
                ticktext=["0", *(f"{10**ten:,}" for ten in is_said)], ticks="outside",
                title=below("people in the place", look),
            ),
            yaxis=axis(
                look, range=[low, high], tickvals=list(powers),
                ticktext=[f"{100 * 10.0**power:,.6g} %" for power in powers], showgrid=True,
                ticklabelstandoff=6,
            ),
            shapes=[shaded, whole],
            annotations=notes,
        ),
    )  # fmt: skip


def _shares(level: PlaceLevel, is_after: bool) -> FloatArray:
    return level.shares_after if is_after else level.shares_before


def _kind(at: int, levels: int) -> int:
    """Which symbol a level has: the last is a circle."""
    return len(SYMBOLS) - 1 if at == levels - 1 else at


def _across(level: PlaceLevel) -> FloatArray:
    return np.log10(np.where(level.people > 0, level.people, EMPTY))


def _grey(level: PlaceLevel, shares: FloatArray, look: Look) -> dict[str, Any]:
    """The reading that was not chosen, as small points."""
    is_known = np.isfinite(shares)
    dots = {"color": look.ink.second, "size": look.mark(3), "opacity": 0.5}
    x, y = _across(level)[is_known], np.log10(shares[is_known])
    return trace(f"{level.name}, other", x, y, mode="markers", marker=dots)


def _marks(level: PlaceLevel, shares: FloatArray, kind: int, look: Look) -> list[dict[str, Any]]:
    """Places with more people than noise, and those with fewer."""
    found, names = [], np.array(list(map(html_safe, level.names)), dtype=object)
    amber = HUES["amber"].dark if look.ink.dark else HUES["amber"].light
    for name, chosen, colour in (("large", ~level.small, look.ink.private),
                                 ("small", level.small, amber)):  # fmt: skip
        kept = chosen & np.isfinite(shares)
        if not kept.any():
            continue
        marker = {
            "color": colour, "symbol": SYMBOLS[kind], "size": look.mark(SIZES[kind]),
            "opacity": CLEAR if level.places > 100 else 1,
            "line": line(look.ink.page, 0.5),
        }  # fmt: skip
        told = np.stack((level.people[kept], 100 * shares[kept]), axis=1)
        found.append(
            trace(f"{level.name}, {name}", _across(level)[kept], np.log10(shares[kept]),
                  mode="markers", marker=marker)
            | {
                "hoverinfo": "all",
                "text": names[kept].tolist(),
                "customdata": told,
                "hovertemplate": "%{text}: %{customdata[0]:,.0f} people, "
                "± %{customdata[1]:,.3~g} %<extra></extra>",
            }
        )  # fmt: skip
    return found


def _names(levels: Sequence[PlaceLevel], look: Look) -> list[dict[str, Any]]:
    """The names of what is measured; levels of one place hold the same people, and share theirs."""
    known = [one for one in levels if np.isfinite(one.share)]
    whole = [one for one in known if one.places == 1]
    shared = [_named(whole[-1], ", ".join(one.name for one in whole), look)] if whole else []
    return shared + [_named(one, plural(one.name), look) for one in known[len(whole) :]]


def _named(level: PlaceLevel, name: str, look: Look) -> dict[str, Any]:
    """A level's name right of its median place."""
    x = math.log10(max(level.middle, EMPTY))
    if level.places == 1:  # at the right end: above it, or where other marks are near before it
        align, stand, shift = look.said(
            ("center", "bottom", (0.0, look.mark(8))), ("right", "middle", (-look.mark(10), 0.0))
        )
    else:
        align, stand, shift = "left", "bottom", (look.mark(10), look.mark(8))
    return words(
        look, f"<b>{html_safe(name)}</b>", x, math.log10(level.share), align=align, stand=stand,
        shift=shift, colour=look.ink.written("blue"),
    )  # fmt: skip
