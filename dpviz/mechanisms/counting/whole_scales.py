"""How large noise on whole numbers must be, in fractions: never less than the budget asks for.

A budget is the decimal that is shown, as a fraction; shares of it are fractions that add up to at
most 1. A scale is a double, rounded up; the double itself is the exact parameter of the noise.
"""

import decimal
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dpviz.core.budgets import ZCDP, ApproxDP, Budget
from dpviz.core.conversions import step_loss
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written, rounded_down
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.exponential.safe_epsilons import rho_for

LARGER = 1 + 2.0**-40  # by which a scale from a root is moved up
DIGITS = 60
ROUNDING = Fraction(1, 2**40)


def exact_shares(shares: Sequence[float]) -> tuple[Fraction, ...]:
    """Shares as fractions that add up to at most 1, whatever their doubles were rounded to.

    Where only rounding parts their sum from 1 it becomes 1: three doubles 1/3 become thirds.
    """
    whole = sum(map(Fraction, shares), Fraction(0))
    if whole < 1 - ROUNDING:
        whole = Fraction(1)
    return tuple(Fraction(share) / whole for share in shares)


@lru_cache(maxsize=4096)  # public parameters only
def whole_scale(noise: Noise, budget: Budget, share: Fraction, changed: int) -> float:
    """The scale at which `changed` counts of a level together pay for at most its share.

    Guarantee: in fractions, changed/scale ≤ share · ε for discrete Laplace noise, and
    changed · ρ(scale) ≤ share · ρ for both kinds; (ε, δ) goes through ρ.
    """
    if noise is Noise.DISCRETE_LAPLACE and not isinstance(budget, ZCDP):
        return rounded_up(changed / (share * as_written(budget.size)))
    rho = rho_for(budget) if isinstance(budget, ApproxDP) else as_written(budget.size)
    part = share * rho / changed
    if noise is Noise.DISCRETE_GAUSSIAN:
        return _root_above(1 / (2 * part))
    scale = LARGER / step_loss(rounded_down(part))
    while step_price(scale) > part:
        scale *= LARGER
    return scale


def rounded_up(number: Fraction) -> float:
    """The smallest double that is not below a fraction; ∞ beyond all of them."""
    try:
        near = float(number)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= number else math.nextafter(near, math.inf)


def _root_above(number: Fraction) -> float:
    """The smallest double whose square is not below a fraction."""
    try:
        near = math.sqrt(float(number))
    except OverflowError:
        return math.inf
    while near > 0 and Fraction(math.nextafter(near, 0.0)) ** 2 >= number:
        near = math.nextafter(near, 0.0)
    while Fraction(near) ** 2 < number:
        near = math.nextafter(near, math.inf)
    return near


def step_price(scale: float) -> Fraction:
    """Not below t tanh(t/2) with t = 1/scale, the ρ of discrete Laplace noise on a change by 1."""
    small = max(0, math.ceil(math.log10(scale)))
    with decimal.localcontext(
        prec=DIGITS + 4 * small, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX
    ):
        loss = 1 / Decimal(scale)
        power = (-loss).exp()
        found = loss * (1 - power) / (1 + power)
        return Fraction(found) * (1 + Fraction(1, 10 ** (DIGITS // 2)))


def spent_in_full(
    noise: Noise, budget: Budget, scales: Sequence[float], changed: int
) -> tuple[Fraction, Fraction]:
    """What levels with these scales pay together, not rounded down, and what they may: ε or ρ."""
    finite = [scale for scale in scales if not math.isinf(scale)]
    if noise is Noise.DISCRETE_LAPLACE and not isinstance(budget, ZCDP):
        paid = sum((changed / Fraction(scale) for scale in finite), Fraction(0))
        return paid, as_written(budget.size)
    price = step_price if noise is Noise.DISCRETE_LAPLACE else _gaussian_price
    paid = sum((changed * price(scale) for scale in finite), Fraction(0))
    return paid, rho_for(budget) if isinstance(budget, ApproxDP) else as_written(budget.size)


def _gaussian_price(scale: float) -> Fraction:
    return 1 / (2 * Fraction(scale) ** 2)


def check_spent(noise: Noise, budget: Budget, scales: Sequence[float], changed: int) -> None:
    """Make sure in fractions that levels spend no more than the budget.

    Raises: InvalidBudget if they do; that would be a fault of the program, and nothing is released.
    """
    paid, allowed = spent_in_full(noise, budget, scales, changed)
    if paid > allowed:
        raise InvalidBudget(
            f"The levels of this tree would spend {float(paid / allowed) - 1:.1e} of {budget} too "
            "much. Nothing was released; please report this."
        )
