"""Several methods side by side, the best first: their mean errors over draws. Confidential."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz.answers.quantiles.answers import SURE, Answers
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential

CLEAR = 2  # standard errors of a difference, below which methods are level


@confidential("key")
@dataclass(frozen=True, slots=True)
class MethodErrors:
    """One method: its key, its mean error over draws and quantiles, how many times the best's.

    level says whether the best differs from it by less than two standard errors; median is the mean
    error of the quantile nearest to the median. draws is how many there are, 0 for this one alone.
    """

    key: str
    mean: float
    times: float
    level: bool
    median: float
    draws: int


@confidential()
@dataclass(frozen=True, slots=True)
class ComparedNumbers:
    """All methods, the best first. bad is what 19 of 20 draws' worst errors of the best stay under.

    None without further draws.
    """

    methods: tuple[MethodErrors, ...]
    bad: float | None

    @property
    def best(self) -> MethodErrors:
        """The method with the least mean error."""
        return self.methods[0]

    @property
    def worst(self) -> MethodErrors:
        """The method with the largest mean error."""
        return self.methods[-1]

    @property
    def best_for_median(self) -> MethodErrors:
        """The method that errs least at the quantile nearest to the median."""
        return min(self.methods, key=lambda method: method.median)


def answer(every: Mapping[str, Answers]) -> ComparedNumbers:
    """At least one method, by its key, each beside the truth."""
    by_draw = {key: _errors(found).mean(axis=1) for key, found in every.items()}
    order = sorted(every, key=lambda key: float(by_draw[key].mean()))
    best = order[0]
    least = float(by_draw[best].mean())
    methods = []
    for key in order:
        found, mean = every[key], float(by_draw[key].mean())
        methods.append(
            MethodErrors(
                key=key,
                mean=mean,
                times=mean / least if least > 0 else 1.0,
                level=_are_level(by_draw[best], by_draw[key]),
                median=float(_errors(found)[:, found.middle].mean()),
                draws=0 if found.draws is None else len(found.draws),
            )
        )
    bad = None
    if every[best].draws is not None:
        bad = float(np.quantile(_errors(every[best]).max(axis=1), SURE))
    return ComparedNumbers(tuple(methods), bad)


def _errors(found: Answers) -> FloatArray:
    """How far each draw is off, (r, k): the further draws, or this one where there are none."""
    return np.abs(found.errors[None] if found.draws is None else found.other_errors)


def _are_level(one: FloatArray, other: FloatArray) -> bool:
    spread = sum(errors.var() / max(errors.size, 1) for errors in (one, other))
    return bool(abs(one.mean() - other.mean()) < CLEAR * np.sqrt(spread))
