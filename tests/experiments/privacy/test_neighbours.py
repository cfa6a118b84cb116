"""Neighbouring columns, exact output laws and their log ratio, against brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Shape, noise_loss
from dpviz.experiments.privacy.loss_view import POINTS, loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Change, exact_pair, spread_pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import doubled
from tests.rows import by_rows
from tests.statistics import fits_probabilities

BOUNDS = Bounds(0, 10)
VALUES = some.lists(some.sampled_from([0, 0.5, 1, 4, 4.001, 5, 9.75, 10]), max_size=8)
BUDGETS = [
    *(pytest.param(PureDP(end), marks=pytest.mark.law) for end in (0.01, 20.0)),
    *(PureDP(1.0), ZCDP(0.5), ApproxDP(1.0, 1e-6)),
]


def column_of(values, resolution=0.0):
    return Column.from_values(values, BOUNDS, resolution)


@some.composite
def neighbours(draw, relation):
    column = column_of(draw(VALUES), draw(some.sampled_from([0.0, 0.5])))
    rank = some.integers(0, max(column.n - 1, 0))
    value = some.sampled_from([0, 1, 4.0005, 10])
    if relation is Neighbours.REPLACE_ONE:
        column = column_of([*column.values, 3.0], column.resolution)
        return column, Change(draw(some.integers(0, column.n - 1)), draw(value))
    if column.n and draw(some.booleans()):
        return column, Change(removed=draw(rank))
    return column, Change(added=draw(value))


def dense_density(values, bounds, q, eta, at):
    """The exponential mechanism's log density at a point, one record after the other."""
    ends = [bounds.low, *sorted(values), bounds.high]
    total = sum(
        (ends[k + 1] - ends[k]) * math.exp(-eta * abs(k - q * len(values)))
        for k in range(len(values) + 1)
    )
    below = sum(value < at for value in values)
    return -eta * abs(below - q * len(values)) - math.log(total)


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("q", [0.5, 0.13, 0.999])
@settings(max_examples=50)
@given(data=some.data())
def test_densities_are_those_of_a_plain_loop_and_integrate_to_one(relation, q, data):
    column, change = data.draw(neighbours(relation))
    query = QuantileQuery(q, relation)
    pair = query.pair(column, change, np.random.default_rng(3))
    loss = query.loss(pair, PureDP(1.0))
    sensitivity = 1.0 if relation is Neighbours.REPLACE_ONE else max(q, 1 - q)
    middle = (loss.at[:-1] + loss.at[1:]) / 2
    inside = (middle > loss.at[:-1]) & (middle < loss.at[1:])
    for one, log_law in ((pair.one, loss.log_one), (pair.other, loss.log_other)):
        assert (np.exp(log_law) * np.diff(loss.at)).sum() == pytest.approx(1)
        expected = [
            dense_density(one.values, one.bounds, q, 0.5 / sensitivity, at) for at in middle[inside]
        ]
        np.testing.assert_allclose(log_law[inside], expected, atol=1e-9)
    np.testing.assert_allclose(loss.log_ratio, loss.log_one - loss.log_other)


@pytest.mark.law
def test_the_density_is_the_one_that_the_mechanism_draws_from(rng):
    query = QuantileQuery(0.3, Neighbours.ADD_REMOVE)
    column = column_of(rng.random(50) * 10)
    run = query.mechanism.trace(column, QuantileSet.of([0.3]), PureDP(1.0), rng)
    loss = query.loss(query.pair(column, Change(removed=4), rng), PureDP(1.0))
    np.testing.assert_allclose(loss.at, run.density(0, 0).edges)
    np.testing.assert_allclose(loss.log_one, run.density(0, 0).log_density)
    drawn = query.release_many(column, PureDP(1.0), rng, 40_000)
    hits = np.histogram(drawn, loss.at)[0]
    assert fits_probabilities(hits, np.exp(loss.log_one) * np.diff(loss.at))


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("budget", BUDGETS)
@settings(max_examples=50)
@given(data=some.data())
def test_no_quantile_exceeds_its_claim(relation, budget, data):
    column, change = data.draw(neighbours(relation))
    query = QuantileQuery(data.draw(some.sampled_from([0.001, 0.25, 0.5, 0.9])), relation)
    loss = query.loss(query.pair(column, change, np.random.default_rng(1)), budget)
    assert np.isfinite(loss.log_ratio).all()
    assert loss.largest <= query.claim(budget, 1e-6).epsilon * (1 + 1e-9) + 1e-12


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("noise", [Noise.LAPLACE, Noise.DISCRETE_LAPLACE])
@pytest.mark.parametrize("budget", BUDGETS[:-1])
@settings(max_examples=50)
@given(data=some.data())
def test_no_count_exceeds_its_claim(relation, noise, budget, data):
    column, change = data.draw(neighbours(relation))
    query = CountQuery(4.0, noise)
    pair = query.pair(column, change, np.random.default_rng(1))
    loss, claim = query.loss(pair, budget), query.claim(budget, 1e-6)
    assert loss.largest <= claim.epsilon * (1 + 1e-9)
    assert loss.largest == pytest.approx(query.attained(pair, budget, 1e-6))
    moved = query.truth(pair.one) != query.truth(pair.other)
    assert loss.largest == (pytest.approx(claim.epsilon) if moved else 0)


@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("kind", [QuantileQuery, CountQuery])
def test_noise_for_twice_epsilon_exceeds_it(kind, relation):
    tiny, query = 1e-9, QuantileQuery(0.5, relation)
    if kind is CountQuery:
        query = CountQuery(4, Noise.LAPLACE)
        column, change = column_of([1.0]), Change(removed=0)
    elif relation is Neighbours.ADD_REMOVE:
        column, change = column_of([5.0, 5.0 + tiny]), Change(removed=1)
    else:
        column, change = column_of([tiny, 10 - 2 * tiny]), Change(removed=0, added=10 - tiny)
    pair = query.pair(column, change, np.random.default_rng(1))
    claim = query.claim(PureDP(3.0), 0.5).epsilon
    assert 0.99 * claim < query.loss(pair, PureDP(3.0)).largest <= claim * (1 + 1e-9)
    assert query.loss(pair, doubled(PureDP(3.0))).largest > 1.9 * claim


def test_the_etas_of_add_remove_break_the_claim_under_replace_one():
    column, change = column_of([0.0, 9.9, 10.0]), Change(removed=2, added=0.0)
    wrong = QuantileQuery(2 / 3, Neighbours.ADD_REMOVE)
    pair = wrong.pair(column, change, np.random.default_rng(1))
    assert wrong.loss(pair, PureDP(1.0)).largest > 1.0
    right = QuantileQuery(2 / 3, Neighbours.REPLACE_ONE)
    assert right.loss(pair, PureDP(1.0)).largest <= 1.0


@pytest.mark.law
@settings(max_examples=30)
@given(values=VALUES, added=some.sampled_from([-3.0, 0.0, 4.0, 99.0]))
def test_a_neighbour_differs_in_one_record(values, added):
    column = column_of(values)
    other = exact_pair(column, Change(added=added)).other
    np.testing.assert_array_equal(other.values, np.sort([*column.values, np.clip(added, 0, 10)]))
    for rank in range(column.n):
        pair = exact_pair(column, Change(removed=rank))
        assert pair.removed == column.values[rank]
        np.testing.assert_array_equal(pair.other.values, np.delete(column.values, rank))
        moved = spread_pair(column_of(values, 1.0), Change(rank, added), np.random.default_rng(0))
        shared = np.intersect1d(moved.one.values, moved.other.values).size
        assert shared >= np.unique(moved.one.values).size - 1
        assert moved.one.n == moved.other.n == column.n
        assert abs(moved.removed - column.values[rank]) <= 0.5


@pytest.mark.parametrize(
    "change", [Change(), Change(removed=3), Change(removed=-1), Change(added=math.nan)]
)
def test_changes_that_cannot_be_made_are_refused(change):
    with pytest.raises(InvalidParameter):
        exact_pair(column_of([1.0, 2.0]), change)


def test_the_last_record_may_go_and_the_first_may_come():
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    for column, change in ((column_of([5.0]), Change(removed=0)), (column_of([]), Change(added=5))):
        loss = query.loss(query.pair(column, change, np.random.default_rng(1)), PureDP(1.0))
        assert loss.largest == pytest.approx(0)  # one record at the median favours neither side


@by_rows("noise", Noise)
@by_rows("scale", [1e-3, 0.7, 40.0, 3_000.0])
def test_laws_of_noise_sum_to_one(noise, scale):
    loss = noise_loss(noise, scale, 12.0, 13.0)
    law = np.exp(loss.log_one)
    if loss.shape is Shape.ATOMS:
        total = law.sum() * (loss.at[1] - loss.at[0])
    else:
        near = np.abs(loss.at - 12) <= 8 * scale
        total = np.trapezoid(law[near], loss.at[near])
    assert total == pytest.approx(1, rel=2e-3)
    assert 12.0 in loss.at
    np.testing.assert_allclose(loss.log_ratio, loss.log_one - loss.log_other, atol=1e-9, rtol=1e-9)


def test_thinned_densities_keep_their_mass_and_the_ratio_its_heights(rng):
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    column = column_of(rng.normal(5, 2, 30_000))
    loss = query.loss(query.pair(column, Change(removed=0), rng), PureDP(0.001))
    view = float(loss.at[0]), float(loss.at[-1])
    curves = loss_curves(loss, view)
    assert curves.x.size == POINTS + 1
    for law in (curves.one, curves.other):
        assert (law[:-1] * np.diff(curves.x)).sum() == pytest.approx(1)
    assert curves.ratio.size < 10
    assert np.abs(curves.ratio).max() == pytest.approx(loss.largest)
    at = np.searchsorted(curves.ratio_x, (loss.at[:-1] + loss.at[1:]) / 2, side="right") - 1
    np.testing.assert_allclose(curves.ratio[at], loss.log_ratio, atol=1e-8)
    low, high = outputs_span(loss)
    drawn = query.release_many(column, PureDP(0.001), rng, 20_000)
    assert np.mean((drawn < low) | (drawn > high)) < 2e-3


@pytest.mark.law
def test_a_million_records_are_no_matter(rng):
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    column = Column.from_values(np.round(rng.normal(50, 9, 10**6)), Bounds(0, 100), 1.0)
    for budget in (PureDP(1e-6), PureDP(10.0), PureDP(1e4)):
        loss = query.loss(query.pair(column, Change(removed=0), rng), budget)
        assert np.isfinite(loss.log_ratio).all()
        assert loss.largest <= budget.epsilon * (1 + 1e-6)
        curves = loss_curves(loss, outputs_span(loss))
        assert curves.x.size + curves.ratio_x.size < 10_000
        assert np.isfinite(curves.one).all()
