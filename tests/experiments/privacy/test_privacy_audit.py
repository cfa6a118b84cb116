"""The audit: never above what is true, but for its stated chance; and it catches a broken twin."""

import math

import numpy as np
import pytest
from scipy.stats import beta, binom

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.hard_pairs import hard_pair
from dpviz.experiments.privacy.privacy_audit import audit, lower_bounds, most_provable
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import doubled
from tests.rows import by_rows
from tests.statistics import epsilon_lower_bound

BOUNDS = Bounds(-5, 20)
FALSE_ALARM = 1e-9
CASES = [
    *((QuantileQuery(q, one), one, PureDP(1.0)) for q in (0.5, 0.1, 0.93) for one in Neighbours),
    (QuantileQuery(0.5, Neighbours.ADD_REMOVE), Neighbours.ADD_REMOVE, ZCDP(0.2)),
    *((CountQuery(3, noise), Neighbours.ADD_REMOVE, PureDP(1.0)) for noise in list(Noise)[::2]),
    (CountQuery(3, Noise.GAUSSIAN), Neighbours.REPLACE_ONE, ZCDP(0.05)),
    (CountQuery(3, Noise.GAUSSIAN), Neighbours.ADD_REMOVE, ApproxDP(1.0, 1e-3)),
]


def audited(rng, query, pair, spent, claim, runs):
    one, other = (query.release_many(column, spent, rng, runs) for column in (pair.one, pair.other))
    return audit(one, other, 1 - FALSE_ALARM / len(CASES), claim.delta)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize(("query", "relation", "budget"), CASES)
def test_the_true_mechanism_passes_and_the_broken_twin_is_caught(rng, query, relation, budget):
    claim = query.claim(budget, 1e-3)
    pair = hard_pair(query, BOUNDS, relation, claim.epsilon)
    assert query.attained(pair, budget, claim.delta) <= claim.epsilon * (1 + 1e-9)
    runs = 60_000 if isinstance(query, QuantileQuery) else 200_000
    right = audited(rng, query, pair, budget, claim, runs)
    assert right.bound <= claim.epsilon
    assert right.bound >= 0.5 * claim.epsilon  # the sample is large enough to tell
    assert audited(rng, query, pair, doubled(budget), claim, runs).bound > claim.epsilon


@pytest.mark.law
@by_rows("relation", Neighbours)
@by_rows("epsilon", [0.01, 1.0, 5.0])
@by_rows("q", [0.001, 0.02, 0.37, 0.5, 0.75, 0.999])
def test_a_hard_pair_attains_nearly_all_of_epsilon(q, epsilon, relation):
    query = QuantileQuery(q, relation)
    pair = hard_pair(query, BOUNDS, relation, epsilon)
    attained = query.attained(pair, PureDP(epsilon), 0.5)
    assert 0.85 * epsilon < attained <= epsilon * (1 + 1e-9)
    assert abs(pair.one.n - pair.other.n) == (relation is Neighbours.ADD_REMOVE)
    assert (pair.removed is None) + (pair.added is None) == (relation is Neighbours.ADD_REMOVE)


def test_bounds_are_those_of_clopper_and_pearson():
    likely, rare = np.array([60, 100, 0, 100]), np.array([20, 100, 0, 0])
    found = lower_bounds(likely, rare, np.full(4, 100), 0.95, 0.0)
    low, high = beta.ppf(0.025, 60, 41), beta.isf(0.025, 21, 80)
    assert found[0] == pytest.approx(math.log(low / high))
    assert found[1:3].tolist() == [0, 0]
    assert found[3] == pytest.approx(most_provable(100, 0.95))
    assert most_provable(100, 0.95) == pytest.approx(
        math.log(beta.ppf(0.025, 100, 1) / beta.isf(0.025, 1, 100))
    )
    with_delta = lower_bounds(likely, rare, np.full(4, 100), 0.95, 0.1)
    assert with_delta[0] == pytest.approx(math.log((low - 0.1) / high))
    # the kit of the tests splits its doubt over two more sides
    assert found[0] > epsilon_lower_bound(60, 20, 100, confidence=0.95)


def test_the_event_comes_from_the_first_half_and_the_bound_from_the_second(rng):
    one, other = rng.normal(0, 1, 2_000), rng.normal(0.5, 1, 2_000)
    found = audit(one, other, 0.95)
    hits = [int(found.event.hits(part[1_000:]).sum()) for part in (one, other)]
    top, bottom = hits[::-1] if found.event.flipped else hits
    expected = lower_bounds(np.array([top]), np.array([bottom]), np.array([1_000]), 0.95, 0.0)
    assert found.bound == expected[0]
    assert found.runs[-1] == 1_000
    changed = np.concatenate((one[:1_000], rng.normal(9, 1, 1_000)))
    assert audit(changed, other, 0.95).event == found.event


@pytest.mark.law
def test_false_alarms_are_no_more_than_stated(rng):
    # randomised response at ε = 0.5: the bound exceeds ε with chance at most 20 %
    p = 1 / (1 + math.exp(-0.5))
    alarms = sum(
        audit(*((rng.random((2, 400)) < [[p], [1 - p]]).astype(float)), 0.8).bound > 0.5
        for _ in range(500)
    )
    assert alarms <= binom.isf(FALSE_ALARM, 500, 0.2)


def test_equal_outputs_prove_nothing_and_few_are_refused(rng):
    assert audit(np.zeros(100), np.zeros(100)).bound == 0
    with pytest.raises(InvalidParameter, match="at least 4"):
        audit(np.zeros(3), np.zeros(3))
