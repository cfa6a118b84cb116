"""A quantile by smooth sensitivity: the bound for every quantile, the law, the price."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Neighbours
from dpviz.core.data.column import Column
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.medians.smooth_sensitivity import (
    middle_ranks,
    ranked_values,
    smooth_sensitivities,
)
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.around.protocol import Share
from dpviz.mechanisms.quantiles.around.smooth import SmoothQuantile, wanted_ranks
from tests.mechanisms.medians.test_smooth_sensitivity import neighbours_of
from tests.statistics import can_tell, fits


def groups_of(values):
    values = np.sort(np.asarray(values, dtype=float))
    return Groups(values, np.array([0, values.size]), np.zeros(1), np.ones(1), Bounds(0, 1))


def by_definition(values, rank, xi):
    """All windows that hold x_rank, one by one."""
    n = len(values)

    def x(i):
        return 0.0 if i < 1 else 1.0 if i > n else values[i - 1]

    return max(
        math.exp(-(right - left - 1) * xi) * (x(right) - x(left))
        for left in range(rank + 1)
        for right in range(rank, n + 2)
        if right > left
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("q", [0.02, 0.3, 0.5, 0.91])
def test_sigma_is_that_of_the_definition_for_every_rank(q):
    rng = np.random.default_rng(3)
    for _ in range(60):
        values = np.sort(rng.beta(0.3, 0.5, rng.integers(0, 30)))
        xi = 10 ** rng.uniform(-4, 0.3)
        groups = groups_of(values)
        rank = wanted_ranks(np.array([q]), groups.sizes)
        found = smooth_sensitivities(groups, xi, rank)[0]
        assert found == pytest.approx(by_definition(values, int(rank[0]), xi), rel=1e-12)


def test_ranks_grow_by_nought_or_one_with_each_record():
    sizes = np.arange(3000)
    for q in (1e-12, 0.001, 1 / 3, 0.5, 0.7, 1 - 1e-3, 1 - 1e-12):
        ranks = wanted_ranks(np.full(3000, q), sizes)
        assert set(np.diff(ranks).tolist()) <= {0, 1}
        assert ranks[0] == 0
        assert ((ranks[1:] >= 1) & (ranks[1:] <= sizes[1:])).all()
        assert (abs(ranks[1:] - q * sizes[1:]) <= 1).all()
    np.testing.assert_array_equal(wanted_ranks(np.full(3000, 0.5), sizes), (sizes + 1) // 2)


@pytest.mark.law
def test_one_record_changes_sigma_by_a_factor_of_at_most_e_to_the_xi():
    rng = np.random.default_rng(7)
    worst, missed = 0.0, 0
    for _ in range(250):
        values, xi = np.sort(rng.beta(0.3, 0.3, rng.integers(0, 12))), 10 ** rng.uniform(-3, 0)
        q = np.array([rng.choice([0.05, 0.2, 0.35, 0.8, 0.97])])
        here = groups_of(values)
        rank = wanted_ranks(q, here.sizes)
        sigma = smooth_sensitivities(here, xi, rank)[0]
        of_middle = smooth_sensitivities(here, xi)[0]  # the wrong twin: windows of the median
        for other in neighbours_of(values, rng):
            there = groups_of(other)
            other_rank = wanted_ranks(q, there.sizes)
            ratio = smooth_sensitivities(there, xi, other_rank)[0] / sigma
            worst = max(worst, abs(math.log(ratio)) / xi)
            moved = abs(ranked_values(there, other_rank)[0] - ranked_values(here, rank)[0])
            assert moved <= sigma * (1 + 1e-12)
            missed += moved > of_middle
    assert 0.99 < worst <= 1 + 1e-9
    assert missed > 10


@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
def test_draws_follow_the_law(relation):
    """x_m + (2σ_s/ε) · Lap(1), clamped: the part inside the range against the exact law."""
    rng = np.random.default_rng(2)
    values = np.sort(rng.beta(2, 5, 40))
    column, budget = Column.from_values(values, Bounds(0, 1)), ApproxDP(60.0, 1e-3)
    runs, q = 30_000, 0.3
    mechanism = QuantilesAround(SmoothQuantile(), relation)
    drawn = mechanism.release_many(column, [q], budget, rng, runs)[:, 0]
    xi, factor = SmoothMedian().noise(budget, relation)
    sigma = by_definition(values, 12, xi)
    inside = drawn[(drawn > 0) & (drawn < 1)]
    assert inside.size > 0.9 * runs

    def law(wrong):
        return stats.laplace(loc=values[11], scale=wrong * factor * sigma)

    def given_inside(frozen):
        low, high = frozen.cdf(0.0), frozen.cdf(1.0)

        class Clamped:
            def cdf(self, x):
                return (frozen.cdf(x) - low) / (high - low)

            def ppf(self, share):
                return frozen.ppf(low + share * (high - low))

        return Clamped()

    right = given_inside(law(1.0))
    assert fits(inside, right, comparisons=6)
    for factor_of_twin in (0.7, 1.4):
        wrong = given_inside(law(factor_of_twin))
        assert not fits(inside, wrong, comparisons=6)
        assert can_tell(inside.size, wrong, right, comparisons=6)


@pytest.mark.parametrize("relation", Neighbours)
def test_the_levels_cost_the_budget_and_no_more(relation):
    for budget in (ApproxDP(1.0, 1e-6), ApproxDP(500.0, 1e-3)):
        for levels in (1, 4, 7):
            costs = [
                SmoothQuantile().cost(Share(budget, levels, depth, relation))
                for depth in range(levels)
            ]
            spent = sum(one.epsilon for one in costs), sum(one.delta for one in costs)
            assert spent[0] == pytest.approx(budget.epsilon, rel=1e-9)
            assert spent[1] <= budget.delta * (1 + 1e-9)
            if budget.epsilon < 10:
                assert spent[1] == pytest.approx(budget.delta, rel=1e-9)


def test_the_middle_rank_is_what_medians_have():
    groups = groups_of(np.linspace(0.1, 0.9, 11))
    np.testing.assert_array_equal(middle_ranks(groups), [6])
    assert smooth_sensitivities(groups, 0.1) == smooth_sensitivities(groups, 0.1, np.array([6]))
