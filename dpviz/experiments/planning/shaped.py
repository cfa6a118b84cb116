"""Made-up columns, shaped by two public numbers: half lie below the one, a tenth above the other.

They stand for a file that nobody looked at. The kind of number says which law it is, the two
numbers where it lies and how wide it is; bounds only cut it, they never stretch it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.checks import checked_number, checked_whole, found, wanted
from dpviz.core.data.checks import checked_resolution
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import nearest_on_grid

TENTH = float(ndtri(0.9))  # standard deviations from the middle of a bell to its ninth decile
ZEROS = 0.3  # share of the people who spend nothing
STARS = (0.06, 0.09, 0.2, 0.37, 0.28)  # shares of one to five stars
MOST_DRAWN = 40_000_000  # values of all columns together

Turn = Callable[["Shape", FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Law:
    """A family of laws.

    at and below turn a shape and shares (or values) into values (or shares); below(x) is the share
    of the people who have at most x. start are the two numbers to begin with, where the law has
    them, from whom they are, and the bounds that they are meant for.
    """

    at: Turn
    below: Turn
    bounds: Bounds
    resolution: float
    start: tuple[float, float] | None = None
    source: str = ""
    is_positive: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What is publicly assumed of a column: its law, two numbers, and the declared bounds and step.

    half of the people lie below half, one in ten above tenth; both are None for a law without them.
    Raises: InvalidParameter, in words, for numbers that do not fit the law, the bounds or each
    other.
    """

    law: str
    bounds: Bounds
    resolution: float = 0.0
    half: float | None = None
    tenth: float | None = None

    def __post_init__(self) -> None:
        wanted(str, self.law, "law", InvalidParameter)
        if self.law not in LAWS:
            listed = ", ".join(LAWS)
            raise InvalidParameter(f"There is no law {found(self.law)}. Choose one of {listed}.")
        wanted(Bounds, self.bounds, "bounds", InvalidParameter)
        step = checked_resolution(self.resolution, self.bounds)
        object.__setattr__(self, "resolution", step)
        if LAWS[self.law].start is None:
            if self.half is not None or self.tenth is not None:
                raise InvalidParameter(f"The law '{self.law}' takes no numbers. Leave them out.")
            return
        for name in ("half", "tenth"):
            number = checked_number(getattr(self, name), name, InvalidParameter)
            object.__setattr__(self, name, number)
        self._check_numbers(*self._numbers)

    def _check_numbers(self, half: float, tenth: float) -> None:
        low, high = self.bounds.low, self.bounds.high
        if not (math.isfinite(half) and math.isfinite(tenth)):
            raise InvalidParameter(f"Both numbers must be finite, got {half:g} and {tenth:g}.")
        if not low < half < high:
            raise InvalidParameter(
                f"Half below {half:,.10g} does not fit: values lie between {low:,.10g} and "
                f"{high:,.10g}. Choose a number between these."
            )
        if not half < tenth:
            raise InvalidParameter(
                f"One in ten above {tenth:,.10g} does not fit: half are above {half:,.10g} "
                "already. Choose a larger number."
            )
        if tenth > high:
            raise InvalidParameter(
                f"One in ten above {tenth:,.10g} does not fit: no value lies above {high:,.10g}. "
                "Choose a smaller number, or wider bounds."
            )
        if LAWS[self.law].is_positive and half <= 0:
            raise InvalidParameter(
                f"Half below {half:,.10g} does not fit: amounts are positive. Choose more than 0."
            )

    @property
    def _numbers(self) -> tuple[float, float]:
        assert self.half is not None
        assert self.tenth is not None
        return self.half, self.tenth

    @property
    def has_numbers(self) -> bool:
        """Whether the law takes the two numbers."""
        return self.half is not None

    @property
    def spread(self) -> float:
        """How wide the law is in its own terms; 1 for a law that is always as wide as its bounds.

        Of money the standard deviation of the logarithm, of marks that of the bell as a share of
        the bounds.
        """
        if not self.has_numbers:
            return 1.0
        half, tenth = self._numbers
        if self.law == "mark":
            return (tenth - half) / TENTH / self.bounds.width
        return math.log(tenth / half) / (_upper(self.law) - _middle(self.law))

    @property
    def scale(self) -> float:
        """What a length is compared with: half of money, else the width of the bounds."""
        if LAWS[self.law].is_positive:
            return self._numbers[0]
        return self.bounds.width

    def widened(self, factor: float) -> "Shape":
        """The shape with factor times the spread; the upper number stays inside the bounds."""
        if not self.has_numbers:
            return self
        half, tenth = self._numbers
        if self.law == "mark":
            wider = half + factor * (tenth - half)
        else:
            wider = half * (tenth / half) ** factor
        return Shape(self.law, self.bounds, self.resolution, half, min(wider, self.bounds.high))

    def at(self, shares: FloatArray) -> FloatArray:
        """The value that a share of the people lie below, cut at the bounds, not rounded."""
        values = LAWS[self.law].at(self, np.asarray(shares, dtype=np.float64))
        return np.clip(values, self.bounds.low, self.bounds.high)

    def below(self, values: FloatArray) -> FloatArray:
        """The share of the people who have at most these values, before rounding."""
        at = np.asarray(values, dtype=np.float64)
        shares = LAWS[self.law].below(self, at)
        return np.where(at >= self.bounds.high, 1.0, np.where(at < self.bounds.low, 0.0, shares))

    def draw(self, rng: np.random.Generator, people: int, columns: int) -> FloatArray:
        """Values of made-up people (columns, people): inside the bounds, rounded to the step.

        Raises: InvalidParameter for more than 40,000,000 values, or fewer than one.
        """
        checked_whole(people, "people", 1, MOST_DRAWN)
        checked_whole(columns, "columns", 1, MOST_DRAWN // people)
        values = self.at(rng.random((columns, people)))
        if self.resolution > 0:
            values = nearest_on_grid(values, self.resolution)
        return np.clip(values, self.bounds.low, self.bounds.high)

    def columns(self, rng: np.random.Generator, people: int, count: int) -> list[Column]:
        """The same as columns: made up, so that nothing of them is confidential."""
        drawn = self.draw(rng, people, count)
        return [Column.from_values(one, self.bounds, self.resolution) for one in drawn]


def usual(law: str, bounds: Bounds, resolution: float = 0.0) -> tuple[Shape, str]:
    """The shape to begin with inside declared bounds, and from whom its numbers are.

    Where the usual numbers do not fit the bounds they are a guess: as far between the bounds as the
    usual ones lie between theirs.
    Raises: InvalidParameter for an unknown law.
    """
    if law not in LAWS or LAWS[law].start is None:
        return Shape(law, bounds, resolution), ""
    own = LAWS[law]
    assert own.start is not None
    half, tenth = own.start
    is_relative = law == "mark"
    if not is_relative and bounds.low < half and tenth <= bounds.high:
        return Shape(law, bounds, resolution, half, tenth), own.source
    places = ((one - own.bounds.low) / own.bounds.width for one in (half, tenth))
    guessed = [bounds.low + place * bounds.width for place in places]
    if own.is_positive and guessed[0] <= 0:
        return Shape("flat", bounds, resolution), ""
    source = own.source if is_relative else "a guess"
    return Shape(law, bounds, resolution, guessed[0], guessed[1]), source


# the law of each kind of number that can be declared
BY_KIND = {
    "money": "money",
    "mark": "mark",
    "spending": "spending",
    "stars": "stars",
    "age": "flat",
    "hours": "flat",
    "share": "flat",
    "other": "flat",
}


def _middle(law: str) -> float:
    """Where the median of all lies in the bell behind a law, in standard deviations."""
    return float(ndtri((0.5 - ZEROS) / (1 - ZEROS))) if law == "spending" else 0.0


def _upper(law: str) -> float:
    """The same of the ninth decile."""
    return float(ndtri((0.9 - ZEROS) / (1 - ZEROS))) if law == "spending" else TENTH


def _log_normal(shape: Shape, bell: FloatArray) -> FloatArray:
    half, _ = shape._numbers
    values: FloatArray = half * np.exp(shape.spread * (bell - _middle(shape.law)))
    return values


def _log_bell(shape: Shape, values: FloatArray) -> FloatArray:
    half, _ = shape._numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        bell = _middle(shape.law) + np.log(values / half) / shape.spread
    return np.where(values > 0, bell, -np.inf)


def _money(shape: Shape, shares: FloatArray) -> FloatArray:
    return _log_normal(shape, ndtri(shares))


def _below_money(shape: Shape, values: FloatArray) -> FloatArray:
    found: FloatArray = ndtr(_log_bell(shape, values))
    return found


def _spending(shape: Shape, shares: FloatArray) -> FloatArray:
    """Those below the share of zeros are as far down the bell as can be: they spend nothing."""
    return _log_normal(shape, ndtri(np.maximum(shares - ZEROS, 0.0) / (1 - ZEROS)))


def _below_spending(shape: Shape, values: FloatArray) -> FloatArray:
    spent = ZEROS + (1 - ZEROS) * ndtr(_log_bell(shape, values))
    return np.where(values < 0, 0.0, spent)


def _mark(shape: Shape, shares: FloatArray) -> FloatArray:
    half, tenth = shape._numbers
    values: FloatArray = half + (tenth - half) / TENTH * ndtri(shares)
    return values


def _below_mark(shape: Shape, values: FloatArray) -> FloatArray:
    half, tenth = shape._numbers
    shares: FloatArray = ndtr((values - half) / (tenth - half) * TENTH)
    return shares


def _star_edges(shape: Shape) -> FloatArray:
    """Five equal parts from half a step below the least value to half a step above the largest."""
    reach = shape.resolution / 2
    return np.linspace(shape.bounds.low - reach, shape.bounds.high + reach, len(STARS) + 1)


STAR_SHARES = np.concatenate(([0.0], np.cumsum(STARS)))


def _stars(shape: Shape, shares: FloatArray) -> FloatArray:
    return np.interp(shares, STAR_SHARES, _star_edges(shape))


def _below_stars(shape: Shape, values: FloatArray) -> FloatArray:
    return np.interp(values, _star_edges(shape), STAR_SHARES)


def _flat(shape: Shape, shares: FloatArray) -> FloatArray:
    return shape.bounds.low + shares * shape.bounds.width


def _below_flat(shape: Shape, values: FloatArray) -> FloatArray:
    return np.clip((values - shape.bounds.low) / shape.bounds.width, 0.0, 1.0)


LAWS: dict[str, Law] = {
    "money": Law(_money, _below_money, Bounds(0, 250_000), 100.0, (45_000.0, 85_400.0),
                 "national statistics", is_positive=True),
    "mark": Law(_mark, _below_mark, Bounds(0, 100), 1.0, (60.0, 83.0), "a guess"),
    "spending": Law(_spending, _below_spending, Bounds(0, 5_000), 1.0, (35.0, 175.0), "a guess",
                    is_positive=True),
    "stars": Law(_stars, _below_stars, Bounds(0.5, 5), 0.5),
    "flat": Law(_flat, _below_flat, Bounds(0, 100), 0.0),
}  # fmt: skip
