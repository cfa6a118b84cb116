"""The workload-optimal split, as a tree uses it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.workloads import all_ranges, prefixes, random_ranges, single_leaves
from dpviz.estimators.trees.workload import query_variance, range_energies
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal, workload_variance

BUDGETS = [
    (Noise.LAPLACE, PureDP(0.3)),
    (Noise.LAPLACE, ZCDP(0.3)),
    (Noise.DISCRETE_LAPLACE, PureDP(0.3)),
    (Noise.DISCRETE_LAPLACE, PureDP(30.0)),
    (Noise.GAUSSIAN, ZCDP(0.3)),
    (Noise.GAUSSIAN, ApproxDP(1.0, 1e-6)),
]


@pytest.mark.law
@settings(max_examples=80)
@given(
    st.sampled_from(BUDGETS),
    st.sampled_from(Root),
    st.integers(2, 5),
    st.integers(0, 5),
    st.integers(0, 2**32 - 1),
    st.floats(0.3, 4),
)
def test_it_never_loses_on_its_workload(law, root, fanout, height, seed, ratio):
    """To uniform, leaves only, geometric of any ratio or a random split; ranges as they come."""
    noise, budget = law
    if height == 0 and root is not Root.RELEASED:
        return
    rng = np.random.default_rng(seed)
    shape = TreeShape(fanout, height)
    energies = range_energies(shape, *random_ranges(shape, 3, rng, whole_leaves=bool(seed % 2)))
    tree = CountTree(fanout, height, noise=noise, root=root, neighbours=Neighbours.REPLACE_ONE)
    best, split = workload_optimal(tree, budget, energies)
    value = workload_variance(best, budget, energies)
    rivals = [LevelBudget.uniform(), LevelBudget.leaves_only(), LevelBudget.geometric(2 ** (1 / 3))]
    power = noise is Noise.GAUSSIAN or (noise is Noise.LAPLACE and isinstance(budget, PureDP))
    if power:  # of the share; there is no search for other laws
        rivals += [LevelBudget.geometric(ratio), LevelBudget.own(rng.random(height + 1) + 1e-9)]
    for levels in rivals:
        rival = CountTree(fanout, height, levels, noise, root, Neighbours.REPLACE_ONE)
        assert value <= workload_variance(rival, budget, energies) * (1 + 1e-9)
    assert math.fsum(split.shares) == pytest.approx(1)
    assert best.levels.rule is LevelRule.WORKLOAD_OPTIMAL
    assert split.certified == (noise is Noise.GAUSSIAN)


@pytest.mark.parametrize("root", Root)
def test_the_variance_is_the_mean_over_the_queries(root):
    tree = CountTree(2, 4, LevelBudget.geometric(1.3), root=root, neighbours="replace-one")
    shape, budget = tree.shape, PureDP(0.5)
    noise = tree.tree_noise(budget)
    queries = np.array(
        [[float(a <= j < b) for j in range(16)] for a in range(16) for b in range(a + 1, 17)]
    )
    expected = query_variance(noise.blank(), queries, noise.total).mean()
    assert workload_variance(tree, budget, all_ranges(shape)) == pytest.approx(expected)


def test_histograms_are_best_read_from_leaves_alone():
    for noise, budget in BUDGETS:
        tree = CountTree(2, 10, noise=noise)
        best, split = workload_optimal(tree, budget, single_leaves(tree.shape))
        assert split.shares[-1] == pytest.approx(1, abs=0.05)
        assert best.shape.height == 10


def test_a_workload_that_needs_no_leaves_releases_none():
    shape = TreeShape(2, 6)
    energies = range_energies(shape, [0, 16, 32], [16, 48, 64])  # quarters
    for noise, budget in BUDGETS:
        best, split = workload_optimal(CountTree(2, 6, noise=noise), budget, energies)
        assert split.shares[3:] == (0.0,) * 4
        assert best.shape.height <= 2
        assert math.isfinite(workload_variance(best, budget, energies))
        assert workload_variance(best, budget, prefixes(shape)) == math.inf


def test_energies_of_another_height_are_refused():
    with pytest.raises(InvalidParameter, match="needs 5 energies"):
        workload_variance(CountTree(2, 4), PureDP(1), np.ones(4))
