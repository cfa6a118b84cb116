"""Three ways to break a promise that was proved: a large δ, a known seed, digits of doubles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.attacks.program_leaks import exposed, telling_answers, telling_medians

STOPS = CHANCE, SEED, DIGITS = "delta", "seed", "floats"
EPSILON = 0.1
MARCH, APRIL = 16, 15  # bad marks, with Ana's and without
PEOPLE = 15_000
DELTAS = 1e-3, 1e-4, 1e-5, 1e-6, 1e-10
KNOWN = 7  # the seed of both months
FRESH = 5  # pairs of releases with noise of their own
RUNS, MEDIANS, RECORD = 10_000, 200_000, 0.3


@dataclass(frozen=True, slots=True)
class BrokenPromises:
    """What each gap lets through.

    exposed is the chance for each of DELTAS that somebody is published in full; march and april are
    published with the noise of one seed, fresh differences with noise of their own; telling,
    weak_telling (ε = 1) and medians are shares of answers that another file can never give.
    """

    stop: str
    exposed: tuple[float, ...]
    march: int
    april: int
    fresh: tuple[int, ...]
    telling: float
    weak_telling: float
    medians: float

    @property
    def apart(self) -> int:
        """What the two months of one seed say of Ana."""
        return self.march - self.april


def numbers(stop: str, draw: int = 1) -> BrokenPromises:
    """All three gaps; the stop says which one is open."""
    return replace(_gaps(draw), stop=stop)


@cache
def _gaps(draw: int) -> BrokenPromises:
    march, april = (
        count + round(float(_noise((1,), np.random.default_rng(KNOWN))[0]))
        for count in (MARCH, APRIL)
    )
    fresh = _noise((FRESH, 2), np.random.default_rng(draw + 1))
    telling, weak = (
        telling_answers(MARCH, APRIL, 1 / epsilon, RUNS, np.random.default_rng(draw + 1))
        for epsilon in (EPSILON, 1.0)
    )
    return BrokenPromises(
        stop=CHANCE,
        exposed=tuple(exposed(delta, PEOPLE) for delta in DELTAS),
        march=march,
        april=april,
        fresh=tuple((MARCH - APRIL + fresh[:, 0] - fresh[:, 1]).astype(int).tolist()),
        telling=telling,
        weak_telling=weak,
        medians=telling_medians(RECORD, MEDIANS, np.random.default_rng([12, draw])),
    )


def _noise(size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    return Noise.DISCRETE_LAPLACE.draw(1 / EPSILON, size, rng)
