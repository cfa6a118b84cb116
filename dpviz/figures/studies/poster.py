"""Manohar's two plots: a private CDF with its α, and the points outside it in ten trials."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

ALPHA = ": 19 of 20 raw dots lie this close to the truth"


def curve_figure(frame: pd.DataFrame, look: Look, *, unit: str, shows_truth: bool) -> Picture:
    """People up to each value: band of α, raw dots, the smoothed curve and, if shown, the truth.

    frame is of poster_curve; its column truth is read only where it is shown.
    """
    edges, raw, smoothed, alpha = (
        frame[name].to_numpy(np.float64) for name in ("value", "raw", "smoothed", "alpha")
    )
    blue = look.ink.private
    # 19 raw dots of 20 lie within α of the truth; without it, α stands around the dots
    middle = frame["truth"].to_numpy(np.float64) if shows_truth else raw
    traces = [
        grammar.trace(
            "α",
            np.concatenate((edges, edges[::-1])),
            np.concatenate((middle - alpha, (middle + alpha)[::-1])),
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=translucent(blue, 0.13),
        ),
        grammar.trace("raw", edges, raw, mode="markers",
                      marker={"color": translucent(blue, 0.45), "size": look.mark(5)}),
    ]  # fmt: skip
    if shows_truth:
        exact = frame["truth"].to_numpy(np.float64)
        traces.append(grammar.trace("truth", edges, exact, mode="lines",
                                    line=grammar.line(look.ink.truth, look.mark(2))))  # fmt: skip
    traces.append(
        grammar.trace("smoothed", edges, smoothed, mode="lines", hoverinfo="all",
                      line=grammar.line(blue, look.mark(3)),
                      hovertemplate="%{y:,.0f} published up to %{x:,.6g}<extra></extra>")
    )  # fmt: skip
    arranged = grammar.layout(
        look,
        left=74,
        right=24,
        top=30,
        bottom=52,
        annotations=_notes(
            edges,
            float((raw + alpha).max()),
            float(alpha.max()),
            look,
            shows_truth=shows_truth,
        ),
        xaxis=_values(edges, unit, look),
        yaxis=grammar.axis(look, showgrid=True, nticks=6, tickformat=","),
    )  # fmt: skip
    return grammar.picture(traces, arranged)


def errors_figure(frame: pd.DataFrame, look: Look, *, unit: str) -> Picture:
    """Raw and smoothed counts less the truth, the simulated α and the closed form. Confidential."""
    edges, raw, smoothed, alpha, truth = (
        frame[name].to_numpy(np.float64) for name in ("value", "raw", "smoothed", "alpha", "truth")
    )
    formula, blue = float(frame["formula"].iloc[0]), look.ink.private
    traces = [
        grammar.trace(
            "α",
            np.concatenate((edges, edges[::-1])),
            np.concatenate((-alpha, alpha[::-1])),
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=translucent(blue, 0.13),
        ),
        grammar.trace("raw", edges, raw - truth, mode="markers",
                      marker={"color": translucent(blue, 0.45), "size": look.mark(6)}),
        grammar.trace("smoothed", edges, smoothed - truth, mode="lines", hoverinfo="all",
                      line=grammar.line(blue, look.mark(3)),
                      hovertemplate="%{y:,.0f} off up to %{x:,.6g}<extra></extra>"),
    ]  # fmt: skip
    lines = [
        grammar.rule(look, 0, axes=("paper", "y"), x1=1, y0=at, y1=at,
                     line=grammar.line(look.ink.truth, look.mark(1.5), dash="dash" if at else None))
        for at in (-formula, 0.0, formula)
    ]  # fmt: skip
    between = (formula + float(alpha.max())) / 2
    notes = [
        grammar.words(look, f"printed α = {formula:,.0f}, a formula", edges[-1], formula,
                      align="right", stand="bottom", plate=True, shift=(0, 2)),
        grammar.words(look, f"shaded: simulated α, at most {alpha.max():,.0f}", edges[-1], between,
                      align="right", colour=blue, plate=True),
        grammar.measured(look, "people counted too many", 60, 8),
    ]  # fmt: skip
    reach = 1.2 * max(formula, float(np.abs(raw - truth).max()))
    arranged = grammar.layout(
        look,
        left=74,
        right=24,
        top=30,
        bottom=52,
        annotations=notes,
        shapes=lines,
        xaxis=_values(edges, unit, look),
        yaxis=grammar.axis(look, range=[-reach, reach], showgrid=True, nticks=6, tickformat=","),
    )  # fmt: skip
    return grammar.picture(traces, arranged)


def _notes(
    edges: FloatArray, top: float, alpha: float, look: Look, *, shows_truth: bool
) -> list[dict[str, object]]:
    lines = [
        ("<b>the truth</b>", look.ink.truth),
        (f"<b>published</b>{look.said(': raw dots, smoothed line', '')}", look.ink.private),
        (f"α = {alpha:,.0f}{look.said(ALPHA, '')}", look.ink.second),
    ][0 if shows_truth else 1 :]
    notes = [
        grammar.words(look, text, edges[-1], (0.22 - 0.075 * row) * top, align="right",
                      colour=colour, plate=True)
        for row, (text, colour) in enumerate(lines)
    ]  # fmt: skip
    return [grammar.measured(look, "people up to here", 60, 8), *notes]


def _values(edges: FloatArray, unit: str, look: Look) -> dict[str, Any]:
    """The axis of values, from the first edge to the last."""
    return grammar.axis(
        look, range=[edges[0], edges[-1]], showline=True, ticks="outside", ticklen=5,
        nticks=look.said(6, 4), tickformat=",", tickangle=0, title=grammar.below(unit, look),
    )  # fmt: skip


def trials_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Points of the CDF outside the pointwise α in each trial, raw and smoothed. Confidential.

    frame has columns trial, raw, smoothed and expected, as cdf_trials gives.
    """
    trials = frame["trial"].to_numpy(np.float64)
    expected = float(frame["expected"].iloc[0])
    blue = look.ink.private
    traces = [
        grammar.trace(name, trials + shift, frame[name].to_numpy(np.float64), type="bar", width=0.3,
                      marker={"color": translucent(blue, opacity)}, hoverinfo="all",
                      hovertemplate=f"trial %{{x:.0f}}, {name}: %{{y}} points<extra></extra>")
        for name, shift, opacity in (("raw", -0.19, 0.4), ("smoothed", 0.19, 1.0))
    ]  # fmt: skip
    highest = max(1.25 * expected, 1.15 * float(frame[["raw", "smoothed"]].to_numpy().max()), 1.0)
    ink = look.ink.truth
    arranged = grammar.layout(
        look,
        left=44,
        right=16,
        top=34,
        bottom=52,
        annotations=[
            grammar.measured(look, "points outside α", 36, 8),
            grammar.words(look, f"expected {expected:.1f}", 10.5, expected, align="right",
                          stand="bottom", plate=True),
            grammar.words(look, f"{grammar.coloured('■', translucent(blue, 0.4))} raw   "
                          f"{grammar.coloured('■', blue)} smoothed", 1, 1,
                          axes=("paper", "paper"), align="right", stand="bottom",
                          shift=(0, look.text(8))),
        ],
        shapes=[{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": expected, "y1": expected,
                 "line": grammar.line(ink, look.mark(1.5), dash="dash")}],
        xaxis=grammar.axis(look, range=[0.4, 10.6], tickvals=[1, 5, 10], showline=True,
                           ticktext=["trial 1", "5", "10"], ticks="outside", ticklen=5),
        yaxis=grammar.axis(look, range=[0, highest], showgrid=True, nticks=5),
    )  # fmt: skip
    return grammar.picture(traces, arranged)
