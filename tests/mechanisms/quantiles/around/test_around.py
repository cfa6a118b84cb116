"""AQ around any single-quantile mechanism: seeds, the truth without noise, edges and refusals."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.around.exponential import ExponentialQuantile
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.around.noisy_search import NoisySearchQuantile
from dpviz.mechanisms.quantiles.around.protocol import Parts
from dpviz.mechanisms.quantiles.around.smooth import SmoothQuantile
from tests.rows import by_rows

SINGLES = (ExponentialQuantile(), NoisySearchQuantile(24), SmoothQuantile())
TENTHS = np.arange(1, 10) / 10
DELTA = ApproxDP(1.0, 1e-6)


def column(values, resolution=0.0):
    return Column.from_values(np.asarray(values, dtype=float), Bounds(0, 100), resolution)


def made_up(n, resolution=0.0):
    values = np.random.default_rng(n).uniform(0, 100, n)
    return column(np.round(values) if resolution else values, resolution)


@pytest.mark.law
@by_rows("budget", [PureDP(1.0), ZCDP(0.5), DELTA], ids=str)
@by_rows("relation", Neighbours)
@by_rows("resolution", [0.0, 1.0])
def test_the_default_is_approximate_quantiles_seed_for_seed(budget, relation, resolution):
    own = made_up(5000, resolution)
    for rule in RhoRule:
        ours = QuantilesAround(ExponentialQuantile(rule), relation)
        theirs = ApproximateQuantiles(relation, rule)
        drawn = [
            one.release_many(own, TENTHS, budget, np.random.default_rng(3), 40)
            for one in (ours, theirs)
        ]
        np.testing.assert_array_equal(*drawn)
        released = ours.release(own, TENTHS, budget, np.random.default_rng(4)).values
        study = theirs.release_many(own, TENTHS, budget, np.random.default_rng(4), 1)[0]
        np.testing.assert_array_equal(released, study)


def test_it_refuses_secure_bits_in_words():
    with pytest.raises(InvalidParameter, match="floating point"):
        QuantilesAround().release(made_up(9), TENTHS, PureDP(1), SecureBits.fresh())


@pytest.mark.parametrize("single", SINGLES, ids=lambda one: one.name)
def test_without_noise_every_mechanism_draws_the_quantiles(single):
    own = made_up(999)
    drawn = QuantilesAround(single).release_many(
        own, TENTHS, ApproxDP(1e6, 0.5), np.random.default_rng(1), 5
    )
    # a part loses the record at its end: a miss by one in each of the four levels at most
    below = np.searchsorted(own.values, drawn)
    assert (abs(below - TENTHS * 999) <= 4).all()


@pytest.mark.few(4, 10)
@pytest.mark.parametrize("single", SINGLES, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "values", [[], [0], [100], [40] * 50, [0] * 3 + [100] * 3, range(101)], ids=len
)
def test_edges(single, values):
    for resolution in (0.0, 1.0):
        for budget in (ApproxDP(1e-6, 1e-9), DELTA, ApproxDP(1e4, 0.1)):
            mechanism = QuantilesAround(single, round_to_grid=True)
            drawn = mechanism.release_many(
                column(values, resolution), TENTHS, budget, np.random.default_rng(2), 7
            )
            assert drawn.shape == (7, 9)
            assert ((drawn >= 0) & (drawn <= 100)).all()
            assert (np.diff(drawn, axis=1) >= 0).all()


@pytest.mark.parametrize("single", SINGLES, ids=lambda one: one.name)
def test_parts_of_a_level_are_disjoint_and_hold_what_lies_in_their_ranges(single):
    own = column(np.random.default_rng(0).integers(0, 30, 200), 0.0)  # tied, and kept so
    mechanism = QuantilesAround(single)
    run = mechanism.trace(own, TENTHS, DELTA, np.random.default_rng(5))
    for depth in range(4):
        parts = Parts.of(run, depth)
        values, starts = parts.records()
        np.testing.assert_array_equal(np.diff(starts), parts.sizes)
        for at, (low, high) in enumerate(zip(parts.problems.low, parts.problems.high, strict=True)):
            held = own.values[(own.values > low) & (own.values < high)]
            if depth == 0:
                held = own.values
            elif low == 0 or high == 100:  # the declared ends belong to their parts
                held = own.values[(own.values > low) | (low == 0)]
                held = held[(held < high) | (high == 100)]
            np.testing.assert_array_equal(values[starts[at] : starts[at + 1]], held)


def test_a_release_says_what_it_was_drawn_with():
    own = made_up(500)
    mechanism = QuantilesAround(NoisySearchQuantile(9), Neighbours.REPLACE_ONE)
    release = mechanism.release(own, TENTHS, PureDP(2.0), np.random.default_rng(0))
    assert release.mechanism == "QuantilesAround"
    assert release.parameters["single"] == "noisy binary search"
    assert release.parameters["comparisons"] == 9
    assert release.recursion is not None
    assert mechanism.seconds(500, 9, PureDP(1.0), 10) > 0


def test_refusals_say_what_was_wrong():
    for budget in (PureDP(1.0), ZCDP(1.0)):
        with pytest.raises(UnsupportedBudget, match=r"\(ε, δ\)-DP only, got .*ExponentialQuantile"):
            QuantilesAround(SmoothQuantile()).check(budget, TENTHS)
        with pytest.raises(UnsupportedBudget, match=r"\(ε, δ\)-DP only"):
            QuantilesAround(SmoothQuantile()).release(
                made_up(10), TENTHS, budget, np.random.default_rng(0)
            )
    with pytest.raises(UnsupportedBudget, match="too small to be split over 4 levels"):
        QuantilesAround(SmoothQuantile()).release(
            made_up(10), TENTHS, ApproxDP(1.0, 2e-300), np.random.default_rng(0)
        )
    for wrong in (SmoothQuantile, None, "smooth", 3):
        with pytest.raises(InvalidParameter, match=r"single must be .*ExponentialQuantile\(\)"):
            QuantilesAround(wrong)
    for wrong in (0, 61, 2.5, True):
        with pytest.raises(InvalidParameter, match="comparisons"):
            NoisySearchQuantile(wrong)
