"""Checked ranks: prices on neighbours, intervals that hold, releases that are read back."""

import math
from itertools import product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData, InvalidParameter, InvalidRelease
from dpviz.core.randomness.bits import SecureBits, bits_of
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
BOUNDS = Bounds(0, 10)
COLUMN = Column.from_values(np.random.default_rng(3).random(400) * 10, BOUNDS)


def released(quantiles, column=COLUMN, budget=None):
    budget = budget or PureDP(1)
    return ApproximateQuantiles().release(column, quantiles, budget, np.random.default_rng(1))


def moves(release, one, other):
    """How far each rank error moves between two columns."""
    q = release.quantiles

    def errors(column):
        return column.count_below(release.values) - q * column.n

    return np.abs(errors(one) - errors(other))


@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("quantiles", [[0.5], [0.1, 0.9], [0.25, 1 / 3, 0.7]])
def test_the_price_is_the_budget_and_some_neighbour_costs_all_of_it(quantiles, relation):
    """Laplace on whole multiples: the loss of a neighbour is Σ move · d/scale, exactly."""
    budget = PureDP(0.7)
    release = released(quantiles)
    mechanism = CheckedRanks(relation)
    steps, scales = mechanism.scales(release.quantiles, budget)
    values = [0.0, *(float(v) for v in release.values), 10.0]
    worst = 0.0
    for size in (1, 2, 3):
        for records in product(values, repeat=size):
            one = Column.from_values(records, BOUNDS)
            if relation is ADD:
                others = [Column.from_values(records[:-1], BOUNDS)]
            else:
                others = [Column.from_values([*records[:-1], new], BOUNDS) for new in values]
            for other in others:
                moved = moves(release, one, other)
                worst = max(worst, float((moved * steps / scales).sum()))
    assert worst <= budget.epsilon * (1 + 1e-12)
    if len(quantiles) == 1 or relation is REPLACE:
        assert worst == pytest.approx(budget.epsilon)


@pytest.mark.parametrize("relation", Neighbours)
def test_a_twin_that_takes_a_change_of_one_half_for_every_quantile_is_rejected(relation):
    """At q = .9 an added record moves the error by .9: the twin's noise is too small for that."""
    release, epsilon = released([0.9]), 0.7
    steps, scales = CheckedRanks(relation).scales(release.quantiles, PureDP(epsilon))
    twin = 0.5 * steps / epsilon
    empty = Column.from_values([0.0], BOUNDS)
    low = Column.from_values([] if relation is ADD else [10.0], BOUNDS)
    moved = moves(release, empty, low)
    other = moves(release, Column.from_values([10.0], BOUNDS), low if relation is ADD else empty)
    most = max(float(moved[0]), float(other[0])) * steps[0]
    assert most / scales[0] <= epsilon * (1 + 1e-12)
    assert most / twin[0] > 1.5 * epsilon


@pytest.mark.parametrize("budget", [ZCDP(0.3), ApproxDP(1.0, 1e-6)])
def test_gaussian_noise_is_paid_by_the_sum_of_squares(budget):
    release = released([0.1, 0.5, 0.9])
    mechanism = CheckedRanks()
    assert mechanism.law(budget) is Noise.DISCRETE_GAUSSIAN
    steps, scales = mechanism.scales(release.quantiles, budget)
    sizes = np.maximum(release.quantiles, 1 - release.quantiles)
    spent = (sizes**2 * steps**2 / (2 * scales**2)).sum()
    if isinstance(budget, ZCDP):
        assert spent == pytest.approx(budget.rho, rel=1e-6)
        assert spent <= budget.rho * (1 + 1e-12)
    np.testing.assert_allclose(scales / steps, (scales / steps)[0], rtol=1e-6)


@pytest.mark.law
@pytest.mark.parametrize("budget", [PureDP(0.5), ZCDP(0.05)])
def test_intervals_hold_the_true_errors(budget, rng):
    release = released([0.1, 0.4, 0.9])
    mechanism = CheckedRanks()
    runs = 4_000
    drawn = mechanism.release_many(COLUMN, release, budget, rng, runs)
    truth = COLUMN.count_below(release.values) - release.quantiles * COLUMN.n
    one = mechanism.release(COLUMN, release, budget, rng)
    half = np.diff(one.intervals(0.1), axis=1)[:, 0] / 2
    held = (np.abs(drawn - truth) <= half + 1e-9).mean(axis=0)
    slack = 4 * math.sqrt(0.1 * 0.9 / runs)
    assert (held >= 0.9 - slack).all()
    assert (held <= 0.93 + slack).all()
    assert ((np.abs(drawn - truth) <= half / 2).mean(axis=0) < 0.85).all()  # twin: half as wide
    np.testing.assert_allclose(drawn.std(axis=0), one.standard_errors, rtol=0.06)


def test_a_check_is_read_back_and_says_what_it_spent():
    release = released([0.75, 0.25, 0.75], budget=ZCDP(0.1))
    for rng, named in ((np.random.default_rng(4), "seeded"), (SecureBits.fresh(), "secure")):
        check = CheckedRanks(REPLACE).release(COLUMN, release, ZCDP(0.02), rng)
        assert RankCheck.from_json(check.to_json()) == check
        assert (check.spent, check.neighbours, check.randomness) == (ZCDP(0.02), REPLACE, named)
        np.testing.assert_array_equal(check.values, release.values)
        assert check.intervals().shape == (3, 2)


def test_an_empty_column_and_bounds_themselves_are_checked(rng):
    empty = Column.from_values([], BOUNDS)
    check = CheckedRanks().release(empty, released([0.5], empty), PureDP(50), rng)
    assert abs(check.errors[0]) < 2


def test_what_cannot_be_checked_is_refused(rng):
    release = released([0.5])
    with pytest.raises(InvalidParameter, match="release of quantiles"):
        CheckedRanks().release(COLUMN, [1.0], PureDP(1), rng)
    with pytest.raises(InvalidData):
        CheckedRanks().release([1.0], release, PureDP(1), rng)
    with pytest.raises(InvalidParameter, match="β"):
        CheckedRanks().release(COLUMN, release, PureDP(1), rng).intervals(1.0)
    with pytest.raises(InvalidRelease):
        RankCheck.from_json("{}")


@pytest.mark.parametrize("records", [0, 400, 2**33, 2**34 + 1, 2**53 - 1, 2**53])
def test_whole_numbers_are_rounded_after_the_noise(records):
    """Rounded before, those of 2^53 records and of one fewer stood up to twice as far apart."""
    bounds, budget, q = Bounds(0, 120), PureDP(1), [0.475711]
    asked = released(q, Column.from_counts([100], [1000], bounds, 1))
    column = Column.from_counts([3], [records], bounds, 1)
    found = CheckedRanks().release_many(column, asked, budget, np.random.default_rng(7), 50)[:, 0]
    (step,), (scale,) = CheckedRanks().scales(asked.quantiles, budget)
    noise = Noise.for_budget(budget).draw(scale, (50,), bits_of(np.random.default_rng(7)))
    exact = (10**6 - 475_711) * records
    assert found.tolist() == [float(exact + int(one)) / step for one in noise]
