"""The averaging attack: private answers and their running mean, and the budget it takes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink, translucent

HEIGHT = 400
MARGIN = {"t": 60, "r": 24, "b": 64}  # both pictures stand level
ACCOUNTS = {  # each account keeps its mark, whichever others stand beside it
    "basic": "amber",
    "optimal, at δ": "green",
    "zCDP, at δ": "pink",
    "exact, at δ": "violet",
}


def averaging_figure(
    answers: FloatArray,
    means: FloatArray,
    truth: float,
    spread: float,
    limit: float,
    chosen: int,
    mechanism: str,
    ink: Ink,
    *,
    unit: str = "value",
) -> go.Figure:
    """The first chosen of all answers (k,), their running means (k,), and the true value in black.

    The band is where a mean of so many lies with 95 % chance: limit ± 1.96 spread/√k, as far as any
    answer went.
    """
    colour, ks = ink.of(mechanism), np.arange(1, answers.size + 1)
    half = 1.96 * spread / np.sqrt(ks)
    thin = np.unique(np.geomspace(1, answers.size, 200).astype(np.int64)) - 1
    x = np.concatenate((ks[thin], ks[thin][::-1]))
    y = np.concatenate((limit + half[thin], (limit - half[thin])[::-1]))
    y = np.clip(y, answers.min(), answers.max())  # few answers are not normal: none lies beyond
    figure = go.Figure(
        go.Scatter(
            x=x,
            y=y,
            fill="toself",
            fillcolor=translucent(colour, 0.16),
            line={"width": 0},
            mode="lines",
            name="95 % band",
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=ks[:chosen],
            y=answers[:chosen],
            mode="markers",
            marker={"color": colour, "size": 4, "opacity": 0.45},
            name="answers",
            hovertemplate="release %{x:,}: %{y:,.6g}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=ks[:chosen],
            y=means[:chosen],
            mode="lines+markers" if chosen == 1 else "lines",
            line={"color": colour, "width": 2.5},
            name="mean",
            hovertemplate="mean of %{x:,}: %{y:,.6g}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=ks[[0, -1]],
            y=np.full(2, truth),
            mode="lines",
            line={"color": ink.truth, "width": 2},
            name="truth",
            hovertemplate="true value %{y:,.6g}<extra></extra>",
        )
    )
    styled(figure, ink, HEIGHT, shows_truth=True)
    figure.update_layout(margin=MARGIN)
    low, high = np.quantile(answers, [0.01, 0.99])
    low, high = min(low, truth, limit), max(high, truth, limit)
    room = 0.08 * max(high - low, 1e-9 * max(abs(high), abs(low), 1e-300))
    figure.update_yaxes(title_text=plain(unit), range=[low - room, high + room])
    _by_releases(figure, answers.size, chosen, ink)
    return figure


def ledger_figure(
    ks: IntArray, accounts: Mapping[str, FloatArray], chosen: int, ink: Ink
) -> go.Figure:
    """The total ε after k releases, one line for each account, shapes (len(ks),)."""
    figure = go.Figure()
    for name, totals in accounts.items():
        key = ACCOUNTS[name]
        mark = ink.mark(key)
        figure.add_trace(
            go.Scatter(
                x=ks,
                y=totals,
                mode="lines",
                line={"color": ink.of(key), "dash": mark.dash, "width": 2.5},
                name=name,
                hovertemplate=f"{plain(name)}: ε = %{{y:,.4~g}} after %{{x:,}}<extra></extra>",
            )
        )
    styled(figure, ink, HEIGHT, shows_truth=False)
    figure.update_layout(margin=MARGIN)
    figure.update_yaxes(title_text="total ε", rangemode="tozero")
    _by_releases(figure, int(ks[-1]), chosen, ink)
    return figure


def _by_releases(figure: go.Figure, most: int, chosen: int, ink: Ink) -> None:
    figure.update_xaxes(
        title_text="releases k", type="log", range=[-0.03, np.log10(most) + 0.03], dtick=1
    )
    figure.add_vline(x=chosen, line={"color": ink.truth, "dash": "dot", "width": 1})
