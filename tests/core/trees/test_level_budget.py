"""How levels share a budget (dpviz/core/trees/level_budget.py)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from tests.rows import by_rows

SPLITS = [
    LevelBudget.uniform(),
    LevelBudget.geometric(2 ** (1 / 3)),
    LevelBudget.geometric(1e-6),
    LevelBudget.geometric(1e6),
    LevelBudget.leaves_only(),
]


@by_rows("levels", SPLITS, ids=str)
@by_rows("height", [0, 1, 5, 22])
@by_rows("root", [True, False])
def test_shares_sum_to_one_and_none_is_negative(levels, height, root):
    if height == 0 and not root:
        return
    shares = levels.shares(height, root=root)
    assert len(shares) == height + 1
    assert math.fsum(shares) == pytest.approx(1, rel=1e-15)
    assert min(shares) >= 0
    assert root or shares[0] == 0


def test_each_rule_shares_as_it_says():
    assert LevelBudget.uniform().shares(3) == (0.25,) * 4
    assert LevelBudget.uniform().shares(3, root=False) == pytest.approx((0, 1 / 3, 1 / 3, 1 / 3))
    assert LevelBudget.leaves_only().shares(3) == (0, 0, 0, 1)
    assert LevelBudget.geometric(2).shares(2) == pytest.approx((1 / 7, 2 / 7, 4 / 7))
    assert LevelBudget.own([1, 0, 3]).shares(2) == (0.25, 0, 0.75)
    assert LevelBudget.own([1, 0, 3]).shares(2, root=False) == (0, 0, 1)
    assert LevelBudget.workload_optimal([0.5, 0.5]).rule is LevelRule.WORKLOAD_OPTIMAL


def test_the_papers_geometric_split():
    """ε_i = 2^{(h−i)/3} ε (2^{1/3} − 1)/(2^{(h+1)/3} − 1), i = h at the root."""
    height, cube = 10, 2 ** (1 / 3)
    expected = [
        cube ** (height - i) * (cube - 1) / (cube ** (height + 1) - 1)
        for i in range(height, -1, -1)
    ]
    assert LevelBudget.geometric(cube).shares(height) == pytest.approx(expected, rel=1e-12)


@pytest.mark.law
@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=23))
def test_own_weights_are_shared_in_proportion(weights):
    if not any(weights):
        with pytest.raises(InvalidParameter, match="no level"):
            LevelBudget.own(weights)
        return
    shares = LevelBudget.own(weights).shares(len(weights) - 1)
    assert math.fsum(shares) == pytest.approx(1, rel=1e-15)
    whole = math.fsum(weights)
    assert shares == pytest.approx([weight / whole for weight in weights], rel=1e-12)


@pytest.mark.parametrize("ratio", [0, -1, math.nan, math.inf, 1e7])
def test_impossible_ratios_are_refused(ratio):
    with pytest.raises(InvalidParameter, match="ratio"):
        LevelBudget.geometric(ratio)


@pytest.mark.parametrize("weights", [[], [0, 0], [-1, 2], [math.nan], [math.inf], [[1, 2]], ["a"]])
def test_impossible_weights_are_refused(weights):
    with pytest.raises(InvalidParameter):
        LevelBudget.own(weights)


def test_weights_fit_one_height_and_rules_take_none():
    with pytest.raises(InvalidParameter, match="3 levels, got 2"):
        LevelBudget.own([1, 1]).shares(2)
    with pytest.raises(InvalidParameter, match="No level has a share"):
        LevelBudget.own([1, 0]).shares(1, root=False)
    with pytest.raises(InvalidParameter, match="takes none"):
        LevelBudget(LevelRule.UNIFORM, weights=(1.0,))
    with pytest.raises(InvalidParameter, match="takes weights"):
        LevelBudget(LevelRule.WEIGHTS)
