"""The exact search: its law by summing over the lattice, its price, and draws from that law."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.releases import SECURE
from dpviz.mechanisms.unbounded.guesses import Stretches
from dpviz.mechanisms.unbounded.price import unbounded_cost
from dpviz.mechanisms.unbounded.propose import propose_bounds
from dpviz.mechanisms.unbounded.quantile import (
    UnboundedQuantile,
    exact_stop,
    geometric,
    lattice_search,
)
from tests.mechanisms.unbounded.enumerated import GUESSES, all_laws, losses, neighbour_pairs
from tests.statistics import fits_probabilities

QUANTILES = [Fraction(1, 2), Fraction(1, 10), Fraction(3, 4), Fraction(1)]


def lattice_law(search):
    """P(stop = k), (guesses + 1,): over every τ that matters, guess by guess."""
    keep = math.exp(-1 / search.scale)
    steps = np.arange(int(search.scale * 45) + 2)
    chance = (1 - keep) * keep**steps
    reach = np.maximum(search.missing[None, :] + steps[:, None], 0)
    accept = keep**reach
    before = np.cumprod(np.concatenate((np.ones((steps.size, 1)), 1 - accept), axis=1), axis=1)
    stops = before * np.concatenate((accept, np.ones((steps.size, 1))), axis=1)
    return chance @ stops


@pytest.mark.few(2, 7)
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("q", QUANTILES)
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_price_holds_on_the_lattice(q, epsilon, neighbours):
    """All multisets of up to five records; twin: less than half of the price."""
    laws = all_laws(
        float(q), epsilon, epsilon,
        lambda one: lattice_law(lattice_search(one.stretches, q, 0.0, epsilon)),
    )  # fmt: skip
    for law in laws.values():
        assert law.sum() == pytest.approx(1, abs=1e-9)
    found = losses(neighbour_pairs(laws, neighbours))
    price, _ = unbounded_cost(epsilon, epsilon, float(q), neighbours)
    largest = np.abs(found[np.isfinite(found)]).max()
    assert largest <= price * (1 + 1e-6)
    assert largest > price / 2


@pytest.mark.law
@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(9, 10)])
def test_draws_have_the_law(q, rng):
    """Twin: the law of one noise for all guesses."""
    stretches = Stretches.of(np.array([0.5, 0.5, 2.0, 5.0, 9.0]), GUESSES)
    search = lattice_search(stretches, q, 0.0, 0.7)
    bits = SeededBits(rng)
    drawn = np.bincount([exact_stop(search, bits) for _ in range(1_500)], minlength=5)
    law = lattice_law(search)
    assert fits_probabilities(drawn, law)
    keep = math.exp(-1 / search.scale)
    once = np.diff(keep ** np.maximum(search.missing, 0), prepend=0, append=1)
    assert not fits_probabilities(drawn, np.maximum(once, 1e-12) / np.maximum(once, 1e-12).sum())


@pytest.mark.parametrize("scale", [0.3, 2.5, 400.0])
def test_noise_is_geometric(scale, rng):
    drawn = geometric(scale, 20_000, SeededBits(rng))
    keep = math.exp(-1 / scale)
    assert drawn.min() == 0
    mean, spread = keep / (1 - keep), math.sqrt(keep) / (1 - keep)
    assert abs(drawn.mean() - mean) < 5 * spread / math.sqrt(drawn.size)
    assert abs((drawn == 0).mean() - (1 - keep)) < 5 * math.sqrt(keep * (1 - keep) / drawn.size)


def test_noise_is_never_smaller_than_the_budget_asks_for():
    for epsilon in (0.1, 1 / 3, 0.7, 2.0):
        search = lattice_search(Stretches.of(np.ones(3), GUESSES), Fraction(1, 7), 0.0, epsilon)
        assert Fraction(search.scale) * Fraction(epsilon) >= 7


def test_a_release_with_secure_bits_says_so_and_lies_near(rng):
    values = rng.lognormal(10, 1, 20_000)
    for neighbours in Neighbours:
        one = UnboundedQuantile(base=1.01, neighbours=neighbours)
        release = one.release(values, 0.5, PureDP(1), SecureBits.fresh())
        assert release.randomness == SECURE
        assert abs((values < release.value).mean() - 0.5) < 0.03
    proposal = propose_bounds(values - 1000, ZCDP(1), SecureBits.fresh())
    assert proposal.randomness == SECURE
    assert proposal.bounds.low <= np.quantile(values, 0.02) - 1000
    assert proposal.bounds.high >= np.quantile(values, 0.98) - 1000


def test_both_signs_find_a_negative_quantile(rng):
    values = -rng.lognormal(5, 0.2, 5_000)
    one = UnboundedQuantile(base=1.01, both_signs=True)
    release = one.release(values, 0.3, PureDP(2), SecureBits.fresh())
    assert release.stop < 0
    assert abs((values < release.value).mean() - 0.3) < 0.08


@pytest.mark.parametrize(
    ("others", "q", "budget", "error", "said"),
    [
        ({"base": 1.00001}, 0.5, PureDP(1), InvalidParameter, "larger base"),
        ({}, 0.1234567, PureDP(1), InvalidParameter, "fewer digits"),
        ({}, 0.5, PureDP(1e-13), InvalidBudget, "larger budget"),
    ],
)
def test_what_is_too_much_for_exact_draws_is_refused(others, q, budget, error, said):
    with pytest.raises(error, match=said):
        UnboundedQuantile(**others).release([1.0, 2.0], q, budget, SecureBits.fresh())


def test_a_generator_draws_as_before():
    one = UnboundedQuantile()
    values = np.arange(100.0)
    (stop,) = one.draw_guesses(values, 0.5, PureDP(1), np.random.default_rng(3), 1)
    assert one.release(values, 0.5, PureDP(1), np.random.default_rng(3)).stop == stop
