"""The frontier: the least error that any method has at each budget, in the colour of who leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.answers.studies.frontier import Errors
from dpviz.core.arrays import IntArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.answer import budgets_axis, error_ticks, target_line
from dpviz.figures.studies.answered import FLOOR, LEAST, TOP, Answer, Line

NAMED = 0.09  # share of the axis that a piece needs for its name
HEIGHTS = (0.3, 0.16, 0.09, 0.05, 0.028)  # errors at which the other lines are named


def frontier_picture(answer: Answer, pieces: Sequence[Errors], look: Look) -> Picture:
    """All methods as thin lines, the frontier bold and named, the target and where it is met."""
    names = {line.key: line.name for line in answer.lines}
    floor = min(FLOOR, answer.target / 2)
    traces = [_thin(line, answer, look) for line in answer.lines if line.budgets.size]
    traces += [_bold(piece, names[piece.key], look) for piece in pieces]
    notes = [_heading(answer, look), _wanted(answer, look)]
    notes += [
        _leader(piece, names[piece.key], floor, look)
        for piece in pieces
        if _is_named(piece, answer, floor)
    ]
    if not look.phone:
        notes += _others(answer, pieces, floor, look)
    main = answer.lines[0]
    shapes = [target_line(answer, look)]
    if main.needed:
        shapes.append(_down(main.key, main.needed, answer, floor, look))
        traces.append(_dot(main, answer, look))
    arranged = grammar.layout(
        look,
        left=64,
        right=20 if look.phone else 34,
        top=30,
        bottom=58,
        xaxis=budgets_axis(answer, look),
        yaxis=grammar.axis(
            look,
            type="log",
            range=np.log10([floor, TOP]).tolist(),
            showgrid=True,
            **error_ticks(floor, look),
        ),
        shapes=shapes,
        annotations=notes,
    )
    return grammar.picture(traces, arranged)


def _thin(line: Line, answer: Answer, look: Look) -> dict[str, Any]:
    stroke = grammar.line(look.ink.of(line.key), look.mark(1.5), dash=look.ink.mark(line.key).dash)
    return grammar.trace(
        line.name,
        line.budgets,
        np.maximum(line.high, LEAST),
        mode="lines",
        line=stroke,
        hoverinfo="all",
        hovertemplate=f"{html_safe(line.name)} at {answer.symbol} = %{{x:.3~g}}: {answer.often} "
        "at most %{y:.2~%} off<extra></extra>",
    )


def _bold(piece: Errors, name: str, look: Look) -> dict[str, Any]:
    stroke = grammar.line(look.ink.of(piece.key), look.mark(6))
    return grammar.trace(f"{name} leads", piece.budgets, piece.errors, mode="lines", line=stroke)


def _is_named(piece: Errors, answer: Answer, floor: float) -> bool:
    """Whether a piece is seen, and is long enough for its name or holds what is needed."""
    if not _seen(piece, floor).size:
        return False
    needed = answer.lines[0].needed
    if needed and piece.budgets[0] <= needed < piece.budgets[-1]:
        return True
    low, high = answer.span
    share = np.log(piece.budgets[-1] / piece.budgets[0]) / np.log(high / low)
    return bool(share >= NAMED)


def _seen(piece: Errors, floor: float) -> IntArray:
    """The places of a piece that lie inside the picture."""
    return np.flatnonzero((piece.errors > floor) & (piece.errors < TOP))


def _leader(piece: Errors, name: str, floor: float, look: Look) -> dict[str, Any]:
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


def _others(
    answer: Answer, pieces: Sequence[Errors], floor: float, look: Look
) -> list[dict[str, Any]]:
    """The names of lines that lead nowhere, each at a height of its own, to the right."""
    leading = {piece.key for piece in pieces if _is_named(piece, answer, floor)}
    others = [line for line in answer.lines if line.budgets.size and line.key not in leading]
    found = []
    for line, height in zip(others, HEIGHTS, strict=False):
        errors = np.maximum(line.high, LEAST)
        at = int(np.argmin(np.abs(np.log(errors / height))))
        found.append(
            grammar.words(
                look,
                html_safe(line.name),
                float(np.log10(line.budgets[at])),
                float(np.log10(errors[at])),
                colour=look.ink.written(line.key),
                stand="bottom",
                shift=(look.text(6), look.text(2)),
                plate=True,
            )
        )
    return found


def _heading(answer: Answer, look: Look) -> dict[str, Any]:
    return grammar.words(
        look, answer.measured, 0, 1, axes=("paper", "y domain"), stand="bottom",
        shift=(-look.text(40), look.text(8)),
    )  # fmt: skip


def _wanted(answer: Answer, look: Look) -> dict[str, Any]:
    return grammar.words(
        look, answer.wanted, 1, float(np.log10(answer.target)), axes=("x domain", "y"),
        align="right", stand="bottom", shift=(0, look.text(3)), size=TICK, plate=True,
    )  # fmt: skip


def _down(key: str, needed: float, answer: Answer, floor: float, look: Look) -> dict[str, Any]:
    return {
        "type": "line", "xref": "x", "yref": "y", "x0": needed, "x1": needed,
        "y0": floor, "y1": answer.target, "line": grammar.line(look.ink.of(key), look.mark(2)),
    }  # fmt: skip


def _dot(main: Line, answer: Answer, look: Look) -> dict[str, Any]:
    marker = {
        "color": look.ink.of(main.key),
        "symbol": look.ink.mark(main.key).symbol,
        "size": look.mark(17),
        "line": {"color": look.ink.page, "width": look.mark(2)},
    }
    place = np.array([main.needed]), np.array([answer.target])
    return grammar.trace(f"{main.name}, answer", *place, mode="markers", marker=marker)
