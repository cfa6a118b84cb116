"""Releases that reach a target against the budget, from a search for the smallest one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.answers.said import html_safe
from dpviz.answers.studies.search import SearchAnswer, SearchNumbers, Tried
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.swept import decades


def search_picture(found: SearchNumbers, names: Mapping[str, str], look: Look) -> Picture:
    """Shares of runs at each budget tried, with Clopper and Pearson's intervals, and the answers.

    An answer is a mark on the line of the wanted share, with the interval that encloses it as a
    bar. Methods stand in the order of names.
    """
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    tried = {one.key: one for one in found.tried}
    enclosed = {one.key: one for one in found.answers if one.is_enclosed}
    for key, name in names.items():
        if key in tried:
            traces.append(_tried(tried[key], name, found.symbol, look))
        if key in enclosed:
            traces.append(_answer(enclosed[key], name, found.probability, look))
            notes.append(_note(enclosed[key], name, found.symbol, look, len(notes)))
    span = _span(found)
    arranged = grammar.layout(
        look,
        left=62,
        right=30,
        top=34,
        bottom=44,
        xaxis=grammar.axis(
            look, type="log", range=np.log10(span).tolist(), showgrid=True, **decades(span)
        ),
        yaxis=grammar.axis(
            look, range=[-3, 106], showgrid=True, tickvals=[0, 25, 50, 75, 100], ticksuffix=" %"
        ),
        shapes=[_wanted(found.probability, look)],
        annotations=[*_titles(found.symbol, look), *notes],
    )
    return grammar.picture(traces, arranged)


def _span(found: SearchNumbers) -> tuple[float, float]:
    """Where the shares move: a search looks far away too, where nothing happens."""
    moving = [
        budget
        for one in found.tried
        for budget, rate in zip(one.budgets.tolist(), one.rates.tolist(), strict=True)
        if 1 < rate < 99.9
    ]
    return (min(moving) / 2, max(moving) * 2) if moving else (1e-3, 100.0)


def _tried(one: Tried, name: str, symbol: str, look: Look) -> dict[str, Any]:
    mark, colour, name = look.ink.mark(one.key), look.ink.of(one.key), html_safe(name)
    return grammar.trace(
        name,
        one.budgets,
        one.rates,
        mode="markers",  # a line would tell of sizes between that were never tried
        marker={"color": colour, "symbol": mark.symbol, "size": look.mark(9)},
        error_y={
            "array": one.high - one.rates,
            "arrayminus": one.rates - one.low,
            "symmetric": False,
            "thickness": look.mark(1.5),
            "width": 0,
            "color": translucent(colour, 0.6),
        },
        hoverinfo="all",
        hovertemplate=f"{name} at {symbol} = %{{x:.3~g}}: %{{y:.1f}} %<extra></extra>",
    )


def _answer(one: SearchAnswer, name: str, probability: float, look: Look) -> dict[str, Any]:
    colour, name = look.ink.of(one.key), html_safe(name)
    return grammar.trace(
        f"{name}, answer",
        np.array([one.low, one.size, one.high]),
        np.full(3, 100 * probability),
        mode="lines+markers",
        line=grammar.line(colour, look.mark(5)),
        marker={
            "symbol": ["line-ns-open", look.ink.mark(one.key).symbol, "line-ns-open"],
            "size": look.mark(14),
            "color": colour,
            "line": {"color": look.ink.page, "width": 1.5},
        },
        hoverinfo="all",
        hovertemplate=f"{name}: %{{x:.3~g}}<extra></extra>",
    )


def _note(one: SearchAnswer, name: str, symbol: str, look: Look, at: int) -> dict[str, Any]:
    """The answers as a list at the left, where few releases reach a target."""
    name = grammar.coloured(html_safe(name), look.ink.written(one.key), bold=True)
    return grammar.words(
        look,
        f"{name} {symbol} = {one.size:.3g}",
        0,
        0.72,
        axes=("x domain", "y domain"),
        stand="top",
        plate=True,
        shift=(10, -look.text(24 * at)),
    )


def _wanted(probability: float, look: Look) -> dict[str, Any]:
    at = 100 * probability
    ends = {"x0": 0, "x1": 1, "y0": at, "y1": at}
    dashed = grammar.line(look.ink.truth, look.mark(1.5), dash="dash")
    return {"type": "line", "xref": "x domain", "yref": "y", "line": dashed} | ends


def _titles(symbol: str, look: Look) -> list[dict[str, Any]]:
    return [
        grammar.measured(look, "Releases that reach the target", 56, 10),
        grammar.words(look, symbol, 1, 0, axes=("paper", "paper"), stand="top",
                      align="right", colour=look.ink.second, shift=(0, -look.text(26))),
    ]  # fmt: skip
