"""What the Quantiles page draws of one method: its release, the truth beside it, further draws.

A class types as many budgets as it has people. On a sample, the release of a budget between two
stops of the slider is drawn for it; how far other draws fall, and how far a release may be off,
follow the budget smoothly, so that they are known from the two stops beside it, which everybody
shares. The page then says "about". A file's are drawn anew.
"""

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.voice import Voice
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.point_grid import PointGrid
from dpviz.core.releases import QuantileRelease
from dpviz.figures.quantiles.cdf import TrueCurve, thin_steps
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
from dpviz.ui.bench.budget import STEPS
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import (
    Question,
    Timed,
    draws_of,
    half_widths,
    is_quick,
    kept_draws,
    kept_release,
    kept_widths,
    release_of,
)

Stop = tuple[QuantileMechanism, Question]


@dataclass(frozen=True, eq=False)
class Shown:
    """One mechanism on the page; draws (r, k) are None where none were asked for. Confidential.

    between says that draws and widths are read between two stops.
    """

    mechanism: QuantileMechanism
    timed: Timed
    draws: FloatArray | None = None
    between: "Between | None" = None
    _widths: dict[float | None, FloatArray | None] = field(default_factory=dict, repr=False)

    @property
    def release(self) -> QuantileRelease:
        """What may leave."""
        return self.timed.release

    def alone(self, asked: Question) -> Answers:
        """The release without the truth: distinct quantiles in ascending order."""
        first = asked.first_places
        return Answers(asked.quantiles.distinct, self.release.values[first])

    def answers(self, asked: Question) -> Answers:
        """The release beside the truth and the further draws."""
        first = asked.first_places
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


def shown(
    name: str, settings: Settings, asked: Question, runs: int = 0, *, may_be_about: bool = False
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


@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """The stops below and above a budget, and the share that the upper one has in it."""

    below: Stop
    above: Stop
    share: float

    @property
    def stops(self) -> str:
        """Both in words: "ε = 1 and 2"."""
        low, high = (question.budget for _, question in (self.below, self.above))
        return f"{low.symbol} = {low.size:g} and {high.size:g}"

    def draws(self, runs: int) -> FloatArray:
        """Values like those of further draws, (runs, k): their quantiles lie between the stops'.

        Which runs are low and which are high is as below.
        """
        below, above = (kept_draws(*stop, runs) for stop in (self.below, self.above))
        column = self.below[1].column
        return mixed(below, above, self.share, PointGrid.of(column.bounds, column.resolution))

    def widths(self, size: float) -> FloatArray | None:
        """Half widths like those of a release; None where one of the stops has none."""
        below, above = (kept_widths(*stop, size) for stop in (self.below, self.above))
        if below is None or above is None:
            return None
        step = self.below[1].column.resolution
        both = np.array([below, above])
        half = (1 - self.share) * below + self.share * above
        if step and np.array_equal(both, np.round(both / step) * step):  # widths in whole steps
            return np.asarray(np.ceil(half / step - 1e-9) * step)
        return np.asarray(half)


def between(name: str, settings: Settings, asked: Question, runs: int) -> Between | None:
    """The stops beside a budget of its own; None for a stop, a file, and a slow mechanism.

    None, too, where a stop is refused: it was not asked for.
    """
    stops = around(asked.budget.size)
    if stops is None or not PUBLIC.knows(asked.column):
        return None
    both = []
    with suppress(DpvizError):
        for size in stops:
            question = replace(asked, budget=asked.budget.resized(size))
            stop = settings.build(name, question.budget), question
            if not is_quick(*stop, runs):
                return None
            kept_release(*stop)
            both.append(stop)
    if len(both) < 2:
        return None
    below, above = both
    return Between(below, above, share_of(asked.budget, stops))


def share_of(budget: Budget, stops: tuple[float, float]) -> float:
    """How much of the upper stop is in a budget: errors go with 1/ε, or with 1/√ρ."""
    power = -0.5 if isinstance(budget, ZCDP) else -1.0
    low, here, high = (math.pow(size, power) for size in (stops[0], budget.size, stops[1]))
    return (low - here) / (low - high)


def around(size: float) -> tuple[float, float] | None:
    """The stops on both sides of a size that is none; None for a stop, and beyond the ends."""
    if size in STEPS or not STEPS[0] < size < STEPS[-1]:
        return None
    return max(one for one in STEPS if one < size), min(one for one in STEPS if one > size)


def mixed(below: FloatArray, above: FloatArray, share: float, grid: PointGrid) -> FloatArray:
    """Draws (r, k) whose quantiles lie between those of two lots of draws, on a grid."""
    order = below.argsort(axis=0, kind="stable")
    values = (1 - share) * np.take_along_axis(below, order, axis=0) + share * np.sort(above, axis=0)
    found = np.empty_like(values)
    np.put_along_axis(found, order, grid.rounded(values) if grid.resolution else values, axis=0)
    return found
