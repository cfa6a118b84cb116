"""Error against one parameter: a line for each method, with two standard errors and its name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.answers.said import html_safe
from dpviz.answers.studies.sweep import SweepLine, SweepNumbers
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.labels import End, called, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

MOST_RATIO = 2e4  # of the largest error to the smallest that is worth a place
APART = 0.062  # of the height, between two names of the usual size
LEFT = 70


def sweep_picture(
    found: SweepNumbers, titles: tuple[str, str], names: Mapping[str, str], look: Look
) -> Picture:
    """Errors on a log scale; titles are those of the places and of the errors.

    A line ends where no run missed by a person: an error of nothing has no place on a log axis.
    """
    lines, at = found.lines, found.places
    span = _span([line.means for line in lines])
    shapes = [] if found.chosen is None else [_chosen(found.chosen, look)]
    up = np.log10(span).tolist()
    ends = [_end(line, names[line.key], look) for line in lines]
    last = named(look, ends, (up[0], up[1]), apart=APART, axes=("x", "y domain"), left=LEFT - 6)
    arranged = grammar.layout(
        look,
        left=LEFT,
        right=last.right,
        top=34 + last.above,
        bottom=56,
        xaxis=grammar.axis(
            look, type="log", range=_log(at, 0.03), showgrid=True, **_steps(at, found.letter, look)
        ),
        yaxis=grammar.axis(look, type="log", range=up, showgrid=True, **decades(span)),
        shapes=shapes,
        annotations=[*_titles(titles, look, last.above), *last.notes],
    )
    traces = [_line(line, names[line.key], look) for line in lines]
    return grammar.picture(traces, arranged)


def short(value: float) -> str:
    """A tick's text: 20k for 20,000, 6,000 and 0.05 as they are."""
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 10_000 else f"{value:,g}"


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
    kept: FloatArray = look.said(_apart(at), at[::2])
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


def _titles(titles: tuple[str, str], look: Look, above: float) -> list[dict[str, Any]]:
    across = grammar.words(
        look, html_safe(titles[0]), 0, 0, axes=("paper", "paper"), stand="top",
        colour=look.ink.second, shift=(0, -look.text(30)),
    )  # fmt: skip
    return [grammar.measured(look, html_safe(titles[1]), LEFT - 6, 10 + above), across]


def _end(one: SweepLine, name: str, look: Look) -> End:
    text, colour = called(look, one.key, html_safe(name)), look.ink.written(one.key)
    return End(text, float(np.log10(one.means[-1])), colour, float(np.log10(one.places[-1])))
