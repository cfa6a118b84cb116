"""Which method to start with: one recommendation, computed from what is stored beforehand.

Methods are compared on stand-ins, by the largest error in ranks that 19 of 20 releases stay under.
Only methods that hold exactly in the program are recommended: what they draw can be released.
"""

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
    """A method, the one that comes next, and how many times its error, None where none is stored.

    count is the number of quantiles that times was measured for: the nearest that is stored.
    """

    method: str
    next_one: str
    times: float | None
    count: int

    @property
    def is_level(self) -> bool:
        """Whether the next one is as good."""
        return self.times is not None and self.times <= LEVEL


def recommended(
    count: int, people: float | None, budget: Budget, steps: float | None
) -> Recommendation:
    """The method to start with for so many quantiles of about so many people.

    steps is how many distinct values the declared bounds and resolution allow, None for any number;
    people is a public number, None for one that nobody has said. Nothing of it is data.
    """
    n = FINE if people is None else max(1, round(people))
    shape = _shape(steps)
    near = min(QUESTIONS, key=lambda one: abs(math.log(QUESTIONS[one].size / count)))
    curves = stored.curves_between(shape, n, near) if isinstance(budget, PureDP) else {}
    errors = {name: curve.error_at(budget.size) for name, curve in curves.items()}
    known = {name: one for name, one in errors.items() if one is not None and name in exact_ones()}
    if known:
        return _by_errors(known, QUESTIONS[near].size)
    return _by_map(count, n, budget, shape)


def _shape(steps: float | None) -> str:
    if steps is None or steps > SOME:
        return "normal"
    return "stars" if steps <= FEW else "exam"


def _by_errors(errors: Mapping[str, float], count: int) -> Recommendation:
    ranked = sorted(errors, key=lambda name: (errors[name], name != SIMPLEST))
    first = ranked[0]
    if SIMPLEST in errors and errors[SIMPLEST] <= LEVEL * errors[first]:
        first = SIMPLEST
    rest = [name for name in ranked if name != first]
    if not rest:
        return Recommendation(first, "", None, count)
    times = errors[rest[0]] / errors[first] if errors[first] > 0 else 1.0
    return Recommendation(first, rest[0], max(times, 1.0), count)


def _by_map(count: int, n: int, budget: Budget, shape: str) -> Recommendation:
    """By the stored map of the notion: another method must lead at most of the places near."""
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
    firsts = near["winner"].where(near["winner"].isin(exact_ones()), near["second"])
    leads = firsts[firsts.isin(exact_ones())].value_counts()
    most = str(leads.index[0]) if leads.size and leads.iloc[0] > len(near) / 2 else SIMPLEST
    rest = [str(name) for name in leads.index if name != most]
    return Recommendation(most, rest[0] if rest else "", None, int(near["m"].iloc[0]))


def exact_ones() -> frozenset[str]:
    """Methods whose releases hold exactly in the program."""
    return frozenset(kind.name for kind in catalogue.QUANTILES if kind.card.holds == "exact")
