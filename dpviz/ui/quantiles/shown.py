"""What the Quantiles page draws of one method: its release, the truth beside it, further draws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.voice import Voice
from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.releases import QuantileRelease
from dpviz.figures.kit.thin import thin_steps
from dpviz.figures.quantiles.cdf import TrueCurve
from dpviz.figures.quantiles.scale import Scale
from dpviz.mechanisms.exponential.ties import exponential_bounds, is_randomised, untied_values
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.bounds import (
    ErrorBound,
    approximate_quantiles_bounds,
    independent_exp_bound,
    spread_ratio,
)
from dpviz.metrics.quantiles import gaps, true_quantiles
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import problem
from dpviz.ui.quantiles.between import Between, between
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import (
    Question,
    Timed,
    draws_of,
    half_widths,
    release_of,
)


@dataclass(frozen=True, eq=False)
class Shown:
    """One mechanism on the page; draws (r, k) are None where none were asked for. Confidential.

    between says that draws and widths are read between two stops.
    """

    mechanism: QuantileMechanism
    timed: Timed
    draws: FloatArray | None = None
    between: Between | None = None
    _widths: dict[float | None, FloatArray | None] = field(default_factory=dict, repr=False)

    @property
    def release(self) -> QuantileRelease:
        """What may leave."""
        return self.timed.release

    def alone(self, asked: Question) -> Answers:
        """The release without the truth: distinct quantiles in ascending order."""
        first = _first_places(asked)
        return Answers(asked.quantiles.distinct, self.release.values[first])

    def answers(self, asked: Question) -> Answers:
        """The release beside the truth and the further draws."""
        first = _first_places(asked)
        alone = self.alone(asked)
        truth = memory.public(
            asked.column,
            ("true quantiles", asked.column.fingerprint, *asked.quantiles.distinct.tolist()),
            lambda: true_quantiles(asked.column, asked.quantiles.distinct),
        )
        draws = None if self.draws is None else self.draws[:, first]
        mixed_of = "" if self.between is None else self.between.stops
        return Answers(alone.quantiles, alone.published, truth, draws, mixed_of)

    def half_widths(self, size: float | None, asked: Question) -> FloatArray | None:
        """How far off each number may be, (k,); None where nothing can be said."""
        if size not in self._widths:  # asked for the strip and for the table
            self._widths[size] = (
                half_widths(self.mechanism, self.release, size, asked)
                if self.between is None or size is None
                else self.between.widths(size)
            )
        return self._widths[size]

    def running_gap(self, asked: Question) -> tuple[float, float] | None:
        """Mean gap over the further draws and its standard deviation, in people; confidential."""
        if self.draws is None:
            return None
        each = gaps(asked.column, asked.quantiles, self.draws).mean(axis=1)
        return float(each.mean()), float(each.std())


def _first_places(asked: Question) -> IntArray:
    """Where each distinct quantile stands among those asked."""
    return np.unique(asked.quantiles.asked, return_index=True)[1]


def shown(
    name: str,
    settings: Settings,
    asked: Question,
    runs: int = 0,
    *,
    may_be_about: bool = False,
) -> Shown | None:
    """The release of a method, with further draws; one that refuses says why.

    may_be_about allows further draws to be read between two stops.
    """
    try:
        mechanism = settings.build(name, asked.budget)
        timed = release_of(mechanism, asked)
        beside = runs and asked.column.n and session.shows_truth()  # further runs never leave
        stops = between(name, settings, asked, runs) if may_be_about and beside else None
        draws = None
        if beside:
            draws = draws_of(mechanism, asked, runs) if stops is None else stops.draws(runs)
        return Shown(mechanism, timed, draws, between=stops)
    except DpvizError as error:
        problem(f"{label_of(name)}: {error}")
        return None


def scale_of(one: Shown) -> Scale:
    """The axis of values of a release: public."""
    release = one.release
    return Scale.of(release.values, release.bounds, release.resolution, session.unit())


def voice_of(scale: Scale) -> Voice:
    """How the column in use is spoken of."""
    return Voice(session.words(), scale.writing)


def true_curve(column: Column, view: tuple[float, float]) -> TrueCurve:
    """The empirical CDF, thinned to what the view can show."""
    values, up_to = column.steps
    return memory.public(
        column,
        ("true CDF", column.fingerprint, view),
        lambda: TrueCurve(*thin_steps(values, up_to, view)),
    )


def theory(one: Shown, asked: Question) -> tuple[ErrorBound, ...] | str:
    """Bounds on the largest gap, or why there are none."""
    mechanism, column = one.mechanism, asked.column
    if not isinstance(mechanism, ApproximateQuantiles | IndependentExp):
        return "no theoretical bound here"
    purpose, ties = asked.purpose(mechanism), mechanism.ties
    jitter = asked.draw.entropy(purpose) if is_randomised(column, ties) else []
    psi = memory.public(
        column,
        ("psi", column.fingerprint, ties, *jitter),
        lambda: spread_ratio(
            untied_values(column, ties, asked.draw.generator(purpose)),
            exponential_bounds(column, ties),
        ),
    )
    if psi is None:
        return "theory undefined: people are tied, ψ = ∞"
    if isinstance(mechanism, ApproximateQuantiles):
        return approximate_quantiles_bounds(mechanism, asked.budget, asked.quantiles, psi)
    return (independent_exp_bound(mechanism, asked.budget, asked.quantiles, psi),)
