"""Error against one parameter: a line for each method, with two standard errors and its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.layout import plain
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

MOST_RATIO = 2e4  # of the largest error to the smallest that is worth a place
APART = 0.062  # of the height, between two names of the usual size
GLYPHS = {"circle": "●", "diamond": "◆", "triangle-up": "▲", "square": "■"}


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is drawn beside the numbers: titles, the names of the methods, the setting in use."""

    x_title: str  # "" where symbol says it
    y_title: str
    names: dict[str, str]
    chosen: float | None = None
    symbol: str = ""  # stands before the first tick
    places: tuple[float, ...] = ()  # all of them, so that a sweep in the making keeps its axis


def sweep_picture(frame: pd.DataFrame, sweep: Sweep, look: Look) -> Picture:
    """Frame has columns x, mechanism, mean, standard_error, runs; errors are on a log scale.

    A line ends where no run missed by a person: an error of nothing has no place on a log axis.
    """
    known = frame[frame["mean"] > 0]
    order = [key for key in sweep.names if key in set(known["mechanism"])]
    lines = [known[known["mechanism"] == key].sort_values("x") for key in order]
    at = np.unique([*sweep.places, *frame["x"]]).astype(np.float64)
    span = _span(known["mean"].to_numpy(np.float64))
    shapes = [] if sweep.chosen is None else [_chosen(sweep.chosen, look)]
    arranged = grammar.layout(
        look,
        left=70,
        right=24 if look.phone else 176,
        top=52 if look.phone else 34,
        bottom=56,
        xaxis=grammar.axis(
            look, type="log", range=_log(at, 0.03), showgrid=True, **_steps(at, sweep, look)
        ),
        yaxis=grammar.axis(
            look, type="log", range=np.log10(span).tolist(), showgrid=True, **decades(span)
        ),
        shapes=shapes,
        annotations=[
            *_titles(sweep, look),
            *(_strip(order, sweep, look) if look.phone else _ends(order, lines, span, sweep, look)),
        ],
    )
    traces = [_line(key, rows, sweep, look) for key, rows in zip(order, lines, strict=True)]
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


def _line(key: str, rows: pd.DataFrame, sweep: Sweep, look: Look) -> dict[str, Any]:
    mark, colour, name = look.ink.mark(key), look.ink.of(key), plain(sweep.names[key])
    mean = rows["mean"].to_numpy(np.float64)
    spread = np.nan_to_num(2 * rows["standard_error"].to_numpy(np.float64))
    return grammar.trace(
        name,
        rows["x"].to_numpy(np.float64),
        mean,
        mode="lines+markers",
        line=grammar.line(colour, look.mark(2.5), dash=mark.dash),
        marker={
            "color": colour,
            "symbol": mark.symbol,
            "size": look.mark(10),
            "line": {"color": look.ink.page, "width": 1.5},
        },
        error_y={
            "array": spread,
            "arrayminus": np.minimum(spread, 0.8 * mean),  # stays on a log axis
            "symmetric": False,
            "thickness": look.mark(1.5),
            "width": 0,
            "color": translucent(colour, 0.6),
        },
        customdata=np.stack([rows["runs"].to_numpy(np.float64), spread / 2], axis=1),
        hoverinfo="all",
        hovertemplate=f"{name} at %{{x:,.4~g}}: %{{y:,.3~g}} ± %{{customdata[1]:,.2~g}}"
        "<br>%{customdata[0]:,} releases<extra></extra>",
    )


def _span(means: FloatArray) -> tuple[float, float]:
    if not means.size:
        return 0.1, 10.0
    least = max(float(means.min()), float(means.max()) / MOST_RATIO)
    return least / 1.5, float(means.max()) * 1.5


def _log(at: FloatArray, margin: float) -> list[float]:
    if not at.size:
        return [-1.0, 1.0]
    low, high = np.log10([at[0], at[-1]])
    around = margin * (high - low) or 0.3
    return [float(low - around), float(high + around)]


def _steps(at: FloatArray, sweep: Sweep, look: Look) -> dict[str, Any]:
    kept: FloatArray = at[::2] if look.phone else _apart(at)
    texts = [short(value) for value in kept]
    if texts and sweep.symbol:
        texts[0] = f"{sweep.symbol} = {texts[0]}"
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


def _titles(sweep: Sweep, look: Look) -> list[dict[str, Any]]:
    low, second = look.text(30), look.ink.second
    return [
        grammar.words(
            look, plain(sweep.y_title), 0, 1, axes=("paper", "paper"), stand="bottom",
            colour=second, shift=(-look.text(64), look.text(30 if look.phone else 10)),
        ),
        grammar.words(
            look, plain(sweep.x_title), 0, 0, axes=("paper", "paper"), stand="top", colour=second,
            shift=(0, -low),
        ),
    ]  # fmt: skip


def _named(key: str, sweep: Sweep, look: Look) -> str:
    mark = grammar.coloured(GLYPHS.get(look.ink.mark(key).symbol, "●"), look.ink.of(key))
    return f"{mark} {grammar.coloured(plain(sweep.names[key]), look.ink.written(key), bold=True)}"


def _strip(order: list[str], sweep: Sweep, look: Look) -> list[dict[str, Any]]:
    half = -(-len(order) // 2)
    rows = [order[:half], order[half:]]
    text = "<br>".join("  ".join(_named(key, sweep, look) for key in row) for row in rows if row)
    return [grammar.words(look, text, 1, 1, axes=("x domain", "y domain"), align="right",
                          stand="top", plate=True)]  # fmt: skip


def _ends(
    order: list[str],
    lines: list[pd.DataFrame],
    span: tuple[float, float],
    sweep: Sweep,
    look: Look,
) -> list[dict[str, Any]]:
    if not order:
        return []
    low, high = np.log10(span)
    last = np.array([np.log10(rows["mean"].iloc[-1]) for rows in lines])
    share = spaced(((last - low) / (high - low)).clip(0.02, 1), APART * look.text(1))
    share += max(0.0, 0.02 - float(share.min()))
    return [
        grammar.words(
            look, _named(key, sweep, look), float(np.log10(rows["x"].iloc[-1])), float(up),
            axes=("x", "y domain"), shift=(12, 0),
        )
        for key, rows, up in zip(order, lines, share, strict=True)
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
