"""Which method to start with: one recommendation, computed from what is stored beforehand.

Methods are compared on stand-ins, by the largest error in ranks that 19 of 20 releases stay under.
Only methods that hold exactly in the program are recommended: what they draw can be released.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz import catalogue
from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import FINE, key_of

SIMPLEST = "ApproximateQuantiles"
LEVEL = 1.08  # a method that is better by less is level: then the simplest is recommended
FEW, SOME = 12, 400  # distinct values that a column can have, up to which it is like these
NEAR = 5.0  # places of a stored map that count: budgets and people up to this factor apart


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A method, the one that comes next, and how many times its error; 1 where they are level."""

    method: str
    next_one: str
    times: float

    @property
    def is_level(self) -> bool:
        """Whether the next one is as good."""
        return self.times <= LEVEL


def recommended(
    count: int, people: float | None, budget: Budget, steps: float | None
) -> Recommendation:
    """The method to start with for so many quantiles of about so many people.

    steps is how many distinct values the declared bounds and resolution allow, None for any number;
    people is a public number, None for one that nobody has said. Nothing of it is data.
    """
    n = FINE if people is None else max(1, round(people))
    shape = _shape(steps)
    errors = _by_curves(count, n, budget, shape) if isinstance(budget, PureDP) else {}
    errors = errors or _by_map(count, n, budget, shape)
    return _best(errors)


def _shape(steps: float | None) -> str:
    if steps is None or steps > SOME:
        return "normal"
    return "stars" if steps <= FEW else "exam"


def _by_curves(count: int, n: int, budget: Budget, shape: str) -> dict[str, float]:
    """Errors at this budget, by the curves of the question with the nearest number of quantiles."""
    near = min(QUESTIONS, key=lambda one: abs(math.log(QUESTIONS[one].size / count)))
    curves = stored.curves_between(shape, n, near)
    found = {name: curve.error_at(budget.size) for name, curve in curves.items()}
    return {name: one for name, one in found.items() if one is not None and name in exact_ones()}


def _by_map(count: int, n: int, budget: Budget, shape: str) -> dict[str, float]:
    """Relative errors by the stored map of the notion: how often a method leads near this place."""
    part = "maps" if isinstance(budget, PureDP) else "maps in ρ"
    part = "maps in (ε, δ)" if isinstance(budget, ApproxDP) else part
    places = stored.mapped(key_of(shape, FINE), LARGEST_GAP, part)
    assert places is not None, "a map is stored for each stand-in and notion"
    wanted = {"m": float(count), "n": float(n), "size": budget.size}
    away = {name: np.abs(np.log(places[name] / value)) for name, value in wanted.items()}
    near = places[
        (away["m"] == away["m"].min())
        & (away["n"] <= max(away["n"].min(), math.log(NEAR)))
        & (away["size"] <= max(away["size"].min(), math.log(NEAR)))
    ]
    leads: dict[str, float] = {SIMPLEST: 0.0}
    for place in near.itertuples():
        first = next((one for one in (place.winner, place.second) if one in exact_ones()), None)
        if first is not None:
            share = place.ratio if place.winner == first and math.isfinite(place.ratio) else 1.0
            leads[first] = leads.get(first, 0.0) + math.log(max(share, 1.0))
    best = max(leads.values())
    return {name: math.exp((best - one) / max(len(near), 1)) for name, one in leads.items()}


def _best(errors: Mapping[str, float]) -> Recommendation:
    ranked = sorted(errors, key=lambda name: (errors[name], name != SIMPLEST))
    first = ranked[0]
    if SIMPLEST in errors and errors[SIMPLEST] <= LEVEL * errors[first]:
        first = SIMPLEST
    rest = [name for name in ranked if name != first]
    if not rest:
        return Recommendation(first, "", 1.0)
    times = errors[rest[0]] / errors[first] if errors[first] > 0 else 1.0
    return Recommendation(first, rest[0], max(times, 1.0))


def exact_ones() -> frozenset[str]:
    """Methods whose releases hold exactly in the program."""
    return frozenset(kind.name for kind in catalogue.QUANTILES if kind.card.holds == "exact")
