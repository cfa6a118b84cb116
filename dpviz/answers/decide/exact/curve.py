"""The whole curve, nowhere off by more than the need: what it needs and buys, and how it is said.

A curve is a row of running counts. The largest error of all of them has no law in closed form, so
noise alone is simulated, with a fixed seed: no data goes in, and equal questions have one answer.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpviz.answers.decide.exact import frame
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.number_text import place
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.counts.levels import count_below_edges
from dpviz.estimators.trees.band import noise_band, prefix_band, simulated_errors
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.quantile_intervals import SEED
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums

HISTOGRAM, TWO, THREE, BINARY, ROOT = "histogram", "two-levels", "three-levels", "binary", "root"
WORDS = {  # of every way, the simplest first
    HISTOGRAM: "histogram, added up",
    TWO: "noisy tree of two levels",
    THREE: "noisy tree of three levels",
    BINARY: "binary tree",
    ROOT: "square root of the running sum",
}
HEIGHTS = {
    HISTOGRAM: 1,
    TWO: 2,
    THREE: 3,
}  # of trees as narrow as that allows; a binary one is tall
PARTS = 512  # places at which a curve is told, at most
RUNS = 1_999  # of simulated noise
# scales from which the largest error is that of continuous noise times the exact ratio of standard
# deviations: running counts add many numbers up, and simulations of both kinds agree within 4 %
SMOOTH = {Noise.DISCRETE_LAPLACE: 2.0, Noise.DISCRETE_GAUSSIAN: 1.0}
CONTINUOUS = {Noise.DISCRETE_LAPLACE: Noise.LAPLACE, Noise.DISCRETE_GAUSSIAN: Noise.GAUSSIAN}

Released = TreeRelease | PrefixRelease


@dataclass(frozen=True, slots=True)
class CurveQuestion:
    """How many people have less than each value between the bounds, at up to 512 places.

    step is the distance of the column's values, 0 for values of any kind. is_secure leaves out what
    secure bits cannot release, since its noise is continuous.
    """

    budget: Budget
    bounds: Bounds
    step: float = 0.0
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    people: int | None = None
    is_secure: bool = False

    def __post_init__(self) -> None:
        frame.check_people(self.people)
        if not 0 <= self.step <= self.bounds.width:
            raise InvalidParameter(f"step must lie in 0 … {self.bounds.width:g}, got {self.step}.")

    @property
    def parts(self) -> int:
        """Parts that tell each value from the next one, or as many as a screen can show."""
        if not self.step:
            return PARTS
        return min(round(self.bounds.width / self.step) + 1, PARTS)

    @property
    def ways(self) -> tuple[str, ...]:
        """Histogram, trees and, in ρ and (ε, δ), the square root; shapes that are alike once."""
        return ways_of(self.parts, self.budget, is_secure=self.is_secure)

    def words(self, way: str) -> str:
        """What a way is called behind "by a"."""
        return WORDS[way]

    def mechanism(self, way: str) -> CountTree | PrefixSums:
        """What releases it. Raises: KeyError for another way."""
        return mechanism_of(way, self.parts, self.budget, self.neighbours, self.people)

    def off(self, way: str, size: float, need: Need) -> float:
        """Simulated noise alone: the largest error at all places, in need.sure of releases."""
        mechanism = self.mechanism(way)
        last = self.parts if way == ROOT else mechanism.shape.leaves
        off = nowhere(mechanism, self.budget.resized(size), last, need.sure)
        return frame.in_unit(off, need, self.people)


def ways_of(parts: int, budget: Budget, *, is_secure: bool) -> tuple[str, ...]:
    """Ways to release so many running counts, the simplest first."""
    found: dict[tuple[int, int], str] = {}
    for way in (*HEIGHTS, BINARY):
        fanout, height = _shape(way, parts)
        if fanout ** (height - 1) < parts:  # else a level is too many
            found.setdefault((fanout, height), way)
    gaussian = not isinstance(budget, PureDP) and not is_secure
    return (*found.values(), *((ROOT,) if gaussian else ()))


def mechanism_of(
    way: str, parts: int, budget: Budget, neighbours: Neighbours, people: int | None
) -> CountTree | PrefixSums:
    """The mechanism of a way; a number of people that is public is used.

    Without it all people are the sum of the first level, or, for Gaussian noise, counted, too: so
    either errs less.
    """
    if way == ROOT:
        return PrefixSums(parts, neighbours)
    fanout, height = _shape(way, parts)
    if neighbours is Neighbours.REPLACE_ONE and people is not None:
        root = Root.PUBLIC
        return CountTree(fanout, height, root=root, neighbours=neighbours, records=people)
    root = Root.SUM if isinstance(budget, PureDP) or height == 1 else Root.RELEASED
    return CountTree(fanout, height, root=root, neighbours=neighbours)


def _shape(way: str, parts: int) -> tuple[int, int]:
    """The narrowest tree of a height that has so many leaves, or the lowest binary one."""
    if way == BINARY:
        return 2, max(1, (parts - 1).bit_length())
    height = HEIGHTS[way]
    fanout = max(2, round(parts ** (1 / height)))
    return fanout + (fanout**height < parts), height


def nowhere(mechanism: CountTree | PrefixSums, budget: Budget, last: int, sure: float) -> float:
    """What no running count at edges 0 … last is off by more than, in `sure` of releases."""
    if isinstance(mechanism, PrefixSums):
        return mechanism.scale(budget) * _largest_of_root(mechanism.bins, sure)
    noise = mechanism.tree_noise(budget)
    scale, smooth = noise.scales[-1], SMOOTH[noise.noise]  # all levels have equal shares
    far = _spread(noise.noise, max(scale, smooth)) * _largest(_continuous(noise), last, sure)
    # below it never more than there: a simulation has an error of its own
    return far if scale >= smooth else min(far, _largest(noise, last, sure))


def _spread(noise: Noise, scale: float) -> float:
    """Its standard deviation, in those of continuous noise of scale 1."""
    return math.sqrt(noise.variance(scale) / CONTINUOUS[noise].variance(1.0))


def _continuous(noise: TreeNoise) -> TreeNoise:
    """The same tree with continuous noise of scale 1."""
    scales = tuple(1.0 if math.isfinite(scale) else scale for scale in noise.scales)
    return replace(noise, noise=CONTINUOUS[noise.noise], scales=scales)


@lru_cache(maxsize=256)  # of the law alone, kept for everybody
def _largest(noise: TreeNoise, last: int, sure: float) -> float:
    rng, runs, read = np.random.default_rng(SEED), _runs(sure), TreeEstimator.EFFICIENT
    errors = simulated_errors(noise, read, rng, runs=runs)[:, : last + 1]
    return noise_band(noise, read, rng, beta=1 - sure, errors=errors).simultaneous


@lru_cache(maxsize=64)
def _largest_of_root(bins: int, sure: float) -> float:
    rng = np.random.default_rng(SEED)
    return prefix_band(PrefixNoise(bins, 1.0), rng, beta=1 - sure, runs=_runs(sure)).simultaneous


def _runs(sure: float) -> int:
    return max(RUNS, math.ceil(20 / (1 - sure)) - 1)


@confidential("half", "asked", "sure", "is_made_up", "is_published")
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveBuys(frame.Kept):
    """Shapes: edges, counts, truth (k,), running counts of people below each edge.

    counts are smoothed ones of one release, a possible one or the one that was made; or made-up
    ones. All together are off by at most half. Half of the people have at most median, and where
    the curve is right within half the true median lies from median_low to median_high; middle is
    half of the people. truth, errors (k,) and off, the largest error of this curve, are
    confidential, and None while the truth is hidden.
    """

    edges: FloatArray
    counts: FloatArray
    middle: float
    median: float
    median_low: float
    median_high: float
    truth: FloatArray | None
    errors: FloatArray | None
    off: float | None
    is_made_up: bool


def release(
    question: CurveQuestion, data: Column, way: str, size: float, rng: Randomness
) -> Released:
    """Spend a budget of this size once."""
    return question.mechanism(way).release(data, question.budget.resized(size), rng)


def smoothed(released: Released, last: int | None = None) -> Cdf:
    """The running counts of a release that never fall, at edges 0 … last; costs no budget."""
    raw = cdf(released if isinstance(released, PrefixRelease) else efficient(released))
    if last is not None:
        raw = replace(raw, edges=raw.edges[: last + 1], counts=raw.counts[: last + 1], errors=None)
    return monotone(raw)


def buys(
    question: CurveQuestion,
    price: Price,
    data: Column | None,
    rng: Randomness | None = None,
    *,
    released: Released | None = None,
    stand_in: Column | None = None,
    is_true: bool = True,
) -> CurveBuys:
    """One possible release of the data, or the one that was made; without both a made-up curve.

    A made-up curve is that of a stand-in, which has the question's bounds, or a straight line.
    is_true shows the truth, where there are data. Raises: as count.buys.
    """
    promise = frame.promised(question, price, is_published=released is not None)
    mechanism = question.mechanism(price.chosen.key)
    drawn = frame.drawn_of(release, question, price, data, rng, released)
    edges = mechanism.shape.edges(question.bounds)
    truth = count_below_edges(data, mechanism.shape) if data is not None and is_true else None
    if drawn is not None:
        counts = smoothed(drawn).counts
    elif stand_in is not None:
        counts = count_below_edges(stand_in, mechanism.shape)
    else:
        counts = straight(edges, question.people, promise["half"])
    errors = None if truth is None else counts - truth
    median, low, high = _median(question, edges, counts, promise["half"])
    return CurveBuys(
        edges=edges,
        counts=counts,
        middle=float(counts[-1]) / 2,
        median=median,
        median_low=low,
        median_high=high,
        truth=truth,
        errors=errors,
        off=None if errors is None else float(np.abs(errors).max()),
        is_made_up=drawn is None,
        **promise,
    )


def straight(edges: FloatArray, people: int | None, half: float) -> FloatArray:
    """Running counts of people spread evenly; of as many as the width can be seen beside."""
    total = 10 * half if people is None else float(people)
    return np.asarray(total * (edges - edges[0]) / (edges[-1] - edges[0]))


def _median(
    question: CurveQuestion, edges: FloatArray, counts: FloatArray, half: float
) -> tuple[float, float, float]:
    """Where the curve passes half of its people, and between which edges the true median lies.

    The true curve and the true number of people are off by at most half each, so a true median is
    neither where the curve is more than 1.5 half below the middle, nor where it is above that. All
    three are values that the column can have, the ends the next ones outside.
    """
    middle = float(counts[-1]) / 2
    above = int(np.searchsorted(counts, middle, side="left"))
    before, after = float(counts[max(above - 1, 0)]), float(counts[above])
    part = (middle - before) / (after - before) if after > before else 1.0
    left, right = float(edges[max(above - 1, 0)]), float(edges[above])
    low = int(np.searchsorted(counts, middle - 1.5 * half, side="left")) - 1
    high = int(np.searchsorted(counts, middle + 1.5 * half, side="right"))
    ends = float(edges[max(low, 0)]), float(edges[min(high, edges.size - 1)])
    step, start = question.step, question.bounds.low
    if not step:
        return left + part * (right - left), *ends
    found = zip((left + part * (right - left), *ends), (np.rint, np.floor, np.ceil), strict=True)
    median, lower, upper = (start + step * float(to((at - start) / step)) for at, to in found)
    return median, lower, upper


def said(found: CurveBuys, names: frame.Names) -> Said:
    """How far off the curve can be anywhere, and where its middle lies."""
    give = frame.amount(found.half)
    people, kept = plain(names.after(give)), often_words(found.sure)
    headline = Line(
        f"The curve is nowhere off by more than {private(give)} {people}, {kept}.",
        f"Nowhere off by more than {private(give)} {people}.",
    )
    unit = f" {names.unit}" if names.unit else ""
    seen = frame.state(found).brief
    second = frame.made_up("the curve")
    if not found.is_made_up:
        ends = plain(f"{place(found.median_low)} to {place(found.median_high)}{unit}")
        half = private(place(found.median))
        full = f"{seen} Half have at most {half}, give or take: {ends}."
        second = Line(full if found.off is None else f"{full} {_off(found.off)}", seen)
    return frame.whole(headline, second)


def _off(off: float) -> str:
    return f"This curve is off by at most {true(frame.amount(off))}."
