"""Stored errors of a median by local answers: of this version, the mechanism's, read right."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.privacy import local_median
from dpviz.experiments.privacy.local_median import (
    EPSILONS,
    MOST,
    RUNS,
    SEARCH,
    SIZES,
    WIDTH,
    error,
    local_epsilon,
    measured,
    stored,
)
from dpviz.mechanisms.local.shuffling import shuffled_delta
from dpviz.version import __version__

ERRORS, STANDARD = (np.array(stored()[name]) for name in ("errors", "standard"))


def drawn(epsilon, people, runs, seed):
    """The mechanism itself on columns whose values lie evenly over half of the bounds."""
    rng, off = np.random.default_rng(seed), []
    for _ in range(runs):
        low = rng.uniform(0, 1 - WIDTH)
        values = low + WIDTH * (np.arange(people) + 0.5) / people
        column = Column.from_values(values, Bounds(0, 1))
        found = SEARCH.release(column, 0.5, PureDP(epsilon), rng).values[0]
        off.append(min(max((found - low) / WIDTH, 0), 1) - 0.5)
    return math.sqrt(np.mean(np.square(off))) * people


def test_what_is_stored_is_of_this_version_and_complete():
    assert stored()["version"] == __version__, "python -m benchmarks.trust store"
    assert ERRORS.shape == (len(SIZES), len(EPSILONS))
    roots = np.sqrt(SIZES)[:, None]
    assert (ERRORS > 0.05).all()
    assert (ERRORS * roots < MOST * np.array(SIZES)[:, None]).all()
    # more ε errs less, up to what the runs tell apart
    assert (ERRORS[:, 1:] < 1.5 * ERRORS[:, :-1]).all()
    assert STANDARD.shape == ERRORS.shape
    # of normal errors it would be 0.029; rare searches that end far off make it larger, and a few
    # large ones among 600 runs make it 0.3 at most
    assert 0.4 / math.sqrt(2 * RUNS) < STANDARD.min()
    assert STANDARD.max() < 0.3


@pytest.mark.law
@pytest.mark.parametrize("runs", [400, 4_000])
def test_how_sure_an_error_is_follows_from_the_spread_of_its_squares(monkeypatch, runs):
    """That of the root mean square of normal errors is 1/√(2 runs) of it; of ±1 it is 0."""
    monkeypatch.setattr(local_median, "_searched", lambda *_: 0.2 * rng.normal())
    rng = np.random.default_rng(6)
    off, sure = measured(1.0, 10_000, rng, runs)
    assert off == pytest.approx(20, rel=0.1)
    assert sure == pytest.approx(1 / math.sqrt(2 * runs), rel=0.15)  # twins: twice, half, squared
    monkeypatch.setattr(local_median, "_searched", lambda *_: 0.2 * rng.choice([-1, 1]))
    assert measured(1.0, 10_000, rng, runs) == pytest.approx((20, 0))
    # what is said of an error holds for others of its law: 19 of 20 lie within two of them
    monkeypatch.setattr(local_median, "_searched", lambda *_: rng.exponential(0.2))
    true = math.sqrt(2 * 0.2**2 * 10_000)
    found = [measured(1.0, 10_000, rng, 600) for _ in range(200)]
    assert 0.85 < np.mean([abs(one / true - 1) < 2 * share for one, share in found]) < 0.995


def test_how_sure_is_that_of_the_worst_place_near():
    """Sizes taken together are surer: the variances of their squares add up."""

    def slow(row, at):
        if SIZES[row] * EPSILONS[at] ** 2 < 1_000:
            return 2 * STANDARD[row, at]
        every = [one for one, n in enumerate(SIZES) if n * EPSILONS[at] ** 2 >= 1_000]
        spread = [2 * STANDARD[one, at] * ERRORS[one, at] ** 2 for one in every]
        return math.hypot(*spread) / sum(ERRORS[one, at] ** 2 for one in every)

    for row, people in enumerate(SIZES):
        for at, epsilon in enumerate(EPSILONS):
            assert local_median.sure(epsilon, people) == pytest.approx(slow(row, at))
    between = max(slow(row, at) for row in (0, 1) for at in (1, 2))
    assert local_median.sure(0.5, 500) == pytest.approx(between)
    assert local_median.sure(0.01, 10**9) == pytest.approx(slow(4, 0))
    assert local_median.sure(20.0, 50) == pytest.approx(slow(0, 5))
    # no error stored is known worse than to a quarter, most to a tenth
    every = [slow(row, at) for row in range(5) for at in range(6)]
    assert max(every) < 0.25
    assert np.median(every) < 0.1


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize(("epsilon", "people"), [(1.0, 1_000), (4.0, 1_000)])
def test_what_is_stored_is_the_error_of_the_mechanism(epsilon, people):
    """40 releases beside 600 runs: of normal errors 12 % is one standard error of their ratio."""
    ratio = drawn(epsilon, people, 40, 4) / error(epsilon, people)
    assert 0.6 < ratio < 1.7
    other = drawn(epsilon / 4, people, 40, 4) / error(epsilon, people)
    assert other > 2  # the wrong twin: a quarter of the ε


@pytest.mark.thorough
@pytest.mark.parametrize(("epsilon", "people"), [(2.0, 100), (0.3, 10_000), (8.0, 10_000)])
def test_more_of_what_is_stored_is_the_error_of_the_mechanism(epsilon, people):
    ratio = drawn(epsilon, people, 80, 5) / error(epsilon, people)
    assert 0.6 < ratio < 1.7


@pytest.mark.thorough
@pytest.mark.parametrize(("epsilon", "people"), [(5.0, 500), (0.7, 3_000), (0.06, 40_000)])
def test_between_stored_places_the_error_is_measured_anew(epsilon, people):
    anew = measured(epsilon, people, np.random.default_rng(8), 200)[0] * math.sqrt(people)
    assert 0.6 < error(epsilon, people) / anew < 1.7


def together(row, at):
    """A stored error, or those of all sizes together whose people × ε² are 1,000 or more."""
    if SIZES[row] * EPSILONS[at] ** 2 < 1_000:
        return ERRORS[row, at]
    every = [ERRORS[one, at] for one, n in enumerate(SIZES) if n * EPSILONS[at] ** 2 >= 1_000]
    return math.sqrt(sum(one**2 for one in every) / len(every))


def test_stored_errors_are_read_in_logarithms():
    for row, people in enumerate(SIZES):
        for at, epsilon in enumerate(EPSILONS):
            wanted = together(row, at) * math.sqrt(people)
            assert error(epsilon, people) == pytest.approx(wanted)
    # between four places, by their geometric mean
    four = [math.log(together(row, at)) for row in (0, 1) for at in (1, 2)]
    wanted = math.exp(sum(four) / 4) * 10**1.25
    assert error(math.sqrt(0.3), 10**2.5) == pytest.approx(wanted)
    # beyond the stored ε: 1/ε below, up to half of all people, and the same above
    assert error(0.01, 10**8) == pytest.approx(10 * error(0.1, 10**8))
    assert error(1e-6, 100) == 50
    assert error(30.0, 1_000) == error(8.0, 1_000)


@pytest.mark.few(6, 10)
@pytest.mark.parametrize(
    ("epsilon", "delta", "people"),
    list(itertools.product((0.3, 1.0, 2.0), (1e-6, 1e-9), (5_000, 10**6, 10**9))),
)
def test_every_round_behind_the_shuffler_keeps_to_the_bound(epsilon, delta, people):
    """A round of fewer people than the least is left out; a little more ε would be too much."""
    budget = ApproxDP(epsilon, delta)
    least, local = SEARCH.smallest_round(budget, people), local_epsilon(budget, people)
    assert least < people / SEARCH.rounds
    assert local >= epsilon
    assert shuffled_delta(local, least, epsilon, 2) <= delta
    if local > epsilon:
        assert shuffled_delta(local * 1.001, least, epsilon, 2) > delta
    # the wrong twin: as if all people were shuffled together
    alone = local_median.local_epsilon(budget, people * SEARCH.rounds)
    assert shuffled_delta(alone, least, epsilon, 2) > delta
    assert local_epsilon(PureDP(epsilon), people) == epsilon
