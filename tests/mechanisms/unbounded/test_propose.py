"""Proposed bounds: which guesses they are, what they spend, and refusals that say so."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import InvalidData, InvalidParameter, InvalidRelease
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.mechanisms.unbounded.propose import lower_bounds, propose_bounds, upper_bounds
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile

SIGNS = UnboundedQuantile(base=2, guesses=12, both_signs=True)
PLAIN = UnboundedQuantile(base=2, guesses=12)
NOISELESS = PureDP(1e7)


def test_bounds_are_the_guess_before_the_stop_and_the_stop_on_either_sign():
    stops = np.array([-12, -11, -3, -1, 0, 1, 3, 11, 12])
    low, high = lower_bounds(SIGNS, stops), upper_bounds(SIGNS, stops)
    assert low.tolist() == [-math.inf, -2047, -7, -1, 0, 0, 3, 1023, math.inf]
    assert high.tolist() == [-math.inf, -1023, -3, 0, 0, 1, 7, 2047, math.inf]


@pytest.mark.parametrize(
    ("values", "bounds"),
    [
        (np.linspace(20, 100, 1_000), Bounds(15, 127)),
        (np.linspace(-100, -20, 1_000), Bounds(-127, -15)),
        (np.linspace(-100, 20, 1_000), Bounds(-127, 31)),
        (np.linspace(0.01, 100, 1_000), Bounds(0, 127)),
    ],
)
def test_without_noise_the_bounds_hold_the_values_and_little_else(values, bounds, rng):
    # between two ranks, for a tie with the target is a coin flip
    found = propose_bounds(values, NOISELESS, rng, SIGNS, (0.0045, 0.9955))
    assert found.bounds == bounds
    assert found.refusal == ""
    # the rule for the smallest and the largest: 0 where it lies on the other side of 0
    search = UnboundedQuantile(base=2, guesses=12, both_signs=True, overshoot=1e-9)
    widest = propose_bounds(values, NOISELESS, rng, search, (0, 1))
    assert widest.bounds == Bounds(min(bounds.low, 0), max(bounds.high, 0))


def test_one_sign_takes_the_declared_lower_end(rng):
    found = propose_bounds(np.linspace(-9, 50, 1_000), NOISELESS, rng, PLAIN)
    assert found.bounds == Bounds(0, 63)


@pytest.mark.law
def test_most_proposals_hold_most_of_the_values(rng):
    values = rng.lognormal(10, 0.5, 6_000)
    inside = []
    for _ in range(60):
        bounds = propose_bounds(values, PureDP(1), rng).bounds
        assert bounds is not None
        inside.append(np.mean((bounds.low <= values) & (values <= bounds.high)))
    assert np.quantile(inside, 0.05) > 0.95


@pytest.mark.parametrize(
    ("budget", "spent", "rest"),
    [
        (PureDP(1), PureDP(0.1), PureDP(0.9)),
        (ZCDP(0.2), ZCDP(0.02), ZCDP(0.18)),
        (ApproxDP(1, 1e-6), ApproxDP(0.1, 1e-7), ApproxDP(0.9, 9e-7)),
    ],
    ids=str,
)
def test_what_it_spent_is_booked_and_the_rest_is_left(budget, spent, rest, rng):
    found = propose_bounds([1, 2, 3], budget, rng, SIGNS)
    for one, other in ((found.spent, spent), (found.rest, rest)):
        assert one.to_dict() == pytest.approx(other.to_dict())
        assert one.size <= other.size * (1 + 1e-15)
    assert found.parameters["share"] == 0.05
    assert propose_bounds([1], budget, rng, SIGNS, share=0.2).spent.size == pytest.approx(
        0.4 * budget.size
    )


def test_a_refusal_says_why_and_that_the_budget_is_spent(rng):
    above = propose_bounds(np.full(99, 1e9), NOISELESS, rng, PLAIN)
    assert (above.low, above.high, above.bounds) == (None, None, None)
    assert "lower and upper" in above.refusal
    crossed = propose_bounds(np.full(99, -5.0), NOISELESS, rng, PLAIN)
    assert (crossed.low, crossed.high, crossed.bounds) == (0.0, 0.0, None)
    below = propose_bounds(np.full(99, -1e9), NOISELESS, rng, SIGNS)
    assert (below.low, below.high) == (None, None)
    for one in (above, crossed, below):
        assert "spent all the same" in one.refusal
        assert str(one.spent) in one.refusal
        assert one.spent == PureDP(1e6)
        assert BoundsProposal.from_json(one.to_json()) == one


def test_a_proposal_travels_without_loss(rng):
    for budget in (PureDP(0.3), ZCDP(0.2), ApproxDP(1, 1e-6)):
        found = propose_bounds(rng.normal(0, 50, 300), budget, rng)
        assert BoundsProposal.from_json(found.to_json()) == found
    for damaged in ("", "{}", found.to_json().replace('"bounds"', '"tree"')):
        with pytest.raises(InvalidRelease):
            BoundsProposal.from_json(damaged)


def test_what_is_asked_wrongly_is_refused_before_anything_is_drawn(rng):
    before = rng.bit_generator.state
    for arguments, words in (
        ({"share": 0.5}, "share"),
        ({"share": "5%"}, "share"),
        ({"quantiles": 0.5}, "quantiles"),
        ({"quantiles": (0.9, 0.1)}, "ascend"),
        ({"quantiles": (0, 2)}, "quantiles"),
        ({"search": 0.1}, "search"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            propose_bounds([1, 2], PureDP(1), rng, **arguments)
    with pytest.raises(InvalidData):
        propose_bounds("x", PureDP(1), rng)
    assert rng.bit_generator.state == before
