"""The rail of ε: where the answer stands between much noise and little, and what others chose."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dpviz.answers.decide.price import MOST, Price
from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.answers.privacy.deployments import CHOSEN, DEPLOYMENTS, NAMED, NO_RANKING, Deployment
from dpviz.core.budgets import ZCDP, Budget

EPSILONS, RHOS = (0.01, 30.0), (1e-4, 10.0)  # ends of the axis, unless the answer lies outside
FINE, LONG = 3.6, 4.0  # decades that still have room for 1, 2, 5; for every power of ten
GRAINS = 2_000
BASE = 0.07  # of the mound's height: noise is never nothing
DENSER = 1.45  # the power that moves grains to where the mound is high
WORD = 2**32

State = Literal["least", "budget", "spent", "impossible", "missing"]


@dataclass(frozen=True, slots=True)
class RailNumbers:
    """An axis of budgets from low to high, in logs. Nothing here is data.

    size is the answer, None where there is none; spread are the answers for two other shapes of
    the column, ascending. few are the ticks that a narrow axis has room for. others are in ε, and
    stand on no axis of ρ; further are those of them that have no name there.
    """

    symbol: str
    low: float
    high: float
    ticks: tuple[float, ...]
    few: tuple[float, ...]
    size: float | None
    spread: tuple[float, float] | None
    state: State
    is_about: bool
    most: float
    others: tuple[Deployment, ...]
    further: tuple[Deployment, ...]

    def share(self, size: float) -> float:
        """Where a budget stands on the axis, from 0 to 1."""
        share = math.log(size / self.low) / math.log(self.high / self.low)
        return min(max(share, 0.0), 1.0)


def answer(
    found: Price | None,
    budget: Budget,
    spread: tuple[float, float] | None = None,
    *,
    is_spent: bool = False,
) -> RailNumbers:
    """The rail of a sentence: budget names the notion; found is None while a word is missing."""
    size = None if found is None else found.size
    in_rho = isinstance(budget, ZCDP)
    low, high = _ends(RHOS if in_rho else EPSILONS, size)
    decades = math.log10(high / low)
    known = None if spread is None else (min(spread), max(spread))
    return RailNumbers(
        symbol=budget.symbol,
        low=low,
        high=high,
        ticks=ticks(low, high, (1, 2, 5) if decades <= FINE else (1,)),
        few=ticks(low, high, (1,))[:: 1 if decades <= LONG else 2],
        size=size,
        spread=known if size is not None and not is_spent else None,
        state=_state(found, is_spent=is_spent),
        is_about=found is not None and found.is_about and not is_spent,
        most=MOST,
        others=() if in_rho else NAMED,
        further=() if in_rho else tuple(one for one in DEPLOYMENTS if not one.on_rail),
    )


def _state(found: Price | None, *, is_spent: bool) -> State:
    if found is None:
        return "missing"
    if found.size is None:
        return "missing" if found.is_about else "impossible"
    if is_spent:
        return "spent"
    return "budget" if found.is_given else "least"


def _ends(ends: tuple[float, float], size: float | None) -> tuple[float, float]:
    """The ends of the axis, moved to the next power of ten where the answer lies outside."""
    low, high = ends
    if size is not None and size < low:
        low = 10.0 ** math.floor(math.log10(size) + 1e-9)
    if size is not None and size > high:
        high = 10.0 ** math.ceil(math.log10(size) - 1e-9)
    return low, high


def ticks(low: float, high: float, heads: tuple[int, ...]) -> tuple[float, ...]:
    """Round places on the axis: heads times powers of ten."""
    powers = range(math.floor(math.log10(low) - 1e-9), math.ceil(math.log10(high)) + 1)
    found = (float(f"{head}e{power}") for power in powers for head in heads)
    return tuple(one for one in found if low * (1 - 1e-9) <= one <= high * (1 + 1e-9))


@dataclass(frozen=True, slots=True)
class Mound:
    """The noise lying on the axis: grains (share of the axis, share of the height), in two inks.

    bare are grains of people as they are, private those that noise has changed.
    """

    bare: tuple[tuple[float, float], ...]
    private: tuple[tuple[float, float], ...]


@lru_cache(maxsize=8)
def mound(low: float, high: float, grains: int = GRAINS) -> Mound:
    """Grains below ε^−½, scattered in the same way on every machine; a constant of the axis."""
    bare: list[tuple[float, float]] = []
    private: list[tuple[float, float]] = []
    for number in range(grains):
        at = ((number + scatter(number, 1)) / grains) ** DENSER
        top = height(at, low, high)
        grain = (at, BASE * scatter(number, 4) + (1 - BASE) * top * scatter(number, 2) ** 1.4)
        (private if scatter(number, 3) < 0.12 + 0.88 * at**0.8 else bare).append(grain)
    return Mound(tuple(bare), tuple(private))


def height(at: float, low: float, high: float) -> float:
    """How high noise lies at a share of the axis: as ε^−½, and 1 at the low end."""
    return float((high / low) ** (-at / 2))


def scatter(number: int, salt: int) -> float:
    """A number in [0, 1) that looks random, and is the same everywhere."""
    mixed = ((number + 1) * 0x9E3779B1 ^ (salt + 1) * 0x85EBCA6B) % WORD
    mixed = (mixed ^ mixed >> 15) * (mixed | 1) % WORD
    mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61) % WORD
    return ((mixed ^ mixed >> 14) % WORD) / WORD


@dataclass(frozen=True, slots=True)
class RailSaid:
    """The words of the rail, plain: the answer, its note, those of others, all of it in words."""

    answer: str
    note: str
    others: tuple[tuple[str, str], ...]
    title: tuple[str, str]
    alt: str


def say(found: RailNumbers, what: str = "the column", note: str = "") -> RailSaid:
    """The words; what is spread more or less evenly ("pay"), and note takes the place of ours."""
    size = "" if found.size is None else f"{found.symbol} = {epsilon_text(found.size)}"
    said = f"about {size}" if found.is_about and size else size
    note = note or _note(found, what)
    others = tuple((one.text, one.protects) for one in found.others)
    ends = f"{found.symbol} from {found.low:g} to {found.high:g}"
    alt = f"An axis of {ends}, with less noise to the right."
    alt += f" The answer: {said}, {note}." if said else f" {note}" if note else " No answer yet."
    if others:
        listed = "; ".join(f"{name}, {protects}" for name, protects in others)
        alt += f" {CHOSEN.rstrip(',')}, {NO_RANKING}: {listed}."
    return RailSaid(said, note, others, (CHOSEN, NO_RANKING), alt)


def _note(found: RailNumbers, what: str) -> str:
    if found.state == "missing":
        return ""
    if found.state == "impossible":
        return f"No {found.symbol} up to {found.most:g} does that."
    if found.state == "spent":
        return "spent, for good"
    if found.spread is not None:
        equal, less = (epsilon_text(one) for one in found.spread)
        return f"{equal} if {what} is more equal than that, {less} if it is less"
    if found.state == "budget":
        return "your budget"
    return "the least that keeps the promise of the sentence"
