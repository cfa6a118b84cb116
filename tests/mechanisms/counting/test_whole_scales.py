"""Scales of noise on whole numbers: never more than the budget, in fractions (whole_scales.py)."""

import decimal
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.counting.whole_scales import (
    check_spent,
    exact_shares,
    rounded_up,
    spent_in_full,
    step_price,
)
from tests.rows import by_rows

BUDGETS = {
    Noise.DISCRETE_LAPLACE: [*map(PureDP, (1e-6, 0.1, 0.3, 1, math.pi, 50)), *map(ZCDP, (0.03, 2))],
    Noise.DISCRETE_GAUSSIAN: [
        *map(ZCDP, (1e-6, 0.1, 0.3, 7)),
        ApproxDP(0.1, 1e-6),
        ApproxDP(3, 1e-9),
    ],
}
CASES = [(noise, budget) for noise, budgets in BUDGETS.items() for budget in budgets]
SPLITS = {
    "uniform": LevelBudget.uniform(),
    "geometric": LevelBudget.geometric(2 ** (1 / 3)),
    "leaves": LevelBudget.leaves_only(),
}


def paid(noise, budget, scales, changed):
    """What the levels pay, by decimal to 80 digits, and what they may."""
    total = Fraction(0)
    for scale in scales:
        if math.isinf(scale):
            continue
        rate = 1 / Fraction(scale)
        if noise is Noise.DISCRETE_GAUSSIAN:
            total += changed * rate * rate / 2
        elif isinstance(budget, PureDP):
            total += changed * rate
        else:
            with decimal.localcontext(prec=80):
                t = decimal.Decimal(rate.numerator) / decimal.Decimal(rate.denominator)
                power = (-t).exp()
                total += changed * Fraction(t * (1 - power) / (1 + power))
    return total


@pytest.mark.law
@by_rows("neighbours", Neighbours)
@by_rows("split", SPLITS)
@by_rows(("noise", "budget"), CASES)
def test_a_tree_never_spends_more_than_its_budget(noise, budget, split, neighbours):
    changed = neighbours.counts_changed
    for height in (0, 1, 2, 3, 6, 9, 12, 20):
        tree = CountTree(2, height, SPLITS[split], noise, neighbours=neighbours)
        scales = tree.level_scales(budget)
        total = paid(noise, budget, scales, changed)
        _, allowed = spent_in_full(noise, budget, scales, changed)
        if not isinstance(budget, ApproxDP):
            assert allowed == Fraction(repr(float(budget.size)))
        assert total <= allowed
        assert float(total / allowed) > 1 - 1e-9
        check_spent(noise, budget, scales, changed)


def test_shares_rounded_up_are_caught(rng):
    """The twin: shares that add up to a little more than 1 exceed the budget, and it is noticed."""
    caught = 0
    for _ in range(200):
        raw = rng.random(rng.integers(2, 20))
        shares = [math.nextafter(share, 1) for share in raw / raw.sum()]
        exceeds = sum(map(Fraction, shares)) > 1
        scales = [rounded_up(1 / Fraction(share)) for share in shares]
        lower = [math.nextafter(scale, 0) for scale in scales]
        if exceeds:
            with pytest.raises(InvalidBudget, match="Nothing was released"):
                check_spent(Noise.DISCRETE_LAPLACE, PureDP(1), lower, 1)
            caught += 1
        assert sum(exact_shares(shares)) <= 1
        scales = level_scales(
            Noise.DISCRETE_LAPLACE, PureDP(1), tuple(shares), Neighbours.ADD_REMOVE
        )
        assert sum(1 / Fraction(scale) for scale in scales) <= 1
    assert caught > 50


@pytest.mark.parametrize("noise", BUDGETS)
def test_a_scale_a_millionth_too_small_is_caught(noise):
    budget = BUDGETS[noise][-1]
    tree = CountTree(2, 7, noise=noise)
    smaller = [scale * (1 - 1e-6) for scale in tree.level_scales(budget)]
    with pytest.raises(InvalidBudget, match="too much"):
        check_spent(noise, budget, smaller, 1)


def test_fractions_are_rounded_up_to_the_next_double(rng):
    for number in map(Fraction, rng.integers(1, 10**9, 300).tolist()):
        third = number / 3
        above = Fraction(rounded_up(third))
        assert above >= third > Fraction(math.nextafter(float(above), 0.0))
    assert rounded_up(Fraction(10) ** 400) == math.inf


@pytest.mark.parametrize("scale", [0.02, 0.7, 1.0, 33.3, 1e6, 2.0**40])
def test_the_price_in_rho_is_rounded_up_by_almost_nothing(scale):
    with decimal.localcontext(prec=120):
        t = 1 / decimal.Decimal(scale)
        exact = Fraction(t * (1 - (-t).exp()) / (1 + (-t).exp()))
    assert exact < step_price(scale) < exact * (1 + Fraction(1, 10**20))


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("changes", [(1,), (1, -1)])
def test_the_loss_by_enumeration(scale, changes):
    """Every pair of small noisy counts: |log ratio| ≤ Σ|change|/scale; half the claim is broken."""
    claim = Fraction(len(changes)) / Fraction(scale)
    worst = Fraction(0)
    for outputs in itertools.product(range(-6, 7), repeat=len(changes)):
        moved = sum(abs(k - c) - abs(k) for k, c in zip(outputs, changes, strict=True))
        worst = max(worst, abs(Fraction(moved)) / Fraction(scale))
    assert worst == claim > claim / 2


@by_rows("neighbours", Neighbours)
@by_rows("height", [0, 1, 2])
@by_rows("epsilon", [0.1, 1.0])
def test_the_loss_of_trees_by_enumeration(neighbours, height, epsilon):
    """All columns of ≤ 2 records on four cells: the exact loss of a noisy tree, in fractions.

    The loss of independent discrete Laplace counts is at most Σ |change|/scale, and is reached at
    outputs beyond all counts.
    """
    root = Root.SUM if height else Root.RELEASED
    noise = Noise.DISCRETE_LAPLACE
    tree = CountTree(2, height, noise=noise, root=root, neighbours=neighbours)
    scales = tree.level_scales(PureDP(epsilon))
    columns = [c for n in range(3) for c in itertools.combinations_with_replacement(range(4), n)]
    worst = Fraction(0)
    for one, other in itertools.product(columns, repeat=2):
        if not _neighbours(one, other, neighbours):
            continue
        loss = Fraction(0)
        for level, scale in enumerate(scales):
            if math.isinf(scale):
                continue
            counts = [np.bincount([x >> (2 - level) for x in c], minlength=4) for c in (one, other)]
            loss += Fraction(int(np.abs(counts[0] - counts[1]).sum())) / Fraction(scale)
        worst = max(worst, loss)
    declared = Fraction(repr(epsilon))
    assert worst <= declared
    if height or neighbours is Neighbours.ADD_REMOVE:
        assert worst > declared * Fraction(99, 100)  # so that any smaller Δ would break the claim


def _neighbours(one, other, relation):
    if relation is Neighbours.REPLACE_ONE:
        counts = [np.bincount(c, minlength=4) for c in (one, other)]
        return len(one) == len(other) and np.abs(counts[0] - counts[1]).sum() <= 2
    longer, shorter = sorted((one, other), key=len, reverse=True)
    if len(longer) != len(shorter) + 1:
        return False
    counts = [np.bincount(c, minlength=4) for c in (longer, shorter)]
    return (counts[0] >= counts[1]).all()
