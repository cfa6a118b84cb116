"""The tree whose noise is for its layers: how far it really moves, and that it is caught."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.counts.levels import count_levels
from dpviz.experiments.privacy.privacy_audit import audit
from dpviz.experiments.twins.tree_query import Stability, TreeQuery
from tests.statistics import can_tell, fits

BOUNDS = Bounds(0, 1)
NOBODY = Column.from_values([], BOUNDS)
BUDGETS = [ZCDP(0.1), ZCDP(0.5), ApproxDP(1.0, 1e-6), ApproxDP(0.3, 1e-3)]
DELTA = 1e-4


def matrix(query):
    """The tree as a matrix from leaves to all nodes."""
    rows = [
        np.kron(np.eye(query.fanout**level), np.ones(query.fanout ** (query.layers - 1 - level)))
        for level in range(query.layers)
    ]
    return np.concatenate(rows)


@pytest.mark.parametrize(("fanout", "layers"), [(2, 1), (2, 5), (4, 2), (3, 4), (16, 3)])
def test_a_person_in_every_leaf_moves_the_counts_farthest(fanout, layers):
    query = TreeQuery(fanout, layers)
    norm = np.linalg.norm(matrix(query), 2)  # the largest singular value
    assert query.moved == pytest.approx(norm * math.sqrt(query.leaves))
    pair = query.pair(NOBODY)
    exact = [np.concatenate(count_levels(one, query.shape)) for one in (pair.one, pair.other)]
    assert np.linalg.norm(exact[0] - exact[1]) == pytest.approx(query.moved)
    if query.leaves <= 16:
        people = np.array(list(product((-1, 0, 1) if query.leaves < 9 else (0, 1),
                                       repeat=query.leaves)))  # fmt: skip
        assert np.linalg.norm(people @ matrix(query).T, axis=1).max() <= query.moved + 1e-9


def test_the_example_of_the_issue():
    query = TreeQuery(4, 2, Stability.LAYERS)
    assert query.noise_for == 4  # what the map says for an L2 distance of 2
    assert query.moved == pytest.approx(math.dist([0] * 5, [4, 1, 1, 1, 1]))


@pytest.mark.parametrize(("fanout", "enough"), [(2, 4), (3, 2), (4, 1), (16, 1)])
def test_up_to_how_many_layers_their_number_is_enough(fanout, enough):
    for layers in range(1, 8 if fanout < 16 else 4):
        query = TreeQuery(fanout, layers, Stability.LAYERS)
        assert (query.noise_for >= query.moved - 1e-9) == (layers <= enough)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_right_noise_loses_the_claim_and_the_wrong_noise_more(budget):
    right = TreeQuery()
    pair, claim = right.pair(NOBODY), right.claim(budget, DELTA)
    assert right.attained(pair, budget, claim.delta) == pytest.approx(claim.epsilon, rel=1e-6)
    twin = replace(right, stability=Stability.LAYERS)
    assert twin.claim(budget, DELTA) == claim
    assert twin.attained(pair, budget, claim.delta) > 4 * claim.epsilon
    assert twin.scale(budget) * math.sqrt(273) == pytest.approx(3 * right.scale(budget))


def test_pure_epsilon_is_refused():
    with pytest.raises(UnsupportedBudget, match="no pure ε"):
        TreeQuery().claim(PureDP(1.0), DELTA)


@pytest.mark.law
@pytest.mark.parametrize("stability", Stability)
def test_the_tally_counts_such_people_with_the_noise_of_a_whole_tree(rng, stability):
    query = TreeQuery(4, 3, stability)
    pair, budget = query.pair(Column.from_values([0.2, 0.7], BOUNDS)), ZCDP(0.1)
    deviation = query.scale(budget) / query.moved
    one, other = (query.release_many(side, budget, rng, 120_000) for side in (pair.one, pair.other))
    exact = np.concatenate(count_levels(pair.other, query.shape))
    weight = matrix(query) @ np.ones(query.leaves)
    base = float(exact @ weight) / query.moved**2
    assert fits(other, stats.norm(base, deviation))
    assert fits(one, stats.norm(base + 1, deviation))
    for wrong in (0.9, 1.1):
        law = stats.norm(base, wrong * deviation)
        assert can_tell(other.size, stats.norm(base, deviation), law)
        assert not fits(other, law)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("budget", BUDGETS)
def test_the_right_tree_passes_and_the_twin_is_caught(rng, budget):
    right = TreeQuery()
    pair, claim, bounds = right.pair(NOBODY), right.claim(budget, DELTA), []
    for tried in (right, replace(right, stability=Stability.LAYERS)):
        sides = [tried.release_many(one, budget, rng, 30_000) for one in (pair.one, pair.other)]
        bounds.append(audit(*sides, 1 - 1e-9, claim.delta).bound)
    assert bounds[0] <= claim.epsilon < bounds[1]
