"""Noise on target ranks by a binary tree, and the chance that it leaves no room for windows.

Z_i is the sum of the noises of the dyadic nodes of [1, i]. There is one node for every i: it ends
at i, and its length is the largest power of two that divides i. A step of all ranks from some i
on moves the noise of the nodes that hold i, at most H = ⌊log2 m⌋ + 1 of them, by one each.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.checks import checked_runs, checked_whole, found
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.randomness.bits import Bits, Randomness, bits_of
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE, discrete_laplace
from dpviz.mechanisms.counting.whole_scales import rounded_up
from dpviz.mechanisms.quantiles.slices.price import WIDEST, checked_epsilon

MOST_RANKS = 1 << 20
FARTHEST = 1 << 53  # of a rank: a double holds it
APART = 64  # more than the nodes that two ranks are apart


def rank_noise(m: int, eps_rank: float, rng: Randomness, runs: int) -> IntArray:
    """Noise on m ranks in several runs, (runs, m), drawn afresh for each.

    Every dyadic node of [1, i] has noise of its own: discrete Laplace, P(k) ∝ e^{−|k| ε_r/H},
    H = ⌊log2 m⌋ + 1. Guarantee: raising all ranks from some i on by one changes the law by e^{ε_r}
    at most; exact from random bits.
    Raises: InvalidParameter for m outside 1 … 2^20 or an ε that no mechanism takes, InvalidBudget
    where the noise has a scale above 2^40.
    """
    m, runs = checked_whole(m, "m", 1, MOST_RANKS), checked_runs(runs)
    scale = rounded_up(m.bit_length() / Fraction(checked_epsilon(eps_rank, "eps_rank")))
    if scale > LARGEST_SCALE:
        raise InvalidBudget(
            f"eps_rank = {eps_rank:g} is too small: the noise of {m:,} ranks would have a scale "
            f"above 2^40. Choose a larger one."
        )
    return tree_noise(m, scale, bits_of(rng), runs)


def tree_noise(m: int, scale: float, bits: Bits, runs: int) -> IntArray:
    """As rank_noise, for a scale of the nodes' noise that was checked: (runs, m)."""
    node = discrete_laplace(scale, (runs, m), bits).astype(np.int64)
    end = np.arange(1, m + 1)
    total = np.zeros_like(node)
    for level in range(m.bit_length()):  # bit by bit, from the last node of [1, i] to the first
        used = np.flatnonzero((end >> level) & 1)
        total[:, used] += node[:, (end[used] >> level << level) - 1]
    return total


def nodes_apart(m: int) -> IntArray:
    """How many nodes [1, i] and [1, i + 1] differ in, for i = 1 .. m − 1: (m − 1,)."""
    after = np.arange(2, m + 1)
    apart: IntArray = np.bitwise_count((after & -after) - 1).astype(np.int64) + 1
    return apart


def slice_delta(ranks: ArrayLike, half: int, eps_rank: float) -> float:
    """A bound on the chance that two neighbouring noisy ranks are less than 2·half + 2 apart.

    ranks (m,) are the public target ranks, ascending. The sum over neighbours of their chances,
    each worked out exactly but for rounding.
    Raises: InvalidParameter for ranks that are not ascending whole numbers, a half-width that is
    no whole number from 0 up, or an ε that no mechanism takes.
    """
    given = checked_ranks(ranks)
    half = checked_whole(half, "half", 0, WIDEST)
    return float(deltas(given[None], half, checked_epsilon(eps_rank, "eps_rank"))[0])


def checked_ranks(ranks: Any) -> IntArray:
    """Public target ranks, (m,).

    Raises: InvalidParameter for anything but at least one whole number, in ascending order.
    """
    try:
        given = np.asarray(ranks)
        usable = given.ndim == 1 and given.size > 0 and given.dtype.kind in "iuf"
    except ValueError:  # lists of different lengths
        usable = False
    if not usable:
        raise InvalidParameter(f"ranks must be a list of whole numbers, got {found(ranks)}.")
    if given.size > MOST_RANKS:
        raise InvalidParameter(f"ranks must be at most 2^20 numbers, got {given.size:,}.")
    numbers = given.astype(np.float64)
    whole = np.isfinite(numbers) & (numbers == np.floor(numbers)) & (np.abs(numbers) < FARTHEST)
    if not whole.all():
        raise InvalidParameter(
            f"ranks must be whole numbers below 2^53, got {found(given[~whole][0])}."
        )
    if (np.diff(numbers) < 0).any():
        raise InvalidParameter("ranks must be in ascending order; they go down. Sort them.")
    return np.asarray(numbers.astype(np.int64))


def deltas(ranks: IntArray, half: int, eps_rank: float) -> FloatArray:
    """As slice_delta, of several sets of ranks (r, m) at once: (r,)."""
    sets, m = ranks.shape
    rate = eps_rank / m.bit_length()
    # too close: the later noise is lower than the earlier one by this much or more
    lower = np.diff(ranks, axis=1) - 2 * half - 1
    apart, times, total = nodes_apart(m), np.ones(m - 1), np.zeros(sets)
    if sets == 1:  # between evenly spaced ranks there are few gaps
        kinds, counts = np.unique(lower[0] * APART + apart, return_counts=True)
        lower, apart, times = kinds[None] // APART, kinds % APART, counts.astype(np.float64)
    for nodes in range(1, m.bit_length() + 1):
        here = apart == nodes
        total += (at_least(nodes, rate, lower[:, here]) * times[here]).sum(axis=1)
    return np.minimum(total, 1.0)


def at_least(nodes: int, rate: float, bound: IntArray) -> FloatArray:
    """P(D ≥ bound), elementwise, for the sum D of discrete Laplace noises e^{−rate |k|} of nodes.

    D is a sum of 0 … nodes geometric numbers from 1 up, or of their opposites, how many being
    drawn (geometric_shares). Such a sum of i is ≥ d where d − 1 tosses end fewer than i of them.
    All terms are positive, so that far tails keep their digits.
    """
    found, is_above = np.empty(bound.shape), bound > 0
    found[is_above] = _upper(nodes, rate, bound[is_above])
    found[~is_above] = 1 - _upper(nodes, rate, 1 - bound[~is_above])
    return found


def _upper(nodes: int, rate: float, bound: IntArray) -> FloatArray:
    """P(D ≥ bound) for bounds from 1 up."""
    beyond = np.cumsum(geometric_shares(nodes, rate)[::-1])[::-1]  # P(more than l geometric ones)
    tosses = (bound - 1).astype(np.float64)
    odds = rate + np.log(-np.expm1(-rate))  # ln((1 − p)/p), p = e^{−rate}
    log_ended, found = -rate * tosses, np.zeros(bound.shape)
    for ended in range(nodes):
        found += beyond[ended] * np.exp(log_ended)
        with np.errstate(divide="ignore"):
            left = np.log(np.maximum(tosses - ended, 0) / (ended + 1))
        log_ended = np.minimum(log_ended + left + odds, 0.0)  # a chance, also where it is rounded
    return found


@lru_cache(maxsize=256)  # public parameters only
def geometric_shares(nodes: int, rate: float) -> FloatArray:
    """P(D is a sum of i geometric numbers from 1 up) for i = 1 .. nodes, (nodes,).

    Discrete Laplace noise is the difference of two geometric numbers from 0 up. One of each side
    at a time is run until the first of them ends: both end, or one is left, of which the rest is
    geometric from 1 up, whatever happened.
    """
    tie, one = float(np.tanh(rate / 2)), float(np.exp(-rate) / (1 + np.exp(-rate)))
    left = np.zeros((nodes + 1, nodes + 1))  # how many are left on either side
    left[nodes, nodes] = 1
    for mine in range(nodes, 0, -1):
        for other in range(nodes, 0, -1):
            left[mine - 1, other - 1] += tie * left[mine, other]
            left[mine, other - 1] += one * left[mine, other]
            left[mine - 1, other] += one * left[mine, other]
    return frozen(left[1:, 0])
