"""A running count at every step, never off by more than the need: what it needs and buys.

All steps are published at once. The ways and their largest errors are those of a curve.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.decide.exact import frame
from dpviz.answers.decide.exact.curve import (
    ROOT,
    WORDS,
    Released,
    mechanism_of,
    nowhere,
    smoothed,
    straight,
    ways_of,
)
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
from dpviz.core.trees.shape import TreeShape
from dpviz.counts.levels import count_below_edges, count_levels
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums

MOST_PERIODS = 2_000


@dataclass(frozen=True, slots=True)
class RunningQuestion:
    """How many people so far at the end of each of `periods` equal steps between the bounds.

    is_secure leaves out what secure bits cannot release, since its noise is continuous.
    Raises: InvalidParameter for periods outside 2 … 2,000.
    """

    budget: Budget
    bounds: Bounds
    periods: int = 365
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    people: int | None = None
    is_secure: bool = False

    def __post_init__(self) -> None:
        frame.check_people(self.people)
        if not 2 <= self.periods <= MOST_PERIODS:
            raise InvalidParameter(
                f"Running counts have 2 to {MOST_PERIODS:,} steps, got {self.periods}."
            )

    @property
    def ways(self) -> tuple[str, ...]:
        """Steps added up, trees and, in ρ and (ε, δ), the square root; the simplest first."""
        return ways_of(self.periods, self.budget, is_secure=self.is_secure)

    def words(self, way: str) -> str:
        """What a way is called behind "by a"."""
        return WORDS[way]

    def mechanism(self, way: str) -> CountTree | PrefixSums:
        """What releases it, of the column that `stepped` makes. Raises: KeyError as a curve."""
        return mechanism_of(way, self.periods, self.budget, self.neighbours, self.people)

    def off(self, way: str, size: float, need: Need) -> float:
        """Simulated noise alone: the largest error at all steps, in need.sure of releases."""
        off = nowhere(self.mechanism(way), self.budget.resized(size), self.periods, need.sure)
        return frame.in_unit(off, need, self.people)

    @property
    def edges(self) -> FloatArray:
        """The ends of the steps and the lower bound, (periods + 1,)."""
        return TreeShape(self.periods, 1).edges(self.bounds)

    def stepped(self, data: Column, way: str) -> Column:
        """The column with each value in the middle of its step. Confidential.

        A tree may have more leaves than there are steps. The bounds are widened by as many steps,
        in which nobody is, so that a leaf is a step.
        """
        mechanism = self.mechanism(way)
        leaves = self.periods if way == ROOT else mechanism.shape.leaves
        low, width = self.bounds.low, self.bounds.width / self.periods
        counts = count_levels(data, TreeShape(self.periods, 1))[-1].astype(np.int64)
        middles = low + width * (np.arange(self.periods) + 0.5)
        return Column.from_counts(middles, counts, Bounds(low, low + width * leaves))


@confidential("half", "asked", "sure", "is_made_up", "is_published")
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunningBuys(frame.Kept):
    """Shapes: edges, counts, truth (periods + 1,): people until each edge, the first one 0.

    counts are smoothed ones of one release, a possible one or the one that was made; or made-up
    ones; last is the one at the end. All together are off by at most half. truth, errors (periods
    + 1,) and off, the largest of them, are confidential, and None while the truth is hidden.
    """

    edges: FloatArray
    counts: FloatArray
    last: float
    truth: FloatArray | None
    errors: FloatArray | None
    off: float | None
    is_made_up: bool


def release(
    question: RunningQuestion, data: Column, way: str, size: float, rng: Randomness
) -> Released:
    """Spend a budget of this size once."""
    stepped = question.stepped(data, way)
    return question.mechanism(way).release(stepped, question.budget.resized(size), rng)


def buys(
    question: RunningQuestion,
    price: Price,
    data: Column | None,
    rng: Randomness | None = None,
    *,
    released: Released | None = None,
    stand_in: Column | None = None,
    is_true: bool = True,
) -> RunningBuys:
    """One possible release of the data, or the one that was made; without both made-up counts.

    Made-up counts are those of a stand-in, which has the question's bounds, or grow evenly. is_true
    shows the truth, where there are data. Raises: as count.buys.
    """
    promise = frame.promised(question, price, is_published=released is not None)
    shape = TreeShape(question.periods, 1)
    drawn = frame.drawn_of(release, question, price, data, rng, released)
    truth = count_below_edges(data, shape) if data is not None and is_true else None
    if drawn is not None:
        counts = smoothed(drawn, question.periods).counts
    elif stand_in is not None:
        counts = count_below_edges(stand_in, shape)
    else:
        counts = straight(question.edges, question.people, promise["half"])
    errors = None if truth is None else counts - truth
    return RunningBuys(
        edges=question.edges,
        counts=counts,
        last=float(counts[-1]),
        truth=truth,
        errors=errors,
        off=None if errors is None else float(np.abs(errors).max()),
        is_made_up=drawn is None,
        **promise,
    )


def said(found: RunningBuys, names: frame.Names) -> Said:
    """How far off any step can be, and how many people there are at the end."""
    give, period = frame.amount(found.half), plain(names.period)
    people = plain(names.after(give))
    headline = Line(
        f"No {period} is off by more than {private(give)} {people}, {often_words(found.sure)}.",
        f"No {period} is off by more than {private(give)}.",
    )
    seen = frame.state(found).brief
    second = frame.made_up("the counts")
    if not found.is_made_up:
        full = f"{seen} The last {period} ends with {private(frame.amount(found.last))}."
        if found.off is not None:
            full += f" These counts are off by at most {true(frame.amount(found.off))}."
        second = Line(full, seen)
    return frame.whole(headline, second)
