"""Everything the Quantiles page draws for one choice: releases, truth, bands, errors, bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import QuantileSet
from dpviz.figures.kit.thin import thin_steps
from dpviz.figures.quantiles.cdf import PrivateCurve, TrueCurve
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, is_randomised, untied_values
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.bounds import (
    ErrorBound,
    approximate_quantiles_bounds,
    independent_exp_bound,
    spread_ratio,
)
from dpviz.metrics.quantiles import gaps
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import problem
from dpviz.ui.quantiles.mechanisms import Settings
from dpviz.ui.quantiles.releases import Timed, band_of, purpose_of, release_of


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One mechanism on the page; runs (r, k) is None without a band."""

    mechanism: QuantileMechanism
    timed: Timed
    runs: FloatArray | None = None

    def curve(self) -> PrivateCurve:
        """What the picture needs; the band holds 90 % of the runs."""
        release = self.timed.release
        band = None
        if self.runs is not None:
            low, high = np.quantile(self.runs, [0.05, 0.95], axis=0)
            band = (low, high)
        label = label_of(release.mechanism)
        return PrivateCurve(release.mechanism, label, release.quantiles, release.values, band)

    def running_gap(self, column: Column, quantiles: QuantileSet) -> tuple[float, float] | None:
        """Mean gap over the runs and its standard deviation; confidential."""
        if self.runs is None:
            return None
        each = gaps(column, quantiles, self.runs).mean(axis=1)
        return float(each.mean()), float(each.std())


def drawn(
    names: list[str],
    settings: Settings,
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
) -> list[Shown]:
    """The releases of the chosen mechanisms; one that refuses says why, the others go on."""
    shown = []
    for name in names:
        try:
            mechanism = settings.build(name, budget)
            shown.append(Shown(mechanism, release_of(mechanism, column, quantiles, budget, draw)))
        except DpvizError as error:
            problem(f"{label_of(name)}: {error}")
    return shown


def with_bands(
    shown: list[Shown],
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
    runs: int,
) -> list[Shown]:
    """The same, each with further runs."""
    return [
        Shown(
            one.mechanism,
            one.timed,
            band_of(one.mechanism, column, quantiles, budget, draw, runs, one.timed.seconds),
        )
        for one in shown
    ]


def true_curve(column: Column, view: tuple[float, float]) -> TrueCurve:
    """The empirical CDF, thinned to what the view can show."""
    values, up_to = column.steps
    return TrueCurve(*thin_steps(values, up_to, view))


def theory(
    one: Shown, column: Column, quantiles: QuantileSet, budget: Budget, draw: Draw, ties: Ties
) -> tuple[ErrorBound, ...] | str:
    """Bounds on the largest gap, or why there are none."""
    mechanism = one.mechanism
    if not isinstance(mechanism, ApproximateQuantiles | IndependentExp):
        return "no theoretical bound here"
    purpose = purpose_of(mechanism, column, quantiles, budget)
    jitter = draw.entropy(purpose) if is_randomised(column, ties) else []
    psi = memory.remembered(
        ("psi", column.fingerprint, ties, *jitter),
        lambda: spread_ratio(
            untied_values(column, ties, draw.rng(purpose)), exponential_bounds(column, ties)
        ),
    )
    if psi is None:
        return "theory undefined: records are tied, ψ = ∞"
    if isinstance(mechanism, ApproximateQuantiles):
        return approximate_quantiles_bounds(mechanism, budget, quantiles, psi)
    return (independent_exp_bound(mechanism, budget, quantiles, psi),)
