"""What the points of a map and their unit are called, and how its numbers are written."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpviz.answers.number_text import amount
from dpviz.core.bounds import Box

Mark = Callable[[str], str]
NEARLY = 0.005  # a share below it is not said to be nothing, nor one as near to 1 to be all


@dataclass(frozen=True, slots=True)
class Names:
    """What the points are: people who live somewhere, unless the data says otherwise.

    unit is that of both coordinates, units its plural; both may be empty.
    """

    one: str = "person"
    many: str = "people"
    are: str = "are"  # what they do in a rectangle: "are", or a verb whose singular has an s more
    unit: str = ""
    units: str = ""

    def after(self, number: str) -> str:
        """A number as it was written, with the word behind it."""
        return f"{number} {self.one if number in ('1', '−1') else self.many}"

    def do(self, number: str) -> str:
        """What so many of them do in a rectangle: "is", "live"."""
        alone = "is" if self.are == "are" else f"{self.are}s"
        return alone if number in ("1", "−1") else self.are

    @property
    def square(self) -> str:
        """What a density is by: "per square km"; coordinates without a unit are units."""
        return f"per square {self.unit or 'unit'}"

    def extent(self, box: Box) -> str:
        """How large a map is: "100 by 80 km"."""
        return f"{box.x.width:,.6g} by {box.y.width:,.6g} {self.units}".strip()


def as_it_is(text: str) -> str:
    """The text without marks."""
    return text


@dataclass(frozen=True, slots=True)
class Voice:
    """How a page speaks: of whom, and how it marks private and true numbers."""

    names: Names = Names()
    private: Mark = as_it_is
    true: Mark = as_it_is

    def counted(self, number: float) -> str:
        """A private count, marked, with the word behind it."""
        digits, noun = self.names.after(count(number)).split(" ", 1)
        return f"{self.private(digits)} {noun}"


def count(number: float) -> str:
    """A count: thousands grouped, no decimals, a true minus sign, and never −0."""
    if abs(number) < 0.5:
        return "0"
    return f"{number:,.0f}".replace("-", "−")


def give_or_take(error: float) -> str:
    """A standard error or a margin; small ones keep a digit, for no noise is nothing."""
    if not math.isfinite(error):
        return amount(error, 0)
    return f"{error:,.0f}" if error >= 10 or error == 0 else f"{error:.2g}"


def share(part: float) -> str:
    """A part of a whole in per cent with two digits; empty where there is no whole."""
    if math.isnan(part):
        return ""
    return "less than 0.1 %" if 0 < 100 * part < 0.1 else percent(100 * part)


def percent(number: float) -> str:
    """A number of per cent with two digits, never with an exponent where it is large."""
    return f"{number:.2g} %" if number < 99.5 else f"{number:,.0f} %"


def times(factor: float) -> str:
    """How many times as much, with two digits: "3.4", "120"."""
    rounded = float(f"{factor:.2g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def percent_of_cells(part: float) -> str:
    """A share of cells, whole per cent; little is not nothing, nearly all not all."""
    if 0 < part <= NEARLY:
        return "less than 1 %"
    if 1 - NEARLY <= part < 1:
        return "more than 99 %"
    return f"{100 * part:.0f} %"
