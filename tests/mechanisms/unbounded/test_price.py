"""The price of a search against every neighbour of every small multiset, and wrong twins."""

import itertools

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import approx_to_zcdp, bounded_range_to_zcdp, zcdp_to_approx
from dpviz.core.errors import DpvizError
from dpviz.mechanisms.unbounded import price
from dpviz.mechanisms.unbounded.price import even_epsilon, spendable, unbounded_cost
from tests.mechanisms.unbounded.enumerated import all_laws, losses, neighbour_pairs
from tests.rows import by_rows

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)
EPSILONS = ((1.0, 1.0), (0.3, 2.0), (3.0, 0.2))
ORDERS = np.array([1.0001, 1.5, 2, 4, 16, 100])


def divergences(pairs):
    """The largest D_α/α of neighbours, either way, over some orders α; α near 1 is KL."""
    found = 0.0
    for one, other in ((pairs[:, 0], pairs[:, 1]), (pairs[:, 1], pairs[:, 0])):
        for order in ORDERS:
            inside = order * np.log(one) + (1 - order) * np.log(other)
            top = inside.max(axis=1, keepdims=True)
            rates = top[:, 0] + np.log(np.exp(inside - top).sum(axis=1))
            found = max(found, float(rates.max()) / (order - 1) / order)
    return found


@pytest.fixture(scope="module")
def laws():
    """Two of the three prices at each quantile: any two of them meet at some."""
    every = itertools.product(enumerate(QUANTILES), enumerate(EPSILONS))
    return {(q, *each): all_laws(q, *each) for (i, q), (j, each) in every if (i + j) % 3 < 2}


@pytest.mark.law
@pytest.mark.parametrize("neighbours", Neighbours)
def test_no_neighbour_of_a_small_multiset_costs_more_and_some_nearly_as_much(laws, neighbours):
    shares = {}
    for (q, first, second), found in laws.items():
        pairs = neighbour_pairs(found, neighbours)
        loss = losses(pairs)
        epsilon, rho = unbounded_cost(first, second, q, neighbours)
        assert np.abs(loss).max() <= epsilon * (1 + 1e-9)
        up, down = price.losses(first, second, q, neighbours)
        assert np.ptp(loss, axis=1).max() <= (up + down) * (1 + 1e-9)
        if neighbours is ADD:  # each direction has a price of its own
            assert loss.max() <= up * (1 + 1e-9)
            assert -loss.min() <= down * (1 + 1e-9)
        assert divergences(pairs) <= rho
        shares[q, first, second] = np.abs(loss).max() / epsilon
    assert max(shares.values()) > 0.98
    assert np.median(list(shares.values())) > 0.8


@pytest.mark.law
def test_prices_that_claim_too_little_are_caught(laws):
    """Forgetting the shift by 1 − q, or that n is private, or calling it ε-bounded range."""
    loss = losses(neighbour_pairs(laws[0.1, 3.0, 0.2], ADD))
    assert np.abs(loss).max() > 0.1 * 3 + 0.2 == pytest.approx(0.5)
    loss = losses(neighbour_pairs(laws[0.9, 1.0, 1.0], ADD))
    assert np.abs(loss).max() > 1.7 > max(1.0, 1.0)  # as if T did not move
    pairs = neighbour_pairs(laws[0.1, 1.0, 1.0], ADD)
    epsilon, rho = unbounded_cost(1.0, 1.0, 0.1, ADD)
    assert bounded_range_to_zcdp(epsilon).rho < divergences(pairs) <= rho


def reused(search):
    """A wrong twin: one noise ν for all guesses, so that it stops where f − T passes τ − ν."""
    t, v, excess = search.threshold, search.query, -search.missing
    above = v * np.exp(-t * np.maximum(excess, 0)) / (t + v)
    passed = np.where(excess >= 0, 1 - above, t * np.exp(v * np.minimum(excess, 0)) / (t + v))
    law = np.zeros(search.guesses + 1)
    law[search.stretches.first] = np.diff(passed, prepend=0)
    law[-1] = 1 - passed[-1]
    return law


def redrawn(search):
    """A wrong twin: the threshold's noise is fresh for every guess, so that nothing is shared."""
    gap = np.repeat(search.missing, search.stretches.length)
    t, v = search.threshold, search.query
    # P(ν ≥ d + τ), by whether d is positive
    tail = np.exp(-v * np.maximum(gap, 0)) * t / (t + v)
    sure = -np.expm1(-t * np.maximum(-gap, 0)) + np.exp(-t * np.maximum(-gap, 0)) * t / (t + v)
    accepted = np.where(gap >= 0, tail, sure)
    refused = np.concatenate(([1.0], np.cumprod(1 - accepted)))
    return np.append(refused[:-1] * accepted, refused[-1])


@pytest.mark.parametrize("twin", [reused, redrawn])
def test_noise_that_is_used_again_or_not_shared_is_caught(twin):
    wrong = all_laws(0.5, 1.0, 1.0, law=twin)
    assert all(law.sum() == pytest.approx(1) for law in wrong.values())
    found = np.abs(losses(neighbour_pairs(wrong, ADD)))
    assert np.nanmax(found) > unbounded_cost(1.0, 1.0, 0.5, ADD)[0] * 1.2


def test_the_prices_of_the_text():
    assert unbounded_cost(0.4, 0.4, 0.5, ADD)[0] == pytest.approx(0.6)
    assert unbounded_cost(2.0, 0.1, 0.2, ADD)[0] == pytest.approx(1.6)
    assert unbounded_cost(0.4, 0.3, 0.5, REPLACE)[0] == pytest.approx(0.7)
    # for small ε the bounded range decides: about R²/8 against ε²/2
    assert unbounded_cost(1e-3, 1e-3, 0.5, ADD)[1] == pytest.approx(4e-6 / 8, rel=1e-3)
    assert unbounded_cost(1e-3, 1e-3, 0.5, REPLACE)[1] == pytest.approx(9e-6 / 8, rel=1e-3)


@by_rows("neighbours", Neighbours)
@by_rows("q", [0.0, 0.01, 0.5, 0.73, 1.0])
@by_rows("size", [1e-12, 0.1, 0.3, 1.0, 7.0, 100.0, 1e6])
def test_a_budget_is_spent_to_the_last_digits_and_never_exceeded(neighbours, q, size):
    for place, budget in enumerate((PureDP(size), ZCDP(size))):
        each = even_epsilon(spendable(budget, 1, q, neighbours), q, neighbours)
        assert unbounded_cost(each, each, q, neighbours)[place] <= size
        more = each * (1 + 1e-9)
        assert unbounded_cost(more, more, q, neighbours)[place] > size
        if place == 0:
            assert each == pytest.approx(size / (2 if neighbours is REPLACE else 1 + q))


def test_half_a_budget_and_a_budget_with_delta():
    half = spendable(PureDP(0.3), 2, 0.5, ADD)
    assert half == PureDP(0.15)
    assert spendable(ZCDP(0.3), 2, 0.5, ADD) == ZCDP(0.15)
    # a small δ buys nothing here, a large one a ρ
    assert spendable(ApproxDP(1, 1e-12), 1, 0.5, ADD) == PureDP(1)
    budget = ApproxDP(1, 0.2)
    converted = spendable(budget, 1, 0.5, ADD)
    assert converted == ZCDP(approx_to_zcdp(budget).rho)
    each = even_epsilon(converted, 0.5, ADD)
    assert each > 1 / 1.5
    spent = unbounded_cost(each, each, 0.5, ADD)[1]
    assert zcdp_to_approx(ZCDP(spent), 0.2).epsilon <= 1 + 1e-9


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 1, 0.5, ADD), "eps_threshold"),
        ((1, float("nan"), 0.5, ADD), "eps_query"),
        ((1, 1, 1.5, ADD), "q must lie"),
        ((1, 1, 0.5, "both"), "neighbours"),
    ],
)
def test_a_price_of_nonsense_is_refused(arguments, words):
    with pytest.raises(DpvizError, match=words):
        unbounded_cost(*arguments)
