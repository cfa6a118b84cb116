"""LocalCounts: unbiased counts with the stated errors, for one level and for trees."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidParameter, InvalidRelease, UnsupportedBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.trees.local_release import LocalRelease
from dpviz.estimators.trees.workload import range_variances
from dpviz.mechanisms.local.counts import LocalCounts, level_variance
from dpviz.mechanisms.local.randomisers import Response, Unary
from dpviz.mechanisms.local.shuffling import local_epsilon

BOUNDS = Bounds(0, 64)


def spread(people):
    """People spread evenly over 64 bins."""
    return Column.from_values(np.arange(people) % 64 + 0.5, BOUNDS)


def drawn(mechanism, column, budget, runs, seed=1):
    rng = np.random.default_rng(seed)
    return np.array([mechanism.release(column, budget, rng).counts for _ in range(runs)])


@pytest.mark.law
@pytest.mark.parametrize("kind", ["response", "unary"])
def test_a_count_is_unbiased_with_its_standard_error(kind):
    column, runs = Column.from_values(np.arange(300) / 5, BOUNDS), 600
    mechanism = LocalCounts(cuts=[20, 50], randomiser=kind)
    counts = drawn(mechanism, column, PureDP(1), runs)
    released = mechanism.release(column, PureDP(1), np.random.default_rng(2))
    truths = np.array([100, 150, 50])
    errors = counts.std(axis=0)
    assert (np.abs(counts.mean(axis=0) - truths) < 6 * errors / runs**0.5).all()
    assert errors == pytest.approx(released.standard_errors, rel=0.09)  # truths are uneven
    np.testing.assert_allclose(counts.sum(axis=1), 300)


def test_the_standard_error_of_a_count_is_that_of_the_closed_form():
    found = LocalCounts(cuts=[32]).release(spread(640), PureDP(0.5), np.random.default_rng(0))
    closed = math.sqrt(640 * math.exp(0.5)) / (math.exp(0.5) - 1)
    assert found.standard_errors == pytest.approx([closed, closed])
    assert (found.people, found.local, found.spent) == (640, 0.5, PureDP(0.5))


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize(("kind", "budget"), [("unary", 1.0), ("response", 1.0), (None, 6.0)])
def test_running_counts_of_a_tree_have_the_variance_of_its_levels(kind, budget):
    """Within 8 % over 300 runs; levels that do not count who drew them are told apart."""
    people, mechanism = 3200, LocalCounts(fanout=4, height=3, randomiser=kind)
    counts = drawn(mechanism, spread(people), PureDP(budget), 300)
    running = np.cumsum(counts, axis=1)[:, :-1]
    truths = people / 64 * np.arange(1, 64)
    errors = np.mean((running - truths) ** 2)
    levels, _ = mechanism.randomisers(PureDP(budget), people)
    variances = [np.zeros(())]
    variances += [np.asarray(level_variance(one, people, 3.0)) for one in levels]
    ends = np.arange(1.0, 64)
    wanted = range_variances(
        mechanism.shape(), tuple(variances), np.zeros(63), ends, public_total=True
    )
    shares = ends / 64
    wanted = (wanted - people * shares * (1 - shares)).mean()  # everybody draws one level
    assert errors == pytest.approx(wanted, rel=0.08)
    assert errors != pytest.approx(wanted / 3, rel=0.5)
    released = mechanism.release(spread(people), PureDP(budget), np.random.default_rng(5))
    assert counts.std(axis=0).mean() == pytest.approx(released.standard_errors.mean(), rel=0.05)
    off = np.abs(running.mean(axis=0) - truths) / (running.std(axis=0) / 300**0.5)
    assert off.max() < 6


def test_everybody_draws_one_level_and_each_is_as_likely():
    """Level sizes decide the stated errors: 600,000 people, within 1 %."""
    mechanism, people = LocalCounts(fanout=4, height=3, randomiser="unary"), 600_000
    found = mechanism.release(spread(people), PureDP(1), np.random.default_rng(6))
    levels, _ = mechanism.randomisers(PureDP(1), people)
    variances = [0.0, *(level_variance(one, people, 3.0) for one in levels)]
    leaf = range_variances(mechanism.shape(), variances, [0.0], [1.0], public_total=True)[0]
    wanted = math.sqrt(leaf - people / 64 * (1 - 1 / 64))
    assert found.standard_errors == pytest.approx(np.full(64, wanted), rel=0.01)


def test_levels_weigh_by_how_many_drew_them():
    """A level with few reports has a larger variance, so that it hardly counts."""
    one = Unary.under(1, 16)
    assert level_variance(one, 100, 50.0) == pytest.approx(10 * level_variance(one, 100, 5.0))
    assert level_variance(one, 100, 1.0) == pytest.approx(100 * (one.variance + 1 / 16))


def test_a_shuffler_lets_a_report_tell_more():
    budget, column = ApproxDP(1, 1e-6), spread(6400)
    plain = LocalCounts(cuts=[32])
    found = plain.release(column, budget, np.random.default_rng(3))
    assert found.local == pytest.approx(local_epsilon(budget, 6400, 2), rel=1e-6)
    assert found.local > local_epsilon(budget, 6400)  # what is known of responses helps
    assert found.local <= local_epsilon(budget, 6400, 2)
    assert isinstance(plain.randomisers(budget, 6400)[0][0], Response)
    alone = plain.release(column, PureDP(1), np.random.default_rng(3))
    assert found.standard_errors[0] < alone.standard_errors[0] / 5
    few = plain.release(spread(2), budget, np.random.default_rng(3))
    assert few.local >= 1.0  # never below the budget's own


def test_the_better_randomiser_is_taken_behind_a_shuffler_too():
    budget, people = ApproxDP(1, 1e-6), 10_000
    best, _ = LocalCounts(fanout=16).randomisers(budget, people)
    for kind in ("response", "unary"):
        (one,), _ = LocalCounts(fanout=16, randomiser=kind).randomisers(budget, people)
        assert best[0].variance <= one.variance


@pytest.mark.parametrize("people", [0, 1, 3])
def test_few_people_and_none_report(people):
    for mechanism in (LocalCounts(cuts=[1, 2]), LocalCounts(fanout=4, height=3)):
        for budget in (PureDP(1), ApproxDP(1, 1e-6)):
            found = mechanism.release(spread(people), budget, SecureBits.fresh())
            assert np.isfinite(found.counts).all()
            assert found.counts.sum() == pytest.approx(people, abs=1e-6)
            assert found.randomness == "secure"


def test_without_a_generator_every_release_is_drawn_anew_from_secure_bits():
    found = [LocalCounts(fanout=16).release(spread(640), PureDP(1)) for _ in range(20)]
    assert {one.randomness for one in found} == {"secure"}
    assert len({tuple(one.counts) for one in found}) == 20


def test_wrong_requests_are_refused():
    for wrong in (
        {}, {"cuts": [1], "fanout": 2}, {"cuts": []}, {"cuts": [2, 1]}, {"cuts": [1], "height": 2},
        {"fanout": 1}, {"fanout": 2, "height": 21}, {"fanout": 64, "height": 4},
        {"fanout": 2, "randomiser": "x"}, {"cuts": [math.nan]},
    ):  # fmt: skip
        with pytest.raises(InvalidParameter):
            LocalCounts(**wrong)
    with pytest.raises(UnsupportedBudget):
        LocalCounts(fanout=2).check(ZCDP(1))
    for budget in (PureDP(1e-12), PureDP(31), 1.0):
        with pytest.raises(DpvizError):
            LocalCounts(fanout=2).check(budget)
    with pytest.raises(InvalidParameter, match="bounds"):
        LocalCounts(cuts=[0]).edges_within(BOUNDS)


def test_text_comes_back_and_what_was_changed_in_it_is_refused():
    one = LocalCounts(fanout=4, height=2).release(spread(640), PureDP(1), np.random.default_rng(3))
    assert LocalRelease.from_json(one.to_json()) == one
    assert one.parameters == {"fanout": 4, "height": 2, "randomisers": "response, unary"}
    stored = json.loads(one.to_json())
    counts, edges = stored["counts"], stored["edges"]
    for key, wrong in (
        ("counts", [counts[0] + 1, *counts[1:]]), ("counts", counts[1:]), ("people", 641),
        ("people", -1), ("people", 640.5), ("local", 1.5), ("local", 0.5), ("local", "1"),
        ("spent", PureDP(2).to_dict()), ("spent", ZCDP(1).to_dict()), ("edges", edges[::-1]),
        ("edges", edges[1:]), ("standard_errors", [-1.0] * 16), ("standard_errors", [1.0]),
        ("counts", [math.nan] * 16), ("neighbours", "add-remove"), ("randomness", "none"),
        ("parameters", 3), ("kind", "histogram"),
    ):  # fmt: skip
        with pytest.raises(InvalidRelease):
            LocalRelease.from_json(json.dumps({**stored, key: wrong}))
    for key in stored:
        with pytest.raises(InvalidRelease):
            LocalRelease.from_json(json.dumps({k: stored[k] for k in stored if k != key}))
    shuffled = LocalCounts(cuts=[32]).release(spread(640), ApproxDP(1, 1e-6))
    assert LocalRelease.from_json(shuffled.to_json()) == shuffled
    less = json.dumps({**json.loads(shuffled.to_json()), "local": 0.9})
    with pytest.raises(InvalidRelease):
        LocalRelease.from_json(less)
