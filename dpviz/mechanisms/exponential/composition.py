"""Optimal composition of bounded-range mechanisms, such as independent exponential mechanisms."""

import decimal
import math
from decimal import Decimal
from fractions import Fraction
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
    return float(_deltas(epsilon, k, total_epsilon).max())


def _deltas(epsilon: float, k: int, total_epsilon: float) -> FloatArray:
    """The sums that the theorem takes the largest of, (k + 1,)."""
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
    return np.asarray((np.exp(np.minimum(log_mass + loss, 0.0)) * share).sum(axis=1))


def bounded_range_delta_above(epsilon: float, k: int, total_epsilon: Fraction) -> Fraction:
    """Not below bounded_range_delta, worked out in decimals of 60 digits for one ε as a double.

    Doubles, right to far more than a factor of two, say which sums may be the largest.
    """
    if k * Fraction(epsilon) <= total_epsilon:
        return Fraction(0)
    rough = _deltas(epsilon, k, float(total_epsilon))
    with decimal.localcontext(prec=60, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        total = Decimal(total_epsilon.numerator) / Decimal(total_epsilon.denominator)
        sums = [
            _delta_at(int(at), Decimal(epsilon), k, total)
            for at in np.flatnonzero(rough >= rough.max() / 2)
        ]
        return Fraction(max(sums)) * (1 + Fraction(1, 10**40))


def _delta_at(at: int, epsilon: Decimal, k: int, total: Decimal) -> Decimal:
    t = min(max((total + (at + 1) * epsilon) / (k + 1), Decimal(0)), epsilon)
    good = ((-t).exp() - (-epsilon).exp()) / (1 - (-epsilon).exp())
    if good <= 0:  # then the loss is at most 0
        return Decimal(0)
    odds, step, limit = (1 - good) / good, (-epsilon).exp(), total.exp()
    mass, ratio, found = good**k, (k * t).exp(), Decimal(0)
    for bad in range(k + 1):
        if ratio <= limit:
            break
        found += mass * (ratio - limit)
        mass *= odds * (k - bad) / (bad + 1)
        ratio *= step
    return found


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
