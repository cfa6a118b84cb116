"""When buckets pay: measured errors against exact ones, and what the study refuses."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.experiments.planning.bucket_study import MOST_BINS, Errors, bucket_study
from dpviz.mechanisms.counting.count_tree import CountTree

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
STAIRS = Column.from_counts(
    (np.arange(64) + 0.5) / 64, np.repeat([0, 400, 20, 900], 16), Bounds(0, 1)
)


@pytest.mark.parametrize("relation", [ADD, REPLACE])
def test_errors_of_plain_noise_and_of_the_tree_are_those_of_draws(relation, rng):
    tree = CountTree(2, 6, neighbours=relation)
    found = bucket_study(STAIRS, tree, rng, runs=3, epsilons=(0.1, 1.0))
    changed = relation.counts_changed
    noise = rng.laplace(0, changed / 0.1, (20_000, 64))
    assert found.bins.plain[0] == pytest.approx(np.sqrt((noise**2).mean()), rel=0.02)
    sums = np.cumsum(noise, axis=1)
    assert found.running.plain[0] == pytest.approx(np.sqrt((sums**2).mean()), rel=0.02)
    np.testing.assert_allclose(found.bins.plain, found.bins.plain[1] / np.array([0.1, 1.0]))
    drawn = tree.release_many(STAIRS, PureDP(0.1), rng, 4_000)
    leaves = efficient_levels(drawn).counts[-1]
    exact = np.repeat([0.0, 400, 20, 900], 16)
    off = leaves - exact
    assert found.bins.tree[0] == pytest.approx(np.sqrt((off**2).mean()), rel=0.03)
    off = np.cumsum(off, axis=1)
    assert found.running.tree[0] == pytest.approx(np.sqrt((off**2).mean()), rel=0.03)


def test_on_even_stretches_joining_pays_at_small_budgets_and_costs_at_large_ones(rng):
    found = bucket_study(STAIRS, CountTree(2, 6), rng)
    assert 0 < found.bins.pays_below < found.epsilons.size
    least = found.bins.pays_below
    assert (found.bins.joined[:least] < found.bins.plain[:least]).all()
    assert found.bins.joined[least] >= found.bins.plain[least]


def test_a_public_number_makes_the_tree_s_running_counts_better(rng):
    tree = CountTree(2, 6, root="public", neighbours=REPLACE, records=int(STAIRS.n))
    known = bucket_study(STAIRS, tree, rng, runs=2, epsilons=(1.0,))
    private = bucket_study(STAIRS, CountTree(2, 6, root="sum", neighbours=REPLACE), rng, 2, (1.0,))
    assert known.running.tree[0] < 0.9 * private.running.tree[0]


def test_a_tree_without_its_leaves_is_studied_at_those_it_releases(rng):
    tree = CountTree(2, 6, LevelBudget.own([1, 1, 1, 1, 1, 0, 0]))
    found = bucket_study(STAIRS, tree, rng, runs=2, epsilons=(1.0,))
    same = bucket_study(STAIRS, CountTree(2, 4), rng, runs=2, epsilons=(1.0,))
    assert found.bins.tree == pytest.approx(same.bins.tree)
    assert found.running.plain == pytest.approx(same.running.plain)


def test_how_many_budgets_it_pays_at():
    plain = np.ones(3)
    for joined, many in (([0.5, 0.5, 0.5], 3), ([2, 0.5, 0.5], 0), ([0.5, 1, 0.5], 1)):
        assert Errors(np.array(joined), plain, plain).pays_below == many


def test_a_tree_of_another_size_is_refused(rng):
    for tree in (CountTree(2, 0), CountTree(2 * MOST_BINS, 1)):
        with pytest.raises(InvalidParameter, match=r"1,024 bins"):
            bucket_study(STAIRS, tree, rng)
