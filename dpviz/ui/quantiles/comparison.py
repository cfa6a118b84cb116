"""Everything the Quantiles page draws for one choice: releases, truth, bands, errors, bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.errors import DpvizError
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
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import problem
from dpviz.ui.quantiles.mechanisms import Settings
from dpviz.ui.quantiles.releases import Question, Timed, band_of, release_of


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One mechanism on the page; runs (r, k) is None without a band."""

    mechanism: QuantileMechanism
    timed: Timed
    runs: FloatArray | None = None

    def curve(self, *, public: bool = False) -> PrivateCurve:
        """What the picture needs; the band, not drawn in public, holds 90 % of the runs."""
        release = self.timed.release
        band = None
        if self.runs is not None and not public:
            low, high = np.quantile(self.runs, [0.05, 0.95], axis=0)
            band = (low, high)
        label = label_of(release.mechanism)
        return PrivateCurve(release.mechanism, label, release.quantiles, release.values, band)

    def running_gap(self, asked: Question) -> tuple[float, float] | None:
        """Mean gap over the runs and its standard deviation; confidential."""
        if self.runs is None:
            return None
        each = gaps(asked.column, asked.quantiles, self.runs).mean(axis=1)
        return float(each.mean()), float(each.std())


def drawn(names: list[str], settings: Settings, asked: Question) -> list[Shown]:
    """The releases of the chosen mechanisms; one that refuses says why, the others go on."""
    shown = []
    for name in names:
        try:
            mechanism = settings.build(name, asked.budget)
            shown.append(Shown(mechanism, release_of(mechanism, asked)))
        except DpvizError as error:
            problem(f"{label_of(name)}: {error}")
    return shown


def runs_picker() -> int:
    """How many further runs the bands are made of; 0 without bands."""
    shows_truth = session.shows_truth()
    bands = choices.switch(
        "Bands over runs",
        "bands",
        "Where 90 % of further runs fall. Each run spends the whole budget, so bands are "
        "for teaching and are hidden with the truth.",
        disabled=not shows_truth,
        persist_state=None,
    )
    if not (bands and shows_truth):
        return 0
    return choices.steps("Runs", (20, 50, 100, 200, 500), "runs", default=50, persist_state=None)


def with_bands(shown: list[Shown], asked: Question, runs: int) -> list[Shown]:
    """The drawn mechanisms, each with the values of further runs for its band."""
    try:
        return [
            replace(one, runs=band_of(one.mechanism, asked, runs, one.timed.seconds))
            for one in shown
        ]
    except DpvizError as error:
        problem(error)
        return shown


def true_curve(column: Column, view: tuple[float, float]) -> TrueCurve:
    """The empirical CDF, thinned to what the view can show."""
    values, up_to = column.steps
    return TrueCurve(*thin_steps(values, up_to, view))


def theory(one: Shown, asked: Question, ties: Ties) -> tuple[ErrorBound, ...] | str:
    """Bounds on the largest gap, or why there are none."""
    mechanism, column = one.mechanism, asked.column
    if not isinstance(mechanism, ApproximateQuantiles | IndependentExp):
        return "no theoretical bound here"
    purpose = asked.purpose(mechanism)
    jitter = asked.draw.entropy(purpose) if is_randomised(column, ties) else []
    psi = memory.remembered(
        ("psi", column.fingerprint, ties, *jitter),
        lambda: spread_ratio(
            untied_values(column, ties, asked.rng(mechanism)), exponential_bounds(column, ties)
        ),
    )
    if psi is None:
        return "theory undefined: records are tied, ψ = ∞"
    if isinstance(mechanism, ApproximateQuantiles):
        return approximate_quantiles_bounds(mechanism, asked.budget, asked.quantiles, psi)
    return (independent_exp_bound(mechanism, asked.budget, asked.quantiles, psi),)
