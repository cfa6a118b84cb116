"""Small multiples of lines: what most of the papers' figures are, in the grammar of all pictures.

Each line has its hue, its mark and its dash; the words that name them stand at the top in the same
hues, beside their marks, and where a picture has one panel at the ends of its lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.labels import End, called, named, packed
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place, axes_at, grid, inside, numbered
from dpviz.figures.kit.picture import Picture, measured

LETTERS_ABREAST = 104, 0  # of a strip beside its title
LINE_LETTERS = 130, 50  # of a line of names
ROW = 22  # px of a line of names
ACROSS, DOWN, LARGE_DOWN = 0.035, (0.18, 0.16), 0.26  # of the paper, between two panels
APART = 0.058  # of the height, between two names
OWN_VARIANT = "our variant"
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


def multiples(panels: Sequence[Panel], scales: Grid, look: Look) -> Picture:
    """All panels with the same axes, in reading order; the words of the lines above them."""
    many = max(len(panels), 1)
    down = LARGE_DOWN if look.presenting else look.said(*DOWN)
    abreast = look.said(min(scales.columns, many), scales.phone_columns)
    places = grid(len(panels), abreast, (ACROSS, down))
    curves = [curve for panel in panels for curve in panel.curves]
    traces, notes, above = [], *_strip(curves, scales, look)
    axes: dict[str, Any] = {}
    spans = _spans(curves, scales)
    for at, (panel, place) in enumerate(zip(panels, places, strict=True)):
        axes |= _axes(scales, look, at, place, spans)
        traces += [_trace(curve, look, at) for curve in panel.curves] or [_blank(at)]
        notes.append(_heading(panel, look, at))
        if place.is_first and place.is_lowest and scales.x.title:
            notes.append(_under(scales.x.title, look, at))
    arranged = grammar.layout(
        look,
        left=82 if scales.y.long else 54,
        right=14,
        top=66 + above,
        bottom=52 if scales.x.title else 32,
        annotations=notes,
        **axes,
    )
    return grammar.picture(traces, arranged)


def ended(panel: Panel, scales: Grid, look: Look) -> Picture:
    """One panel whose lines carry their names at their right ends, apart from each other.

    On a phone there is no room beside the lines, and the names stand above them.
    """
    left = 82 if scales.y.long else look.said(82, 54)
    spans = _spans(panel.curves, scales)
    span = _ends_of(spans[1], scales.y.log)
    ends = [_end(curve, spans[1], scales, look) for curve in panel.curves]
    names = named(look, ends, (span[0], span[1]), apart=APART, left=left - 12)
    title = measured(look, scales.y.title, left - 12, 12 + names.above)
    arranged = grammar.layout(
        look,
        left=left,
        right=names.right,
        top=44 + names.above,
        bottom=56,
        annotations=[title, *names.notes, _under(scales.x.title, look, 0)],
        **_axes(scales, look, 0, Place(), spans),
    )
    return grammar.picture([_trace(curve, look, 0) for curve in panel.curves], arranged)


def _end(curve: Curve, span: tuple[float, float], scales: Grid, look: Look) -> End:
    last = float(curve.y[-1])
    up = float(np.log10(max(last, span[0]))) if scales.y.log else last
    return End(called(look, curve.key, curve.label), up, look.ink.written(curve.key))


def _blank(at: int) -> dict[str, Any]:
    """Nothing, drawn in a panel without lines: axes that hold no trace are not drawn at all."""
    own = {"xaxis": f"x{numbered(at)}", "yaxis": f"y{numbered(at)}"}
    return grammar.trace("", [None], [None], mode="markers", **own)


def _dash(curve: Curve) -> str:
    if not curve.hollow:
        return "solid"
    return "dot" if curve.variant == OWN_VARIANT else "dash"


def _trace(curve: Curve, look: Look, at: int) -> dict[str, Any]:
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
            colour, look.mark(1.6 if curve.hollow else 3 if own else 2.2), dash=_dash(curve)
        ),
        marker={
            "color": colour,
            "symbol": symbol,
            "size": look.mark(8),
            "line": {"color": colour if curve.hollow else look.ink.page, "width": 1},
        },
        xaxis=f"x{numbered(at)}",
        yaxis=f"y{numbered(at)}",
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


def _spans(curves: Sequence[Curve], scales: Grid) -> tuple[tuple[float, float], ...]:
    """The ranges of both axes."""
    across, up = [curve.x for curve in curves], _reached(curves, scales.y)
    return _span(scales.x, across), _span(scales.y, up)


def _axes(
    scales: Grid, look: Look, at: int, place: Place, spans: tuple[tuple[float, float], ...]
) -> dict[str, Any]:
    across = _ticks(scales.x, spans[0]) | {
        "range": _ends_of(spans[0], scales.x.log),
        "ticks": "outside",
        "ticklen": 5,
        "showline": True,
    }
    up = _ticks(scales.y, spans[1]) | {
        "range": _ends_of(spans[1], scales.y.log),
        "showgrid": True,
        "showticklabels": place.is_first,
    }
    return axes_at(look, at, place, across, up)


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


def _heading(panel: Panel, look: Look, at: int) -> dict[str, Any]:
    note = f" {grammar.coloured(panel.note, look.ink.second)}" if panel.note else ""
    return grammar.words(
        look, f"<b>{panel.title}</b>{note}", 0, 1, axes=inside(at), stand="bottom",
        shift=(0, look.text(7)),
    )  # fmt: skip


def _under(title: str, look: Look, at: int) -> dict[str, Any]:
    return grammar.words(
        look, title, 0, 0, axes=inside(at), stand="top", colour=look.ink.second,
        shift=(0, -look.text(26)),
    )  # fmt: skip


def _strip(curves: Sequence[Curve], scales: Grid, look: Look) -> tuple[list[dict[str, Any]], float]:
    """What is measured, and the names of the lines: beside it, or below it where they are many.

    With the px that they take when they stand below it.
    """
    left, names, title = 72 if scales.y.long else 44, _names(curves, look), scales.y.title
    letters = sum(len(label) + 5 for label in {curve.label for curve in curves})
    if letters + len(_variants(curves)) + len(title) <= look.said(*LETTERS_ABREAST):
        beside = grammar.words(
            look, "   ".join(names), 1, 1, axes=("paper", "paper"), stand="bottom", align="right",
            shift=(0, look.text(36)),
        )  # fmt: skip
        return [measured(look, title, left, 36), beside], 0.0
    lines = packed(names, look.said(*LINE_LETTERS))
    key = grammar.words(
        look, "<br>".join(lines), 0, 1, axes=("paper", "paper"), stand="bottom",
        shift=(-look.text(left), look.text(32)),
    )  # fmt: skip
    above = ROW * len(lines)
    return [measured(look, title, left, 36 + above), key], above


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
    found = [called(look, key, label) for key, label in known.items()]
    if said := _variants(curves):
        found.append(grammar.coloured(said, look.ink.second))
    return found
