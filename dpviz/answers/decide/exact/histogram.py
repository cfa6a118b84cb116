"""A histogram with every bar right at once: what it needs, what it buys, and how it is said."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.decide.exact import frame
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.levels import count_levels
from dpviz.mechanisms.counting.count_tree import CountTree

HISTOGRAM = "histogram"  # the one way
MOST_BINS = 1_000  # bars that a screen can show
FLAT = 6.0  # half-widths that a made-up bar is high where nobody said how many people there are


@dataclass(frozen=True, slots=True)
class HistogramQuestion:
    """Counts of `bins` equal parts between the bounds, each off by at most the need, all at once.

    Raises: InvalidParameter for bins outside 2 … 1,000.
    """

    budget: Budget
    bounds: Bounds
    bins: int = 25
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    people: int | None = None

    def __post_init__(self) -> None:
        frame.check_people(self.people)
        if not 2 <= self.bins <= MOST_BINS:
            raise InvalidParameter(f"A histogram has 2 to {MOST_BINS:,} bars, got {self.bins}.")

    @property
    def ways(self) -> tuple[str, ...]:
        """Noise on each bar, whatever the notion."""
        return (HISTOGRAM,)

    def words(self, way: str) -> str:
        """What a way is called behind "by a"."""
        return {HISTOGRAM: "noisy histogram"}[way]

    def mechanism(self, way: str) -> CountTree:
        """The leaves of a tree of one level: the law of Histogram(bins), in a release of a tree."""
        leaves, root = LevelBudget.leaves_only(), Root.SUM
        tree = CountTree(self.bins, 1, leaves, root=root, neighbours=self.neighbours)
        return {HISTOGRAM: tree}[way]

    def off(self, way: str, size: float, need: Need) -> float:
        """Exact: the bars' noise is independent, so each bar holds with sure^(1/bins)."""
        tree, budget = self.mechanism(way), self.budget.resized(size)
        scale = tree.level_scales(budget)[-1]
        reach = tree.law(budget).reach(scale, need.sure ** (1 / self.bins))
        return frame.in_unit(reach, need, self.people)


@confidential("half", "asked", "sure", "is_made_up", "is_published")
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HistogramBuys(frame.Kept):
    """Shapes: edges (k + 1,); counts, truth (k,).

    counts are those of one release, a possible one or the one that was made; or made-up ones. All
    bars together are off by at most half. errors (k,) are how far each bar is from the truth, off
    that of the worst one, number worst. These and the truth are confidential, and None while the
    truth is hidden.
    """

    edges: FloatArray
    counts: FloatArray
    truth: FloatArray | None
    errors: FloatArray | None
    off: float | None
    worst: int | None
    is_made_up: bool


def release(
    question: HistogramQuestion, data: Column, way: str, size: float, rng: Randomness
) -> TreeRelease:
    """Spend a budget of this size once."""
    return question.mechanism(way).release(data, question.budget.resized(size), rng)


def buys(
    question: HistogramQuestion,
    price: Price,
    data: Column | None,
    rng: Randomness | None = None,
    *,
    released: TreeRelease | None = None,
    stand_in: Column | None = None,
    is_true: bool = True,
) -> HistogramBuys:
    """One possible release of the data, or the one that was made; without both made-up bars.

    Made-up bars are those of a stand-in, which has the question's bounds, or all alike. is_true
    shows the truth, where there are data. Raises: as count.buys.
    """
    promise = frame.promised(question, price, is_published=released is not None)
    drawn = frame.drawn_of(release, question, price, data, rng, released)
    counts = _made_up(question, promise["half"], stand_in) if drawn is None else drawn.counts[-1]
    shape, truth, errors = TreeShape(question.bins, 1), None, None
    if data is not None and is_true:
        truth = count_levels(data, shape)[-1]
        errors = counts - truth
    worst = None if errors is None else int(np.abs(errors).argmax())
    return HistogramBuys(
        edges=shape.edges(question.bounds),
        counts=counts,
        truth=truth,
        errors=errors,
        off=None if errors is None or worst is None else abs(float(errors[worst])),
        worst=worst,
        is_made_up=drawn is None,
        **promise,
    )


def _made_up(question: HistogramQuestion, half: float, stand_in: Column | None) -> FloatArray:
    if stand_in is not None:
        return count_levels(stand_in, TreeShape(question.bins, 1))[-1]
    people = FLAT * half * question.bins if question.people is None else float(question.people)
    return np.full(question.bins, people / question.bins)


def said(found: HistogramBuys, names: frame.Names) -> Said:
    """How far off every bar can be, and how far the worst one of this draw is."""
    give = frame.amount(found.half)
    people = plain(names.after(give))
    headline = Line(
        f"Every bar is within {private(give)} {people}, {often_words(found.sure)}.",
        f"Every bar is within {private(give)} {people}.",
    )
    second = frame.made_up("the bars") if found.is_made_up else frame.state(found)
    if found.off is not None:
        off = true(frame.amount(found.off))
        second = Line(f"{second.full} The worst bar here is off by {off}.", second.brief)
    return frame.whole(headline, second)
