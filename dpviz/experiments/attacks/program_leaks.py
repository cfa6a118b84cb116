"""What a proof does not cover: fractions of a computer that tell two files apart, and chances δ.

Textbook noise is computed in doubles, which have gaps. A gap that one file's answers fall into and
another's do not gives the file away, whatever ε. Nothing here is a release: the package draws whole
numbers, exactly.
"""

import math

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray

STEPS = 2**53  # of a uniform double in [0, 1)
NEAR = 16  # steps around the one that an answer's noise says: more than any rounding moves it


def textbook_laplace(truth: float, scale: float, steps: FloatArray) -> FloatArray:
    """A truth plus noise by the usual formula, from uniform numbers in steps of 2⁻⁵³."""
    u = steps / STEPS
    with np.errstate(divide="ignore"):
        upper, lower = np.log(2.0 - u - u), np.log(u + u)
    return np.asarray(np.where(u >= 0.5, truth - scale * upper, truth + scale * lower))


def can_come_from(answers: FloatArray, truth: float, scale: float) -> BoolArray:
    """Whether some uniform double gives each answer (n,) from this truth, digit by digit.

    The formula grows with the uniform number, so only steps near its inverse are tried.
    """
    noise = answers - truth
    tail = np.exp(-np.abs(noise) / scale) / 2
    around = np.rint(np.where(noise > 0, 1 - tail, tail) * STEPS)
    steps = (around[:, None] + np.arange(-NEAR, NEAR + 1)).clip(1, STEPS - 1)
    found = textbook_laplace(truth, scale, steps) == answers[:, None]
    return np.asarray(found.any(axis=1))


def telling_answers(
    truth: float, other: float, scale: float, runs: int, rng: np.random.Generator
) -> float:
    """The share of textbook answers from one truth that another truth can never give."""
    answers = textbook_laplace(truth, scale, rng.integers(1, STEPS, runs).astype(np.float64))
    return float(1 - can_come_from(answers, other, scale).mean())


def telling_medians(value: float, runs: int, rng: np.random.Generator) -> float:
    """The share of textbook medians of one record in [0, 1] that an empty file can never give.

    Without records the median is a uniform double, a multiple of 2⁻⁵³. With one it is uniform below
    or above the record, in doubles of other gaps.
    """
    below, u = rng.random(runs) < value, rng.random(runs)
    medians = np.where(below, value * u, value + (1 - value) * u) * STEPS
    return float(np.mean(medians != np.floor(medians)))


def exposed(delta: float, people: int) -> float:
    """The chance that somebody is published in full, where each is with chance δ."""
    return -math.expm1(people * math.log1p(-delta))
