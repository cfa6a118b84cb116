"""How far published quantiles may be from the truth, estimated from the release alone.

The curve through the published numbers is published again, and what comes out once more: by how
much those republished numbers miss the curve that they came from is known exactly. No theorem
promises that the first release missed by as much; benchmarks/republish.py measures how often the
bands hold the truth.

A curve through published quantiles stands for a population that is spread evenly between them. On
each of its straight pieces the density exp(−η·|people below − target|) is an exponential of the
value, so a draw takes as long as the curve has pieces, however many people it stands for; it sees
no data.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import record_budget
from dpviz.core.point_grid import PointGrid
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree, runs_on
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.recursion import Level, plan

FLAT = 1e-9  # change of η·distance over a piece from which on its density counts as sloped
Redrawn = ApproximateQuantiles | IndependentExp
Draws = Callable[["Curves", int, np.random.Generator], FloatArray]  # (r, runs of each, m)
HELD = 0.95  # share of the republished numbers that a band holds
FIRST, SECOND, EACH = 400, 80, 60  # runs on the published curve, curves among them, runs on those
CELLS = 3_000_000  # pieces of curves worked on at once: from a few dozen quantiles on, fewer runs
MOST = 120  # quantiles; for more too few runs would be left
PEOPLE = 4.0  # a band reaches over at least so many people, for ranks are whole numbers
LEAST_POWER = 2.0  # below, most of a release is noise, and its curve says nothing
TREE_RUNS = (200, 20, 30)  # of a tree: on the curve, curves among them, and runs on those
MOST_PEOPLE = 2.0**53  # that a column holds
TREE_PEOPLE = 100_000  # of a curve that a tree counts; for more, the noise is made larger instead


@dataclass(frozen=True, eq=False)
class Curves:
    """Several curves for one population: curve r passes through (knots[r, i], shares[i]).

    Shapes: knots (r, k + 2) ascending along each row, shares (k + 2,) from 0 to 1.
    """

    knots: FloatArray
    shares: FloatArray
    size: float

    @classmethod
    def through(
        cls, values: FloatArray, shares: FloatArray, bounds: Bounds, step: float, size: float
    ) -> "Curves":
        """Curves through quantiles (r, k) of given shares (k,), from one bound to the other.

        Values on a grid stand for half a step on both sides, so that equal ones are spread over it.
        """
        same = values[:, :, None] == values[:, None, :]
        equal, before = same.sum(axis=-1), np.tril(same, -1).sum(axis=-1)
        spread = np.where(equal > 1, ((before + 0.5) / equal - 0.5) * step, 0.0)
        wide = bounds.widened(step / 2)
        inner = np.clip(values + spread, wide.low, wide.high)
        ends = np.full((values.shape[0], 1), wide.low), np.full((values.shape[0], 1), wide.high)
        knots = np.maximum.accumulate(np.concatenate((ends[0], inner, ends[1]), axis=1), axis=1)
        return cls(knots, np.concatenate(([0.0], shares, [1.0])), size)

    def repeated(self, times: int) -> "Curves":
        """Each curve so many times, one after the other."""
        return Curves(np.repeat(self.knots, times, axis=0), self.shares, self.size)


def draw_on(
    curves: Curves,
    levels: tuple[Level, ...],
    etas: tuple[FloatArray, ...],
    rng: np.random.Generator,
) -> FloatArray:
    """One run on each curve, (r, m): every node draws inside the values beside it, level by level.

    Guarantee: the law of the mechanism on the population that a curve stands for, but for the
    rounding of ranks to whole people.
    """
    runs, m = curves.knots.shape[0], sum(nodes.position.size for nodes in levels)
    value, share = np.empty((runs, m + 2)), np.empty((runs, m + 2))
    value[:, 0], value[:, -1] = curves.knots[:, 0], curves.knots[:, -1]
    share[:, 0], share[:, -1] = 0.0, 1.0
    for nodes, eta in zip(levels, etas, strict=True):
        ends = (value[:, nodes.left], value[:, nodes.right])
        shares = (share[:, nodes.left], share[:, nodes.right])
        target = shares[0] + nodes.normalised * (shares[1] - shares[0])
        edges, heights = _pieces(curves, ends, shares, target)
        distance = (eta * curves.size)[:, None] * np.abs(heights - target[..., None])
        drawn = _drawn(edges, heights, distance, rng)
        value[:, nodes.position], share[:, nodes.position] = drawn
    return value[:, 1:-1]


def _pieces(
    curves: Curves,
    ends: tuple[FloatArray, FloatArray],
    shares: tuple[FloatArray, FloatArray],
    target: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Edges (r, p, k + 3) of straight pieces within each range, the target's place among them."""
    low, high = ends[0][..., None], ends[1][..., None]
    knots = curves.knots[:, None, :]
    edges = np.clip(knots, low, high)
    heights = np.where(knots <= low, shares[0][..., None], curves.shares)
    heights = np.where(knots >= high, shares[1][..., None], heights)
    at = np.clip(_place(curves, target), *ends)
    edges = np.concatenate((edges, at[..., None]), axis=-1)
    heights = np.concatenate((heights, target[..., None]), axis=-1)
    order = np.argsort(heights, axis=-1, kind="stable")
    edges = np.take_along_axis(edges, order, axis=-1)
    heights = np.take_along_axis(heights, order, axis=-1)
    return np.maximum.accumulate(edges, axis=-1), heights


def _place(curves: Curves, target: FloatArray) -> FloatArray:
    """Where each curve reaches a share."""
    shares = curves.shares
    piece = np.clip(np.searchsorted(shares, target, side="right") - 1, 0, shares.size - 2)
    left = np.take_along_axis(curves.knots, piece, axis=1)
    right = np.take_along_axis(curves.knots, piece + 1, axis=1)
    along = (target - shares[piece]) / (shares[piece + 1] - shares[piece])
    return np.asarray(left + along * (right - left))


def _drawn(
    edges: FloatArray, heights: FloatArray, distance: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """A piece by its mass, then a place in it: the value and its share."""
    width, fall = np.diff(edges, axis=-1), np.abs(np.diff(distance, axis=-1))
    near = np.minimum(distance[..., :-1], distance[..., 1:])
    nearest = np.where(width > 0, near, np.inf).min(axis=-1, keepdims=True)
    nearest = np.where(np.isfinite(nearest), nearest, 0.0)
    mean = np.where(fall > FLAT, -np.expm1(-fall) / np.maximum(fall, FLAT), 1.0)
    mass = (width * np.exp(np.minimum(nearest - near, 0.0)) * mean).cumsum(axis=-1)
    wanted = rng.random(mass.shape[:-1]) * mass[..., -1]
    piece = np.minimum((mass <= wanted[..., None]).sum(axis=-1), mass.shape[-1] - 1)
    start, end = (_at(edges, piece + side) for side in (0, 1))
    low, high = (_at(heights, piece + side) for side in (0, 1))
    towards = _at(distance, piece + 1) < _at(distance, piece)
    along = _along(_at(fall, piece), rng)
    along = np.where(towards, 1 - along, along)
    return start + along * (end - start), low + along * (high - low)


def _along(fall: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A place in (0, 1) with density ∝ exp(−fall · place)."""
    uniform = rng.random(fall.shape)
    sloped = -np.log1p(uniform * np.expm1(-fall)) / np.maximum(fall, FLAT)
    return np.where(fall > FLAT, sloped, uniform)


def _at(values: FloatArray, index: IntArray) -> FloatArray:
    return np.take_along_axis(values, index[..., None], axis=-1)[..., 0]


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """What it takes to publish curves again: draws of the mechanism, and its last step.

    runs are those on the published curve, curves among them, and runs on each of those.
    """

    draws: Draws
    quantiles: QuantileSet
    release: QuantileRelease
    size: float
    runs: tuple[int, int, int]

    def curves(self, values: FloatArray) -> Curves:
        """The populations that numbers (r, m) stand for."""
        release = self.release
        return Curves.through(
            values, self.quantiles.distinct, release.bounds, release.resolution, self.size
        )

    def draw(self, curves: Curves, each: int, rng: np.random.Generator) -> FloatArray:
        """So many further releases of each curve, (r, each, m)."""
        drawn = np.sort(self.draws(curves, each, rng), axis=-1)
        if self.is_rounded:
            return self.release_grid.rounded(drawn)
        return np.clip(drawn, self.release.bounds.low, self.release.bounds.high)

    @property
    def release_grid(self) -> PointGrid:
        """The public grid of the release's declarations."""
        return PointGrid.of(self.release.bounds, self.release.resolution)

    @property
    def is_rounded(self) -> bool:
        """Whether published numbers lie on a declared grid: those of version 0.3 need not."""
        values = self.release.values
        return self.release.resolution > 0 and np.array_equal(
            self.release_grid.rounded(values), values
        )

    def at_least(self, half: FloatArray, curves: Curves) -> FloatArray:
        """Half widths that the grid and whole people allow: up to the next step, or wider."""
        step = self.release.resolution
        if self.is_rounded:
            return np.asarray(np.maximum(np.ceil(half / step - 1e-9), 1.0) * step)
        apart = np.diff(curves.knots, axis=1) / np.diff(curves.shares) / self.size
        least = PEOPLE * np.maximum(apart[:, :-1], apart[:, 1:])
        return np.maximum(half, least.reshape(half.shape)) + step / 2


def likely_errors(
    mechanism: object, release: QuantileRelease, size: float, rng: np.random.Generator
) -> FloatArray | None:
    """How far the truth is from each published number, (k,), in about 19 of 20 cases.

    size is the number of people as it was declared from public knowledge, never counted (of
    weighted rows, the number of their parts). None where nothing can be said: another mechanism,
    ties that it treats otherwise, too many quantiles, or so little budget that the numbers are
    mostly noise.
    Guarantee: post-processing; spends nothing.
    """
    again = _again(mechanism, release, size)
    if again is None:
        return None
    wanted = again.quantiles
    published = np.empty((1, wanted.count))
    published[0, wanted.position] = release.values
    first, second, each = again.runs
    once = again.curves(published)
    redrawn = again.draw(once, first, rng)[0]
    if isinstance(mechanism, AggTree) and not _tells(redrawn, once, release.resolution):
        return None
    half = np.quantile(np.abs(redrawn - published), HELD, axis=0)
    widened = half * _needed(again, published, redrawn[:second], each, rng)
    return wanted.in_order_asked(again.at_least(widened, once))


def _needed(
    again: Again, published: FloatArray, redrawn: FloatArray, each: int, rng: np.random.Generator
) -> float:
    """By what factor the bands of republished numbers (r, m) must grow to hold what they came from.

    The largest over all quantiles, and never less than 1.
    """
    curves = again.curves(redrawn)
    twice = again.draw(curves, each, rng)
    half = np.quantile(np.abs(twice - redrawn[:, None]), HELD, axis=1)
    missed = np.abs(redrawn - published) / again.at_least(half, curves)
    return max(1.0, float(np.quantile(missed, HELD, axis=0).max()))


def _runs(m: int) -> tuple[int, int, int]:
    """Runs on the published curve, republished curves, and runs on each of those."""
    share = min(1.0, CELLS / (m * (m + 3)) / (FIRST + SECOND * EACH))
    few = np.sqrt(share)
    return max(100, int(FIRST * share)), max(20, int(SECOND * few)), max(20, int(EACH * few))


def _tells(redrawn: FloatArray, once: Curves, step: float) -> bool:
    """Whether republished ranks lie nearer to their own quantile than to the next ones.

    A value on a grid stands for half a step on both sides: one that is tied misses nothing.
    """
    shares, knots = once.shares, once.knots[0]
    under = np.interp(redrawn - step / 2, knots, shares) - shares[1:-1]
    over = shares[1:-1] - np.interp(redrawn + step / 2, knots, shares)
    off = np.sqrt((np.maximum(np.maximum(under, over), 0.0) ** 2).mean(axis=0))
    apart = np.diff(shares)
    return bool((LEAST_POWER * off <= np.minimum(apart[:-1], apart[1:])).all())


def _again(mechanism: object, release: QuantileRelease, size: float) -> Again | None:
    if type(mechanism) is AggTree:
        return _tree_again(mechanism, release, size)
    law = LAWS.get(type(mechanism))
    if law is None or not isinstance(mechanism, Redrawn) or size < 1:
        return None
    wanted = QuantileSet.of(release.quantiles)
    spreads = mechanism.ties is Ties.SPREAD
    if not spreads or wanted.count > MOST:
        return None
    levels, etas = law(mechanism, release, wanted)
    if _power(levels, etas, wanted, size) < LEAST_POWER:
        return None

    def draws(curves: Curves, each: int, rng: np.random.Generator) -> FloatArray:
        return draw_on(curves.repeated(each), levels, etas, rng).reshape(
            curves.knots.shape[0], each, -1
        )

    return Again(draws, wanted, release, size, _runs(wanted.count))


def _tree_again(mechanism: AggTree, release: QuantileRelease, size: float) -> Again | None:
    """A tree counts the people that a curve stands for, evenly along its pieces."""
    wanted = QuantileSet.of(release.quantiles)
    if wanted.count > MOST or size < 1:
        return None
    size = min(size, MOST_PEOPLE)
    n = max(1, min(round(size), TREE_PEOPLE))
    budget = record_budget(release.spent, release.parameters)
    more = (size / n) ** (2 if isinstance(budget, ZCDP) else 1)
    budget = budget.resized(budget.size * max(more, 1.0))
    bounds, step = release.bounds, release.resolution
    places = (np.arange(n) + 0.5) / n
    try:
        grid = PointGrid.of(bounds, step)
    except InvalidData:
        return None  # a tree is drawn on more steps than a curve can be

    def draws(curves: Curves, each: int, rng: np.random.Generator) -> FloatArray:
        found = []
        for knots in curves.knots:  # a few dozen curves
            people = np.clip(np.interp(places, curves.shares, knots), bounds.low, bounds.high)
            made_up = grid.rounded(people) if step else people
            drawn = runs_on(mechanism, made_up, (bounds, step), wanted.distinct, budget, rng, each)
            found.append(drawn)
        return np.stack(found)

    return Again(draws, wanted, release, size, TREE_RUNS)


def _power(
    levels: tuple[Level, ...], etas: tuple[FloatArray, ...], wanted: QuantileSet, size: float
) -> float:
    """By how many units of noise the ranks of neighbouring quantiles lie apart, at the least."""
    eta = np.empty(wanted.count)
    for nodes, values in zip(levels, etas, strict=True):
        eta[nodes.position - 1] = values
    apart = np.diff(wanted.distinct, prepend=0.0, append=1.0)
    return float((eta * size * np.minimum(apart[:-1], apart[1:])).min())


def _halving(
    mechanism: Redrawn, release: QuantileRelease, wanted: QuantileSet
) -> tuple[tuple[Level, ...], tuple[FloatArray, ...]]:
    assert isinstance(mechanism, ApproximateQuantiles)
    steps = plan(wanted)
    return steps.levels, mechanism.etas(record_budget(release.spent, release.parameters), steps)


def _one_by_one(
    mechanism: Redrawn, release: QuantileRelease, wanted: QuantileSet
) -> tuple[tuple[Level, ...], tuple[FloatArray, ...]]:
    assert isinstance(mechanism, IndependentExp)
    m = wanted.count
    left, right = np.zeros(m, dtype=np.int64), np.full(m, m + 1)
    level = Level(np.arange(1, m + 1), left, right, wanted.distinct)
    return (level,), (mechanism.etas(record_budget(release.spent, release.parameters), wanted),)


Law = Callable[
    [Redrawn, QuantileRelease, QuantileSet], tuple[tuple[Level, ...], tuple[FloatArray, ...]]
]


LAWS: dict[type, Law] = {ApproximateQuantiles: _halving, IndependentExp: _one_by_one}
