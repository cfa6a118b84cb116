"""Releases that reach a target against the budget, from a search for the smallest one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.layout import plain
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.swept import decades


@dataclass(frozen=True, slots=True)
class Search:
    """What was searched: the share of releases wanted, the letter, the names of the methods."""

    probability: float
    symbol: str
    names: dict[str, str]


def search_picture(frame: pd.DataFrame, search: Search, look: Look) -> Picture:
    """Shares of runs at each budget tried, with Clopper and Pearson's intervals, and the answers.

    frame has the columns of planning.smallest_epsilon; an answer is a mark on the line of the
    wanted share, with the interval that encloses it as a bar.
    """
    order = [key for key in search.names if key in set(frame["mechanism"])]
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for key in order:
        rows = frame[frame["mechanism"] == key]
        traces.append(_tried(key, rows[rows["kind"] == "tried"].sort_values("size"), search, look))
        for answer in rows[rows["kind"] == "answer"].to_dict("records"):
            if _encloses(answer):
                traces.append(_answer(key, answer, search, look))
                notes.append(_note(key, answer, search, look, len(notes)))
    span = _span(frame)
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
            look,
            range=[-3, 106],
            showgrid=True,
            tickvals=[0, 25, 50, 75, 100],
            ticksuffix=" %",
        ),
        shapes=[_wanted(search, look)],
        annotations=[*_titles(search, look), *notes],
    )
    return grammar.picture(traces, arranged)


def _encloses(answer: Mapping[Hashable, Any]) -> bool:
    ends = [answer["low"], answer["size"], answer["high"]]
    return bool(np.isfinite(ends).all()) and ends[0] > 0


def _span(frame: pd.DataFrame) -> tuple[float, float]:
    """Where the shares move: a search looks far away too, where nothing happens."""
    moving = frame[(frame["rate"] > 0.01) & (frame["rate"] < 0.999)]["size"]
    if not len(moving):
        return 1e-3, 100.0
    return float(moving.min()) / 2, float(moving.max()) * 2


def _tried(key: str, rows: pd.DataFrame, search: Search, look: Look) -> dict[str, Any]:
    mark, colour, name = look.ink.mark(key), look.ink.of(key), plain(search.names[key])
    rate, low, high = (
        100 * rows[c].to_numpy(np.float64) for c in ("rate", "rate_low", "rate_high")
    )
    return grammar.trace(
        name,
        rows["size"].to_numpy(np.float64),
        rate,
        mode="markers",  # a line would tell of sizes between that were never tried
        marker={"color": colour, "symbol": mark.symbol, "size": look.mark(9)},
        error_y={
            "array": high - rate,
            "arrayminus": rate - low,
            "symmetric": False,
            "thickness": look.mark(1.5),
            "width": 0,
            "color": translucent(colour, 0.6),
        },
        hoverinfo="all",
        hovertemplate=f"{name} at {search.symbol} = %{{x:.3~g}}: %{{y:.1f}} %<extra></extra>",
    )


def _answer(key: str, answer: Mapping[Hashable, Any], search: Search, look: Look) -> dict[str, Any]:
    colour, name = look.ink.of(key), plain(search.names[key])
    return grammar.trace(
        f"{name}, answer",
        np.array([answer["low"], answer["size"], answer["high"]]),
        np.full(3, 100 * search.probability),
        mode="lines+markers",
        line=grammar.line(colour, look.mark(5)),
        marker={
            "symbol": ["line-ns-open", look.ink.mark(key).symbol, "line-ns-open"],
            "size": look.mark(14),
            "color": colour,
            "line": {"color": look.ink.page, "width": 1.5},
        },
        hoverinfo="all",
        hovertemplate=f"{name}: %{{x:.3~g}}<extra></extra>",
    )


def _note(
    key: str, answer: Mapping[Hashable, Any], search: Search, look: Look, at: int
) -> dict[str, Any]:
    """The answers as a list at the left, where few releases reach a target."""
    name = grammar.coloured(plain(search.names[key]), look.ink.written(key), bold=True)
    return grammar.words(
        look,
        f"{name} {search.symbol} = {answer['size']:.3g}",
        0,
        0.72,
        axes=("x domain", "y domain"),
        stand="top",
        plate=True,
        shift=(10, -look.text(24 * at)),
    )


def _wanted(search: Search, look: Look) -> dict[str, Any]:
    at = 100 * search.probability
    ends = {"x0": 0, "x1": 1, "y0": at, "y1": at}
    dashed = grammar.line(look.ink.truth, look.mark(1.5), dash="dash")
    return {"type": "line", "xref": "x domain", "yref": "y", "line": dashed} | ends


def _titles(search: Search, look: Look) -> list[dict[str, Any]]:
    second = look.ink.second
    said = "Releases that reach the target"
    return [
        grammar.words(look, said, 0, 1, axes=("paper", "paper"), stand="bottom", colour=second,
                      shift=(-look.text(56), look.text(10))),
        grammar.words(look, search.symbol, 1, 0, axes=("paper", "paper"), stand="top",
                      align="right", colour=second, shift=(0, -look.text(26))),
    ]  # fmt: skip
