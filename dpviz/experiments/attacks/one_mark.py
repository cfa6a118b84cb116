"""How often a guess about one yes-or-no mark is right, from counts that share one budget.

The mark is a fair coin beforehand, and the noise discrete Laplace, so that every law is exact.
"""

import math

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.checks import checked_whole
from dpviz.core.randomness.noise import Noise

FARTHEST = 40  # in scales: beyond it lies e^−40 of the noise of a count


def most_right(epsilon: float) -> float:
    """The share of right guesses that no plan of counts exceeds, e^ε/(1 + e^ε)."""
    return 1 / (1 + math.exp(-PureDP(epsilon).epsilon))


def right_by_subtraction(epsilon: float, counts: int) -> float:
    """Right guesses from counts whose difference is the mark, each at ε/counts.

    The mark plus the sum of their noises is seen; the guess is bad from 1 on.
    """
    noise = _law(epsilon, checked_whole(counts, "counts", 1, 1_000))
    found = noise
    for _ in range(counts - 1):
        found = np.convolve(found, noise)
    return (1 + float(found[found.size // 2])) / 2  # P(noise ≥ 0), by symmetry


def right_by_repetition(epsilon: float, times: int) -> float:
    """Right guesses from a count of that person alone, asked so many times at ε/times each.

    The most answers decide; where they are even, a coin does.
    """
    times = checked_whole(times, "times", 1, 1_000)
    once = most_right(epsilon / times)
    chances = [
        math.comb(times, right) * once**right * (1 - once) ** (times - right)
        for right in range(times + 1)
    ]
    even = chances[times // 2] / 2 if times % 2 == 0 else 0.0
    return sum(chances[times // 2 + 1 :]) + even


def _law(epsilon: float, counts: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The chances of whole numbers −t … t as noise of one of so many counts."""
    scale = counts / PureDP(epsilon).epsilon
    within = [Noise.DISCRETE_LAPLACE.within(scale, t) for t in range(math.ceil(FARTHEST * scale))]
    side = np.diff(within) / 2
    return np.concatenate([side[::-1], within[:1], side])
