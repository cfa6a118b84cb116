"""Conversions between notions of privacy. Each is asked for by name; none happens silently."""

from __future__ import annotations

import math
import sys

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP


def pure_to_zcdp(budget: PureDP) -> ZCDP:
    """ε-DP implies ε²/2-zCDP (Bun and Steinke 2016, Proposition 1.4)."""
    return ZCDP(budget.epsilon**2 / 2)


def bounded_range_to_zcdp(epsilon: float) -> ZCDP:
    """An ε-bounded-range mechanism is ε²/8-zCDP (Cesar and Rogers 2021)."""
    return ZCDP(PureDP(epsilon).epsilon ** 2 / 8)


def bounded_range_epsilon(rho: float) -> float:
    """The ε of a bounded-range mechanism that spends ρ: √(8ρ)."""
    return math.sqrt(8 * ZCDP(rho).rho)


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

    best = minimize_scalar(epsilon, bounds=(-40.0, 60.0), method="bounded", options={"xatol": 1e-9})
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
