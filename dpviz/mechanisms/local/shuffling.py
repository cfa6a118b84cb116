"""What shuffling makes of local reports: a proved bound on (ε, δ), and the ε of a report for it.

A shuffler takes one report of each of n people and hands them on in random order. Seen from one
person, each other's report hides the difference of two truths with chance e^−ε₀: then it is a
clone, as likely from the one truth as from the other. So nobody tells more than the number A of
clones on one side among C ~ Bin(n − 1, e^−ε₀), with the person's own report added to it. Randomised
response of k choices is known better: a report is one of any two choices, either as likely, with
chance 2/(e^ε₀ + k − 1) whatever its truth, and the person's own is one of its two truths with
chance (e^ε₀ + 1)/(e^ε₀ + k − 1); elsewhere it tells nothing.
Source: Feldman, McMillan and Talwar 2021, Theorems 3.1 and 3.2; for responses Balle, Bell, Gascón
and Nissim 2019.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP
from dpviz.core.checks import checked_number, checked_whole
from dpviz.core.errors import InvalidBudget, InvalidParameter

MOST_PEOPLE = 10**12
MOST_CHOICES = 1 << 20
LEAST_DELTA = 1e-15  # below, rounding of the laws is no smaller than δ
PARTS = 200  # groups of numbers of clones: each counts as the fewest of it
FAR = 9.0  # standard deviations of C beyond which its chance counts as δ in full
SAFE = 1 + 1e-9  # δ is moved up by, against rounding
HALVINGS = 44
SMALLEST, LARGEST = 1e-6, 30.0  # ε of a report before it is shuffled


def closed_form(epsilon: float, people: int, delta: float) -> float:
    """The ε at δ of so many shuffled reports, each under its own ε, in closed form; never above it.

    log(1 + (e^ε₀ − 1)/(e^ε₀ + 1) (8 √(e^ε₀ ln(4/δ)/n) + 8 e^ε₀/n)) for ε₀ ≤ ln(n/(16 ln(4/δ))).
    Source: Feldman, McMillan and Talwar 2021, Theorem 3.1.
    """
    if epsilon > math.log(people / (16 * math.log(4 / delta))):
        return epsilon
    power = math.exp(epsilon)
    more = 8 * math.sqrt(power * math.log(4 / delta) / people) + 8 * power / people
    return min(epsilon, math.log1p(math.tanh(epsilon / 2) * more))


@lru_cache(maxsize=4096)  # public parameters only
def shuffled_delta(local: float, people: int, epsilon: float, choices: int | None = None) -> float:
    """A δ so that so many shuffled reports, each under its own ε `local`, are (ε, δ)-private.

    choices says that they are randomised responses of so many; else they may be any.
    More clones hide more: from C clones C + 1 are made by one more coin. So groups of numbers of
    clones count as the fewest of each, and the bound is proved however few groups there are.
    """
    if epsilon >= local:
        return 0.0
    from scipy.special import bdtr  # noqa: PLC0415  # for shuffled reports alone

    others, chance, own = people - 1, math.exp(-local), 1.0
    if choices is not None:
        every = math.exp(local) + choices - 1
        chance, own = 2 / every, (math.exp(local) + 1) / every
    middle, spread = others * chance, math.sqrt(others * chance * (1 - chance))
    first = max(0.0, math.floor(middle - FAR * spread - 40))
    last = min(float(others), math.ceil(middle + FAR * spread + 40))
    starts = np.unique(np.linspace(first, last, PARTS).astype(np.int64))
    below = bdtr(np.maximum(starts - 1.0, 0), others, chance)  # P(C < start)
    below[starts == 0] = 0.0
    weights = np.diff(below, append=1.0)
    found = float(below[0]) + float(weights @ _with_clones(starts, local, epsilon))
    return min(1.0, own * found * SAFE)


def _with_clones(clones: IntArray, local: float, epsilon: float) -> FloatArray:
    """The hockey-stick divergence at ε with exactly so many clones, (k,).

    The person's report falls on its own side with chance p = e^ε₀/(e^ε₀ + 1). A of C + 1 reports on
    that side are as likely as p A + (1 − p)(C + 1 − A), or with both swapped for the other truth:
    a ratio that grows with A, so that outputs from one A on make up the divergence.
    """
    own = 1 / (1 + math.exp(-local))
    other, power = 1 - own, math.exp(epsilon)
    # p A + p' (C + 1 − A) > e^ε (p' A + p (C + 1 − A))
    slope = (own - other) * (1 + power)
    least = np.floor((clones + 1) * (power * own - other) / slope) + 1
    at_least = _from(least, clones)
    one_less = _from(least - 1, clones)
    true = own * one_less + other * at_least
    swapped = other * one_less + own * at_least
    return np.maximum(true - power * swapped, 0.0)


def _from(least: FloatArray, coins: IntArray) -> FloatArray:
    """P(at least so many heads of so many fair coins), elementwise."""
    from scipy.special import bdtrc  # noqa: PLC0415

    found = bdtrc(np.clip(least - 1, 0, coins), coins, 0.5)
    return np.where(least <= 0, 1.0, np.where(least > coins, 0.0, found))


@lru_cache(maxsize=4096)  # public parameters only
def shuffled_epsilon(
    epsilon: float, people: int, delta: float, choices: int | None = None
) -> float:
    """The ε at δ of so many shuffled reports, each under its own ε: a proved bound, never above it.

    choices says that they are randomised responses of so many; else they may be any.

    >>> round(dp.LocalCounts.shuffled_epsilon(2.0, 10_000, 1e-6), 3)
    0.155

    Raises: InvalidParameter for ε outside 1e-6 … 30, fewer people than 1 or more than 10^12, and δ
    outside 1e-15 … 1, and fewer choices than 2 or more than 2^20.
    """
    local, people, delta = _settled(epsilon, people, delta, choices)
    low, high = 0.0, local
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        fits = shuffled_delta(local, people, middle, choices) <= delta
        low, high = (low, middle) if fits else (middle, high)
    return high


@lru_cache(maxsize=4096)  # public parameters only
def local_epsilon(budget: ApproxDP, people: int, choices: int | None = None) -> float:
    """The largest ε of a report so that so many of them, shuffled, keep to (ε, δ).

    >>> round(dp.LocalCounts.local_epsilon(dp.ApproxDP(0.2, 1e-6), 10_000), 2)
    2.32

    Guarantee: the bound of shuffled_epsilon, up to rounding; never below the budget's own ε.
    Raises: as shuffled_epsilon; InvalidBudget for anything but ApproxDP, and for ε outside
    1e-6 … 30 or δ below 1e-15.
    """
    if not isinstance(budget, ApproxDP):
        raise InvalidBudget(f"Shuffled reports take ApproxDP(epsilon, delta), got {budget}.")
    if not (SMALLEST <= budget.epsilon <= LARGEST and budget.delta >= LEAST_DELTA):
        raise InvalidBudget(
            f"Shuffled reports take ε from 1e-6 to 30 and δ from 1e-15, got {budget}."
        )
    _, people, _ = _settled(1.0, people, budget.delta, choices)
    low, high = budget.epsilon, LARGEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        fits = shuffled_delta(middle, people, budget.epsilon, choices) <= budget.delta
        low, high = (middle, high) if fits else (low, middle)
    return low


def _settled(
    epsilon: float, people: int, delta: float, choices: int | None
) -> tuple[float, int, float]:
    if choices is not None:
        checked_whole(choices, "choices", 2, MOST_CHOICES)
    epsilon, delta = checked_number(epsilon, "epsilon"), checked_number(delta, "delta")
    people = checked_whole(people, "people", 1, MOST_PEOPLE)
    if not SMALLEST <= epsilon <= LARGEST:
        raise InvalidParameter(f"epsilon of a report must lie in 1e-6 … 30, got {epsilon}.")
    if not LEAST_DELTA <= delta < 1:
        raise InvalidParameter(f"delta must lie in 1e-15 … 1, got {delta}.")
    return epsilon, people, delta
