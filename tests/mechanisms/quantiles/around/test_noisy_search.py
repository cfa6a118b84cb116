"""Noisy binary search: its exact law and its exact privacy on tiny columns, with wrong twins."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import zcdp_to_approx
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.around.noisy_search import NoisySearchQuantile, sensitivities
from dpviz.mechanisms.quantiles.around.protocol import Share
from dpviz.mechanisms.quantiles.recursion import plan
from tests.statistics import can_tell_probabilities, fits_probabilities

QUARTILES = (0.25, 0.5, 0.75)
SKEWED = (0.05, 0.5, 0.9)
VALUES = [0.02, 0.1, 0.11, 0.3, 0.45, 0.62, 0.63, 0.9]


def noise_of(search, quantiles, budget, relation=Neighbours.ADD_REMOVE, factor=1.0):
    """The frozen law of a comparison's noise, by depth and relative quantile."""
    levels = QuantileSet.of(quantiles).levels
    law, unit = search.noise(budget, levels)
    frozen = stats.laplace if law is Noise.LAPLACE else stats.norm

    @cache  # a frozen law takes longer than what it is asked for
    def at(depth, q):
        share = Share(budget, levels, depth, relation)
        scale = unit * sensitivities(np.array([q]), share, law)[0]
        return frozen(scale=factor * scale)

    return at


def one_search(values, low, high, q, comparisons, noise):
    """{answer: probability} of one search, comparison after comparison."""
    if comparisons == 0:
        return {(low + high) / 2: 1.0}
    middle = (low + high) / 2
    up = noise.cdf(q * len(values) - sum(x < middle for x in values))
    law = {}
    for part, chance in (((middle, high), up), ((low, middle), 1 - up)):
        for answer, inner in one_search(values, *part, q, comparisons - 1, noise).items():
            law[answer] = law.get(answer, 0.0) + chance * inner
    return law


def narrowed(values, low, high, q, comparisons, noise):
    """one_search, whose counts go over the whole part while its range narrows."""
    law = {(low, high): 1.0}
    for _ in range(comparisons):
        halves = {}
        for (a, b), chance in law.items():
            middle = (a + b) / 2
            up = noise.cdf(q * len(values) - sum(x < middle for x in values))
            halves[middle, b] = halves.get((middle, b), 0.0) + chance * up
            halves[a, middle] = halves.get((a, middle), 0.0) + chance * (1 - up)
        law = halves
    return {(a + b) / 2: chance for (a, b), chance in law.items()}


def joint(values, low, high, quantiles, comparisons, noise, depth=0):
    """{(v_1, …, v_m): probability} by Algorithm 1 itself."""
    if not quantiles:
        return {(): 1.0}
    at = math.ceil(len(quantiles) / 2) - 1
    p = quantiles[at]
    law = {}
    found = narrowed(values, low, high, p, comparisons, noise(depth, p))
    for v, chance in found.items():
        left = joint(
            [x for x in values if x < v], low, v, [q / p for q in quantiles[:at]],
            comparisons, noise, depth + 1,
        )  # fmt: skip
        right = joint(
            [x for x in values if x > v], v, high, [(q - p) / (1 - p) for q in quantiles[at + 1 :]],
            comparisons, noise, depth + 1,
        )  # fmt: skip
        for (a, one), (b, other) in itertools.product(left.items(), right.items()):
            law[(*a, v, *b)] = chance * one * other
    return law


def test_the_two_slow_twins_agree():
    noise = stats.laplace(scale=2.0)
    one = one_search(VALUES, 0.0, 1.0, 0.3, 4, noise)
    other = narrowed(VALUES, 0.0, 1.0, 0.3, 4, noise)
    assert one == pytest.approx(other)


@pytest.mark.few(2)
@pytest.mark.parametrize("budget", [PureDP(12.0), ZCDP(6.0), ApproxDP(9.0, 1e-4)], ids=str)
@pytest.mark.parametrize("relation", Neighbours)
def test_draws_follow_the_exact_law_of_all_three_quantiles(budget, relation):
    search, runs = NoisySearchQuantile(2), 60_000
    mechanism = QuantilesAround(search, relation)
    column = Column.from_values(VALUES, Bounds(0, 1))
    drawn = mechanism.release_many(column, QUARTILES, budget, np.random.default_rng(5), runs)
    noise = noise_of(search, QUARTILES, budget, relation)
    law = joint(VALUES, 0.0, 1.0, list(QUARTILES), 2, noise)
    places = {one: i for i, one in enumerate(law)}
    counts = np.zeros(len(law))
    rows, times = np.unique(drawn, axis=0, return_counts=True)
    for row, count in zip(rows, times, strict=True):
        counts[places[tuple(row)]] = count
    right = list(law.values())
    assert fits_probabilities(counts, right, comparisons=6)
    for factor in (0.8, 1.25):  # the wrong twins
        noise = noise_of(search, QUARTILES, budget, relation, factor)
        twin = joint(VALUES, 0.0, 1.0, list(QUARTILES), 2, noise)
        wrong = [twin[one] for one in law]
        assert not fits_probabilities(counts, wrong, comparisons=6)
        assert can_tell_probabilities(runs, wrong, right, comparisons=6)


def pairs(relation):
    """Neighbouring columns that keep the counts of the halves apart."""
    for one in ([0.3, 0.6], [0.1, 0.6, 0.9], [0.7], [0.1] * 6):
        for x in (0.01, 0.4, 0.55, 0.99):
            if relation is Neighbours.ADD_REMOVE:
                yield one, sorted([*one, x])
            else:
                yield from ((one, sorted([*one[:i], *one[i + 1 :], x])) for i in {0, len(one) - 1})


def laws(relation, quantiles, noise):
    for one, other in pairs(relation):
        first, second = (
            joint(values, 0.0, 1.0, list(quantiles), 2, noise) for values in (one, other)
        )
        yield np.array([(p, second[key]) for key, p in first.items()]).T


def worst_loss(relation, quantiles, noise):
    return max(float(abs(np.log(p / q)).max()) for p, q in laws(relation, quantiles, noise))


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("quantiles", [QUARTILES, SKEWED], ids=["quartiles", "skewed"])
def test_no_answer_gives_away_more_than_epsilon(relation, quantiles):
    search, epsilon = NoisySearchQuantile(2), 2.0
    for wrong, factor in ((False, 1.0), (True, 0.25)):
        noise = noise_of(search, quantiles, PureDP(epsilon), relation, factor)
        worst = worst_loss(relation, quantiles, noise)
        assert (worst > epsilon * (1 + 1e-9)) == wrong
        assert worst > 0.4 * epsilon  # the audit sees something


def test_noise_for_one_more_record_is_caught_where_one_is_replaced():
    search, epsilon = NoisySearchQuantile(2), 2.0
    for relation in Neighbours:
        noise = noise_of(search, [0.5], PureDP(epsilon), relation)
        worst = worst_loss(Neighbours.REPLACE_ONE, [0.5], noise)
        assert (worst > 1.9 * epsilon) == (relation is Neighbours.ADD_REMOVE)
        assert worst > 0.99 * epsilon  # six records on one side: every comparison loses all it may


@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
def test_the_renyi_divergence_stays_below_rho_times_its_order(relation):
    search, rho, quantiles = NoisySearchQuantile(2), 0.5, QUARTILES
    for wrong, factor in ((False, 1.0), (True, 0.6)):
        noise = noise_of(search, quantiles, ZCDP(rho), relation, factor)
        worst = 0.0
        for p, q in laws(relation, quantiles, noise):
            for order in (1.01, 2.0, 8.0):
                for a, b in ((p, q), (q, p)):
                    moment = (a**order * b ** (1 - order)).sum()
                    worst = max(worst, math.log(moment) / (order - 1) / order)
        assert (worst > rho) == wrong


def test_noise_adds_up_to_the_budget():
    """The audit: T comparisons in each of L levels, worked out again from the scales."""
    for comparisons, levels in ((1, 1), (12, 4), (60, 9)):
        search = NoisySearchQuantile(comparisons)
        counts = comparisons * levels
        law, scale = search.noise(PureDP(0.7), levels)
        assert law is Noise.LAPLACE
        assert counts / scale == pytest.approx(0.7)
        law, scale = search.noise(ZCDP(0.3), levels)
        assert law is Noise.GAUSSIAN
        assert counts * law.rho(scale) == pytest.approx(0.3)
        for delta in (1e-9, 1e-3):
            law, scale = search.noise(ApproxDP(1.0, delta), levels)
            if law is Noise.LAPLACE:
                assert counts / scale == pytest.approx(1.0)
            else:
                spent = zcdp_to_approx(ZCDP(counts * law.rho(scale)), delta)
                assert spent.epsilon == pytest.approx(1.0, rel=1e-6)
    assert NoisySearchQuantile(1).noise(ApproxDP(1.0, 1e-6), 1)[0] is Noise.LAPLACE
    assert NoisySearchQuantile(12).noise(ApproxDP(1.0, 1e-6), 4)[0] is Noise.GAUSSIAN


def test_what_one_neighbour_changes_by_relation_and_depth():
    q = np.array([0.5, 0.9])
    add = Share(PureDP(1.0), 3, 1, Neighbours.ADD_REMOVE)
    root, deep = (Share(PureDP(1.0), 3, depth, Neighbours.REPLACE_ONE) for depth in (0, 1))
    np.testing.assert_allclose(sensitivities(q, add, Noise.LAPLACE), [0.5, 0.9])
    np.testing.assert_allclose(sensitivities(q, root, Noise.LAPLACE), [1, 1])
    np.testing.assert_allclose(sensitivities(q, deep, Noise.LAPLACE), [1, 1.8])
    np.testing.assert_allclose(sensitivities(q, deep, Noise.GAUSSIAN), [1, 0.9 * math.sqrt(2)])
    assert len(plan(QuantileSet.of(QUARTILES)).levels) == 2


@pytest.mark.law
def test_a_spread_that_is_drawn_lazily_has_the_law_of_a_whole_one():
    """300 runs spread 8,000 tied records lazily, 300 single runs wholly; false alarm 1e-9."""
    values = np.random.default_rng(1).integers(0, 12, 8000).astype(float)
    column = Column.from_values(values, Bounds(0, 11), 1)
    mechanism, budget, runs = QuantilesAround(NoisySearchQuantile(10)), PureDP(0.2), 300
    rng, wanted = np.random.default_rng(8), np.array([0.3, 0.6, 0.8])
    assert isinstance(
        next(mechanism.trace_many(column, wanted, budget, rng, runs)).ladder, LazySpread
    )
    lazy = mechanism.release_many(column, wanted, budget, rng, runs)
    shifted = mechanism.release_many(column, wanted - 0.1, budget, rng, runs)
    whole = [mechanism.release(column, wanted, budget, rng).values for _ in range(runs)]

    def distance(one, other):
        places = np.sort(np.concatenate((one, other)))
        below = [np.searchsorted(np.sort(x), places, side="right") / runs for x in (one, other)]
        return float(abs(below[0] - below[1]).max())

    radius = 2 * math.sqrt(math.log(4e9 * 3) / (2 * runs))
    for own, twin, right in zip(lazy.T, shifted.T, np.array(whole).T, strict=True):
        assert distance(own, right) < radius < distance(twin, right)
