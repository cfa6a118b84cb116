"""What one of several exponential mechanisms may spend, never rounded upwards.

A budget is the decimal that is shown, as a fraction. Parts of ε are rounded down. A root is taken
in doubles, moved by 2^-40 of itself to the safe side, and its price is worked out again in
decimals, upwards: it must stay within the share.
"""

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dpviz.core.budgets import ApproxDP
from dpviz.core.conversions import approx_to_zcdp, bounded_range_epsilon
from dpviz.core.grid import as_written, rounded_down
from dpviz.mechanisms.exponential.composition import (
    bounded_range_delta_above,
    bounded_range_epsilon_for,
)
from dpviz.mechanisms.exponential.rho_rule import RhoRule

DOWN = 1 - 2.0**-50  # more than the rounding of a quotient and of a product
LARGE = 1000  # beyond, e^ε is not worked out
DIGITS = 400  # of the orders of a conversion: enough for budgets of 1e-140


def part_of(epsilon: float, parts: int) -> float:
    """ε/parts of an ε as it is written."""
    return rounded_down(as_written(epsilon) / parts)


@lru_cache(maxsize=1024)  # public parameters only
def epsilon_for_rho(rho: Fraction, parts: int, rule: RhoRule) -> float:
    """The ε of each of several equal parts of ρ."""
    share = rho / parts
    if rule is RhoRule.PAPER:
        return safe_root(math.sqrt(2 * rounded_down(share)), lambda e: _older_price(e) <= share)
    return safe_root(
        bounded_range_epsilon(rounded_down(share)), lambda e: bounded_range_price(e) <= share
    )


def safe_root(root: float, is_paid: Callable[[float], bool]) -> float:
    """A root moved by 2^-40 of itself, and by twice that again, until its price is paid."""
    step = 2.0**-40
    while True:
        root *= 1 - step
        if is_paid(root):
            return root
        step = min(2 * step, 0.5)


def _older_price(epsilon: float) -> Fraction:
    return Fraction(epsilon) ** 2 / 2


def bounded_range_price(epsilon: float) -> Fraction:
    """Not below r(ε) = ln((e^ε − 1)/ε) − 1 + ε/(e^ε − 1), the ρ of ε-bounded range.

    Source: Harrison and Manurangsi 2026.
    """
    small = max(0, -math.floor(math.log10(epsilon)))
    with decimal.localcontext(prec=60 + 4 * small, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        exact = Decimal(epsilon)
        if epsilon > LARGE:  # e^ε − 1 < e^ε, and ε/(e^ε − 1) < 1e-300
            found = exact - exact.ln() - 1
        else:
            power = exact.exp() - 1
            found = (power / exact).ln() - 1 + exact / power
        return Fraction(found) + Fraction(1, 10 ** (50 + 2 * small))


@lru_cache(maxsize=256)  # public parameters only
def rho_for(budget: ApproxDP) -> Fraction:
    """A ρ whose conversion stays within (ε, δ), about the largest.

    Source: Canonne, Kamath and Steinke 2020, Proposition 12.
    """
    epsilon = as_written(budget.epsilon)
    root = approx_to_zcdp(budget).rho
    return Fraction(safe_root(root, lambda rho: _converted_price(rho, budget.delta) <= epsilon))


def _converted_price(rho: float, delta: float) -> Fraction:
    """Not below an ε such that ρ-zCDP implies (ε, δ)-DP: the bound at one good order α.

    ρα + ln((α − 1)/α) − (ln δ + ln α)/(α − 1); every α > 1 gives a valid ε.
    """
    above = _best_order(rho, delta)
    written = as_written(delta)
    with decimal.localcontext(prec=DIGITS, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        more, order = Decimal(above), Decimal(above) + 1
        log_delta = (Decimal(written.numerator) / Decimal(written.denominator)).ln()
        found = Decimal(rho) * order + (more / order).ln() - (log_delta + order.ln()) / more
        return Fraction(found) + Fraction(1, 10 ** (DIGITS - 100))


def _best_order(rho: float, delta: float) -> float:
    """α − 1 for about the least ε: where ρ = −(ln δ + ln α)/(α − 1)², by bisection in logs."""
    low, high = -60.0, max(60.0, 5 + 0.5 * (math.log1p(-math.log(delta)) - math.log(rho)))
    for _ in range(200):
        middle = (low + high) / 2
        above = math.exp(middle)
        falls = -(math.log(delta) + math.log1p(above)) > rho * above**2
        low, high = (middle, high) if falls else (low, middle)
    return math.exp(low)


@lru_cache(maxsize=256)  # public parameters only
def bounded_range_part(total: ApproxDP, parts: int) -> float:
    """The ε of each of several non-adaptive bounded-range mechanisms within (ε, δ).

    By optimal composition, checked again in decimals; for ε beyond 1,000 by basic composition.
    Source: Dong, Durfee and Rogers 2020, Theorem 3.
    """
    epsilon, basic = as_written(total.epsilon), part_of(total.epsilon, parts)
    if epsilon > LARGE:
        return basic
    delta = as_written(total.delta)
    found = safe_root(
        bounded_range_epsilon_for(total, parts),
        lambda e: e <= basic or bounded_range_delta_above(e, parts, epsilon) <= delta,
    )
    return max(found, basic)
