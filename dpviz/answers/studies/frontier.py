"""The frontier: the least error that any method has at each budget, and who leads where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.answers.studies.needed import LEVEL, NeedNumbers
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.experiments.planning.answers import LEAST_SHARE

POINTS = 400  # at which curves are compared


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """One method: errors (k,) at budgets (k,), ascending, none where nothing was computed."""

    key: str
    budgets: FloatArray
    errors: FloatArray


@confidential("need")
@dataclass(frozen=True, slots=True, eq=False)
class FrontierNumbers:
    """What is needed of each method, and the pieces of the frontier from the least budget on.

    A piece is one stretch: who leads there, and the least errors.
    """

    need: NeedNumbers
    pieces: tuple[Errors, ...]


def answer(need: NeedNumbers) -> FrontierNumbers:
    """From the errors that most releases stay under."""
    return FrontierNumbers(
        need, pieces_of([Errors(one.key, one.budgets, one.high) for one in need.methods])
    )


def pieces_of(methods: Sequence[Errors]) -> tuple[Errors, ...]:
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
        pieces.append(Errors(known[leader].key, budgets[part], np.exp(errors[leader, part])))
    return tuple(pieces)


def _log_errors(one: Errors, budgets: FloatArray) -> FloatArray:
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
