"""Private quantiles of several mechanisms as step CDFs, with or without the truth behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink, translucent


@dataclass(frozen=True, slots=True, eq=False)
class PrivateCurve:
    """One release on the picture; the band (low, high) is over runs, and confidential.

    Shapes: quantiles and values (k,), band two arrays (k,); any order.
    """

    mechanism: str
    label: str
    quantiles: FloatArray
    values: FloatArray
    band: tuple[FloatArray, FloatArray] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TrueCurve:
    """The empirical CDF: it steps to height[i] at value[i]."""

    value: FloatArray
    height: FloatArray


def private_view(curves: Sequence[PrivateCurve], bounds: Bounds) -> tuple[float, float]:
    """A range of values worth looking at, from public numbers only."""
    drawn = np.concatenate([curve.values for curve in curves]) if curves else np.empty(0)
    if drawn.size == 0:
        return bounds.low, bounds.high
    low, high = float(drawn.min()), float(drawn.max())
    margin = 0.25 * (high - low) or 0.05 * bounds.width
    return max(bounds.low, low - margin), min(bounds.high, high + margin)


def cdf_figure(
    curves: Sequence[PrivateCurve],
    truth: TrueCurve | None,
    bounds: Bounds,
    ink: Ink,
    *,
    view: tuple[float, float] | None = None,
    unit: str = "value",
) -> go.Figure:
    """Step CDFs: the private ones in colour with a mark at each quantile, the true one in ink."""
    figure = go.Figure()
    confidential = truth is not None
    for curve in curves:
        if curve.band is not None:
            confidential = True
            figure.add_trace(_band(curve, ink))
    if truth is not None:
        figure.add_trace(_true_steps(truth, bounds, ink))
    for curve in curves:
        figure.add_trace(_private_steps(curve, bounds, ink))
    styled(figure, ink, 400, shows_truth=confidential)
    low, high = view or (bounds.low, bounds.high)
    figure.update_xaxes(title_text=plain(unit), range=[low, high])
    figure.update_yaxes(title_text="share of records below", range=[-0.02, 1.02], tickformat=".0%")
    return figure


def _true_steps(truth: TrueCurve, bounds: Bounds, ink: Ink) -> go.Scatter:
    return go.Scatter(
        x=np.concatenate(([bounds.low], truth.value, [bounds.high])),
        y=np.concatenate(([0.0], truth.height, truth.height[-1:] if truth.height.size else [0.0])),
        mode="lines",
        line={"color": ink.truth, "width": 2, "shape": "hv"},
        name="True CDF (confidential)",
        hovertemplate="true: %{y:.1%} up to %{x:,.6g}<extra></extra>",
    )


def _private_steps(curve: PrivateCurve, bounds: Bounds, ink: Ink) -> go.Scatter:
    mark, colour = ink.mark(curve.mechanism), ink.of(curve.mechanism)
    order = np.argsort(curve.quantiles, kind="stable")
    values, quantiles = curve.values[order], curve.quantiles[order]
    marked = np.full(values.size + 2, _mark_size(values.size))
    marked[[0, -1]] = 0  # the ends are the declared bounds, not outputs
    return go.Scatter(
        x=np.concatenate(([bounds.low], values, [bounds.high])),
        y=np.concatenate(([0.0], quantiles, [1.0])),
        mode="lines+markers",
        line={"color": colour, "width": 2, "dash": mark.dash, "shape": "hv"},
        marker={"color": colour, "symbol": mark.symbol, "size": marked, "opacity": 1},
        name=curve.label,
        hovertemplate=f"{curve.label}: %{{y:.4~p}} quantile at %{{x:,.6g}}<extra></extra>",
    )


def _mark_size(count: int) -> float:
    # many marks would run into a thick line that hides the curve
    return 9.0 if count <= 40 else 5.0 if count <= 150 else 0.0


def _band(curve: PrivateCurve, ink: Ink) -> go.Scatter:
    assert curve.band is not None
    order = np.argsort(curve.quantiles, kind="stable")
    low, high, quantiles = curve.band[0][order], curve.band[1][order], curve.quantiles[order]
    return go.Scatter(
        x=np.concatenate((low, high[::-1])),
        y=np.concatenate((quantiles, quantiles[::-1])),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=translucent(ink.of(curve.mechanism), 0.2),
        name=f"{curve.label}, 90 % of runs",
        hoverinfo="skip",
        showlegend=False,
    )
