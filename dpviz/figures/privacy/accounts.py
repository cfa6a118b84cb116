"""What many answers add up to under each account."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace
from dpviz.figures.privacy.parts import bold, level, title

HUES = {  # each account keeps its mark, whichever others stand beside it
    "basic": ("amber", "added up"),
    "optimal, at δ": ("green", "best"),
    "zCDP, at δ": ("pink", "by ρ"),
    "exact, at δ": ("violet", "exact"),
}
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
LEFT = 62
LEAST = 0.1  # of the smallest total that adds up: less is drawn at the foot


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
        data.append(trace(f"{name} now", x[[at]], line_of[[at]], mode="markers", marker=marker,
                          cliponaxis=False))  # fmt: skip
    ticks = look.said(TICKS, TICKS[::3])
    end = float(np.log10(ks[-1]))
    shown = rule(look, float(x[at]))
    shown["line"] |= {"dash": "dot", "width": look.mark(1.5)}
    span, aim = (low - room, high + room), float(np.log10(promise))
    target = bold(f"promised: ε = {epsilon_text(promise)}", look.ink.truth)
    ends = [*_ends(totals, heights, at, look), End(target, aim, look.ink.truth)]
    names = named(look, ends, span, left=LEFT)
    return picture(
        data,
        layout(
            look,
            left=LEFT,
            right=max(names.right, look.text(22)),  # half of the last tick
            top=34 + names.above,
            bottom=36,
            xaxis=axis(
                look,
                range=[-0.03, end],
                tickvals=np.log10(ticks),
                ticktext=["1 answer", *(f"{tick:,}" for tick in ticks[1:])],
                ticks="outside",
            ),
            yaxis=axis(look, range=list(span), showgrid=True, **_heights(low, high)),
            shapes=[shown, level(look, aim, ("x domain", "y"))],
            annotations=[
                title(look, "Total ε of all answers", LEFT, lift=names.above),
                *names.notes,
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


def _ends(
    totals: Mapping[str, FloatArray], heights: Mapping[str, FloatArray], at: int, look: Look
) -> list[End]:
    """Each account at the end of its line, with its total now; the dearest is named last."""
    found = []
    for name in sorted(totals, key=lambda name: float(totals[name][-1])):
        hue, said = HUES[name]
        text = f"{bold(epsilon_text(float(totals[name][at])), look.ink.written(hue))} {said}"
        found.append(End(text, float(heights[name][-1]), look.ink.written(hue)))
    return found
