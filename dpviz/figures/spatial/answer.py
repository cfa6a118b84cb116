"""What a map says of a rectangle, as numbers and as the texts that pictures and sentences share."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.layout import plain

CERTAIN = 1.96  # standard errors on either side that hold 19 draws in 20


@dataclass(frozen=True, slots=True)
class People:
    """What the points are: people who live somewhere, unless the data says otherwise."""

    one: str = "person"
    many: str = "people"
    are: str = "are"  # what they do in a rectangle

    def after(self, number: str) -> str:
        """A number as it was written, with the word behind it."""
        return f"{number} {self.one if number in ('1', '−1') else self.many}"


PEOPLE = People()


@confidential()
@dataclass(frozen=True, slots=True)
class Off:
    """How far an answer is from the truth, and why; the two parts add up. Confidential."""

    truth: float
    noise: float
    uniformity: float


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A private count of a rectangle (4,), or of the whole map, and its standard error.

    off is None while the truth is hidden.
    """

    rectangle: FloatArray | None
    private: float
    error: float
    off: Off | None = None

    @property
    def margin(self) -> tuple[float, float]:
        """Where the count without noise lies 19 times in 20."""
        return self.private - CERTAIN * self.error, self.private + CERTAIN * self.error


def count(number: float) -> str:
    """A count: thousands grouped, no decimals, a true minus sign, and never −0."""
    if abs(number) < 0.5:
        return "0"
    return f"{number:,.0f}".replace("-", "−")


def give_or_take(error: float) -> str:
    """A standard error or a margin; small ones keep a digit, for no noise is nothing."""
    return f"{error:,.0f}" if error >= 10 or error == 0 else f"{error:.2g}"


def share(part: float, whole: float) -> str:
    """A part of a whole in per cent with two digits; empty where there is no whole."""
    if whole <= 0:
        return ""
    percent = 100 * abs(part) / whole
    if 0 < percent < 0.1:
        return "less than 0.1 %"
    return f"{percent:.2g} %" if percent < 99.5 else f"{percent:,.0f} %"


def safe(people: People) -> People:
    """The words with markup switched off, for labels and hovers."""
    return People(plain(people.one), plain(people.many), plain(people.are))
