"""What a search through growing guesses costs, and the noise that a budget buys.

Noise on the threshold has mean 1/ε₁, noise on each guess 1/ε₂, both exponential. A record that
joins turns f_i − qn into f_i − qn − q + [x < g_i]. Seen from the larger data, a shift of the
threshold by q pays q ε₁ and one acceptance ε₂. Seen from the smaller data, a stop before the
record's guesses pays one acceptance by q, a later one a shift by 1 − q. A replaced record moves
f_i by one in a stretch: upwards a shift and an acceptance by 1, downwards one acceptance.
"""

from __future__ import annotations

from typing import Any, cast

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.checks import number
from dpviz.core.choices import choice
from dpviz.core.conversions import (
    approx_to_zcdp,
    bounded_range_epsilon,
    bounded_range_to_zcdp,
    step_loss,
    step_rho,
)
from dpviz.core.grid import as_written, rounded_down
from dpviz.mechanisms.exponential.safe_epsilons import part_of, safe_root
from dpviz.mechanisms.requests import SIZES


def unbounded_cost(
    eps_threshold: float, eps_query: float, q: float, neighbours: Neighbours
) -> tuple[float, float]:
    """ε and ρ of one search for the q-quantile, ε₁ on its threshold and ε₂ on every guess.

    Add/remove: ε = max(q ε₁ + ε₂, (1 − q) ε₁), replace-one: ε₁ + ε₂, however many guesses there
    are. Losses span R, the sum over both directions, so ρ = min(ε tanh(ε/2), r(R)).
    Raises: InvalidParameter for an ε₁ or ε₂ out of 1e-140 … 1e140, a q outside [0, 1], or
    neighbours that are not known.
    Source: after Durfee 2023; the price for a private n and the bounded range are this project's.
    """
    return cost(
        _within(eps_threshold, SIZES, "eps_threshold"),
        _within(eps_query, SIZES, "eps_query"),
        checked_quantile(q, "q"),
        choice(Neighbours, neighbours, "neighbours"),
    )


def checked_quantile(value: Any, name: str) -> float:
    """The rule that a value is a quantile, the ends 0 and 1 included.

    Raises: InvalidParameter for anything else.
    """
    return _within(value, (0, 1), name)


def _within(value: Any, ends: tuple[float, float], name: str) -> float:
    return float(cast("float", number(*ends)(value, name)))


def cost(first: float, second: float, q: float, neighbours: Neighbours) -> tuple[float, float]:
    """As unbounded_cost, of numbers that were checked."""
    up, down = losses(first, second, q, neighbours)
    epsilon = max(up, down)
    return epsilon, min(step_rho(epsilon), bounded_range_to_zcdp(up + down).rho)


def losses(first: float, second: float, q: float, neighbours: Neighbours) -> tuple[float, float]:
    """The largest privacy loss in either direction."""
    if neighbours is Neighbours.REPLACE_ONE:
        return first + second, second
    return q * first + second, max(q * second, (1 - q) * first)


def spendable(budget: Budget, parts: int, q: float, neighbours: Neighbours) -> PureDP | ZCDP:
    """What each of several equal parts of a budget may spend, in the notion that buys more.

    A search for the q-quantile decides the notion of all parts: ε adds up, and so does ρ, but not
    one with the other. (ε, δ) is ε without use of δ, or the largest ρ that converts.
    """
    match budget:
        case PureDP(epsilon):
            return PureDP(part_of(epsilon, parts))
        case ZCDP(rho):
            return ZCDP(rounded_down(as_written(rho) / parts))
        case ApproxDP(epsilon, _):
            pure = PureDP(part_of(epsilon, parts))
            converted = ZCDP(rounded_down(as_written(approx_to_zcdp(budget).rho) / parts))
            gain = even_epsilon(converted, q, neighbours) - even_epsilon(pure, q, neighbours)
            return converted if gain > 0 else pure


def even_epsilon(share: PureDP | ZCDP, q: float, neighbours: Neighbours) -> float:
    """ε₁ = ε₂ of a search for the q-quantile that spends at most its share.

    In ε that is ε/(1 + q) under add/remove and ε/2 under replace-one, less 2^-40 of it.
    """
    up, down = losses(1.0, 1.0, q, neighbours)
    most, span = max(up, down), up + down
    if isinstance(share, PureDP):
        limit = share.epsilon
        return safe_root(limit / most, lambda e: cost(e, e, q, neighbours)[0] <= limit)
    rho = share.rho
    root = max(step_loss(rho) / most, bounded_range_epsilon(rho) / span)
    return safe_root(root, lambda e: cost(e, e, q, neighbours)[1] <= rho)
