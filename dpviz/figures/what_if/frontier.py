"""The frontier: the least error that any method has at each budget, in the colour of who leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.answers.studies.frontier import FrontierNumbers, MethodNeed, Piece
from dpviz.core.arrays import IntArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture

LEAST = 1e-5  # of an error: nothing has no place on a log axis
FLOOR, TOP = 1e-3, 0.6  # of the axis; it goes lower for a target near its floor
SPAN = (0.01, 10.0)  # of the axis of budgets while nothing is computed
APART = {"ticks": "outside", "ticklen": 7, "tickcolor": "rgba(0,0,0,0)"}  # of words and axis
SHARES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5)
STEPS = (1, 2, 5), (1,)  # of ten, on a desk and on a phone
MOST_TICKS = 12, 0  # so many errors have a tick each, on a desk and on a phone
NAMED = 0.09  # share of the axis that a piece needs for its name
HEIGHTS = (0.3, 0.16, 0.09, 0.05, 0.028)  # errors at which the other lines are named


@dataclass(frozen=True, slots=True)
class Words:
    """What methods are called by key, what errors are, what the need is, and how often it holds."""

    names: Mapping[str, str]
    measured: str  # "Largest error of nine deciles, as a share of the students"
    wanted: str  # "your need: 1 % of the places"
    often: str = "19 of 20"


def frontier_picture(
    found: FrontierNumbers, words: Words, look: Look, whole: tuple[float, float] | None = None
) -> Picture:
    """All methods as thin lines, the frontier bold and named, the target and where it is met.

    whole are the first and the last budget of a run in the making.
    """
    floor, span = min(FLOOR, found.target / 2), whole or _span(found)
    traces = [_thin(one, found, words, look) for one in found.methods if one.budgets.size]
    traces += [_bold(piece, words.names[piece.key], look) for piece in found.pieces]
    named = [one for one in found.pieces if _is_named(one, found, span, floor)]
    notes = [_heading(words, look), _wanted(words, found.target, look)]
    notes += [_leader(piece, words.names[piece.key], floor, look) for piece in named]
    leading = {piece.key for piece in named}
    others = [one for one in found.methods if one.key not in leading]
    notes += look.full(*_others(others, words, look))
    shapes = [_target_line(found.target, span, look)]
    if found.best.needed:
        shapes.append(_down(found, floor, look))
        traces.append(_dot(found, words, look))
    arranged = grammar.layout(
        look,
        left=64,
        right=look.said(34, 20),
        top=30,
        bottom=58,
        xaxis=_budgets_axis(found.symbol, span, look),
        yaxis=grammar.axis(
            look,
            type="log",
            range=np.log10([floor, TOP]).tolist(),
            showgrid=True,
            **_error_ticks(floor, look),
        ),
        shapes=shapes,
        annotations=notes,
    )
    return grammar.picture(traces, arranged)


def _span(found: FrontierNumbers) -> tuple[float, float]:
    """The first and the last budget of any method."""
    ends = [(one.budgets[0], one.budgets[-1]) for one in found.methods if one.budgets.size]
    if not ends:
        return SPAN
    return float(min(low for low, _ in ends)), float(max(high for _, high in ends))


def _budgets_axis(symbol: str, span: tuple[float, float], look: Look) -> dict[str, Any]:
    """The axis of budgets, in powers of ten."""
    low, high = span
    values = [step * 10.0**power for power in range(-6, 7) for step in look.said(*STEPS)]
    kept = [value for value in values if low * 0.999 <= value <= high * 1.001]
    texts = [f"{value:g}" for value in kept]
    if texts:
        texts[0] = f"{symbol} = {texts[0]}"
    ends = np.log10([low, high]).tolist()
    return grammar.axis(
        look, type="log", range=ends, showgrid=True, tickvals=kept, ticktext=texts, **APART
    )


def _error_ticks(floor: float, look: Look) -> dict[str, Any]:
    """Marks of an axis of errors."""
    kept = [share for share in SHARES if share >= floor * 0.999]
    if len(kept) > look.said(*MOST_TICKS):
        kept = [share for share in kept if f"{share:e}"[0] == "1"] + [0.5]
    return {"tickvals": kept, "ticktext": [f"{100 * share:g} %" for share in kept]} | APART


def _target_line(target: float, span: tuple[float, float], look: Look) -> dict[str, Any]:
    """The error that is wanted, across the picture."""
    ends = {"x0": span[0], "x1": span[1], "y0": target, "y1": target}
    dashed = grammar.line(look.ink.truth, look.mark(1.5), dash="dash")
    place = {"xref": "x", "yref": "y", "layer": "between"}
    return {"type": "line", "line": dashed} | place | ends


def _thin(one: MethodNeed, found: FrontierNumbers, words: Words, look: Look) -> dict[str, Any]:
    stroke = grammar.line(look.ink.of(one.key), look.mark(1.5), dash=look.ink.mark(one.key).dash)
    name = words.names[one.key]
    return grammar.trace(
        name,
        one.budgets,
        np.maximum(one.errors, LEAST),
        mode="lines",
        line=stroke,
        hoverinfo="all",
        hovertemplate=f"{html_safe(name)} at {found.symbol} = %{{x:.3~g}}: {words.often} "
        "at most %{y:.2~%} off<extra></extra>",
    )


def _bold(piece: Piece, name: str, look: Look) -> dict[str, Any]:
    stroke = grammar.line(look.ink.of(piece.key), look.mark(6))
    return grammar.trace(f"{name} leads", piece.budgets, piece.errors, mode="lines", line=stroke)


def _is_named(
    piece: Piece, found: FrontierNumbers, span: tuple[float, float], floor: float
) -> bool:
    """Whether a piece is seen, and is long enough for its name or holds what is needed."""
    if not _seen(piece, floor).size:
        return False
    needed = found.best.needed
    if needed and piece.budgets[0] <= needed < piece.budgets[-1]:
        return True
    share = np.log(piece.budgets[-1] / piece.budgets[0]) / np.log(span[1] / span[0])
    return bool(share >= NAMED)


def _seen(piece: Piece, floor: float) -> IntArray:
    """The places of a piece that lie inside the picture."""
    return np.flatnonzero((piece.errors > floor) & (piece.errors < TOP))


def _leader(piece: Piece, name: str, floor: float, look: Look) -> dict[str, Any]:
    """The name of who leads, below the middle of what is seen of the piece."""
    at = int(np.median(_seen(piece, floor)))
    return grammar.words(
        look,
        f"<b>{html_safe(name)}</b>",
        float(np.log10(piece.budgets[at])),
        float(np.log10(max(piece.errors[at], floor))),
        colour=look.ink.written(piece.key),
        align="right",
        stand="top",
        shift=(-look.text(8), -look.text(8)),
        plate=True,
    )


def _others(methods: list[MethodNeed], words: Words, look: Look) -> list[dict[str, Any]]:
    """The names of lines that lead nowhere, each at a height of its own, to the right."""
    found = []
    known = [one for one in methods if one.budgets.size]
    for one, height in zip(known, HEIGHTS, strict=False):
        errors = np.maximum(one.errors, LEAST)
        at = int(np.argmin(np.abs(np.log(errors / height))))
        found.append(
            grammar.words(
                look,
                html_safe(words.names[one.key]),
                float(np.log10(one.budgets[at])),
                float(np.log10(errors[at])),
                colour=look.ink.written(one.key),
                stand="bottom",
                shift=(look.text(6), look.text(2)),
                plate=True,
            )
        )
    return found


def _heading(words: Words, look: Look) -> dict[str, Any]:
    return grammar.words(
        look, html_safe(words.measured), 0, 1, axes=("paper", "y domain"), stand="bottom",
        shift=(-look.text(40), look.text(8)),
    )  # fmt: skip


def _wanted(words: Words, target: float, look: Look) -> dict[str, Any]:
    return grammar.words(
        look, words.wanted, 1, float(np.log10(target)), axes=("x domain", "y"),
        align="right", stand="bottom", shift=(0, look.text(3)), size=TICK, plate=True,
    )  # fmt: skip


def _down(found: FrontierNumbers, floor: float, look: Look) -> dict[str, Any]:
    best = found.best
    return {
        "type": "line", "xref": "x", "yref": "y", "x0": best.needed, "x1": best.needed,
        "y0": floor, "y1": found.target, "line": grammar.line(look.ink.of(best.key), look.mark(2)),
    }  # fmt: skip


def _dot(found: FrontierNumbers, words: Words, look: Look) -> dict[str, Any]:
    best = found.best
    marker = {
        "color": look.ink.of(best.key),
        "symbol": look.ink.mark(best.key).symbol,
        "size": look.mark(17),
        "line": {"color": look.ink.page, "width": look.mark(2)},
    }
    place = np.array([best.needed]), np.array([found.target])
    return grammar.trace(f"{words.names[best.key]}, answer", *place, mode="markers", marker=marker)
