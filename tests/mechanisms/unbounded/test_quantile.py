"""The search: its law by brute force, its draws by their law, its errors, its release."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import (
    InvalidBudget,
    InvalidData,
    InvalidParameter,
    InvalidRelease,
    NotExact,
    TooMuchWork,
)
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.scalars.unbounded import UnboundedRelease
from dpviz.mechanisms.unbounded import stops
from dpviz.mechanisms.unbounded.guesses import Guesses, Stretches
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.mechanisms.unbounded.stops import Search, _nodes, draw_stops, most_nodes, stop_law
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

RUNS = 40_000
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


def plain_law(values, guesses, target, first, second):
    """A slow twin: a loop over guesses inside an adaptive integral."""
    below = [int((values < one).sum()) for one in guesses]

    def density(s, stop):
        found = first * math.exp(-first * s)
        for place, count in enumerate(below):
            accepted = math.exp(-second * max(s + target - count, 0))
            if place == stop:
                return found * accepted
            found *= 1 - accepted
        return found

    kinks = sorted({c - target for c in below if c > target})
    edges = [0.0, *kinks, (kinks[-1] if kinks else 0) + 60 / first]
    return [
        sum(
            integrate.quad(density, low, high, (stop,), epsabs=1e-13, epsrel=1e-11, limit=200)[0]
            for low, high in pairwise(edges)
        )
        for stop in range(len(below) + 1)
    ]


@by_rows(("first", "second"), [(1.0, 1.0), (0.4, 2.0), (2.0, 0.4)])
@by_rows("target", [-3.0, 0.0, 1.7, 4.0, 9.0])
def test_the_law_is_that_of_a_plain_loop(first, second, target):
    values, guesses = np.array([-1.0, 0.5, 0.5, 2, 5, 60]), Guesses(1.7, 7, 0.0, 1.0)
    search = Search(Stretches.of(values, guesses), target, first, second)
    found = stop_law(search)
    plain = plain_law(values, guesses.at(np.arange(7)), target, first, second)
    np.testing.assert_allclose(found, plain, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("epsilon", [1e-4, 0.05, 0.3, 40])
@pytest.mark.parametrize("guesses", [40, 900])
def test_the_most_nodes_are_those_of_the_column_that_takes_most(epsilon, guesses):
    one, budget, taken = UnboundedQuantile(base=1.01, guesses=guesses), PureDP(epsilon), []
    for size in (0, 1, 40, 900):
        values = np.nextafter(one.grid.at(np.arange(size)), -1)  # one more below each guess
        for q in (0.0, 0.5):  # with a target of 0 each is a kink
            (search,) = one.searches(values, q, budget)
            most = most_nodes(guesses, search.threshold, search.query)
            assert _nodes(search)[0].size <= most
            taken.append(_nodes(search)[0].size / most)
    assert max(taken) > 0.5  # the sum of two numbers, each of which some column takes


@pytest.mark.parametrize(("epsilon", "refused"), [(1e-4, True), (0.1, True), (300, False)])
def test_whether_a_law_is_too_much_work_hangs_on_what_is_declared(epsilon, refused, monkeypatch):
    """A record more, and it was refused: each may add a kink, and with it 20 nodes."""
    one = UnboundedQuantile(base=1.01, guesses=60)
    monkeypatch.setattr(stops, "MOST_WORK", 60 * 20 * 50)
    for size in (0, 1, 30, 1_000):
        values = one.grid.at(np.arange(size) % 60)
        if not refused:
            assert one.law(values, 0.5, PureDP(epsilon)).sum() == pytest.approx(1)
            continue
        with pytest.raises(TooMuchWork, match="fewer guesses"):
            one.law(values, 0.5, PureDP(epsilon))


@by_rows("size", [0, 1, 2, 30, 5_000])
@by_rows("budget", [PureDP(1e-4), PureDP(1), PureDP(300), ZCDP(0.2)], ids=str)
def test_a_law_sums_to_one(size, budget, rng):
    one = UnboundedQuantile(base=1.3, guesses=40)
    for q in (0.0, 0.5, 1.0):
        law = one.law(rng.lognormal(2, 1, size), q, budget)
        assert law.sum() == pytest.approx(1, abs=1e-12)
        assert (law >= 0).all()
    with_signs = UnboundedQuantile(base=1.3, guesses=40, both_signs=True)
    law = with_signs.law(rng.normal(0, 9, size), 0.5, budget)
    assert law.shape == (81,)
    assert law.sum() == pytest.approx(1, abs=1e-12)


def counted(drawn, guesses, signs=False):
    return np.bincount(drawn + (guesses if signs else 0), minlength=guesses * (1 + signs) + 1)


CASES = [
    (PureDP(1), 0.5, 60, {}),
    (PureDP(0.1), 0.5, 60, {}),
    (PureDP(2), 0.9, 500, {"base": 1.02, "guesses": 300}),  # most stretches are far below
    (PureDP(1), 1.0, 60, {}),
    (PureDP(1), 1.0, 60, {"overshoot": 0.05}),
    (PureDP(1), 0.3, 0, {}),
    (ZCDP(0.1), 0.5, 60, {"neighbours": REPLACE}),
    (ApproxDP(0.5, 1e-6), 0.2, 60, {"lower": -3, "unit": 0.01, "base": 2}),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("budget", "q", "size", "choice"), CASES)
def test_draws_follow_the_law_and_half_the_noise_is_caught(budget, q, size, choice, rng):
    one = UnboundedQuantile(**{"base": 1.25, "guesses": 30, **choice})
    values = np.round(rng.lognormal(2, 1, size), 1)
    drawn = counted(one.draw_guesses(values, q, budget, rng, RUNS), one.guesses)
    (search,) = one.searches(values, q, budget)
    right = one.law(values, q, budget)
    assert fits_probabilities(drawn, right, comparisons=3)
    first, second = search.threshold, search.query
    less = Search(search.stretches, search.target, first, 2 * second)
    more = Search(search.stretches, search.target, first / 2, second)
    for wrong in (stop_law(less), stop_law(more)):
        assert can_tell_probabilities(RUNS, wrong, right, comparisons=3)
        assert not fits_probabilities(drawn, wrong, comparisons=3)


def test_both_signs_follow_their_law(rng):
    one = UnboundedQuantile(base=1.6, guesses=9, both_signs=True)
    values = rng.normal(-3, 3, 40)
    for q, other in ((0.5, 0.6), (0.2, 0.3)):
        drawn = counted(one.draw_guesses(values, q, PureDP(2), rng, RUNS), 9, signs=True)
        right, wrong = (one.law(values, each, PureDP(2)) for each in (q, other))
        assert right[:9].sum() > 0.2
        assert fits_probabilities(drawn, right, comparisons=4)
        assert can_tell_probabilities(RUNS, wrong, right, comparisons=4)
        assert not fits_probabilities(drawn, wrong, comparisons=4)


def test_both_signs_pay_two_searches():
    one = UnboundedQuantile(both_signs=True)
    up, down = one.epsilons(0.2, PureDP(1))
    assert up == pytest.approx(0.5 / 1.2)
    assert down == pytest.approx(0.5 / 1.8)


def test_the_draw_is_that_of_a_loop_over_guesses(rng):
    """Fresh noise for every guess, one after the other: the same law as a single exponential."""
    values, guesses, runs = rng.lognormal(1, 1, 12), Guesses(1.5, 8, 0.0, 1.0), RUNS
    search = Search(Stretches.of(values, guesses), 5.5, 0.7, 0.9)
    below = (values[None, :] < guesses.at(np.arange(8))[:, None]).sum(axis=1)
    noise = rng.exponential(1 / 0.9, (runs, 8)), rng.exponential(1 / 0.7, (runs, 1))
    accepted = below + noise[0] >= 5.5 + noise[1]
    looped = np.where(accepted.any(axis=1), accepted.argmax(axis=1), 8)
    right = stop_law(search)
    for drawn in (looped, draw_stops(search, rng, runs)):
        assert fits_probabilities(counted(drawn, 8), right, comparisons=2)


@by_rows("count", [1, 5, 60])
@by_rows(("lower", "unit"), [(0.0, 1.0), (-7.5, 1e-3), (1e9, 1e-6), (0.0, 1e200)])
def test_stretches_are_the_counts_of_a_plain_comparison(count, lower, unit, rng):
    guesses = Guesses(1.5, count, lower, unit)
    at = guesses.at(np.arange(count))
    assert (np.diff(at) >= 0).all()
    values = np.concatenate(
        (
            rng.choice(at, 40),
            rng.uniform(lower - unit, at[-1] + unit, 40),
            [-np.inf, np.inf, -1e300],
        )
    )
    found = Stretches.of(values, guesses)
    plain = (values[None, :] < at[:, None]).sum(axis=1)
    assert np.repeat(found.below, found.length).tolist() == plain.tolist()
    assert found.records == values.size
    assert found.length.sum() == count


def test_without_noise_the_first_guess_that_covers_is_released(rng):
    values = np.array([3.0, 8, 20, 41, 99])
    one = UnboundedQuantile(base=2, guesses=10)
    assert one.values_at(np.arange(11)).tolist() == [*(2.0**i - 1 for i in range(10)), np.inf]
    for q, value in ((0.1, 7.0), (0.5, 31.0), (0.9, 127.0)):
        assert one.release(values, q, PureDP(1e6), rng).value == value
    signs = UnboundedQuantile(base=2, guesses=10, both_signs=True)
    for q, value in ((0.3, -63.0), (0.5, -31.0), (0.9, -7.0)):
        assert signs.release(-values, q, PureDP(1e6), rng).value == value
    assert signs.release(values, 0.5, PureDP(1e6), rng).value == 31
    beyond = UnboundedQuantile(base=2, guesses=5).release(values, 0.9, PureDP(1e6), rng)
    assert beyond.value is None
    assert beyond.beyond
    assert str(beyond) == "beyond the last guess"


def test_missing_values_are_left_out_and_infinite_ones_count(rng):
    one = UnboundedQuantile(base=2, guesses=6)
    law = one.law([1, 2, math.nan, math.inf, -math.inf], 0.5, PureDP(1))
    assert np.array_equal(law, one.law([-5, 1, 2, 1e9], 0.5, PureDP(1)))


def test_early_and_late_stops_stay_below_their_bounds(rng):
    """By the exact law: too early by union over guesses, too late by the threshold's noise."""
    values = rng.lognormal(3, 1, 3_000)
    one = UnboundedQuantile(base=1.05, guesses=300)
    below = (values[None, :] < one.values_at(np.arange(300))[:, None]).sum(axis=1)
    for q, failure in ((0.5, 0.05), (0.9, 0.01)):
        law = one.law(values, q, PureDP(0.5))[:300]
        early, late = one.error_bound(q, PureDP(0.5), failure)
        nearer, same = one.error_bound(q, PureDP(0.5), failure, up_to=200)
        assert nearer < early
        assert same == late
        assert law[below < q * 3_000 - nearer].sum() <= failure
        first_late = int(np.argmax(below >= q * 3_000 + late))
        assert law[first_late + 1 :].sum() <= failure
        assert law[below < q * 3_000 - nearer / 2].sum() + law[first_late:].sum() > failure / 100


def test_a_maximum_overshoots_as_rarely_as_it_says(rng):
    values = rng.uniform(0, 100, 2_000)
    kept = {"base": 1.1, "guesses": 200}
    first = int(Guesses(1.1, 200, 0.0, 1.0).above(np.array([values.max()]))[0])
    plain = UnboundedQuantile(**kept).law(values, 1.0, PureDP(1))
    aimed = UnboundedQuantile(**kept, overshoot=0.05).law(values, 1.0, PureDP(1))
    assert plain[first + 1 :].sum() > 0.3
    assert aimed[first + 1 :].sum() <= 0.05
    # the drift of the plain search has the tail 1/k
    assert plain[first + 10 :].sum() > 0.03


def test_a_release_travels_without_loss(rng):
    values = rng.normal(0, 10, 50)
    for budget in (PureDP(0.1), ZCDP(0.2), ApproxDP(1, 1e-6)):
        for one in (UnboundedQuantile(), UnboundedQuantile(base=2, guesses=2, both_signs=True)):
            release = one.release(values, np.float64(0.5), budget, rng)
            assert UnboundedRelease.from_json(release.to_json()) == release
            assert release.spent == budget
            assert release.parameters["guesses"] == one.guesses
    for damaged in ("", "{}", release.to_json().replace("unbounded-quantile", "tree")):
        with pytest.raises(InvalidRelease):
            UnboundedRelease.from_json(damaged)
    other = 2 if release.value is not None else 1  # of two guesses
    moved = release.to_json().replace(f'"stop": {release.stop}', f'"stop": {other}')
    with pytest.raises(InvalidRelease, match="does not go with"):
        UnboundedRelease.from_json(moved)


def test_default_guesses_reach_ten_to_the_three_hundred():
    for unit, end in ((1e-280, 1e20), (0.01, 1e298), (1.0, 1e300), (1e280, 1e300)):
        one = UnboundedQuantile(unit=unit)
        last = float(one.values_at(one.guesses - 1))
        assert 0.99 * end < last <= end * (1 + 1e-9)


def test_an_odd_choice_is_refused_in_words(rng):
    for choice, words in (
        ({"base": 1.0}, "base"),
        ({"guesses": 0}, "guesses"),
        ({"guesses": 10**7}, "guesses"),
        ({"unit": 0}, "unit"),
        ({"lower": math.inf}, "lower"),
        ({"overshoot": 1}, "overshoot"),
        ({"both_signs": 1}, "both_signs"),
        ({"both_signs": True, "lower": 3}, "lower must be 0"),
        ({"neighbours": "both"}, "neighbours"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            UnboundedQuantile(**choice)
    one = UnboundedQuantile()
    for values in ("x", [[1]], [1j]):
        with pytest.raises(InvalidData):
            one.release(values, 0.5, PureDP(1), rng)
    with pytest.raises(InvalidBudget, match="PureDP"):
        one.release([1], 0.5, 1.0, rng)
    with pytest.raises(InvalidParameter, match="q must lie"):
        one.release([1], 50, PureDP(1), rng)
    with pytest.raises(InvalidParameter, match="runs"):
        one.draw_guesses([1], 0.5, PureDP(1), rng, 0)
    with pytest.raises(InvalidParameter, match="failure"):
        one.error_bound(0.5, PureDP(1), 0)


@pytest.mark.parametrize("bits", [SecureBits.fresh, lambda: SeededBits(np.random.default_rng(1))])
def test_bits_are_refused_for_runs_whose_noise_is_continuous(bits):
    with pytest.raises(NotExact, match="without bounds"):
        UnboundedQuantile().draw_guesses([1, 2], 0.5, PureDP(1), bits(), 3)


@pytest.mark.few(2, 7)
@pytest.mark.parametrize("budget", [PureDP(1e-139), PureDP(1e140), ZCDP(1e-139), ZCDP(1e140)])
@pytest.mark.parametrize("values", [[], [1.0], [-1e308, 1e308, math.inf, -math.inf]], ids=str)
def test_extremes_give_a_release_and_a_law(budget, values, rng):
    for choice in (
        {"base": 1e6, "unit": 1e280},
        {"base": 2, "unit": 1e-280, "lower": -1e300},
        {"base": 2, "both_signs": True, "overshoot": 1e-12},
    ):
        one = UnboundedQuantile(**choice)
        for q in (0.0, 0.5, 1.0):
            release = one.release(values, q, budget, rng)
            assert UnboundedRelease.from_json(release.to_json()) == release
            assert one.law(values, q, budget).sum() == pytest.approx(1, abs=1e-9)
