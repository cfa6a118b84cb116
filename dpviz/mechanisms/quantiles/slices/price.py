"""What noisy ranks and medians of windows cost, and how a budget is divided between them.

A replaced record shifts the places between its old and its new value by one. The windows in
between are moved along with them: a block of noisy ranks, two steps of the tree, e^{2ε_r}. What is
left are two windows of which one value is another: e^{2ε_s}. The window that holds the old place
is moved at random, with a chance that grows as the window passes over it; so that at most 1 +
1/(2h + 2) of all mass is moved onto any noisy rank. A record that joins shifts all further places:
one step, one window, once the target ranks are those of a noisy count that is paid for.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from dpviz.core.budgets import ApproxDP, Neighbours
from dpviz.core.checks import checked_whole, number
from dpviz.core.choices import choice
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written, rounded_down
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE
from dpviz.mechanisms.requests import SIZES

WIDEST = 1 << 60  # half-widths, so that places fit a word
DIGITS = 60


def slice_cost(
    eps_rank: float, eps_slice: float, half: int, neighbours: Neighbours = Neighbours.REPLACE_ONE
) -> float:
    """ε of noisy ranks at ε_r and medians of windows of 2·half + 1 places at ε_s.

    Replace-one, where the number of records is public: 2ε_r + 2ε_s + ln(1 + 1/(2·half + 2)).
    Add/remove: ε_r + ε_s + ln(1 + 1/(2·half + 2)), beside the ε_n of the noisy count that gives
    the target ranks. Either holds with a δ: SliceQuantiles.delta of these ranks.
    Raises: InvalidParameter for an ε out of 1e-140 … 1e140, a half-width that is no whole number
    from 0 up, or neighbours that are not known.
    Source: idea of Imola et al. 2025; this version and its proof are this project's.
    """
    rank, inside = checked_epsilon(eps_rank, "eps_rank"), checked_epsilon(eps_slice, "eps_slice")
    half = checked_whole(half, "half", 0, WIDEST)
    steps = choice(Neighbours, neighbours, "neighbours").counts_changed
    return steps * (rank + inside) + math.log1p(1 / (2 * half + 2))


def checked_epsilon(value: Any, name: str) -> float:
    """The rule that a value is an ε that mechanisms take.

    Raises: InvalidParameter for anything else.
    """
    return float(cast("float", number(*SIZES)(value, name)))


@lru_cache(maxsize=4096)  # public parameters only
def overlap(half: int) -> Fraction:
    """Not below ln(1 + 1/(2h + 2)), the price of moving ranks by a map that is not one-to-one."""
    with decimal.localcontext(prec=DIGITS):
        found = (1 + 1 / Decimal(2 * half + 2)).ln()
        return Fraction(found) + Fraction(1, 10 ** (DIGITS - 10))


@dataclass(frozen=True, slots=True)
class Shares:
    """How a budget is divided, public: ε_n of the noisy count (0 without), ε_r, ε_s, and h."""

    count: float
    rank: float
    inside: float
    half: int

    def spent(self, neighbours: Neighbours) -> Fraction:
        """Not below the ε that they cost together."""
        each = Fraction(self.rank) + Fraction(self.inside)
        return Fraction(self.count) + neighbours.counts_changed * each + overlap(self.half)

    def rank_scale(self, m: int) -> Fraction:
        """H/ε_r, the scale of the noise of every node under m ranks."""
        return m.bit_length() / Fraction(self.rank)


@dataclass(frozen=True, slots=True)
class Division:
    """By which shares ε is divided: count_share for ε_n (add/remove), rank_share of the rest."""

    epsilon: float
    neighbours: Neighbours
    count_share: float
    rank_share: float

    def at(self, half: int) -> Shares | None:
        """The shares at a half-width, each rounded down; None where nothing is left to divide."""
        whole, count = as_written(self.epsilon), 0.0
        if self.neighbours is Neighbours.ADD_REMOVE:
            count = rounded_down(as_written(self.count_share) * whole)
        left = whole - Fraction(count) - overlap(half)
        if left <= 0:
            return None
        each, part = left / self.neighbours.counts_changed, as_written(self.rank_share)
        return Shares(count, rounded_down(part * each), rounded_down((1 - part) * each), half)

    def wide_enough(self, log_odds: float) -> Shares:
        """The shares at the least half-width h ≥ (2/ε_s) · log_odds.

        Raises: InvalidBudget where no half-width up to 2^60 is.
        """
        half = least(lambda h: self._reaches(h, log_odds), WIDEST)
        if half is None:
            raise InvalidBudget(
                f"ε = {self.epsilon:g} is too small: windows would hold more than 2^60 places. "
                "Choose a larger budget."
            )
        shares = self.at(half)
        assert shares is not None  # _reaches says so
        return shares

    def _reaches(self, half: int, log_odds: float) -> bool:
        shares = self.at(half)
        return shares is not None and half * shares.inside >= 2 * log_odds


def least(holds: Callable[[int], bool], most: int) -> int | None:
    """The least whole number up to most for which a growing condition holds."""
    if not holds(most):
        return None
    low, high = -1, 1
    while high < most and not holds(high):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@lru_cache(maxsize=256)  # public parameters only
def divided(division: Division, half: int | None, log_odds: float) -> Shares:
    """The shares at a half-width, or at the least one that log_odds asks for.

    Raises: InvalidBudget where nothing is left, or where the windows grow beyond all bounds.
    """
    if half is None:
        return division.wide_enough(log_odds)
    shares = division.at(half)
    if shares is None:
        raise InvalidBudget(
            f"Windows of half-width {half} cost ln(1 + 1/{2 * half + 2}) = "
            f"{math.log1p(1 / (2 * half + 2)):.3g} for themselves, which leaves nothing of "
            f"ε = {division.epsilon:g}. Choose a wider half, or a larger budget."
        )
    return shares


def check_exact(shares: Shares, m: int, budget: ApproxDP) -> None:
    """Refuse a budget whose noise on ranks no exact draw has.

    Raises: InvalidBudget for a scale above 2^40.
    """
    if max(shares.rank_scale(m), 1 / Fraction(shares.count or 1)) > Fraction(LARGEST_SCALE):
        raise InvalidBudget(
            f"For {budget} and {m:,} quantiles the noise on ranks is too wide for exact draws. "
            "Choose a larger budget, or fewer quantiles."
        )
