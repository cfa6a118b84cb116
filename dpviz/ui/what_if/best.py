"""Which method needs the least, and how it is said: one headline from the curves of all methods."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.answers import Curve, round_up
from dpviz.experiments.planning.closed_forms import epsilon_for_tail
from dpviz.figures.quantiles.answers import Writing
from dpviz.figures.studies.answered import Line
from dpviz.metrics.quantiles import reach
from dpviz.ui.bench.headline import plain, private, true
from dpviz.ui.what_if import words
from dpviz.ui.what_if.asked import Asked

LEVEL = 1.08  # answers closer than this could be the other way round with other random numbers


@dataclass(frozen=True, slots=True)
class Found:
    """One method: its curve, and the least budget that it needs, None where none is enough."""

    key: str
    curve: Curve
    needed: float | None

    @property
    def is_first(self) -> bool:
        """Whether the smallest budget that was computed is enough already."""
        return self.needed is not None and self.needed <= self.curve.budgets[0]


def ranked(curves: Mapping[str, Curve], target: float, methods: Sequence[str]) -> list[Found]:
    """All methods that there are curves of, the thriftiest first; in the catalogue's order if level."""
    found = [
        Found(key, curves[key], _needed(curves[key], target)) for key in methods if key in curves
    ]
    return sorted(found, key=_order)


def _needed(curve: Curve, target: float) -> float | None:
    return curve.needed(target) if curve.budgets.size else None


def _order(one: Found) -> tuple[float, float]:
    least_error = float(one.curve.sure[-1]) if one.curve.budgets.size else 1.0
    return (one.needed if one.needed is not None else float("inf")), least_error


def lines(found: Sequence[Found], symbol: str, without: str = "not reached") -> tuple[Line, ...]:
    """What the picture draws of them; without is said of those that have no answer."""
    return tuple(
        Line(
            one.key,
            words.method(one.key).name,
            one.curve.budgets,
            one.curve.low,
            one.curve.middle,
            one.curve.sure,
            one.needed,
            without if one.needed is None else words.size_words(one.needed, symbol),
        )
        for one in found
    )


def sentence(
    found: Sequence[Found],
    asked: Asked,
    percent: float,
    *,
    is_about: bool = False,
    short: bool = False,
) -> str:
    """The headline: what is needed, for what, and how; short is for large letters.

    is_about is for curves that were reckoned from those of other numbers of people.
    """
    best, symbol, basis = found[0], asked.budget.symbol, asked.basis
    what, near = asked.words(), f"within {words.target_words(percent)}"
    if best.needed is not None and not basis.is_declared:
        product = private(f"{symbol} = {round_up(best.needed * basis.n):,.0f} / people")
        take = "takes" if asked.quantiles.count == 1 else "take"
        return f"{plain(what[0].upper() + what[1:])} {plain(near)} {take} about {product}."
    if basis.is_stand_in:
        near += f", if there are about {basis.n:,}"
    if best.needed is None:
        largest = f"{symbol} up to {best.curve.budgets[-1]:g}"
        return f"No {plain(largest)} publishes {plain(what)} {plain(near)}."
    size = private(words.size_words(best.needed, symbol))
    size = f"about {size}" if is_about else size
    way = plain(words.method(best.key).way)
    if best.is_first:
        return f"{size} is already enough to publish {plain(what)}, {way}, {plain(near)}."
    aim = "for" if short or basis.is_stand_in else "to publish"
    return f"You need {size} {aim} {plain(what)}, {way}, {plain(near)}."


def odds_line(best: Found, asked: Asked, suspicion: float) -> str:
    """What the cards say of the answer, for a room: how far off, and the odds."""
    if best.needed is None or asked.budget.symbol != "ε":
        return ""
    grown = words.suspicion_words(suspicion, answer_of(best))
    often = words.often_words(asked.probability)
    return (
        f"{plain(often[0].upper() + often[1:])} releases are that close. A suspicion of "
        f"{plain(f'{suspicion:g} %')} that one {plain(asked.basis.words.people.one)} is in the data "
        f"grows to at most {true(grown)}."
    )


def second_line(
    found: Sequence[Found], asked: Asked, percent: float, *, others: bool = True
) -> str:
    """How often, in ranks, of how many people; with others, what the next method needs."""
    basis, people = asked.basis, asked.basis.words.people
    if not basis.is_declared:
        return plain(
            f"Say about how many {people.many} there are, from public knowledge: more of them "
            f"need less. The picture is for {basis.n:,} made-up ones. {basis.why}"
        )
    often = words.often_words(asked.probability)
    at = "" if asked.quantiles.count == 1 else ", at every one"
    if asked.metric != LARGEST_GAP:
        at = " on average"
    told = (
        f"{often[0].upper()}{often[1:]} releases are then off by at most {places(asked, percent):,} "
        f"of {people.counted(basis.n)}{at}{in_values(asked, percent)}."
    )
    if basis.why:
        return plain(f"{told} {basis.why}")
    return plain(f"{told}{_next(found, asked.budget.symbol) if others else ''}")


def places(asked: Asked, percent: float) -> int:
    """How many places of the ranking a target is."""
    return math.floor(percent / 100 * asked.basis.n + 1e-9)


def in_values(asked: Asked, percent: float) -> str:
    """What a target is in the column's own unit: at the median, and at the worst quantile.

    Nothing for a mean over the quantiles, which leaves open how far one of them is off.
    """
    if asked.metric != LARGEST_GAP:
        return ""
    basis = asked.basis
    column = basis.values()
    far = reach(column, asked.quantiles.distinct, math.floor(percent / 100 * column.n + 1e-9))
    writing, unit = Writing.of(column.bounds, column.resolution), basis.words.unit
    worst = unit.after(writing.value(float(far.max())))
    if far.size == 1:
        return f", or {worst}"
    middle = np.flatnonzero(asked.quantiles.distinct == 0.5)
    if not middle.size:
        return f", up to {worst}"
    median = unit.after(writing.value(float(far[middle[0]])))
    return f": the median by {median}, none by more than {worst}"


def _next(found: Sequence[Found], symbol: str) -> str:
    """What the best of the other methods needs; nothing where only one was looked at."""
    best, others = found[0], found[1:]
    if best.needed is None or not others:
        return ""
    second = others[0]
    name = words.method(second.key).name
    name = name[0].upper() + name[1:]
    if second.needed is None:
        return f" {name} does not get there."
    if second.needed <= LEVEL * best.needed:
        return f" {name} is level with it."
    return f" {name} would need {words.size_words(second.needed, symbol)}."


def formula(asked: Asked, percent: float) -> str:
    """The ε of one quantile by a formula, on the two columns that there is one for; "" without."""
    is_one = asked.quantiles.count == 1 and isinstance(asked.budget, PureDP)
    if not (is_one and asked.basis.is_declared):
        return ""
    q, ranks = float(asked.quantiles.distinct[0]), places(asked, percent)
    even, apart = (
        epsilon_for_tail(ranks, 1 - asked.probability, q, asked.neighbours, independent=one)
        for one in (False, True)
    )
    if f"{even:.2g}" == f"{apart:.2g}":
        return f"ε = {even:.2g} without ties"
    return f"ε = {even:.2g} without ties, evenly apart; {apart:.2g} by chance"


def answer_of(best: Found) -> float:
    """The answer as it is said: rounded up."""
    return round_up(best.needed or 0.0)


def cards(best: Found, asked: Asked, suspicion: float) -> list[tuple[str, str]]:
    """Half the budget, the answer, twice the budget: a head and a text each, as Markdown."""
    if best.needed is None:
        return []
    symbol, answer = asked.budget.symbol, answer_of(best)
    named = ((0.5, "Half the budget"), (1.0, "Your answer"), (2.0, "Twice the budget"))
    return [
        (
            f"{name}: {symbol} = {round_up(share * answer):g}",
            _card(best, asked, share * answer, suspicion),
        )
        for share, name in named
    ]


def _card(best: Found, asked: Asked, size: float, suspicion: float) -> str:
    error = best.curve.error_at(size)
    off = "More than the picture shows."
    if error is not None:
        off = f"Off by at most {true(words.share_words(error))}."
    if asked.budget.symbol != "ε":
        return off
    grown = words.suspicion_words(suspicion, size)
    return (
        f"{off} A suspicion of {plain(f'{suspicion:g} %')} that one "
        f"{plain(asked.basis.words.people.one)} is in the data grows by their record to at most {true(grown)}."
    )
