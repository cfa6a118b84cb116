"""A release of quantiles beside the truth as plain arrays, and how its numbers are written."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential

MANY = 19  # from more quantiles on, rows become a ribbon, and five of them have labels
SIGNPOSTS = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
CROWDED = 0.04  # rows nearer than this share of the height cannot all have labels
MOST = 6  # decimals
FEW_DOUBLES = 64  # an axis that is no longer has hardly a place between its ends
SURE = 0.95  # share of the draws that a band holds: 19 of 20, as every interval here


@confidential("quantiles")
@dataclass(frozen=True, eq=False)
class Answers:
    """One release; beside it, while the truth is on, true quantiles and further draws.

    Shapes: quantiles (k,) ascending and distinct, published (k,), truth (k,), draws (r, k).
    truth and draws are confidential. mixed_of names the two budgets that the
    draws were read between, where they were.
    """

    quantiles: FloatArray
    published: FloatArray
    truth: FloatArray | None = None
    draws: FloatArray | None = None
    mixed_of: str = ""

    @property
    def errors(self) -> FloatArray:
        """Private minus true, (k,)."""
        assert self.truth is not None
        return self.published - self.truth

    @property
    def other_errors(self) -> FloatArray:
        """Those of the further draws, (r, k); none without draws."""
        assert self.truth is not None
        if self.draws is None:
            return np.empty((0, self.quantiles.size))
        return self.draws - self.truth

    @cached_property
    def band(self) -> tuple[FloatArray, FloatArray]:
        """Between which values the middle 19 of 20 draws lie; no width without draws."""
        if self.draws is None or not self.draws.size:
            return self.published, self.published
        low, high = np.quantile(self.draws, [(1 - SURE) / 2, (1 + SURE) / 2], axis=0)
        return low, high

    @property
    def are_many(self) -> bool:
        """Whether rows run together into a ribbon."""
        return self.quantiles.size > MANY

    @property
    def middle(self) -> int:
        """The row nearest to the median."""
        return int(np.abs(self.quantiles - 0.5).argmin())

    @cached_property
    def labelled(self) -> IntArray:
        """Rows that have room for a label, ascending; the row nearest to the median is one."""
        wanted = self.quantiles
        if self.are_many:
            apart = np.abs(self.quantiles - SIGNPOSTS[:, None])
            return _spaced(self.quantiles, np.unique(apart.argmin(axis=1)), self.middle)
        return _spaced(wanted, np.arange(wanted.size), self.middle)

    @property
    def spacing(self) -> float:
        """How far rows typically lie apart, as a share of the height."""
        edges = np.concatenate(([0.0], self.quantiles, [1.0]))
        return float(np.clip(np.median(np.diff(edges)), 0.03, 0.16))


def _spaced(quantiles: FloatArray, rows: IntArray, middle: int) -> IntArray:
    """Of these rows, those that keep their distance, chosen from the middle outwards."""
    kept = [middle]
    for row in sorted(rows.tolist(), key=lambda row: abs(quantiles[row] - quantiles[middle])):
        if np.abs(quantiles[kept] - quantiles[row]).min() > CROWDED:
            kept.append(row)
    return np.array(sorted(kept), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Writing:
    """How values of a column are written: to its declared resolution, errors one digit finer."""

    places: int
    error_places: int

    @classmethod
    def of(cls, bounds: Bounds, resolution: float, span: float = 0.0) -> "Writing":
        """Without a resolution, a thousandth of the span in view decides, or of the bounds."""
        if resolution > 0:
            digits = _decimals(resolution)
            return cls(digits, max(digits, math.floor(-math.log10(resolution) + 1e-9) + 1))
        coarse = math.ceil(-math.log10((span or bounds.width) / 300))
        return cls(min(max(coarse, 0), MOST), min(max(coarse, 0), MOST))

    def value(self, number: float) -> str:
        """A value: "58", "1,200", "−3.5"."""
        return _text(number, self.places)

    def error(self, number: float) -> str:
        """How far off, without a sign."""
        return _text(abs(number), self.error_places)

    def signed(self, number: float) -> str:
        """A place on an axis of errors: "+2.5", "−5"."""
        text = f"{abs(number):,.10g}"
        return f"{'−' if number < 0 else '+'}{text}"


def _decimals(step: float) -> int:
    """Decimals that a grid of this step is written with."""
    whole = (digits for digits in range(MOST) if abs(round(step, digits) - step) <= 1e-9 * step)
    return next(whole, MOST)


def _text(number: float, places: int) -> str:
    text = f"{number:,.{places}f}"
    if not text.strip("-0.,"):
        return text.removeprefix("-")
    return text.replace("-", "−")


def percent_of(quantile: float) -> str:
    """A quantile as its row is called: "10 %", "99.9 %"."""
    return f"{100 * quantile:.4g} %"


def percents_of(quantiles: Sequence[float]) -> tuple[str, ...]:
    """Distinct quantiles as their rows are called, in as many digits as tell them apart."""
    for digits in (4, 8, 12):
        found = tuple(f"{100 * one:.{digits}g} %" for one in quantiles)
        if len(set(found)) == len(found):
            return found
    return tuple(map(str, quantiles))


def nice_range(size: float) -> float:
    """The next of … 1, 2, 5, 10, 20, 30, 50, 100 … from a positive size on."""
    if not 0 < size < math.inf:
        return 1.0
    decade = 10.0 ** math.floor(math.log10(size))
    steps = (1, 2, 3, 5, 10) if decade >= 10 else (1, 2, 5, 10)
    found = (step * decade for step in steps if step * decade >= size * (1 - 1e-9))
    return next(found, size)  # of the last few numbers above 0 a decade is none


def view_of(published: FloatArray, bounds: Bounds) -> tuple[float, float]:
    """What the axis of values shows, from public numbers: the bounds, or a stretch of them.

    Ends lie on a coarse grid, so that most draws show the same view; where that is no finer than
    doubles are, all of the bounds is shown.
    """
    low, high = float(published.min()), float(published.max())
    span = max(high - low, bounds.width * 1e-3)
    if span > 0.3 * bounds.width:
        return bounds.low, bounds.high
    step = nice_range(span / 2)
    start = math.floor((low - 0.3 * span) / step) * step
    end = math.ceil((high + 0.3 * span) / step) * step
    start, end = max(bounds.low, start), min(bounds.high, end)
    fine = end - start > FEW_DOUBLES * math.ulp(max(abs(start), abs(end)))
    return (start, end) if fine and start <= low <= high <= end else (bounds.low, bounds.high)


def ticks_of(low: float, high: float, most: int = 6) -> FloatArray:
    """Round places on an axis, at most about so many."""
    step = nice_range((high - low) / most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return np.asarray(np.arange(first, last + 1) * step) if first <= last else np.array([low])
