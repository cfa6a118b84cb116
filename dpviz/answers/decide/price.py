"""What a need costs: the least budget of each method that keeps it, and the thriftiest of them.

A form of the sentence answers how far off a method is at a size of the budget; all else is here.
Sizes are ε, or ρ, in the notion of a question's budget.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from dpviz.core.budgets import Budget

LEAST, MOST = 1e-4, 10.0  # sizes of budgets that a sentence may answer
LEVEL = 1.08  # methods this close could be the other way round: then the simplest is taken
DIGITS = 2  # of an answer: rounded up, so that it keeps its promise


@dataclass(frozen=True, slots=True)
class Need:
    """How far off a release may be, and how often it must not be farther.

    amount is in unit: "value" (per cent of the value), "unit" (the column's own), "share" (per cent
    of the people), "people" or "places" (in the ranking).
    """

    amount: float
    unit: str
    sure: float = 0.95


class Form(Protocol):
    """One thing that can be published: what the methods for it are, and how far off they are."""

    @property
    def budget(self) -> Budget:
        """Of the notion that is asked in; its size does not matter."""

    @property
    def ways(self) -> tuple[str, ...]:
        """Keys of the methods that take the notion, the simplest first."""

    def off(self, way: str, size: float, need: Need) -> float:
        """What a release is off by at most, in need.sure of all releases, in the need's unit.

        It never grows with size. Infinite where the method cannot answer at this size.
        """


@dataclass(frozen=True, slots=True)
class Way:
    """A method, and the least size of a budget that keeps the need; None without one up to MOST."""

    key: str
    size: float | None


@dataclass(frozen=True, slots=True)
class Price:
    """The answer of a sentence.

    ways: the chosen one first, then by what they need. size is what the button spends, of two
    digits; None where no size up to MOST keeps the need. off is what the chosen method promises at
    this size, in the need's unit. level are methods within 8 % of the chosen one. is_about: it was
    not checked yet. is_given: the size was typed, and the need computed.
    """

    ways: tuple[Way, ...]
    need: Need
    size: float | None
    off: float | None
    is_about: bool = False
    is_given: bool = False

    @property
    def chosen(self) -> Way:
        """The method that answers."""
        return self.ways[0]

    @property
    def level(self) -> tuple[Way, ...]:
        """Others that need about as much."""
        return tuple(one for one in self.ways[1:] if _is_level(one, self.ways[0]))

    @property
    def runner_up(self) -> Way | None:
        """The next one that needs clearly more."""
        rest = (one for one in self.ways[1:] if one.size and not _is_level(one, self.ways[0]))
        return next(rest, None)


def price(form: Form, need: Need) -> Price:
    """The least budget that keeps a need: by the thriftiest method, the simplest of those level."""
    ways = ordered([Way(one, _least(form, one, need)) for one in form.ways])
    size = ways[0].size
    off = None if size is None else form.off(ways[0].key, size, need)
    return Price(ways, need, size, off)


def bought(form: Form, size: float, need: Need) -> Price:
    """What a size of the budget buys: the need's amount is computed, by the method least off."""
    offs = {one: form.off(one, size, need) for one in form.ways}
    least = min(offs.values())
    first = next(one for one in form.ways if offs[one] <= LEVEL * least)
    found = replace(need, amount=offs[first])
    rest = [Way(one, _least(form, one, found)) for one in form.ways if one != first]
    others = sorted(rest, key=lambda one: one.size or math.inf)
    return Price((Way(first, size), *others), found, size, found.amount, is_given=True)


def _least(form: Form, way: str, need: Need) -> float | None:
    return needed(lambda size: form.off(way, size, need), need.amount)


def needed(off: Callable[[float], float], amount: float) -> float | None:
    """The least size of two digits, from LEAST to MOST, at which off(size) <= amount."""
    if not off(MOST) <= amount:
        return None
    sizes = two_digits()
    low, high = -1, len(sizes) - 1  # off holds at high, not at low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if off(sizes[middle]) <= amount else (middle, high)
    return sizes[high]


@cache
def two_digits() -> tuple[float, ...]:
    """All sizes that an answer may be: 0.0001, 0.00011 … 9.9, 10."""
    first, last = (round(math.log10(one)) for one in (LEAST, MOST))
    heads = range(10 ** (DIGITS - 1), 10**DIGITS)
    found = [
        float(f"{head}e{power - DIGITS + 1}") for power in range(first, last) for head in heads
    ]
    return (*found, MOST)


def ordered(ways: list[Way]) -> tuple[Way, ...]:
    """The chosen one first: the simplest of those level with the thriftiest; then by size."""
    sizes = [one.size for one in ways if one.size is not None]
    if not sizes:
        return tuple(ways)
    best = Way("", min(sizes))
    first = next(one for one in ways if _is_level(one, best))
    rest = sorted((one for one in ways if one is not first), key=lambda one: one.size or math.inf)
    return (first, *rest)


def _is_level(one: Way, best: Way) -> bool:
    return one.size is not None and best.size is not None and one.size <= LEVEL * best.size
