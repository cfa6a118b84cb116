"""What discrete Gaussian counts lose: δ(ε), ε(δ) and Rényi divergences, by sums in decimals."""

import decimal
import itertools
import math
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.experiments.privacy.loss import (
    Claim,
    delta_of,
    epsilon_of,
    gaussian_delta,
    share_above_of,
)
from dpviz.experiments.privacy.one_count import OneCount
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from tests.rows import by_rows

NOISE = Noise.DISCRETE_GAUSSIAN
PRECISION = 60
ROUNDING = Fraction(1, 10**50)  # of sums to 60 digits, for claims that are reached exactly


@lru_cache(maxsize=64)
def chances(scale: float) -> tuple[Decimal, ...]:
    """P(k) for k = −reach..reach, to 60 digits; what is left out weighs less than 1e-80."""
    with decimal.localcontext(prec=PRECISION):
        square = 2 * Decimal(scale) ** 2
        reach = math.ceil(20 * scale) + 2
        weights = [(-(Decimal(k) ** 2) / square).exp() for k in range(-reach, reach + 1)]
        total = sum(weights)
        return tuple(weight / total for weight in weights)


def slow_delta(scale: float, epsilon: float) -> tuple[float, float]:
    """Σ max(0, P(k) − e^ε P(k − 1)), which is δ(ε), and the chance of where it is positive."""
    law = chances(scale)
    with decimal.localcontext(prec=PRECISION):
        power = Decimal(epsilon).exp()
        gaps = [(one - power * other, one) for other, one in itertools.pairwise((Decimal(0), *law))]
        above = [(gap, one) for gap, one in gaps if gap > 0]
        delta = sum((gap for gap, _ in above), Decimal(0))
        return float(delta), float(sum((one for _, one in above), Decimal(0)))


# pairs whose δ lies well above 1e-60, the digits of the slow sum
PAIRS = [*itertools.product([0.4, 1.0, 3.3], [0.0, 0.31, 1.1, 2.6]), (20.0, 0.03), (20.0, 0.31)]


@by_rows(("scale", "epsilon"), PAIRS)
def test_delta_is_the_sum_over_all_whole_numbers(scale, epsilon):
    delta, above = slow_delta(scale, epsilon)
    assert delta > 1e-45
    assert delta_of(NOISE, scale, epsilon) == pytest.approx(delta, rel=1e-9)
    assert share_above_of(NOISE, scale, epsilon) == pytest.approx(above, rel=1e-9)
    scene = OneCount(NOISE, scale, 865, 864, Claim(epsilon, delta))
    assert scene.delta == pytest.approx(delta, rel=1e-9)
    assert scene.share_beyond >= scene.delta


@by_rows("scale", [0.4, 1.0, 3.3, 20.0])
@by_rows("delta", [1e-3, 1e-6, 1e-9])
def test_epsilon_is_the_smallest_that_holds(scale, delta):
    epsilon = epsilon_of(NOISE, scale, delta)
    assert slow_delta(scale, epsilon)[0] <= delta * (1 + 1e-9)
    assert slow_delta(scale, epsilon * (1 - 1e-6))[0] > delta


def test_at_the_widest_scales_no_long_sum_is_made():
    """ε = 1e-6 asks for scales of millions; at 10^4, where the sum ends, both ways agree."""
    for x in (0.0, 0.5, 2.0, 5.0, 10.0):
        summed = delta_of(NOISE, 1e4, x / 1e4)
        assert summed == pytest.approx(gaussian_delta(1e4, x / 1e4), rel=1e-7)
    for delta in (1e-6, 1e-200):
        budget = ApproxDP(1e-6, delta)
        scale = noise_scale(NOISE, budget, 1.0, Neighbours.ADD_REMOVE)
        assert 0 < delta_of(NOISE, scale, 1e-6) <= delta


@pytest.mark.parametrize("budget", [ApproxDP(0.1, 1e-6), ApproxDP(1, 1e-6), ApproxDP(3, 1e-9)])
def test_a_count_keeps_its_epsilon_and_delta_and_not_much_less_would_do(budget):
    """Through ρ the scale is at most a tenth too large; one four fifths as large breaks it."""
    scale = noise_scale(NOISE, budget, 1.0, Neighbours.ADD_REMOVE)
    assert slow_delta(scale, budget.epsilon)[0] <= budget.delta
    assert slow_delta(0.8 * scale, budget.epsilon)[0] > budget.delta


@lru_cache(maxsize=64)
def renyi(scale: float, order: int) -> Decimal:
    """D_α of two counts that differ by 1: ln Σ P(k)^α P(k − 1)^(1 − α) / (α − 1)."""
    with decimal.localcontext(prec=PRECISION):
        square = 2 * Decimal(scale) ** 2
        reach = math.ceil(20 * scale) + 2 + order
        total, mean = Decimal(0), Decimal(0)
        for k in range(-reach, reach + 1):
            weight = (-(Decimal(k) ** 2) / square).exp()
            total += weight
            mean += weight * ((order - 1) * Decimal(1 - 2 * k) / square).exp()
        return (mean / total).ln() / (order - 1)


@pytest.mark.law
@by_rows("neighbours", Neighbours)
@by_rows("height", [0, 1, 2])
@by_rows("rho", [0.02, 0.5])
@by_rows("order", [2, 5])
def test_the_divergence_of_trees_by_enumeration(neighbours, height, rho, order):
    """All columns of ≤ 2 records on four cells: D_α ≤ αρ, and a tenth less noise breaks it.

    Divergences of independent counts add; a neighbour changes a count by 1 at most.
    """
    root = Root.SUM if height else Root.RELEASED
    tree = CountTree(2, height, root=root, neighbours=neighbours)
    scales = tree.level_scales(ZCDP(rho))
    columns = [c for n in range(3) for c in itertools.combinations_with_replacement(range(4), n)]
    changed = {
        changes
        for one, other in itertools.product(columns, repeat=2)
        if (changes := _changes(one, other, neighbours, len(scales))) is not None
    }
    if not height and neighbours is Neighbours.REPLACE_ONE:
        assert changed == {(0,)}  # the number of records stays
        return
    claim = order * Fraction(repr(rho))
    worst = max(_divergence(scales, changes, order) for changes in changed)
    assert worst <= claim * (1 + ROUNDING)
    smaller = [0.9 * scale for scale in scales]
    assert max(_divergence(smaller, changes, order) for changes in changed) > claim


def _divergence(scales, changes, order) -> Fraction:
    with decimal.localcontext(prec=PRECISION):
        parts = [
            number * renyi(scale, order)
            for number, scale in zip(changes, scales, strict=True)
            if math.isfinite(scale)
        ]
        return Fraction(sum(parts, Decimal(0)))


def _changes(one, other, neighbours, levels):
    """How many counts of each level two neighbours change, None for other pairs."""
    counts = [np.bincount(c, minlength=4) for c in (one, other)]
    moved = np.abs(counts[0] - counts[1]).sum()
    far = len(one) != len(other) or moved > 2
    if far if neighbours is Neighbours.REPLACE_ONE else moved != 1:
        return None
    found = []
    for level in range(levels):
        cells = [np.bincount([x >> (2 - level) for x in c], minlength=4) for c in (one, other)]
        apart = np.abs(cells[0] - cells[1])
        assert apart.max() <= 1
        found.append(int(apart.sum()))
    return tuple(found)
