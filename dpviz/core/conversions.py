"""Conversions between notions of privacy. Each is asked for by name; none happens silently."""

import math
import sys
from collections.abc import Callable
from functools import lru_cache

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP

SAFE = 1 - 1e-12  # noise is never smaller than it must be


def pure_to_zcdp(budget: PureDP) -> ZCDP:
    """ε-DP implies ε tanh(ε/2)-zCDP, attained by randomised response; ε²/2 is the older bound.

    Source: Harrison and Manurangsi 2026; Bun and Steinke 2016, Proposition 1.4, for ε²/2.
    """
    return ZCDP(step_rho(budget.epsilon))


def pure_epsilon(rho: float) -> float:
    """The ε of any ε-DP mechanism that spends ρ: the inverse of pure_to_zcdp."""
    return step_loss(ZCDP(rho).rho)


def bounded_range_to_zcdp(epsilon: float) -> ZCDP:
    """An ε-bounded-range mechanism is r(ε)-zCDP, r(ε) = ln((e^ε − 1)/ε) − 1 + ε/(e^ε − 1).

    Source: Harrison and Manurangsi 2026; Cesar and Rogers 2021 for the older bound ε²/8.
    """
    return ZCDP(_bounded_range_rho(PureDP(epsilon).epsilon))


def bounded_range_epsilon(rho: float) -> float:
    """The ε of a bounded-range mechanism that spends ρ: the inverse of bounded_range_to_zcdp."""
    return _inverse(_bounded_range_rho, ZCDP(rho).rho)


def laplace_rho(shift: float) -> float:
    """ρ of Laplace noise that is shifted by so many scales t: t + e^{−t} − 1, at most t²/2.

    Source: Harrison and Manurangsi 2026.
    """
    if shift < 1e-3:  # the closed form cancels
        return shift**2 / 2 - shift**3 / 6 + shift**4 / 24
    return shift + math.expm1(-shift)


def laplace_shift(rho: float) -> float:
    """The shift in scales that costs ρ: the inverse of laplace_rho."""
    return _inverse(laplace_rho, rho)


def step_rho(loss: float) -> float:
    """ρ of a privacy loss that takes only the values ± t: t tanh(t/2), at most t²/2.

    So it is for randomised response, and for discrete Laplace noise that is shifted by one.
    """
    return loss * math.tanh(loss / 2)


def step_loss(rho: float) -> float:
    """The loss that costs ρ: the inverse of step_rho."""
    return _inverse(step_rho, rho)


def _bounded_range_rho(epsilon: float) -> float:
    if epsilon < 0.01:  # the closed form cancels
        return epsilon**2 / 8 - epsilon**4 / 576
    inside = -math.expm1(-epsilon)  # (e^ε − 1) e^{−ε}
    return epsilon + math.log(inside / epsilon) - 1 + epsilon * math.exp(-epsilon) / inside


@lru_cache(maxsize=4096)  # public numbers only
def _inverse(cost: Callable[[float], float], rho: float) -> float:
    """The largest number whose cost is at most ρ, to the last digits and never above it.

    All costs grow, like the square of small numbers and like large ones themselves.
    """
    high = min(4 * math.sqrt(rho) + 2 * rho + 4, sys.float_info.max)
    low = min(math.sqrt(rho), 1.0) * SAFE
    while (
        high / low > 1 + 4e-16 and not low == (middle := math.sqrt(low) * math.sqrt(high)) != high
    ):
        low, high = (middle, high) if cost(middle) <= rho else (low, middle)
    return low * SAFE


def zcdp_to_approx(budget: ZCDP, delta: float) -> ApproxDP:
    """The smallest ε for which ρ-zCDP implies (ε, δ)-DP by the bound below.

    Minimises ε(α) = ρα + ln((α−1)/α) − (ln δ + ln α)/(α−1) over continuous α > 1; a fixed grid
    of orders, as accountants use, is loose at small ρ.
    Source: Canonne, Kamath and Steinke 2020, Proposition 12.
    """
    return ApproxDP(_zcdp_epsilon(budget.rho, delta), delta)


def _zcdp_epsilon(rho: float, delta: float) -> float:
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  # half a second, for (ε, δ) alone

    ApproxDP(1.0, delta)  # refuses a δ outside (0, 1)

    def epsilon(log_order_minus_one: float) -> float:
        above = math.exp(log_order_minus_one)  # α − 1, kept apart so that α near 1 stays exact
        return (
            rho * (1 + above)
            + math.log(above)
            - math.log1p(above)
            - (math.log(delta) + math.log1p(above)) / above
        )

    # the best α is about 1 + √(ln(1/δ)/ρ)
    most = max(60.0, 5 + 0.5 * (math.log1p(-math.log(delta)) - math.log(rho)))
    best = minimize_scalar(epsilon, bounds=(-40.0, most), method="bounded", options={"xatol": 1e-9})
    # every α gives a valid bound, so an inexact minimiser only loses tightness
    return max(float(best.fun), sys.float_info.min)


def approx_to_zcdp(budget: ApproxDP) -> ZCDP:
    """The largest ρ whose conversion by zcdp_to_approx stays within (ε, δ)."""
    from scipy.optimize import brentq  # noqa: PLC0415  # half a second, for (ε, δ) alone

    def excess(log_rho: float) -> float:
        return _zcdp_epsilon(math.exp(log_rho), budget.delta) - budget.epsilon

    low, high = 2 * min(math.log(budget.epsilon), 0.0) - 80, math.log(budget.epsilon)
    while excess(high) < 0:  # a large δ buys a ρ above ε
        high += 1
    root = float(brentq(excess, low, high, xtol=1e-12))
    while excess(root) > 0:  # the root finder may stop on the unsafe side
        root -= 1e-12 * max(1.0, abs(root))
    return ZCDP(math.exp(root))
