"""What a budget buys in quantiles: values as they could be published, and how far off each is.

After the release its own numbers stand there, with widths that were rehearsed and widths that come
of publishing them again: the curve through them is released many times, which is known exactly.
"""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.quantiles import (
    TINY,
    QuantilesQuestion,
    Rehearsal,
    Sampled,
    drawn_at,
    largest,
)
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.quantiles import PERCENTILES
from dpviz.core.releases import QuantileRelease
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.experiments.planning.pooled_errors import Errors, measured, unit_of, within
from dpviz.experiments.planning.shaped import Shape
from dpviz.metrics.quantiles import reach, true_quantiles

AGAIN = 400  # releases of the curve through a release
SECOND, EACH = 25, 24  # of them through which a curve goes again, and releases of each of those
# widths after a release, times as wide: people may lie less densely at a value than was assumed, at
# both ends far less, where nothing published says how the curve goes on
INSIDE, AT_ENDS = 1.25, 1.5
MOST_STEPS = 400  # of a true curve: a screen shows no more


@confidential("bounds", "resolution", "is_published")
@dataclass(frozen=True, slots=True, eq=False)
class QuantileBuys:
    """Shapes: quantiles, published, give, need, truth (m,), ascending; curve_x, curve_share (k,).

    published are values of one release: a possible one, or the real one where is_published. give
    are half-widths, in the column's unit: each value is off by at most so much with the need's
    probability. need are half-widths of what was asked for at each value (the dashed lines). truth
    is None while it is hidden. The curve says which share of the people (0 to 1) have at most a
    value: of made-up people (dotted), or of the true ones where is_true_curve (black); both are
    None without a curve, as after a release.
    """

    quantiles: FloatArray
    published: FloatArray
    give: FloatArray
    need: FloatArray
    truth: FloatArray | None
    curve_x: FloatArray | None
    curve_share: FloatArray | None
    is_true_curve: bool
    is_published: bool
    bounds: Bounds
    resolution: float


@confidential("came")
@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """A release and what came of it.

    came is what all quantiles at once are off by, in the need's unit, as often as it says, by the
    curve through the release; None for a single quantile, through which no curve goes.
    """

    buys: QuantileBuys
    came: float | None


def rehearsed(
    asked: QuantilesQuestion, found: Price, rehearsal: Rehearsal, truth: Column | None = None
) -> QuantileBuys:
    """What the answer buys, before anything is released.

    truth is the sample while its truth is shown. Of a file nothing goes in: made-up people stand
    for it, and their curve is drawn.
    """
    quantiles, source = asked.quantiles.distinct, asked.source
    curve_x = curve_share = true = None
    if isinstance(source, Shape):
        curve_x, curve_share = source.at(PERCENTILES), PERCENTILES
    elif truth is not None:
        curve_x, curve_share = _true_curve(truth)
        true = true_quantiles(truth, quantiles)
    return QuantileBuys(
        quantiles=quantiles,
        published=rehearsal.published,
        give=rehearsal.give,
        need=_need_widths(asked, found.need, rehearsal.published),
        truth=true,
        curve_x=curve_x,
        curve_share=curve_share,
        is_true_curve=true is not None,
        is_published=False,
        bounds=source.bounds,
        resolution=source.resolution,
    )


def released(
    asked: QuantilesQuestion,
    found: Price,
    rehearsal: Rehearsal,
    release: QuantileRelease,
    truth: Column | None = None,
) -> Released:
    """The real release, each value with the wider of its two widths, and more.

    Both take people to lie as densely at a value as around it; a quarter wider, and at both ends by
    half, they hold in files that are smooth but of another law, and not in those with a gap or
    heaps there (benchmarks/decide.py, on_widths). truth is the column while its truth is shown.
    Guarantee: post-processing of the release, of what is public and, with a truth, of nothing that
    leaves the teaching view; spends nothing.
    """
    published = _in_order(asked, release)
    give, came, again = rehearsal.give, None, published_again(asked, found, release)
    if again is not None:
        give = np.maximum(give, again.widths)
        came = largest(again.errors, found.need, asked.people)
    give = _whole(_margins(give.size) * give, asked.source.resolution)
    shown = replace(rehearsal, published=published, give=give)
    buys = rehearsed(asked, found, shown)
    curve_x = curve_share = true = None
    if truth is not None:
        curve_x, curve_share = _true_curve(truth)
        true = true_quantiles(truth, asked.quantiles.distinct)
    return Released(
        replace(
            buys,
            truth=true,
            curve_x=curve_x,
            curve_share=curve_share,
            is_true_curve=true is not None,
            is_published=True,
        ),
        came,
    )


def _margins(count: int) -> FloatArray:
    """How many times as wide each of so many widths becomes."""
    margins = np.full(count, INSIDE)
    margins[[0, -1]] = AT_ENDS
    return margins


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """The curve through a release, released again.

    widths (m,) are half-widths that hold what the numbers came from. errors are those of the
    releases of the curve.
    """

    widths: FloatArray
    errors: Errors


def published_again(
    asked: QuantilesQuestion, found: Price, release: QuantileRelease
) -> Again | None:
    """How far off releases of the curve through a release are; None for a single quantile.

    A release whose values lie too near each other by chance says too little of its own errors. So
    the curves through some of the further releases are released once more, and the widths grow as
    those of the further ones would have to, to hold the curve that they came from.
    """
    if asked.quantiles.count < 2:
        return None
    people, factor, _ = drawn_at(asked)
    mechanism = with_settings(asked.neighbours, asked.budget, None, None)[found.chosen.key]
    budget, sure = asked.budget.resized(release.spent.size * factor), found.need.sure
    first, second = np.random.default_rng(asked.seed).spawn(2)
    once = curve_column(_in_order(asked, release), asked, people)
    errors = measured([once], asked.quantiles, mechanism, budget, first, AGAIN)
    redrawn = errors.drawn[:SECOND]
    step, missed = asked.source.resolution, []
    for values, rng in zip(redrawn, second.spawn(SECOND), strict=True):
        twice = curve_column(values, asked, people)
        half = measured([twice], asked.quantiles, mechanism, budget, rng, EACH).widths(sure)
        off = np.abs(values - true_quantiles(once, asked.quantiles))
        missed.append(off / np.maximum(half, step or TINY))
    more = max(1.0, float(within(np.concatenate(missed), sure)))
    return Again(_whole(more * errors.widths(sure), step), errors)


def _whole(widths: FloatArray, step: float) -> FloatArray:
    """Widths in whole steps, and at least one."""
    if step <= 0:
        return widths
    return np.asarray(np.maximum(np.ceil(widths / step - 1e-9), 1.0) * step)


def curve_column(values: FloatArray, asked: QuantilesQuestion, people: int) -> Column:
    """So many people who lie evenly along the curve through published values (m,)."""
    shares, knots = curve_through(values, asked.quantiles.distinct, asked.source.bounds)
    places = (np.arange(people) + 0.5) / people
    even, step = np.interp(places, shares, knots), asked.source.resolution
    if step > 0:
        even = np.clip(
            np.rint(even / step) * step, asked.source.bounds.low, asked.source.bounds.high
        )
    return Column.from_values(even, asked.source.bounds, step)


def curve_through(
    values: FloatArray, quantiles: FloatArray, bounds: Bounds
) -> tuple[FloatArray, FloatArray]:
    """Shares from 0 to 1 and the values there (m + 2,); m is at least 2.

    At both ends the ratio of the last two values goes on, for as many steps as there are quantiles
    left; their difference where a value is not positive, or below the first where they are equal.
    """
    first = _continued(values[0], values[1], quantiles[0] / (quantiles[1] - quantiles[0]))
    last = _continued(values[-1], values[-2], (1 - quantiles[-1]) / (quantiles[-1] - quantiles[-2]))
    ends = np.clip([first, last], bounds.low, bounds.high)
    shares = np.concatenate(([0.0], quantiles, [1.0]))
    return shares, np.concatenate(([ends[0]], values, [ends[1]]))


def _continued(end: float, before: float, steps: float) -> float:
    """The value some steps beyond an end, going on as from the one before it."""
    if end > 0 and before > 0:
        return float(end * (end / before) ** steps)
    return float(end + (end - before) * steps)


def _in_order(asked: QuantilesQuestion, release: QuantileRelease) -> FloatArray:
    """The values of a release at the distinct quantiles, ascending."""
    order = np.searchsorted(np.sort(release.quantiles), asked.quantiles.distinct)
    return np.asarray(release.values[np.argsort(release.quantiles, kind="stable")][order])


def _need_widths(asked: QuantilesQuestion, need: Need, values: FloatArray) -> FloatArray:
    """How far off a need allows each value to be, in the column's unit."""
    unit = unit_of(need.unit)
    if unit == "unit":
        return np.full(values.size, need.amount)
    if unit == "value":
        return np.abs(values) * need.amount / 100
    share = need.amount / (asked.people if need.unit == "places" else 100)
    quantiles, source = asked.quantiles.distinct, asked.source
    if asked.quantiles.count > 1:
        shares, knots = curve_through(values, quantiles, source.bounds)
        around = [np.interp(quantiles + side, shares, knots) for side in (-share, share)]
    elif isinstance(source, Sampled):
        return reach(source.column, quantiles, share * asked.people)
    else:
        around = [source.at(np.clip(quantiles + side, 0, 1)) for side in (-share, share)]
        values = source.at(quantiles)
    return np.maximum(values - around[0], around[1] - values)


def _true_curve(column: Column) -> tuple[FloatArray, FloatArray]:
    """The true curve: its distinct values and the share of the people up to each, thinned."""
    values, up_to = column.steps
    kept = np.unique(np.linspace(0, values.size - 1, min(values.size, MOST_STEPS)).round())
    at = kept.astype(np.int64)
    return values[at], up_to[at] / column.n
