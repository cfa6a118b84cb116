"""How many people have a value over a threshold: what it needs, what it buys, and how it is said.

The words and units that the other exact forms share stand here, too.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.answers import number_text
from dpviz.answers.decide.needs import PEOPLE, SHARE, often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.price_said import asked
from dpviz.answers.number_text import place
from dpviz.answers.said import Line, Said, plain, private, unmarked
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.mechanisms.sums.noisy_count import NoisyCount

COUNT = "count"  # the one way
DRAWN = 60  # bars of the law of the noise, at most, on either side of the middle
FAR = 0.999  # of the noise is drawn
ROUNDING = 1e-9  # by which a number may lie above a whole one and still be it


@dataclass(frozen=True, slots=True)
class Names:
    """What people, values and the parts of an axis are called, plain; unit may be empty.

    line is whose the dashed lines of a picture are.
    """

    one: str = "person"
    many: str = "people"
    column: str = "value"
    unit: str = ""
    period: str = "step"
    line: str = "your need"

    def dashed(self, off: float) -> str:
        """What the dashed lines of a picture are: so many people to either side."""
        number = place(off)
        return f"{self.line}: off by {number} {self.after(number)}"

    def after(self, number: str) -> str:
        """The noun that follows a number as it was written."""
        return self.one if number in ("1", "−1") else self.many


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
        check_people(self.people)
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
        return in_unit(reach, need, self.people)


@confidential("half", "asked", "sure", "width", "people", "above", "below", "is_published")
@dataclass(frozen=True, slots=True, eq=False)
class CountBuys:
    """A count as it could be published, or as it was, and the law of its noise.

    count is None where nothing may be drawn. The count is off by at most half, in whole people,
    with probability sure; asked is what the need allows, in people. chances (k,) are of errors
    (k,): of `width` whole numbers around each. truth and off, how far this count is from it, are
    confidential, and None while the truth is hidden.
    """

    count: float | None
    half: float
    asked: float
    sure: float
    errors: FloatArray
    chances: FloatArray
    width: int
    truth: float | None
    off: float | None
    people: int | None
    above: float | None
    below: float | None
    is_published: bool

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
    size = size_of(price)
    counter, budget = question.mechanism(price.chosen.key), question.budget.resized(size)
    errors, chances, width = law(counter.law(budget), counter.scale(budget))
    drawn = released
    if drawn is None and data is not None:
        drawn = release(question, data, price.chosen.key, size, source(rng))
    truth = _true_count(question, data) if data is not None and is_true else None
    count = None if drawn is None else drawn.value
    return CountBuys(
        count=count,
        half=half_of(question.off(price.chosen.key, size, in_people(price.need))),
        asked=asked_of(price, question.people),
        sure=price.need.sure,
        errors=errors,
        chances=chances,
        width=width,
        truth=truth,
        off=None if truth is None or count is None else abs(count - truth),
        people=question.people,
        above=question.above,
        below=question.below,
        is_published=released is not None,
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


def said(found: CountBuys, names: Names) -> Said:
    """How many, give or take; without a draw by how much the count can be off."""
    give, have = f"{found.half:,.0f}", _having(found, names)
    if found.count is None:
        people = plain(names.after(give))
        headline = (
            f"The count is off by at most {private(give)} {people}, {often_words(found.sure)}."
        )
        brief = f"Off by at most {private(give)} {people}."
    else:
        shown = amount(found.count)
        people = plain(names.after(shown))
        headline = f"About {private(shown)} {people} {have}, give or take {private(give)}."
        brief = f"{private(shown)} {people}, give or take {private(give)}."
    second = state(is_published=found.is_published, is_true=found.truth is not None)
    if found.count is None:
        second = Line(
            "Nothing is drawn before the release: the noise, which is the same for every count.",
            "The noise, which is the same for every count.",
        )
    return whole(Line(headline, brief), second)


def _having(found: CountBuys, names: Names) -> str:
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


# what all exact forms share


def check_people(people: int | None) -> None:
    """Refuse a number of people that none is."""
    if people is not None and not (people == int(people) and people >= 1):
        raise InvalidParameter(f"people must be a whole number from 1, or None, got {people}.")


def in_unit(off: float, need: Need, people: int | None) -> float:
    """A number of people in the need's unit.

    Raises: InvalidParameter for another unit, and for shares of an unknown number of people.
    """
    if need.unit == PEOPLE:
        return off
    if need.unit != SHARE:
        raise InvalidParameter(f"A need of counts is in people or a share of them, got {need}.")
    if people is None:
        raise InvalidParameter(
            "A share of the people needs their number. Say how many there are, or ask for people."
        )
    return 100 * off / people


def in_people(need: Need) -> Need:
    """The same probability, in people."""
    return replace(need, unit=PEOPLE)


def asked_of(price: Price, people: int | None) -> float:
    """What the need allows, in people. Raises: as in_unit."""
    return asked(price) / in_unit(1.0, price.need, people)


def size_of(price: Price) -> float:
    """What the button spends. Raises: InvalidParameter where no size keeps the need."""
    if price.size is None:
        raise InvalidParameter("No budget keeps this need, so there is nothing to show.")
    return price.size


def half_of(off: float) -> float:
    """A half-width in whole people, never less than it is."""
    return float(math.ceil(off - ROUNDING)) if math.isfinite(off) else off


def source(rng: Randomness | None) -> Randomness:
    """The random source that a draw needs."""
    if rng is None:
        raise InvalidParameter("A possible release of these data needs a random source: give rng.")
    return rng


def amount(count: float) -> str:
    """A count with its thousands and a true minus."""
    return number_text.amount(count, 0)


def state(*, is_published: bool, is_true: bool) -> Line:
    """Whether one sees a release, or one as it could be."""
    if is_published:
        beside = ", beside the truth in black" if is_true else ""
        return Line(f"Published: every number in blue may leave the house{beside}.", "Published.")
    if is_true:
        return Line(
            "One release as it could be, hollow until it is published, beside the truth in black.",
            "One possible release beside the truth.",
        )
    return Line(
        "One release as it could be, hollow until it is published.", "One possible release."
    )


def made_up(what: str) -> Line:
    """What stands in for a file before its release."""
    return Line(
        f"Made up, nothing of the file: {plain(what)}. The width is exact, whatever the file.",
        "Made up; the width is exact.",
    )


def whole(headline: Line, second: Line) -> Said:
    """All that is said; the picture in words is both sentences."""
    return Said(headline, second, (), unmarked(f"{headline()} {second()}"))
