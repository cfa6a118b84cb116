"""Optimal composition of bounded-range mechanisms, such as independent exponential mechanisms."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP


def bounded_range_delta(epsilon: float, k: int, total_epsilon: float) -> float:
    """The smallest δ for which k mechanisms, each ε-bounded-range, are (total_epsilon, δ)-DP.

    The k mechanisms are chosen in advance, not adaptively.
    Source: Dong, Durfee and Rogers 2020, Theorem 3.
    """
    if k * epsilon <= total_epsilon:
        return 0.0
    from scipy.special import gammaln  # noqa: PLC0415  # half a second, for (ε, δ) alone

    bad = np.arange(k + 1, dtype=np.float64)  # i, how many of the k outcomes speak for a neighbour
    t = np.clip((total_epsilon + (bad[:, None] + 1) * epsilon) / (k + 1), 0.0, epsilon)
    loss = k * t - bad * epsilon
    log_good = -t + _log1mexp(epsilon - t) - _log1mexp(np.array(epsilon))  # ln p
    log_bad = _log1mexp(t) - _log1mexp(np.array(epsilon))  # ln (1 − p)
    log_choose = gammaln(k + 1) - gammaln(bad + 1) - gammaln(k - bad + 1)
    log_mass = log_choose + _power(k - bad, log_good) + _power(bad, log_bad)
    # mass·(e^loss − e^total), kept as e^(log mass + loss)·(1 − e^(total − loss)) against overflow
    share = -np.expm1(np.minimum(total_epsilon - loss, 0.0))
    return float((np.exp(np.minimum(log_mass + loss, 0.0)) * share).sum(axis=1).max())


def _log1mexp(x: FloatArray) -> FloatArray:
    """ln(1 − e^−x) for x ≥ 0, −inf at 0, accurate at both ends."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(-np.expm1(-x)))


def _power(exponent: FloatArray, log_base: FloatArray) -> FloatArray:
    """Log of base^exponent with 0^0 = 1."""
    with np.errstate(invalid="ignore"):
        return np.where(exponent == 0, 0.0, exponent * log_base)


@lru_cache(maxsize=256)  # public parameters only
def bounded_range_epsilon_for(total: ApproxDP, k: int) -> float:
    """The largest ε such that k non-adaptive ε-bounded-range mechanisms satisfy total.

    Never below basic composition, total.epsilon / k; the answer errs on the safe side.
    Source: Dong, Durfee and Rogers 2020, Theorem 3, solved for ε.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  # half a second, for (ε, δ) alone

    def excess(log_epsilon: float) -> float:
        delta = bounded_range_delta(math.exp(log_epsilon), k, total.epsilon)
        return math.log(max(delta, 1e-300) / total.delta)

    basic = math.log(total.epsilon / k)
    if excess(basic) >= 0:  # δ below the rounding of basic composition
        return total.epsilon / k
    high = basic + 0.25
    while excess(high) < 0:
        high += 0.5
    root = float(brentq(excess, basic, high, xtol=1e-10))
    while root > basic and excess(root) > 0:  # the root finder may stop on the unsafe side
        root -= 1e-10
    return math.exp(max(root, basic))
