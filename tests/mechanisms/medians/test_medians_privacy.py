"""Exact privacy losses of the exponential median, alone, in two nodes, and on samples."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.conversions import bounded_range_to_zcdp
from dpviz.mechanisms.exponential.one_quantile import density_of
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.sampled import SampledMedian
from tests.mechanisms.medians.continuous import median_problems
from tests.statistics import can_tell, fits

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
AT = np.linspace(0.0005, 0.9995, 1000)  # where densities are compared; no record lies there


def log_density(values, eta, at=AT):
    values = np.sort(np.asarray(values, dtype=float))
    groups = Groups(
        values, np.array([0, values.size]), np.zeros(1), np.ones(1), Bounds(0, 1), ordered=True
    )
    density = density_of(*median_problems(groups, eta))
    return density.log_density[np.searchsorted(density.edges[1:-1], at, side="right")]


def columns(rng):
    for size in (0, 1, 2, 3, 6, 7, 20, 21):
        yield np.round(rng.beta(0.5, 0.8, size), 2)
    yield np.full(9, 0.5)
    yield np.array([0.0, 0.0, 1.0, 1.0])


def additions(values):
    return [np.append(values, new) for new in (0.0, 0.17, 0.5, 0.83, 1.0)]


def replacements(values):
    return [
        np.append(np.delete(values, at), new)
        for at in range(values.size)
        for new in (0.0, 0.17, 0.5, 1.0)
    ]


def worst_loss(pairs, eta):
    losses = [np.abs(log_density(a, eta) - log_density(b, eta)).max() for a, b in pairs]
    return max(losses)


@pytest.mark.few(3)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_the_loss_is_at_most_epsilon_and_doubling_eta_is_caught(epsilon, neighbours, rng):
    change = additions if neighbours is ADD else replacements
    pairs = [(values, other) for values in columns(rng) for other in change(values)]
    eta = ExponentialMedian().eta(PureDP(epsilon), neighbours)
    assert worst_loss(pairs, eta) <= epsilon * (1 + 1e-9)
    assert worst_loss(pairs, 2 * eta) > epsilon


def test_a_replacement_over_two_nodes_costs_no_more_than_in_one(rng):
    """One node loses a record and another gains one: their losses add, and stay within ε."""
    epsilon = 1.0
    eta = ExponentialMedian().eta(PureDP(epsilon), REPLACE)
    pairs = [(values, other) for values in columns(rng) for other in additions(values)]
    one = worst_loss(pairs, eta)
    assert epsilon / 4 < one
    assert 2 * one <= epsilon * (1 + 1e-9)
    # in ρ, two ranges of ε/2 cost 2 r(ε/2), about half of what one of ε costs
    eta_rho = ExponentialMedian().eta(ZCDP(0.02), REPLACE)
    spread = max(np.ptp(log_density(a, eta_rho) - log_density(b, eta_rho)) for a, b in pairs)
    assert 2 * bounded_range_to_zcdp(spread).rho <= 0.02
    inside = [(values, other) for values in columns(rng) for other in replacements(values)]
    spread = max(np.ptp(log_density(a, eta_rho) - log_density(b, eta_rho)) for a, b in inside)
    assert bounded_range_to_zcdp(spread).rho <= 0.02 * (1 + 1e-9)  # bounded range within one node


def sampled_density(values, rate, eta):
    """The density of a median of a Poisson sample: every subset with its probability."""
    distinct, copies = np.unique(values, return_counts=True)
    total = np.zeros(AT.size)
    for taken in itertools.product(*(range(count + 1) for count in copies)):
        weight = math.prod(
            math.comb(c, t) * rate**t * (1 - rate) ** (c - t)
            for t, c in zip(taken, copies.tolist(), strict=True)
        )
        total += weight * np.exp(log_density(np.repeat(distinct, taken), eta))
    return total


def sampled_loss(budget, rate):
    """The largest loss over records added to a few columns; the last one is nearly the worst."""
    eta, found = ExponentialMedian().eta(budget, ADD), []
    crowd = np.full(60, 0.001)  # one more record on the far side costs almost all of ε
    for values in (np.array([]), np.array([0.3]), np.array([0.3, 0.9]), np.zeros(5), crowd):
        before = sampled_density(values, rate, eta)
        after = [sampled_density(other, rate, eta) for other in additions(values)]
        found.append(np.abs(np.log(np.array(after) / before)).max())
    return max(found)


@pytest.mark.law
@pytest.mark.parametrize(("epsilon", "rate"), [(0.1, 0.1), (0.5, 0.05), (1.0, 0.5)])
def test_sampling_amplifies_by_exactly_its_formula(epsilon, rate):
    inside = SampledMedian(rate=rate).inner(PureDP(epsilon), ADD)
    assert 0.9 * epsilon < sampled_loss(inside, rate) <= epsilon * (1 + 1e-9)
    # the wrong twin, as if ε fell in proportion to the rate, is caught
    assert sampled_loss(PureDP(epsilon / rate), rate) > 1.1 * epsilon
    # PSD's Theorem 7, 2p e^ε', would promise less privacy than there is
    assert 2 * rate * math.exp(inside.epsilon) > epsilon


class Mixture:
    def __init__(self, density):
        mass = density / density.sum()
        self.edges = np.linspace(0, 1, AT.size + 1)
        self.level = np.concatenate(([0.0], np.cumsum(mass)))

    def cdf(self, x):
        return np.interp(x, self.edges, self.level)

    def ppf(self, level):
        return np.interp(level, self.level, self.edges)


@pytest.mark.law
def test_sampled_medians_follow_the_mixture_over_subsets(rng):
    values, rate, runs = np.array([0.03, 0.06, 0.09, 0.12, 0.15, 0.9]), 0.3, 30_000
    median = SampledMedian(rate=rate)
    groups = Groups(
        np.tile(values, runs),
        np.arange(runs + 1) * values.size,
        np.zeros(runs),
        np.ones(runs),
        Bounds(0, 1),
    )
    budget = PureDP(1.0)
    sample = median.draw(groups, budget, ADD, rng)
    inner = median.inner(budget, ADD)
    right = Mixture(sampled_density(values, rate, ExponentialMedian().eta(inner, ADD)))
    assert fits(sample, right, comparisons=3)
    unsampled = Mixture(np.exp(log_density(values, ExponentialMedian().eta(inner, ADD))))
    unamplified = Mixture(sampled_density(values, rate, ExponentialMedian().eta(budget, ADD)))
    for wrong in (unsampled, unamplified):
        assert can_tell(runs, wrong, right, comparisons=3)
        assert not fits(sample, wrong, comparisons=3)


@pytest.mark.law
def test_many_nodes_of_all_sizes_follow_their_own_densities(rng):
    """Nodes are drawn in classes of size; each must still get its own law."""
    small, large = np.array([0.2, 0.8]), np.linspace(0.5, 0.99, 40)
    columns = [np.empty(0), small, large]
    runs = 8_000
    values = np.concatenate([np.concatenate(columns)] * runs)
    starts = np.concatenate(([0], np.cumsum(np.tile([c.size for c in columns], runs))))
    groups = Groups(values, starts, np.zeros(3 * runs), np.ones(3 * runs), Bounds(0, 1))
    drawn = ExponentialMedian().draw(groups, PureDP(1.0), ADD, rng).reshape(runs, 3)
    laws = [Mixture(np.exp(log_density(c, 1.0, AT))) for c in columns]
    for node, (column, law) in enumerate(zip(columns, laws, strict=True)):
        assert fits(drawn[:, node], law, comparisons=9), column
        for other in laws[:node] + laws[node + 1 :]:
            assert can_tell(runs, other, law, comparisons=9)
            assert not fits(drawn[:, node], other, comparisons=9)


def test_ties_are_compressed_within_nodes_but_never_across_them():
    columns = [[0.2, 0.5, 0.5], [0.5], [], [0.5, 0.5, 0.7], [0.7]]
    sizes = np.array([len(column) for column in columns])
    groups = Groups(
        np.concatenate(columns),
        np.concatenate(([0], np.cumsum(sizes))),
        np.zeros(5),
        np.ones(5),
        Bounds(0, 1),
    )
    ladder, problems = median_problems(groups, 1.0)
    assert np.array_equal(ladder.rank(problems.last) - ladder.rank(problems.first), sizes)
    for node, column in enumerate(columns):
        rungs = ladder.values[problems.first[node] : problems.last[node]]
        assert rungs.tolist() == sorted(set(column))
        alone = log_density(column, 1.0)
        density = density_of(ladder, problems.take(slice(node, node + 1)))
        here = density.log_density[np.searchsorted(density.edges[1:-1], AT, side="right")]
        np.testing.assert_allclose(here, alone, rtol=1e-12)
