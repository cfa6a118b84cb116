"""The smallest budget for a wanted accuracy: of each method, in places, in values, and as odds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.studies.names import USUAL
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.answers import Curve, round_up
from dpviz.experiments.planning.closed_forms import epsilon_for_tail
from dpviz.experiments.privacy.odds import Odds
from dpviz.metrics.quantiles import reach

LEVEL = 1.08  # answers closer than this could be the other way round with other random numbers
SHARES = (0.5, 1.0, 2.0)  # of the answer, on the cards
DUST = 1e-9  # of rounding: a hundredth of 6,000 is 60, not a little less


@confidential("methods", "percent", "budget", "metric", "probability", "people", "is_declared")
@dataclass(frozen=True, slots=True, eq=False)
class NeedQuestion:
    """Errors of methods at each budget by mechanism, and the accuracy that is wanted of them.

    methods are looked at, in the catalogue's order; percent is the target, in per cent of the
    places; suspicion, in per cent too, is what an attacker holds for likely beforehand. people is
    how many there are, or are made up where nobody declared it; column, if there is one, tells what
    places are worth in values. is_about: curves were reckoned from others; is_under_way: smaller
    budgets are still to come; by_formula asks for what a formula says of one quantile, which can
    take seconds.
    """

    curves: Mapping[str, Curve]
    methods: tuple[str, ...]
    percent: float
    quantiles: QuantileSet
    budget: Budget
    neighbours: Neighbours
    people: int
    metric: str = LARGEST_GAP
    probability: float = USUAL
    suspicion: float = 10.0
    column: Column | None = None
    is_declared: bool = True
    is_about: bool = False
    is_under_way: bool = False
    by_formula: bool = False


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class MethodNeed:
    """One method: its errors, and the least budget that it needs, None where none is enough.

    Shapes: budgets, low, middle, high (k,), errors as shares of the people. is_first: the smallest
    budget that was computed is enough already. times is how many times the best method's budget it
    needs, None where one of the two has none; is_level: noise could explain the difference.
    """

    key: str
    budgets: FloatArray
    low: FloatArray
    middle: FloatArray
    high: FloatArray
    runs: int
    needed: float | None
    is_first: bool = False
    times: float | None = None
    is_level: bool = False


@confidential("alone", "writing")
@dataclass(frozen=True, slots=True)
class Reach:
    """How far values can lie from their quantiles within the target: at the worst, at the median.

    alone: one quantile is asked for; median is None where it is not among several.
    """

    worst: float
    median: float | None
    alone: bool
    writing: Writing


@confidential()
@dataclass(frozen=True, slots=True)
class Card:
    """A share of the answer: the budget, its error, and what the suspicion grows to at most.

    error is None below the budgets that were computed, belief in notions other than pure ε.
    """

    size: float
    error: float | None
    belief: float | None


@confidential("percent", "symbol", "probability", "is_largest", "quantiles")
@dataclass(frozen=True, slots=True, eq=False)
class NeedNumbers:
    """Methods, the thriftiest first, and what the target and the best one's answer mean.

    size is the answer rounded up, as it is said and taken along; product is ε times the people,
    where nobody declared how many; largest is the best method's largest budget, least the smallest
    one of any. places is the target in whole places. formula is the ε of one quantile on records
    evenly apart and on independent ones. cards are half the answer, the answer and twice.
    """

    methods: tuple[MethodNeed, ...]
    percent: float
    symbol: str
    probability: float
    is_largest: bool
    quantiles: int
    people: int
    places: int
    suspicion: float
    size: float | None
    product: float | None
    largest: float | None
    least: float | None
    runs: tuple[int, int]
    reach: Reach | None
    formula: tuple[float, float] | None
    cards: tuple[Card, ...]
    is_declared: bool
    is_about: bool

    @property
    def best(self) -> MethodNeed:
        """The method that needs the least."""
        return self.methods[0]

    @property
    def target(self) -> float:
        """What is wanted, as a share of the people."""
        return self.percent / 100


def answer(asked: NeedQuestion) -> NeedNumbers:
    """About methods that there are curves of, one at least."""
    methods = _ranked(asked)
    needed = methods[0].needed
    size = None if needed is None else round_up(needed)
    firsts = [float(one.budgets[0]) for one in methods if one.budgets.size]
    runs = [one.runs for one in methods]
    best = methods[0].budgets
    return NeedNumbers(
        methods=methods,
        percent=asked.percent,
        symbol=asked.budget.symbol,
        probability=asked.probability,
        is_largest=asked.metric == LARGEST_GAP,
        quantiles=asked.quantiles.count,
        people=asked.people,
        places=_places(asked, asked.people),
        suspicion=asked.suspicion,
        size=size,
        product=None if needed is None else round_up(needed * asked.people),
        largest=float(best[-1]) if best.size else None,
        least=min(firsts, default=None),
        runs=(min(runs), max(runs)),
        reach=_reach(asked),
        formula=_formula(asked),
        cards=() if size is None else _cards(asked, methods[0].key, size),
        is_declared=asked.is_declared,
        is_about=asked.is_about,
    )


def _ranked(asked: NeedQuestion) -> tuple[MethodNeed, ...]:
    """The thriftiest first; without an answer those that err least, in the catalogue's order."""
    found = [_need(key, asked) for key in asked.methods if key in asked.curves]
    found.sort(key=_order)
    if asked.is_under_way:  # no budget of those there is the smallest
        found = [replace(one, needed=None) if one.is_first else one for one in found]
    best = found[0]
    return tuple(_beside(one, best) for one in found)


def _need(key: str, asked: NeedQuestion) -> MethodNeed:
    curve = asked.curves[key]
    budgets = curve.budgets
    needed = curve.needed(asked.percent / 100) if budgets.size else None
    is_first = needed is not None and needed <= float(budgets[0])
    errors = curve.low, curve.middle, curve.sure
    return MethodNeed(key, budgets, *errors, curve.runs, needed, is_first)


def _order(one: MethodNeed) -> tuple[float, float]:
    least_error = float(one.high[-1]) if one.budgets.size else 1.0
    return math.inf if one.needed is None else one.needed, least_error


def _beside(one: MethodNeed, best: MethodNeed) -> MethodNeed:
    """The method with what it needs in terms of the best one's budget.

    Below the first budget nothing was computed: who is enough there is level with those alone that
    are, too.
    """
    if one.needed is None or best.needed is None:
        return one
    is_level = one.needed <= LEVEL * best.needed and one.is_first == best.is_first
    return replace(one, times=one.needed / best.needed, is_level=is_level)


def _places(asked: NeedQuestion, people: int) -> int:
    """The target in whole places of the ranking."""
    return math.floor(asked.percent / 100 * people + DUST)


def _reach(asked: NeedQuestion) -> Reach | None:
    """What the target is in the column's own unit; a mean over quantiles says nothing of one."""
    column, quantiles = asked.column, asked.quantiles.distinct
    if column is None or asked.metric != LARGEST_GAP:
        return None
    far = reach(column, quantiles, _places(asked, column.n))
    middle = np.flatnonzero(quantiles == 0.5)
    return Reach(
        worst=float(far.max()),
        median=float(far[middle[0]]) if middle.size else None,
        alone=far.size == 1,
        writing=Writing.of(column.bounds, column.resolution),
    )


def _formula(asked: NeedQuestion) -> tuple[float, float] | None:
    """The ε of one quantile by a formula, on the two columns that there is one for."""
    is_one = asked.quantiles.count == 1 and isinstance(asked.budget, PureDP)
    if not (asked.by_formula and is_one and asked.is_declared):
        return None
    ranks, missed = _places(asked, asked.people), 1 - asked.probability
    q, relation = float(asked.quantiles.distinct[0]), asked.neighbours
    even = epsilon_for_tail(ranks, missed, q, relation)
    return even, epsilon_for_tail(ranks, missed, q, relation, independent=True)


def _cards(asked: NeedQuestion, key: str, said: float) -> tuple[Card, ...]:
    """Shares of the answer as it is said; half of two digits has three."""
    sizes = [float(f"{share * said:.3g}") for share in SHARES]
    curve, is_pure = asked.curves[key], isinstance(asked.budget, PureDP)
    suspected = np.array(asked.suspicion / 100)
    return tuple(
        Card(
            size,
            curve.error_at(size),
            float(Odds(size).posterior(suspected)[1]) if is_pure else None,
        )
        for size in sizes
    )
