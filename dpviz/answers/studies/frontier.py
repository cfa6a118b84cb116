"""The frontier: what each method needs for an accuracy, the least errors, and who leads where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpviz.answers.studies.names import USUAL
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.experiments.planning.answers import LEAST_SHARE, Curve, round_up

LEVEL = 1.08  # answers closer than this could be the other way round with other random numbers
POINTS = 400  # at which curves are compared


@confidential("methods", "percent", "symbol", "probability")
@dataclass(frozen=True, slots=True, eq=False)
class FrontierQuestion:
    """Errors of methods at each budget by mechanism, and the accuracy that is wanted of them.

    methods are looked at, in the catalogue's order; percent is the target, in per cent of the
    places. said is what methods need where a sentence has said it: no other budget is named then.
    is_about: curves were reckoned from others; is_under_way: smaller budgets are still to come.
    """

    curves: Mapping[str, Curve]
    methods: tuple[str, ...]
    percent: float
    symbol: str
    probability: float = USUAL
    said: Mapping[str, float | None] = field(default_factory=dict)
    is_about: bool = False
    is_under_way: bool = False


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class MethodNeed:
    """One method: its errors, and the least budget that it needs, None where none is enough.

    Shapes: budgets, errors (k,), as shares of the people. is_first: the smallest budget that was
    computed is enough already. times is how many times the best method's budget it needs, None
    where one of the two has none; is_level: noise could explain the difference.
    """

    key: str
    budgets: FloatArray
    errors: FloatArray
    needed: float | None
    is_first: bool = False
    times: float | None = None
    is_level: bool = False


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One stretch of the frontier: who leads there, and the least errors (k,) at budgets (k,)."""

    key: str
    budgets: FloatArray
    errors: FloatArray


@confidential("percent", "symbol", "probability")
@dataclass(frozen=True, slots=True, eq=False)
class FrontierNumbers:
    """Methods, the thriftiest first, and the pieces of the frontier from the least budget on.

    size is the best method's need rounded up, None where no budget is enough; least is the smallest
    budget of any method.
    """

    methods: tuple[MethodNeed, ...]
    percent: float
    symbol: str
    probability: float
    size: float | None
    least: float | None
    pieces: tuple[Piece, ...]
    is_about: bool

    @property
    def best(self) -> MethodNeed:
        """The method that needs the least."""
        return self.methods[0]

    @property
    def target(self) -> float:
        """What is wanted, as a share of the people."""
        return self.percent / 100


def answer(asked: FrontierQuestion) -> FrontierNumbers:
    """About methods that there are curves of, one at least."""
    methods = _ranked(asked)
    needed = methods[0].needed
    firsts = [float(one.budgets[0]) for one in methods if one.budgets.size]
    return FrontierNumbers(
        methods=methods,
        percent=asked.percent,
        symbol=asked.symbol,
        probability=asked.probability,
        size=None if needed is None else round_up(needed),
        least=min(firsts, default=None),
        pieces=pieces_of(methods),
        is_about=asked.is_about,
    )


def _ranked(asked: FrontierQuestion) -> tuple[MethodNeed, ...]:
    """The thriftiest first; without an answer those that err least, in the catalogue's order."""
    found = [_need(key, asked) for key in asked.methods if key in asked.curves]
    found.sort(key=_order)
    if asked.is_under_way:  # no budget of those there is the smallest
        found = [replace(one, needed=None) if one.is_first else one for one in found]
    best = found[0]
    return tuple(_beside(one, best) for one in found)


def _need(key: str, asked: FrontierQuestion) -> MethodNeed:
    curve = asked.curves[key]
    budgets = curve.budgets
    measured = curve.needed(asked.percent / 100) if budgets.size else None
    needed = asked.said.get(key, measured)
    is_first = needed is not None and needed <= float(budgets[0])
    return MethodNeed(key, budgets, curve.sure, needed, is_first)


def _order(one: MethodNeed) -> tuple[float, float]:
    least_error = float(one.errors[-1]) if one.budgets.size else 1.0
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


def pieces_of(methods: Sequence[MethodNeed | Piece]) -> tuple[Piece, ...]:
    """The pieces from the smallest budget on that all were computed at; () for no errors.

    Not the convex hull: a public coin between two budgets spends the larger one.
    """
    known = [one for one in methods if one.budgets.size]
    if not known:
        return ()
    first = max(float(one.budgets[0]) for one in known)
    last = min(float(one.budgets[-1]) for one in known)
    budgets = np.geomspace(first, last, POINTS)
    errors = np.array([_log_errors(one, budgets) for one in known])
    leads = _leaders(errors)
    starts = np.flatnonzero(np.diff(leads, prepend=-1))
    pieces = []
    for start, stop in zip(starts, [*starts[1:], POINTS], strict=True):
        leader, part = leads[start], slice(start, min(stop + 1, POINTS))
        pieces.append(Piece(known[leader].key, budgets[part], np.exp(errors[leader, part])))
    return tuple(pieces)


def _log_errors(one: MethodNeed | Piece, budgets: FloatArray) -> FloatArray:
    """Between two budgets errors move on a line on log scales."""
    logs = np.log(np.maximum(one.errors, LEAST_SHARE))
    return np.interp(np.log(budgets), np.log(one.budgets), logs)


def _leaders(errors: FloatArray) -> list[int]:
    """Who leads at each budget: from the largest on, until another is clearly better.

    Where nobody errs nobody leads: who led last stays.
    """
    best = errors.argmin(axis=0)
    telling = np.flatnonzero(errors.min(axis=0) > np.log(LEAST_SHARE * LEVEL))
    leads = [int(best[telling[-1] if telling.size else -1])]
    for at in range(errors.shape[1] - 2, -1, -1):  # a few hundred places of a picture
        kept = leads[-1]
        level = errors[kept, at] <= errors[best[at], at] + np.log(LEVEL)
        leads.append(kept if level else int(best[at]))
    return leads[::-1]
