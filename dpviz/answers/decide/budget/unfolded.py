"""The frontier over the rail: how far off each method is at every budget, in the need's own unit.

The answer's point is the sentence's own budget and need, and no number here is looked up elsewhere.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.answers.decide.budget.rail import RailNumbers, ticks
from dpviz.answers.decide.needs import NeedNames, often_words, unit_word
from dpviz.answers.decide.price import MOST, Form, Price
from dpviz.answers.decide.price_said import amount_text, line_name
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential

PLACES = 40  # budgets at which a line is worked out
ABOVE, BELOW = 60.0, 30.0  # times the need that the axis reaches at most


@confidential("key", "sizes", "offs")
@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One method: sizes (k,) ascending, and what it is off by at most at each, (k,)."""

    key: str
    sizes: FloatArray
    offs: FloatArray


@confidential("need", "size", "lines", "low", "high", "ticks")
@dataclass(frozen=True, slots=True, eq=False)
class UnfoldedNumbers:
    """Lines of the methods, the answering one first, and the axis of errors from low to high.

    need is the amount of the sentence, size its budget; None where no budget keeps it.
    """

    need: float
    size: float | None
    lines: tuple[Line, ...]
    low: float
    high: float
    ticks: tuple[float, ...]

    def share(self, off: float) -> float:
        """Where an error stands on the axis, from 0 to 1."""
        found = math.log(max(off, self.low) / self.low) / math.log(self.high / self.low)
        return min(found, 1.0)


def answer(form: Form, found: Price, rail: RailNumbers) -> UnfoldedNumbers | None:
    """The lines over the axis of a rail; None where the need is no amount, as "exactly right"."""
    need = found.need
    if not (need.amount > 0 and math.isfinite(need.amount)):
        return None
    sizes = _sizes(rail.low, min(rail.high, MOST), found.size)
    lines = []
    for way in found.ways:
        offs = np.array([form.off(way.key, float(one), need) for one in sizes])
        known = np.isfinite(offs)
        if known.any():
            lines.append(Line(way.key, sizes[known], offs[known]))
    low, high = _ends(need.amount, lines)
    heads = (1, 2, 5) if high / low <= 1e3 else (1,)
    return UnfoldedNumbers(
        need.amount, found.size, tuple(lines), low, high, ticks(low, high, heads)
    )


def _sizes(low: float, high: float, size: float | None) -> FloatArray:
    """Places on the axis, with the answer among them."""
    spaced = np.geomspace(low, high, PLACES)
    return spaced if size is None else np.union1d(spaced, [size])


def _ends(need: float, lines: list[Line]) -> tuple[float, float]:
    """The need and what is seen of the lines, so that the need never stands at an end."""
    offs = np.concatenate([[need], *(one.offs[one.offs > 0] for one in lines)])
    low = max(float(offs.min()), need / BELOW)
    high = min(float(offs.max()), need * ABOVE)
    return min(low, need / 2) / 1.2, max(high, need * 2) * 1.2


@dataclass(frozen=True, slots=True)
class UnfoldedSaid:
    """What the errors are, what the need is called, methods by key, and all of it in words."""

    title: str
    need: str
    names: dict[str, str]
    alt: str


def say(
    found: UnfoldedNumbers, price: Price, symbol: str, names: NeedNames, words: Callable[[str], str]
) -> UnfoldedSaid:
    """The words of the picture, plain."""
    unit = unit_word(price.need.unit, names, found.need)
    need = f"{line_name(price, symbol)}: {amount_text(float(f'{found.need:.3g}'))} {unit}"
    of = unit_word(price.need.unit, names)
    title = f"Off by at most ({of}), {often_words(price.need.sure)}"
    called = {one.key: words(one.key) for one in found.lines}
    alt = f"{title}, at each {symbol}: {', '.join(called.values())}. {need}"
    if found.size is not None:
        alt += f", kept by {words(price.chosen.key)} at {symbol} = {found.size:g}"
    return UnfoldedSaid(title, need, called, f"{alt}.")


def unit_text(off: float) -> str:
    """A place on the axis of errors."""
    return f"{off:,.10g}"
