"""What the exact forms share: words, units, what is promised, and one possible release."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypedDict, TypeVar

from dpviz.answers import number_text
from dpviz.answers.decide.needs import PEOPLE, SHARE
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.price_said import asked
from dpviz.answers.number_text import place
from dpviz.answers.said import Line, Said, plain, unmarked
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness

ROUNDING = 1e-9  # by which a number may lie above a whole one and still be it

R = TypeVar("R")  # a release, or None


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


class Question(Protocol):
    """A question of counts: how far off a way is at a size of the budget."""

    @property
    def people(self) -> int | None:
        """How many there are, where that is declared."""

    def off(self, way: str, size: float, need: Need) -> float:
        """In the need's unit."""


class Promise(TypedDict):
    """The fields of Kept by their names."""

    half: float
    asked: float
    sure: float
    is_published: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kept:
    """What is promised: off by at most half, in whole people, with probability sure.

    asked is what the need allows, in people. is_published tells a release from a possible one.
    """

    half: float
    asked: float
    sure: float
    is_published: bool


class Seen(Protocol):
    """Numbers that may stand beside the truth."""

    @property
    def is_published(self) -> bool:
        """Whether they were released."""

    @property
    def truth(self) -> object:
        """None while it is hidden."""


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


def size_of(price: Price) -> float:
    """What the button spends. Raises: InvalidParameter where no size keeps the need."""
    if price.size is None:
        raise InvalidParameter("No budget keeps this need, so there is nothing to show.")
    return price.size


def promised(question: Question, price: Price, *, is_published: bool) -> Promise:
    """What a price buys. Raises: InvalidParameter where no size keeps the need, and as in_unit."""
    in_people = replace(price.need, unit=PEOPLE)
    return {
        "half": half_of(question.off(price.chosen.key, size_of(price), in_people)),
        "asked": asked(price) / in_unit(1.0, price.need, question.people),
        "sure": price.need.sure,
        "is_published": is_published,
    }


def drawn_of(
    release: Callable[..., R],
    question: Question,
    price: Price,
    data: object,
    rng: Randomness | None,
    released: R,
) -> R:
    """The release that was made, or a possible one of the data; without both None.

    Raises: InvalidParameter for a price without a size, and for data without a random source.
    """
    if released is not None or data is None:
        return released
    if rng is None:
        raise InvalidParameter("A possible release of these data needs a random source: give rng.")
    return release(question, data, price.chosen.key, size_of(price), rng)


def half_of(off: float) -> float:
    """A half-width in whole people, never less than it is."""
    return float(math.ceil(off - ROUNDING)) if math.isfinite(off) else off


def amount(count: float) -> str:
    """A count with its thousands and a true minus."""
    return number_text.amount(count, 0)


def state(found: Seen) -> Line:
    """Whether one sees a release, or one as it could be."""
    is_true = found.truth is not None
    if found.is_published:
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
