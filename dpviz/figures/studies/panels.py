"""Small multiples of lines: what most of the papers' figures are, in the grammar of all pictures.

Each line has its hue, its mark and its dash; the words that name them stand at the top in the same
hues, beside their marks, and where a picture has one panel at the ends of its lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import FONT, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

GLYPHS = {
    "circle": "●",
    "diamond": "◆",
    "triangle-up": "▲",
    "square": "■",
    "pentagon": "⬟",
    "star": "★",
    "circle-open": "○",
    "diamond-open": "◇",
    "triangle-down": "▼",
    "x": "✕",
}
LETTERS_ABREAST = 104  # of a strip beside its title
LINE_LETTERS, PHONE_LETTERS = 130, 50  # of a line of names
OWN_VARIANT = "our variant"
ROUNDS = 200  # of pushing labels apart, at most
NARROWEST = 0.8  # of a mean, below which an error bar does not go: it stays on a log axis


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One line: the method's key, its places and means, and half of its error bars (all (k,)).

    label is what it is called; hollow draws a variant beside the paper's line, of our own unless
    variant names another.
    """

    key: str
    label: str
    x: FloatArray
    y: FloatArray
    spread: FloatArray | None = None
    hollow: bool = False
    variant: str = OWN_VARIANT


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: its heading, a grey addition to it, and its lines."""

    title: str
    curves: Sequence[Curve]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis of all panels: what it is, log or not, its ticks and their words, its range.

    The range is in the values' own units; without one it fits all lines. long: ticks need room.
    """

    title: str = ""
    log: bool = False
    ticks: Sequence[float] = ()
    words: Sequence[str] = ()
    span: tuple[float, float] | None = None
    suffix: str = ""
    long: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """How the panels stand: how many abreast, and on a phone; axes that all of them share."""

    x: Scale
    y: Scale
    columns: int = 3
    phone_columns: int = 1


def multiples(panels: Sequence[Panel], grid: Grid, look: Look) -> Picture:
    """All panels with the same axes, in reading order; the words of the lines above them."""
    columns = grid.phone_columns if look.phone else min(grid.columns, max(len(panels), 1))
    rows = -(-max(len(panels), 1) // columns)
    curves = [curve for panel in panels for curve in panel.curves]
    spans = _span(grid.x, [c.x for c in curves]), _span(grid.y, _reached(curves, grid.y))
    traces, notes = [], []
    axes: dict[str, Any] = {}
    for at, panel in enumerate(panels):
        row, column = divmod(at, columns)
        name = str(at + 1) if at else ""
        axes |= _axes(grid, look, (row, column), (rows, columns), name, spans)
        traces += [_trace(curve, look, name) for curve in panel.curves] or [_blank(name)]
        notes.append(_heading(panel, look, name))
        if column == 0 and row == rows - 1 and grid.x.title:
            notes.append(_under(grid.x.title, look, name))
    notes += _strip(curves, grid, look)
    lines = _packed(curves, _names(curves, look), PHONE_LETTERS if look.phone else LINE_LETTERS)
    more = 22 * len(lines) if look.phone or _is_long(curves, grid) else 0
    arranged = grammar.layout(
        look,
        left=54 if _narrow(grid) else 82,
        right=14,
        top=66 + more,
        bottom=52 if grid.x.title else 32,
        annotations=notes,
        **axes,
    )
    return grammar.picture(traces, arranged)


def ended(panel: Panel, grid: Grid, look: Look, *, room: float = 176) -> Picture:
    """One panel whose lines carry their names at their right ends, apart from each other.

    On a phone there is no room beside the lines, and the names stand above them.
    """
    if look.phone:
        return multiples([panel], grid, look)
    spans = (
        _span(grid.x, [c.x for c in panel.curves]),
        _span(grid.y, _reached(panel.curves, grid.y)),
    )
    axes = _axes(grid, look, (0, 0), (1, 1), "", spans)
    title = grammar.words(look, grid.y.title, 0, 1, axes=("paper", "paper"), stand="bottom",
                          colour=look.ink.second)  # fmt: skip
    notes = [title | {"xshift": -look.text(70), "yshift": look.text(12)}]
    notes += _ends(panel.curves, grid, spans[1], look)
    notes.append(_under(grid.x.title, look, ""))
    arranged = grammar.layout(
        look, left=82, right=room, top=44, bottom=56, annotations=notes, **axes
    )
    return grammar.picture([_trace(curve, look, "") for curve in panel.curves], arranged)


def _blank(name: str) -> dict[str, Any]:
    """Nothing, drawn in a panel without lines: axes that hold no trace are not drawn at all."""
    return grammar.trace("", [None], [None], mode="markers", xaxis=f"x{name}", yaxis=f"y{name}")


def _dash(curve: Curve) -> str:
    if not curve.hollow:
        return "solid"
    return "dot" if curve.variant == OWN_VARIANT else "dash"


def _trace(curve: Curve, look: Look, name: str) -> dict[str, Any]:
    mark, colour = look.ink.mark(curve.key), look.ink.of(curve.key)
    symbol = f"{mark.symbol.removesuffix('-open')}-open" if curve.hollow else mark.symbol
    own = mark == look.ink.mark("blue")  # of the one method that a picture is about
    told = f"{curve.label}<br>%{{y:.3~g}} at %{{x:.3~g}}<extra></extra>"
    found = grammar.trace(
        curve.label + (f", {curve.variant}" if curve.hollow else ""),
        curve.x,
        curve.y,
        mode="lines+markers",
        line=grammar.line(
            colour,
            look.mark(1.6 if curve.hollow else 3 if own else 2.2),
            dash=_dash(curve),
        ),
        marker={
            "color": colour,
            "symbol": symbol,
            "size": look.mark(8),
            "line": {"color": colour if curve.hollow else look.ink.page, "width": 1},
        },
        xaxis=f"x{name}",
        yaxis=f"y{name}",
        hovertemplate=told,
        hoverinfo="all",
        connectgaps=False,
        cliponaxis=False,
    )
    if curve.spread is not None:
        spread = np.nan_to_num(curve.spread)
        found["error_y"] = {
            "array": spread,
            "arrayminus": np.minimum(spread, NARROWEST * np.abs(curve.y)),
            "symmetric": False,
            "thickness": 1,
            "width": 0,
            "color": translucent(colour, 0.6),
        }
    return found


def _axes(
    grid: Grid,
    look: Look,
    place: tuple[int, int],
    size: tuple[int, int],
    name: str,
    spans: tuple[tuple[float, float], tuple[float, float]],
) -> dict[str, Any]:
    (row, column), (rows, columns) = place, size
    row_gap = 0.26 if look.presenting else 0.16 if look.phone else 0.18
    gap = (0.035 if columns > 1 else 0.0, row_gap if rows > 1 else 0.0)
    wide, high = (1 + gap[0]) / columns - gap[0], (1 + gap[1]) / rows - gap[1]
    left, top = column * (wide + gap[0]), 1 - row * (high + gap[1])
    across = _ticks(grid.x, spans[0]) | {
        "domain": [left, min(left + wide, 1.0)],
        "anchor": f"y{name}",
        "range": _ends_of(spans[0], grid.x.log),
        "ticks": "outside",
        "ticklen": 5,
        "showline": True,
    }
    up = _ticks(grid.y, spans[1]) | {
        "domain": [max(top - high, 0.0), top],
        "anchor": f"x{name}",
        "range": _ends_of(spans[1], grid.y.log),
        "showgrid": True,
        "showticklabels": column == 0,
    }
    return {
        f"xaxis{name}": grammar.axis(look, **across),
        f"yaxis{name}": grammar.axis(look, **up),
    }


def _ticks(scale: Scale, span: tuple[float, float]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "log" if scale.log else "linear", "tickangle": 0}
    if len(scale.ticks):
        words = list(scale.words) or [f"{one:g}{scale.suffix}" for one in scale.ticks]
        seen = [at for at, one in enumerate(scale.ticks) if span[0] <= one <= span[1]]
        return found | {
            "tickvals": [scale.ticks[at] for at in seen],
            "ticktext": [words[at] for at in seen],
        }
    if scale.log:
        return found | decades(span, scale.suffix)
    return found | {"nticks": 4, "ticksuffix": scale.suffix, "tickformat": ",~g"}


def below(text: str, look: Look, standoff: float = 8) -> dict[str, Any]:
    """The title of an axis, in second ink."""
    font = {"family": FONT, "size": look.text(15), "color": look.ink.second}
    return {"text": text, "standoff": standoff, "font": font}


def decades(span: tuple[float, float], suffix: str = "") -> dict[str, Any]:
    """Ticks of a log axis: whole decades, and 2 and 5 between them where there are few."""
    first, last = int(np.floor(np.log10(span[0]))), int(np.ceil(np.log10(span[1])))
    steps = (1, 2, 5) if last - first <= 2 else (1, 3) if last - first <= 3 else (1,)
    values = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    kept = [value for value in values if span[0] <= value <= span[1]]
    return {"tickvals": kept, "ticktext": [f"{value:,.10g}{suffix}" for value in kept]}


def log_span(*values: FloatArray) -> tuple[float, float]:
    """The range of a log axis that holds all values: for axes that stay while lines grow."""
    return _span(Scale(log=True), values)


def _span(scale: Scale, values: Sequence[FloatArray]) -> tuple[float, float]:
    if scale.span is not None:
        return scale.span
    every = np.concatenate([np.asarray(one, np.float64).ravel() for one in values] or [np.ones(1)])
    every = every[np.isfinite(every) & ((every > 0) | (not scale.log))]
    if not every.size:
        return (0.1, 1.0) if scale.log else (0.0, 1.0)
    low, high = float(every.min()), float(every.max())
    if scale.log:
        around = (high / low) ** 0.06 if high > low else 1.5
        return low / around, high * around
    margin = 0.05 * (high - low) or 0.5
    return low - margin, high + margin


def _reached(curves: Sequence[Curve], scale: Scale) -> list[FloatArray]:
    ends = [curve.y for curve in curves]
    if not scale.log:
        ends += [c.y + np.nan_to_num(c.spread) for c in curves if c.spread is not None]
        return [*ends, np.zeros(1)]
    return ends


def _ends_of(span: tuple[float, float], log: bool) -> list[float]:
    return [float(np.log10(one)) for one in span] if log else list(span)


def _heading(panel: Panel, look: Look, name: str) -> dict[str, Any]:
    note = f" {grammar.coloured(panel.note, look.ink.second)}" if panel.note else ""
    return grammar.words(
        look,
        f"<b>{panel.title}</b>{note}",
        0,
        1,
        axes=(f"x{name} domain", f"y{name} domain"),
        stand="bottom",
        shift=(0, look.text(7)),
    )


def _under(title: str, look: Look, name: str) -> dict[str, Any]:
    return grammar.words(
        look,
        title,
        0,
        0,
        axes=(f"x{name} domain", f"y{name} domain"),
        stand="top",
        colour=look.ink.second,
        shift=(0, -look.text(26)),
    )


def _strip(curves: Sequence[Curve], grid: Grid, look: Look) -> list[dict[str, Any]]:
    """What is measured, and the names of the lines: beside it, or below it where they are many."""
    left = -look.text(44 if _narrow(grid) else 72)
    title = grammar.words(look, grid.y.title, 0, 1, axes=("paper", "paper"), stand="bottom",
                          colour=look.ink.second)  # fmt: skip
    named = _names(curves, look)
    if not (look.phone or _is_long(curves, grid)):
        names = grammar.words(look, "   ".join(named), 1, 1, axes=("paper", "paper"),
                              stand="bottom", align="right")  # fmt: skip
        high = look.text(36)
        return [title | {"xshift": left, "yshift": high}, names | {"yshift": high}]
    lines = _packed(curves, named, PHONE_LETTERS if look.phone else LINE_LETTERS)
    names = grammar.words(look, "<br>".join(lines), 0, 1, axes=("paper", "paper"), stand="bottom")
    return [
        title | {"xshift": left, "yshift": look.text(36 + 22 * len(lines))},
        names | {"xshift": left, "yshift": look.text(32)},
    ]


def _packed(curves: Sequence[Curve], named: Sequence[str], letters: int) -> list[str]:
    """The names in as few lines as they fit into."""
    sizes = [len(label) + 5 for label in dict.fromkeys(curve.label for curve in curves)]
    sizes += [len(_variants(curves)) + 5] * (len(named) - len(sizes))
    lines: list[list[str]] = [[]]
    used = 0
    for name, size in zip(named, sizes, strict=True):
        if used + size > letters and lines[-1]:
            lines.append([])
            used = 0
        lines[-1].append(name)
        used += size
    return ["   ".join(line) for line in lines]


def _narrow(grid: Grid) -> bool:
    """Whether the ticks at the left are short: those of a share are, those of a variance not."""
    return not grid.y.long


def _is_long(curves: Sequence[Curve], grid: Grid) -> bool:
    """Whether the names do not fit beside the title; a phone counts as narrow by its columns."""
    labels = {curve.label for curve in curves}
    letters = sum(len(label) + 5 for label in labels) + len(_variants(curves))
    return letters + len(grid.y.title) > LETTERS_ABREAST


def _variants(curves: Sequence[Curve]) -> str:
    """What the hollow marks are: dotted ours, dashed another's; empty without any."""
    variants = dict.fromkeys(curve.variant for curve in curves if curve.hollow)
    said = [
        f"{'hollow' if one == OWN_VARIANT else 'dashed'}: {one}{'s' * (one == OWN_VARIANT)}"
        for one in variants
    ]
    return ", ".join(sorted(said, reverse=True))


def _names(curves: Sequence[Curve], look: Look) -> list[str]:
    known = {curve.key: curve.label for curve in curves if not curve.hollow}
    named = [_named(key, label, look) for key, label in known.items()]
    if said := _variants(curves):
        named.append(grammar.coloured(said, look.ink.second))
    return named


def _named(key: str, label: str, look: Look) -> str:
    glyph = GLYPHS.get(look.ink.mark(key).symbol, "")
    mark = grammar.coloured(glyph, look.ink.of(key))
    return f"{mark} {grammar.coloured(label, look.ink.written(key), bold=True)}"


def _ends(
    curves: Sequence[Curve], grid: Grid, span: tuple[float, float], look: Look
) -> list[dict[str, Any]]:
    low, high = _ends_of(span, grid.y.log)
    last = [curve.y[-1] for curve in curves]
    at = np.log10(np.maximum(last, span[0])) if grid.y.log else np.asarray(last, np.float64)
    share = spaced((at - low) / (high - low), 0.058 * look.text(1))
    return [
        grammar.words(
            look,
            _named(curve.key, curve.label, look),
            1,
            float(up),
            axes=("x domain", "y domain"),
            shift=(10, 0),
        )
        for curve, up in zip(curves, share, strict=True)
    ]


def spaced(places: FloatArray, apart: float) -> FloatArray:
    """Places (k,) of labels moved as little as it takes to lie apart, within 0 to 1 if they fit."""
    order = np.argsort(places, kind="stable")
    found = places[order].astype(np.float64)
    for _ in range(ROUNDS):  # neighbours push each other in halves until nobody is pushed
        short = apart - np.diff(found)
        push = np.maximum(short, 0) / 2
        if not (push > 1e-9).any():
            break
        found[:-1] -= push
        found[1:] += push
        found += max(0.0, -found[0]) - max(0.0, found[-1] - 1.0) if found.size else 0.0
    back = np.empty_like(found)
    back[order] = found
    return back
