"""How many people have a value over a threshold: what it needs and buys, and how it is said."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.decide.exact import frame
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.number_text import place
from dpviz.answers.said import Line, Said, plain, private
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Randomness
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.mechanisms.sums.noisy_count import NoisyCount

COUNT = "count"  # the one way
DRAWN = 60  # bars of the law of the noise, at most, on either side of the middle
FAR = 0.999  # of the noise is drawn


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """A count of the values above and below public thresholds, as NoisyCount reads them.

    Raises: InvalidParameter as NoisyCount does, and for people that are not a whole number from 1.
    """

    budget: Budget
    above: float | None = None
    below: float | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    people: int | None = None

    def __post_init__(self) -> None:
        frame.check_people(self.people)
        self.mechanism(COUNT)

    @property
    def ways(self) -> tuple[str, ...]:
        """Noise on the count, whatever the notion."""
        return (COUNT,)

    def words(self, way: str) -> str:
        """What a way is called behind "by a"."""
        return {COUNT: "noisy count"}[way]

    def mechanism(self, way: str) -> NoisyCount:
        """What releases it. Raises: KeyError for another way."""
        return {COUNT: NoisyCount(self.above, self.below, neighbours=self.neighbours)}[way]

    def off(self, way: str, size: float, need: Need) -> float:
        """Exact: the least whole number that the noise keeps within in need.sure of releases."""
        counter, budget = self.mechanism(way), self.budget.resized(size)
        reach = counter.law(budget).reach(counter.scale(budget), need.sure)
        return frame.in_unit(reach, need, self.people)


@confidential("half", "asked", "sure", "width", "people", "above", "below", "is_published")
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountBuys(frame.Kept):
    """A count as it could be published, or as it was, and the law of its noise.

    count is None where nothing may be drawn; else it is off by at most half. chances (k,) are of
    errors (k,): of `width` whole numbers around each. truth and off, how far this count is from
    it, are confidential, and None while the truth is hidden.
    """

    count: float | None
    errors: FloatArray
    chances: FloatArray
    width: int
    truth: float | None
    off: float | None
    people: int | None
    above: float | None
    below: float | None

    @property
    def middle(self) -> float | None:
        """Around what the noise is drawn: the truth, or the count while the truth is hidden."""
        return self.count if self.truth is None else self.truth


def release(
    question: CountQuestion, data: Column, way: str, size: float, rng: Randomness
) -> NumberRelease:
    """Spend a budget of this size once."""
    return question.mechanism(way).release(data, question.budget.resized(size), rng)


def buys(
    question: CountQuestion,
    price: Price,
    data: Column | None,
    rng: Randomness | None = None,
    *,
    released: NumberRelease | None = None,
    is_true: bool = True,
) -> CountBuys:
    """One possible release of the data, or the one that was made; without both the noise alone.

    is_true shows the truth beside it, where there are data. Raises: InvalidParameter for a price
    without a size, and for data without a random source or a release.
    """
    size = frame.size_of(price)
    counter, budget = question.mechanism(price.chosen.key), question.budget.resized(size)
    errors, chances, width = law(counter.law(budget), counter.scale(budget))
    drawn = frame.drawn_of(release, question, price, data, rng, released)
    truth = _true_count(question, data) if data is not None and is_true else None
    count = None if drawn is None else drawn.value
    return CountBuys(
        count=count,
        errors=errors,
        chances=chances,
        width=width,
        truth=truth,
        off=None if truth is None or count is None else abs(count - truth),
        people=question.people,
        above=question.above,
        below=question.below,
        **frame.promised(question, price, is_published=released is not None),
    )


def law(noise: Noise, scale: float) -> tuple[FloatArray, FloatArray, int]:
    """Errors (k,), their chances (k,), and how many whole numbers stand behind each."""
    far = int(noise.reach(scale, FAR))
    width = 2 * (far // (2 * DRAWN + 1)) + 1  # odd: the middle one holds no error
    steps = -(-max(far, 1) // width)
    errors = width * np.arange(-steps, steps + 1, dtype=np.float64)
    within = [noise.within(scale, width * step + width // 2) for step in range(steps + 1)]
    above = np.diff(within) / 2
    return errors, np.concatenate((above[::-1], within[:1], above)), width


def said(found: CountBuys, names: frame.Names) -> Said:
    """How many, give or take; without a draw by how much the count can be off."""
    give, have = f"{found.half:,.0f}", _having(found, names)
    if found.count is None:
        people = plain(names.after(give))
        headline = (
            f"The count is off by at most {private(give)} {people}, {often_words(found.sure)}."
        )
        brief = f"Off by at most {private(give)} {people}."
    else:
        shown = frame.amount(found.count)
        people = plain(names.after(shown))
        headline = f"About {private(shown)} {people} {have}, give or take {private(give)}."
        brief = f"{private(shown)} {people}, give or take {private(give)}."
    second = frame.state(found)
    if found.count is None:
        second = Line(
            "Nothing is drawn before the release: the noise, which is the same for every count.",
            "The noise, which is the same for every count.",
        )
    return frame.whole(Line(headline, brief), second)


def _having(found: CountBuys, names: frame.Names) -> str:
    """What is counted: "have salary over 100,000"."""
    unit = "" if names.unit in names.column else f" {plain(names.unit)}"
    ends = (("over", found.above), ("under", found.below))
    limits = [f"{word} {plain(place(at))}" for word, at in ends if at is not None]
    if not limits:
        return "are in the file"
    return f"have {plain(names.column)} {' and '.join(limits)}{unit}"


def _true_count(question: CountQuestion, data: Column) -> float:
    """Confidential."""
    until = data.n if question.below is None else int(data.count_below(question.below))
    over = 0 if question.above is None else int(data.count_up_to(question.above))
    return float(until - over)
