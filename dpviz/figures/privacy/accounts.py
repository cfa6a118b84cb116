"""What many answers add up to under each account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.core.arrays import FloatArray
from dpviz.experiments.privacy.averaging import MOST
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.privacy.parts import bold, title

HUES = {  # each account keeps its mark, whichever others stand beside it
    "basic": ("amber", "added up"),
    "optimal, at δ": ("green", "best"),
    "zCDP, at δ": ("pink", "by ρ"),
    "exact, at δ": ("violet", "exact"),
}
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
PHONE_TICKS = (1, 10, 100, 1_000)
LEFT = 62
AFTER, PHONE_AFTER = 0.62, 1.5  # decades for the names at the right
LEAST = 0.1  # of the smallest total that adds up: less is drawn at the foot
APART = 0.055  # of the height, between names


def accounts_picture(
    ks: FloatArray, totals: Mapping[str, FloatArray], chosen: int, promise: float, look: Look
) -> Picture:
    """The total ε after k answers, each array (len(ks),), with the promise and the chosen k."""
    x, at = np.log10(ks), int(np.searchsorted(ks, chosen))
    foot = min([promise, *(float(one[0]) for one in totals.values() if one[0] > 0)])
    heights = {name: np.log10(np.maximum(one, LEAST * foot)) for name, one in totals.items()}
    low = min(float(one.min()) for one in heights.values())
    high = max(float(np.log10(promise)), *(float(one.max()) for one in heights.values()))
    room = 0.05 * (high - low)
    data: list[dict[str, Any]] = []
    for name, line_of in heights.items():
        hue = HUES[name][0]
        stroke = line(look.ink.of(hue), look.mark(2.5), dash=look.ink.mark(hue).dash)
        data.append(trace(name, x, line_of, mode="lines", line=stroke))
        marker = {"color": look.ink.of(hue), "size": look.mark(11)}
        data.append(trace(f"{name} now", x[[at]], line_of[[at]], mode="markers", marker=marker))
    ticks = PHONE_TICKS if look.phone else TICKS
    end = float(np.log10(ks[-1]))
    shown = rule(look, float(x[at]))
    shown["line"] |= {"dash": "dot", "width": look.mark(1.5)}
    after = PHONE_AFTER if look.phone else AFTER
    level = float(np.log10(promise))
    promised = {"type": "line", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1}
    stroke = line(look.ink.truth, look.mark(1.5), dash="dash")
    target = bold(f"promised: ε = {epsilon_text(promise)}", look.ink.truth)
    return picture(
        data,
        layout(
            look,
            left=LEFT,
            top=34,
            bottom=36,
            xaxis=axis(
                look,
                range=[-0.03, end + after],
                tickvals=np.log10(ticks),
                ticktext=["1 answer", *(f"{tick:,}" for tick in ticks[1:])],
                ticks="outside",
            ),
            yaxis=axis(look, range=[low - room, high + room], showgrid=True, **_heights(low, high)),
            shapes=[shown, promised | {"y0": level, "y1": level, "line": stroke}],
            annotations=[
                title(look, "Total ε of all answers", LEFT),
                words(look, target, end + after, level, align="right", stand="bottom"),
                *_names(totals, heights, at, high - low, look),
            ],
        ),
    )


def _heights(low: float, high: float) -> dict[str, Any]:
    """Ticks of a log axis: powers of ten, with 2 and 5 between them where they are few."""
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    heads = (1, 2, 5) if high - low < 3 else (1,)
    stride = 1 + (len(powers) - 1) // 8
    ticks = [head * 10.0**power for power in powers[::stride] for head in heads]
    return {"tickvals": np.log10(ticks), "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def _names(
    totals: Mapping[str, FloatArray],
    heights: Mapping[str, FloatArray],
    at: int,
    span: float,
    look: Look,
) -> list[dict[str, Any]]:
    """Each account at the end of its line, with its total now, kept apart from the next."""
    rows = sorted(totals, key=lambda name: float(totals[name][-1]))
    found, free, end = [], -np.inf, float(np.log10(MOST))
    for name in rows:
        hue, said = HUES[name]
        y = max(float(heights[name][-1]), free)
        free = y + APART * span * (1.4 if look.presenting or look.phone else 1)
        text = f"{bold(epsilon_text(float(totals[name][at])), look.ink.written(hue))} {said}"
        colour = look.ink.written(hue)
        found.append(words(look, text, end, y, colour=colour, shift=(8, 0)))
    return found
