"""Error against one parameter: a line for each method, with two standard errors and its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.answers.studies.sweep import SweepLine, SweepNumbers
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

MOST_RATIO = 2e4  # of the largest error to the smallest that is worth a place
APART = 0.062  # of the height, between two names of the usual size
GLYPHS = {"circle": "●", "diamond": "◆", "triangle-up": "▲", "square": "■"}


def sweep_picture(
    found: SweepNumbers, titles: tuple[str, str], names: Mapping[str, str], look: Look
) -> Picture:
    """Errors on a log scale; titles are those of the places and of the errors.

    A line ends where no run missed by a person: an error of nothing has no place on a log axis.
    """
    lines, at = found.lines, found.places
    span = _span([line.means for line in lines])
    shapes = [] if found.chosen is None else [_chosen(found.chosen, look)]
    last = _strip(lines, names, look) if look.phone else _ends(lines, names, span, look)
    arranged = grammar.layout(
        look,
        left=70,
        right=24 if look.phone else 176,
        top=52 if look.phone else 34,
        bottom=56,
        xaxis=grammar.axis(
            look, type="log", range=_log(at, 0.03), showgrid=True, **_steps(at, found.letter, look)
        ),
        yaxis=grammar.axis(
            look, type="log", range=np.log10(span).tolist(), showgrid=True, **decades(span)
        ),
        shapes=shapes,
        annotations=[*_titles(titles, look), *last],
    )
    traces = [_line(line, names[line.key], look) for line in lines]
    return grammar.picture(traces, arranged)


def short(value: float) -> str:
    """A tick's text: 20k for 20,000, 0.05 as it is."""
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 10_000 else f"{value:g}"


def decades(span: tuple[float, float]) -> dict[str, Any]:
    """Ticks of a log axis at 1, 2 and 5, or at the powers of ten where there are many."""
    steps = (1, 2, 5) if span[1] / span[0] < 2e3 else (1,)
    values = [step * 10.0**power for power in range(-6, 9) for step in steps]
    kept = [value for value in values if span[0] <= value <= span[1]]
    return {"tickvals": kept, "ticktext": [f"{value:,.10g}" for value in kept]}


def _line(line: SweepLine, name: str, look: Look) -> dict[str, Any]:
    mark, colour, name = look.ink.mark(line.key), look.ink.of(line.key), html_safe(name)
    return grammar.trace(
        name,
        line.places,
        line.means,
        mode="lines+markers",
        line=grammar.line(colour, look.mark(2.5), dash=mark.dash),
        marker={
            "color": colour,
            "symbol": mark.symbol,
            "size": look.mark(10),
            "line": {"color": look.ink.page, "width": 1.5},
        },
        error_y={
            "array": line.bars,
            "arrayminus": np.minimum(line.bars, 0.8 * line.means),  # stays on a log axis
            "symmetric": False,
            "thickness": look.mark(1.5),
            "width": 0,
            "color": translucent(colour, 0.6),
        },
        customdata=np.stack([line.runs, line.spreads], axis=1),
        hoverinfo="all",
        hovertemplate=f"{name} at %{{x:,.4~g}}: %{{y:,.3~g}} ± %{{customdata[1]:,.2~g}}"
        "<br>%{customdata[0]:,} releases<extra></extra>",
    )


def _span(means: Sequence[FloatArray]) -> tuple[float, float]:
    if not means:
        return 0.1, 10.0
    most = max(float(one.max()) for one in means)
    least = max(min(float(one.min()) for one in means), most / MOST_RATIO)
    return least / 1.5, most * 1.5


def _log(at: FloatArray, margin: float) -> list[float]:
    if not at.size:
        return [-1.0, 1.0]
    low, high = np.log10([at[0], at[-1]])
    around = margin * (high - low) or 0.3
    return [float(low - around), float(high + around)]


def _steps(at: FloatArray, letter: str, look: Look) -> dict[str, Any]:
    kept: FloatArray = at[::2] if look.phone else _apart(at)
    texts = [short(value) for value in kept]
    if texts and letter:
        texts[0] = f"{letter} = {texts[0]}"
    return {"tickvals": kept, "ticktext": texts}


def _apart(at: FloatArray) -> FloatArray:
    """The places whose words do not run into each other on a log axis; the last one stays."""
    kept: list[float] = []
    wide = np.log(at[-1] / at[0]) if at.size > 1 else 1.0
    for value in at[::-1]:
        if not kept or np.log(kept[-1] / value) > 0.045 * wide:
            kept.append(float(value))
    return np.array(kept[::-1])


def _chosen(x: float, look: Look) -> dict[str, Any]:
    dotted = grammar.line(look.ink.truth, look.mark(1.5), dash="dot")
    rule: dict[str, Any] = grammar.rule(look, x)
    return rule | {"line": dotted}


def _titles(titles: tuple[str, str], look: Look) -> list[dict[str, Any]]:
    (across, up), low, second = titles, look.text(30), look.ink.second
    return [
        grammar.words(
            look, html_safe(up), 0, 1, axes=("paper", "paper"), stand="bottom",
            colour=second, shift=(-look.text(64), look.text(30 if look.phone else 10)),
        ),
        grammar.words(
            look, html_safe(across), 0, 0, axes=("paper", "paper"), stand="top",
            colour=second, shift=(0, -low),
        ),
    ]  # fmt: skip


def _named(key: str, names: Mapping[str, str], look: Look) -> str:
    mark = grammar.coloured(GLYPHS.get(look.ink.mark(key).symbol, "●"), look.ink.of(key))
    name = html_safe(names[key])
    return f"{mark} {grammar.coloured(name, look.ink.written(key), bold=True)}"


def _strip(
    lines: Sequence[SweepLine], names: Mapping[str, str], look: Look
) -> list[dict[str, Any]]:
    half = -(-len(lines) // 2)
    rows = [lines[:half], lines[half:]]
    named = [[_named(one.key, names, look) for one in row] for row in rows if row]
    text = "<br>".join(map("  ".join, named))
    return [grammar.words(look, text, 1, 1, axes=("x domain", "y domain"), align="right",
                          stand="top", plate=True)]  # fmt: skip


def _ends(
    lines: Sequence[SweepLine], names: Mapping[str, str], span: tuple[float, float], look: Look
) -> list[dict[str, Any]]:
    if not lines:
        return []
    low, high = np.log10(span)
    last = np.array([np.log10(line.means[-1]) for line in lines])
    share = spaced(((last - low) / (high - low)).clip(0.02, 1), APART * look.text(1))
    share += max(0.0, 0.02 - float(share.min()))
    return [
        grammar.words(
            look, _named(line.key, names, look), float(np.log10(line.places[-1])), float(up),
            axes=("x", "y domain"), shift=(12, 0),
        )
        for line, up in zip(lines, share, strict=True)
    ]  # fmt: skip


def spaced(places: FloatArray, apart: float) -> FloatArray:
    """Places (k,) of words moved until they lie apart, in their order, lowest first."""
    order = np.argsort(places, kind="stable")
    found = places[order].astype(np.float64)
    steps = np.arange(found.size) * apart
    # the least that each can be, and then the most, around the middle of the two
    up = np.maximum.accumulate(found - steps) + steps
    down = np.minimum.accumulate((found - steps)[::-1])[::-1] + steps
    back = np.empty_like(found)
    back[order] = (up + down) / 2
    return back
