"""SliceQuantiles as a mechanism: the contract of quantile mechanisms, its budget and its room."""

import dataclasses
import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import (
    InvalidBudget,
    InvalidParameter,
    InvalidQuantiles,
    NotExact,
    UnsupportedBudget,
)
from dpviz.core.grid import as_written
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles, target_ranks
from dpviz.mechanisms.quantiles.slices.ranks import slice_delta
from dpviz.metrics.quantiles import gaps
from tests.mechanisms.quantiles.test_contract import (
    COLUMNS,
    PUBLIC_KEYS,
    QUANTILES,
    assert_kept,
    treatments,
)
from tests.rows import by_rows

BUDGET = ApproxDP(1.0, 1e-6)
BUDGETS = [BUDGET, ApproxDP(1e-6, 1e-9), ApproxDP(1e4, 1e-300), ApproxDP(30, 0.9)]
NARROW = SliceQuantiles(half=1)  # windows that small columns have room for
BOTH = [SliceQuantiles(neighbours=relation) for relation in Neighbours]


@pytest.mark.law
@by_rows("asked", QUANTILES)
@by_rows("named", COLUMNS)
def test_any_column_any_quantiles_and_any_budget(named, asked, rng):
    column, quantiles = COLUMNS[named], QUANTILES[asked]
    for mechanism in (*BOTH, NARROW):
        for budget in BUDGETS if mechanism is not NARROW else BUDGETS[2:]:
            release = mechanism.release(column, quantiles, budget, rng)
            np.testing.assert_array_equal(release.quantiles, quantiles)
            assert release.neighbours is mechanism.neighbours
            assert release.spent == budget
            assert_kept(release.values, quantiles, column)
            many = mechanism.release_many(column, quantiles, budget, rng, 2)
            assert many.shape == (2, len(quantiles))
            assert_kept(many, quantiles, column)


@by_rows("named", COLUMNS)
def test_any_treatment_of_ties_and_rounding(named, rng):
    column, quantiles = COLUMNS[named], QUANTILES["any order, repeated"]
    for one in treatments(NARROW):
        values = one.release_many(column, quantiles, ApproxDP(200, 0.5), rng, 7)
        assert_kept(values, quantiles, column)
        if one.round_to_grid and column.resolution > 0:
            steps = values / column.resolution
            np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1)])
def test_pure_epsilon_and_rho_are_refused_in_words(budget, rng):
    mechanism, column = SliceQuantiles(), COLUMNS["continuous"]
    state = rng.bit_generator.state
    for attempt in (
        lambda: mechanism.check(budget, [0.5]),
        lambda: mechanism.release(column, [0.5], budget, rng),
        lambda: mechanism.release_many(column, [0.5], budget, rng, 2),
        lambda: mechanism.room(100, [0.5], budget),
    ):
        with pytest.raises(UnsupportedBudget, match=re.escape("only δ allows for")):
            attempt()
    with pytest.raises(InvalidQuantiles):
        mechanism.check(BUDGET, [0.0])
    with pytest.raises(InvalidBudget, match="too wide for exact draws"):
        mechanism.check(ApproxDP(1e-13, 0.1), [0.5])
    with pytest.raises(InvalidBudget, match="leaves nothing"):
        NARROW.check(ApproxDP(0.1, 0.1), [0.5])
    assert rng.bit_generator.state == state


@pytest.mark.parametrize("records", [0, 1, 10**6])
def test_no_number_of_quantiles_is_refused_whatever_the_records(records):
    """Refusing would tell how many records there are: without room the answer is uniform."""
    column = Column.from_counts([0.5], [records], Bounds(0, 1))
    for mechanism in BOTH:
        for m in (1, 500):
            mechanism.check(BUDGET, uniform_quantiles(m))
            release = mechanism.release(
                column, uniform_quantiles(m), BUDGET, np.random.default_rng(1)
            )
            assert release.values.size == m
            assert release.evenly == (m == 500 and records < 10**6)


@pytest.mark.parametrize("ties", Ties)
def test_a_release_says_whether_its_ranks_had_room(ties, rng):
    """Of draws that are exact in the program and of those that are not."""
    column = Column.from_values(rng.random(40_000), Bounds(0, 1))
    for mechanism in BOTH:
        one = dataclasses.replace(mechanism, ties=ties)
        for m in (5, 100):
            quantiles = uniform_quantiles(m)
            room = one.room(column.n, quantiles, BUDGET) <= BUDGET.delta
            release = one.release(column, quantiles, BUDGET, rng)
            assert release.evenly is not room
            assert room is (m == 5)
            assert QuantileRelease.from_json(release.to_json()) == release


@by_rows("mechanism", BOTH, ids=lambda one: one.neighbours.value)
@by_rows("epsilon", [0.1, 1.0, 3.3])
@by_rows("m", [1, 9, 120])
def test_the_budget_is_the_price_as_a_fraction(mechanism, epsilon, m):
    budget, quantiles = ApproxDP(epsilon, 1e-6), uniform_quantiles(m)
    shares = mechanism.shares(budget, quantiles)
    spent = shares.spent(mechanism.neighbours)
    assert as_written(epsilon) * (1 - Fraction(1, 10**12)) < spent <= as_written(epsilon)
    log_odds = math.log(m * 1e9 / 0.05)
    assert 2 * log_odds <= shares.half * shares.inside < 2 * log_odds + 1.01 * epsilon


@pytest.mark.law
@pytest.mark.parametrize("mechanism", BOTH, ids=lambda one: one.neighbours.value)
def test_without_room_within_delta_the_answer_does_not_look_at_the_data(mechanism, rng):
    """Fewer quantiles have room; then the outputs are those of the records."""
    column = Column.from_values(rng.normal(0.25, 1e-5, 40_000), Bounds(0, 1))
    quantiles, small = uniform_quantiles(100), BUDGET
    needed = mechanism.room(column.n, quantiles, small)
    ranks = target_ranks(QuantileSet.of(quantiles), np.array([column.n]))[0]
    shares = mechanism.shares(small, quantiles)
    assert needed == slice_delta(ranks, shares.half, shares.rank) > 1e-6
    few = mechanism.most_quantiles(column.n, small)
    assert mechanism.room(column.n, uniform_quantiles(few), small) <= 1e-6
    assert mechanism.room(column.n, uniform_quantiles(few + 1), small) > 1e-6
    drawn = mechanism.release_many(column, uniform_quantiles(few // 2), small, rng, 400)
    assert np.abs(drawn - 0.25).max() < 0.01
    nothing = mechanism.release_many(column, quantiles, small, rng, 400)
    expected = np.arange(1, 101) / 101  # order statistics
    assert np.abs(nothing.mean(axis=0) - expected).max() < 0.03
    one = mechanism.release(column, quantiles, small, rng).values
    assert np.abs(one - expected).max() < 0.35
    assert one.std() > 0.2


def test_a_release_holds_nothing_else_of_the_data_and_survives_json():
    bounds, quantiles = Bounds(0, 1000), [0.75, 0.25, 0.5]
    full = Column.from_values([*np.linspace(1, 900, 77), 5000.0, math.nan], bounds, resolution=1)
    bare = Column.from_values([], bounds, resolution=1)
    releases = [
        NARROW.release(c, quantiles, ApproxDP(200, 0.5), np.random.default_rng(4))
        for c in (full, bare)
    ]
    one, other = (release.to_dict() for release in releases)
    assert set(one) == PUBLIC_KEYS
    for key in PUBLIC_KEYS - {"values"}:
        assert one[key] == other[key], key
    assert one["values"] != other["values"]
    for release in releases:
        assert QuantileRelease.from_json(release.to_json()) == release


def test_secure_and_seeded_bits_take_one_path_and_teaching_choices_refuse_secure_ones():
    column = Column.from_values(np.linspace(0, 1, 5_000), Bounds(0, 1))
    mechanism = SliceQuantiles()

    def release(rng):
        return mechanism.release(column, [0.2, 0.5], ApproxDP(2.0, 1e-6), rng)

    assert release(SecureBits(bytes(range(32)))) == release(SecureBits(bytes(range(32))))
    assert release(SecureBits.fresh()).randomness == "secure"
    seeded = release(np.random.default_rng(1))
    assert seeded == release(SeededBits(np.random.default_rng(1)))
    assert seeded.randomness == "seeded"
    assert seeded != release(np.random.default_rng(2))
    assert mechanism.card.holds == "exact"
    for ties in (Ties.JITTER, Ties.KEEP):
        other = dataclasses.replace(mechanism, ties=ties)
        with pytest.raises(NotExact, match="floating point"):
            other.release(column, [0.5], BUDGET, SecureBits.fresh())
        assert other.release(column, [0.5], BUDGET, np.random.default_rng(1)).values.size == 1
    with pytest.raises(InvalidParameter, match="study of several runs"):
        mechanism.release_many(column, [0.5], BUDGET, SecureBits.fresh(), 2)


@pytest.mark.parametrize("mechanism", BOTH, ids=lambda one: one.neighbours.value)
def test_without_noise_the_gap_is_at_most_one(mechanism, rng):
    columns = (
        Column.from_values(rng.normal(size=1000), Bounds(-10, 10)),
        Column.from_values(rng.integers(17, 90, 1000), Bounds(0, 120), resolution=1),
    )
    for column in columns:
        values = mechanism.release(column, uniform_quantiles(19), ApproxDP(1e8, 1e-6), rng).values
        assert gaps(column, uniform_quantiles(19), values[None]).max() <= 1
        many = mechanism.release_many(column, uniform_quantiles(19), ApproxDP(1e4, 1e-6), rng, 5)
        assert gaps(column, uniform_quantiles(19), many).max() <= 1


@pytest.mark.parametrize("mechanism", BOTH, ids=lambda one: one.neighbours.value)
def test_counts_are_enough(mechanism, rng):
    """A million records on a hundred values, spread only where a window looks."""
    counts = rng.multinomial(1_000_000, np.full(100, 0.01))
    column = Column.from_counts(np.arange(100), counts, Bounds(0, 99), resolution=1)
    quantiles = uniform_quantiles(9)
    release = mechanism.release(column, quantiles, BUDGET, SecureBits.fresh())
    many = mechanism.release_many(column, quantiles, BUDGET, rng, 5)
    for values in (release.values[None], many):
        assert np.abs(values - 100 * quantiles).max() <= 1.5


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("mechanism", BOTH, ids=lambda one: one.neighbours.value)
@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_releases_and_studies_have_the_same_errors(mechanism, resolution, rng):
    """Rank errors of 250 releases and of 4,000 runs, by their distribution functions."""
    values = np.round(rng.normal(50, 15, 8_000)) if resolution else rng.normal(50, 15, 8_000)
    column = Column.from_values(values, Bounds(0, 100), resolution)
    budget = ApproxDP(3.0, 1e-6)
    assert mechanism.room(column.n, [0.3, 0.6], budget) < 1e-9
    one = np.array([mechanism.release(column, [0.3, 0.6], budget, rng).values for _ in range(250)])
    many = mechanism.release_many(column, [0.3, 0.6], budget, rng, 4_000)
    if resolution:
        np.testing.assert_array_equal(many, np.round(many))
    for a, b in zip(one.T, many.T, strict=True):
        at = np.sort(np.concatenate((a, b)))
        first, second = (np.searchsorted(np.sort(x), at, side="right") / x.size for x in (a, b))
        radius = sum(math.sqrt(math.log(2 * 16 / 1e-9) / (2 * x.size)) for x in (a, b))
        assert np.abs(first - second).max() <= radius
    assert gaps(column, [0.3, 0.6], many).mean() < 60


@pytest.mark.law
@pytest.mark.parametrize(("m", "slices", "halving"), [(15, 25, 11), (63, 46, 20)])
def test_it_is_no_better_in_practice(m, slices, halving, rng):
    """A uniform column of 200,000, ε = 1 under replace-one, ψ = 10^9, half and half."""
    column = Column.from_values(rng.random(200_000), Bounds(0, 1))
    quantiles, relation = uniform_quantiles(m), Neighbours.REPLACE_ONE
    own = SliceQuantiles(relation).release_many(column, quantiles, BUDGET, rng, 150)
    aq = ApproximateQuantiles(relation).release_many(column, quantiles, PureDP(1), rng, 150)
    errors = [gaps(column, quantiles, values).mean() for values in (own, aq)]
    assert errors == pytest.approx([slices, halving], rel=0.15)


@pytest.mark.law
def test_it_gains_on_tight_heaps_in_very_wide_bounds(rng):
    """The worst case that the ln ψ term is about, ψ = 10^12: 450 records, a smallest gap apart,
    around each of 63 targets and everywhere else, with wide gaps between the heaps.

    ApproximateQuantiles leaves the heaps for the gaps between them; at ψ = 10^9 it does not.
    """
    n, m, heap, relation = 200_000, 63, 450, Neighbours.REPLACE_ONE
    quantiles = uniform_quantiles(m)
    targets = target_ranks(QuantileSet.of(quantiles), np.array([n]))[0]
    ends = np.unique(np.concatenate((targets - heap // 2, targets + heap // 2, [0, n])))
    starts = np.unique(
        np.concatenate(
            [
                np.linspace(a, b, max(1, round((b - a) / heap)) + 1).astype(int)
                for a, b in itertools.pairwise(ends)
            ]
        )
    )
    inside = np.searchsorted(starts, np.arange(n), side="right") - 1
    found = {}
    for psi in (1e9, 1e12):
        values = (inside + 0.5) / starts.size + (np.arange(n) - starts[inside]) / psi
        column = Column.from_values(values, Bounds(0, 1))
        for one in (SliceQuantiles(relation, range_to_gap=psi), ApproximateQuantiles(relation)):
            drawn = one.release_many(column, quantiles, BUDGET, rng, 100)
            found[one.name, psi] = gaps(column, quantiles, drawn).mean()
    assert found["SliceQuantiles", 1e12] < 0.5 * found["ApproximateQuantiles", 1e12]
    assert found["SliceQuantiles", 1e9] > 2 * found["ApproximateQuantiles", 1e9]


@pytest.mark.law
def test_two_hundred_and_fifty_five_quantiles_have_no_room():
    mechanism = SliceQuantiles(Neighbours.REPLACE_ONE)
    assert 0.1 < mechanism.room(200_000, uniform_quantiles(255), BUDGET) < 0.15
    assert 63 < mechanism.most_quantiles(200_000, BUDGET) < 255
    assert mechanism.most_quantiles(0, BUDGET) == 1
    assert mechanism.most_quantiles(200_000, ApproxDP(1e4, 1e-6)) > 10_000


def test_the_work_is_told_beforehand():
    mechanism = SliceQuantiles()
    few = mechanism.seconds(10**5, 9, BUDGET, 10)
    assert 0 < few < mechanism.seconds(10**5, 9, BUDGET, 1000)
    assert mechanism.seconds(10**5, 9, PureDP(1), 10) >= 0
