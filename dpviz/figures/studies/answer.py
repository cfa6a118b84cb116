"""The smallest budget for a wanted accuracy: how far off releases are, the target, the crossing."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.answer_words import all_words, said
from dpviz.figures.studies.answered import FLOOR, LEAST, TOP, Answer, Line

APART = {"ticks": "outside", "ticklen": 7, "tickcolor": "rgba(0,0,0,0)"}  # of words and axis
SHARES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5)
STEPS = (1, 2, 5)


def answer_picture(answer: Answer, look: Look) -> Picture:
    """One method as a band with its answer, or several as lines with an answer each."""
    main = answer.lines[0]
    floor = min(FLOOR, answer.target / 2)
    traces: list[dict[str, Any]] = []
    for line in reversed(answer.lines):  # the main one on top
        traces += _traces(line, answer, look)
    traces += [_crossing(line, answer, look) for line in reversed(answer.lines) if line.needed]
    shapes, notes = [target_line(answer, look)], all_words(answer, look)
    if main.needed:
        shapes += _enough(main.needed, answer, look, floor)
        notes += said(main.needed, answer, look)
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


def _traces(line: Line, answer: Answer, look: Look) -> list[dict[str, Any]]:
    is_main = line is answer.lines[0]
    hue = look.ink.of(line.key) if answer.compared else look.ink.private
    low, middle, high = (np.maximum(one, LEAST) for one in (line.low, line.middle, line.high))
    found = []
    if not answer.compared:
        edge = grammar.line(hue, 0)
        fill = {"fill": "tonexty", "fillcolor": translucent(hue, 0.2)}
        found = [
            grammar.trace("best", line.budgets, low, mode="lines", line=edge),
            grammar.trace("band", line.budgets, high, mode="lines", line=edge, **fill),
            grammar.trace(
                "half of them",
                line.budgets,
                middle,
                mode="lines",
                line=grammar.line(hue, look.mark(2), dash="dot"),
            ),
        ]
    found.append(
        grammar.trace(
            line.name,
            line.budgets,
            high,
            mode="lines",
            line=grammar.line(
                hue,
                look.mark(4 if is_main else 2.5),
                dash=look.ink.mark(line.key).dash if answer.compared else "solid",
            ),
            hoverinfo="all",
            hovertemplate=f"{html_safe(line.name)} at {answer.symbol} = %{{x:.3~g}}: "
            f"{answer.often} at most %{{y:.2~%}} off<extra></extra>",
        )
    )
    return found


def _crossing(line: Line, answer: Answer, look: Look) -> dict[str, Any]:
    is_main = line is answer.lines[0]
    hue = look.ink.of(line.key) if answer.compared else look.ink.private
    symbol = look.ink.mark(line.key).symbol if answer.compared else "circle"
    return grammar.trace(
        f"{line.name}, answer",
        np.array([line.needed]),
        np.array([answer.target]),
        mode="markers",
        marker={
            "color": hue,
            "symbol": symbol,
            "size": look.mark(17 if is_main else 12),
            "line": {"color": look.ink.page, "width": look.mark(2)},
        },
    )


def budgets_axis(answer: Answer, look: Look) -> dict[str, Any]:
    """The axis of budgets, in powers of ten."""
    low, high = answer.span
    steps = (1,) if look.phone else STEPS
    values = [step * 10.0**power for power in range(-6, 7) for step in steps]
    kept = [value for value in values if low * 0.999 <= value <= high * 1.001]
    texts = [f"{value:g}" for value in kept]
    if texts:
        texts[0] = f"{answer.symbol} = {texts[0]}"
    return grammar.axis(
        look,
        type="log",
        range=np.log10([low, high]).tolist(),
        showgrid=True,
        tickvals=kept,
        ticktext=texts,
        **APART,
    )


def error_ticks(floor: float, look: Look) -> dict[str, Any]:
    """Marks of an axis of errors."""
    kept = [share for share in SHARES if share >= floor * 0.999]
    if look.phone or len(kept) > 12:
        kept = [share for share in kept if f"{share:e}"[0] == "1"] + [0.5]
    return {"tickvals": kept, "ticktext": [f"{100 * share:g} %" for share in kept]} | APART


def target_line(answer: Answer, look: Look) -> dict[str, Any]:
    """The error that is wanted, across the picture."""
    span = answer.span
    ends = {"x0": span[0], "x1": span[1], "y0": answer.target, "y1": answer.target}
    dashed = grammar.line(look.ink.truth, look.mark(1.5), dash="dash")
    place = {"xref": "x", "yref": "y", "layer": "between"}
    return {"type": "line", "line": dashed} | place | ends


def _enough(needed: float, answer: Answer, look: Look, floor: float) -> list[dict[str, Any]]:
    hue = answer.hue(look)
    place = {"xref": "x", "yref": "y", "y0": floor, "y1": answer.target}
    area = {
        "type": "rect",
        "x0": needed,
        "x1": answer.span[1],
        "fillcolor": translucent(hue, 0.08),
        "line": {"width": 0},
        "layer": "below",
    }
    down = {
        "type": "line",
        "x0": needed,
        "x1": needed,
        "line": grammar.line(hue, look.mark(2)),
    }
    return [area | place, down | place]
