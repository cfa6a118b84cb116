from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import bounded_range_epsilon
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.exponential.composition import bounded_range_delta
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.metrics.quantiles import gaps
from tests.mechanisms.quantiles.exact_quantiles import interval_masses
from tests.statistics import can_tell_probabilities, fits_probabilities

UNIT = Bounds(0, 1)
RECORDS = [0.1, 0.15, 0.4, 0.45, 0.8]
QUANTILES = [0.25, 0.8]
RUNS = 20_000


def sorted_law(records, epsilon):
    """Exact P of the sorted pair of records below: two mechanisms, ε/2 each, then sorted."""
    each = [
        interval_masses(records, 0, 1, q * len(records), epsilon / 2 / (2 * max(q, 1 - q)))[1]
        for q in QUANTILES
    ]
    law = {}
    for (i, p), (j, r) in itertools.product(enumerate(each[0]), enumerate(each[1])):
        key = (min(i, j), max(i, j))
        law[key] = law.get(key, 0.0) + p * r
    return law


def pair_counts(column, values, law):
    below = column.count_below(values)
    keys = [key for key in sorted(law) if law[key] > 0]
    counts = [int((below == key).all(axis=1).sum()) for key in keys]
    assert sum(counts) == len(values)
    return counts, np.array([law[key] for key in keys])


@pytest.mark.law
@pytest.mark.parametrize("records", [RECORDS, [0.2, 0.2, 0.2, 0.7], []])
def test_pure_releases_follow_the_exact_law_and_no_other(rng, records):
    column = Column.from_values(records, UNIT)
    mechanism = IndependentExp(ties=Ties.KEEP)
    values = mechanism.release_many(column, QUANTILES, PureDP(3.0), rng, RUNS)
    law = sorted_law(records, 3.0)
    assert fits_probabilities(*pair_counts(column, values, law), comparisons=3)


@pytest.mark.law
@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_another_epsilon_is_rejected(rng, factor):
    column = Column.from_values(RECORDS, UNIT)
    values = IndependentExp().release_many(column, QUANTILES, PureDP(6.0), rng, RUNS)
    right, wrong = sorted_law(RECORDS, 6.0), sorted_law(RECORDS, 6.0 * factor)
    counts, probabilities = pair_counts(column, values, wrong)
    assert can_tell_probabilities(RUNS, probabilities, pair_counts(column, values, right)[1])
    assert not fits_probabilities(counts, probabilities)


def test_the_epsilon_of_each_mechanism_in_every_notion():
    rules = ((RhoRule.BOUNDED_RANGE, bounded_range_epsilon(0.125)), (RhoRule.PAPER, 0.5))
    for rule, epsilon in rules:
        mechanism = IndependentExp(rho_rule=rule)
        assert mechanism.each_epsilon(PureDP(1.2), 4) == pytest.approx(0.3)
        assert mechanism.each_epsilon(ZCDP(0.5), 4) == pytest.approx(epsilon)
        optimal = mechanism.each_epsilon(ApproxDP(1.0, 1e-6), 120)
        assert bounded_range_delta(optimal, 120, 1.0) == pytest.approx(1e-6, rel=1e-6)


def test_etas_of_both_relations():
    wanted = QuantileSet.of([0.9, 0.25, 0.25])
    assert IndependentExp().etas(PureDP(1.0), wanted) == pytest.approx([0.25 / 0.75, 0.25 / 0.9])
    replace = IndependentExp(neighbours=Neighbours.REPLACE_ONE)
    assert replace.etas(PureDP(1.0), wanted) == pytest.approx([0.25, 0.25])


CLOSE = QuantileSet.of([0.45, 0.55])


def worst_loss(relation, etas):
    """Exact: the worst log-ratio of a product is the sum of the worst of each."""
    places = [0.001, 0.002, 0.3, 0.301, 0.7, 0.998, 0.999]
    worst = 0.0
    for n in (1, 2, 3):
        for one in itertools.combinations(places, n):
            for i in range(n):
                rest = one[:i] + one[i + 1 :]
                if relation is Neighbours.ADD_REMOVE:
                    others = [rest]
                else:
                    others = [tuple(sorted((*rest, x))) for x in places if x not in one]
                for other in others:
                    worst = max(worst, _largest_sum(one, other, CLOSE.distinct, etas))
    return worst


@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
def test_the_joint_density_moves_by_at_most_epsilon(relation):
    epsilon = 2.0
    etas = IndependentExp(neighbours=relation).etas(PureDP(epsilon), CLOSE)
    assert 0.7 * epsilon < worst_loss(relation, etas) <= epsilon * (1 + 1e-9)
    assert worst_loss(relation, 2 * etas) > epsilon  # ε spent twice


def test_the_etas_of_add_remove_are_caught_under_replace_one():
    etas = IndependentExp().etas(PureDP(2.0), CLOSE)
    assert worst_loss(Neighbours.REPLACE_ONE, etas) > 2.0


def _largest_sum(one, other, quantiles, etas):
    cuts = sorted({0.0, 1.0, *one, *other})
    centres = [(a + b) / 2 for a, b in itertools.pairwise(cuts)]
    signed = []
    for q, eta in zip(quantiles, etas, strict=True):
        signed.append(
            [math.log(_density(one, q, eta, at) / _density(other, q, eta, at)) for at in centres]
        )
    return max(sum(max(row) for row in signed), -sum(min(row) for row in signed))


def _density(records, q, eta, at):
    edges, masses = interval_masses(list(records), 0, 1, q * len(records), eta)
    k = sum(x < at for x in records)
    return masses[k] / (edges[k + 1] - edges[k])


@pytest.mark.parametrize("budget", [PureDP(1e7), ZCDP(1e10), ApproxDP(1e6, 1e-6)])
def test_with_a_huge_budget_nothing_is_missed(rng, budget):
    smooth = Column.from_values(rng.normal(size=1000), Bounds(-10, 10))
    ages = Column.from_values(rng.integers(17, 90, 1000), Bounds(0, 120), resolution=1)
    for column in (smooth, ages):
        quantiles = uniform_quantiles(19)
        values = IndependentExp().release_many(column, quantiles, budget, rng, 20)
        assert gaps(column, quantiles, values).max() == 0


def test_a_teaching_release_is_one_run_of_release_many():
    column, kept = Column.from_values(RECORDS, UNIT), IndependentExp(ties=Ties.KEEP)
    one = kept.release(column, QUANTILES, PureDP(1.0), np.random.default_rng(3))
    many = kept.release_many(column, QUANTILES, PureDP(1.0), np.random.default_rng(3), 1)
    assert one.values.tolist() == many[0].tolist()
    assert one.recursion is None


@pytest.mark.law
def test_exact_releases_follow_the_law_of_the_study_and_no_other(rng):
    column, mechanism = Column.from_values(RECORDS, UNIT), IndependentExp()
    drawn = [mechanism.release(column, QUANTILES, PureDP(6.0), rng).values for _ in range(1200)]
    right, wrong = sorted_law(RECORDS, 6.0), sorted_law(RECORDS, 6.0 * 1.6)
    assert fits_probabilities(*pair_counts(column, np.array(drawn), right), comparisons=2)
    counts, probabilities = pair_counts(column, np.array(drawn), wrong)
    assert not fits_probabilities(counts, probabilities, comparisons=2)
