"""Exact releases of quantiles: laws and losses by enumeration, attacks, and what is refused."""

import dataclasses
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.point_problems import quantile_units, sensitivity
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.safe_epsilons import (
    bounded_range_part,
    bounded_range_price,
    epsilon_for_rho,
    rho_for,
)
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles, descend_on_points
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.quantiles import gaps
from tests.mechanisms.exponential.exact_points import probabilities
from tests.mechanisms.quantiles.exact_points import columns_of, few, joint, neighbouring, worst_loss
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

UNIT = Bounds(0, 1)
EXACT = [ApproximateQuantiles(), IndependentExp()]
SETS = [[0.5], [0.3, 0.6], [0.1, 0.5, 0.8]]


def steps_and_etas(quantiles, budget, relation=Neighbours.ADD_REMOVE, factor=1.0):
    steps = plan(QuantileSet.of(quantiles))
    etas = ApproximateQuantiles(neighbours=relation).safe_etas(budget, steps)
    return steps, tuple(factor * eta for eta in etas)


@pytest.mark.law
@pytest.mark.parametrize("care", [USUAL, Care(8, 2.0**-4)])
def test_the_joint_law_of_the_recursion_and_no_other(care, rng):
    """The twin takes η · 1.25: what tells it is grouped by how much likelier it makes an output."""
    records, runs = [1, 2, 2, 6], 3_000 if care is USUAL else 300
    steps, etas = steps_and_etas([0.25, 0.5, 0.75], PureDP(7.0))
    bits, grid, at = SeededBits(rng), few(8), np.array(records)
    seen = Counter(
        tuple(descend_on_points(grid, at, steps, etas, bits, care).values[1:-1].tolist())
        for _ in range(runs)
    )
    law = joint(records, steps, etas, 8)
    assert set(seen) <= set(law)
    outputs = sorted(law)
    counts, right = (np.array([each[key] for key in outputs], float) for each in (seen, law))
    assert sum(right) == pytest.approx(1)
    assert fits_probabilities(counts, right, comparisons=3)
    if care is USUAL:
        other = joint(records, *steps_and_etas([0.25, 0.5, 0.75], PureDP(7.0), factor=1.25), 8)
        wrong = np.array([other[key] for key in outputs], float)
        ratio = wrong / right
        ordered = np.argsort(ratio)
        cuts = np.searchsorted(np.cumsum(right[ordered]), [0.2, 0.5, 0.8])
        group = np.digitize(ratio, ratio[ordered][cuts])
        counts, right, wrong = (np.bincount(group, each) for each in (counts, right, wrong))
        assert fits_probabilities(counts, right, comparisons=3)
        assert can_tell_probabilities(runs, wrong, right, comparisons=3)
        assert not fits_probabilities(counts, wrong, comparisons=3)


@pytest.mark.few(2)
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("quantiles", SETS)
def test_no_output_of_the_recursion_tells_more_than_epsilon(relation, quantiles):
    """All columns of at most three records on five points; twin: Δ halved."""
    epsilon, pairs = 1.0, list(neighbouring(5, 3, relation is Neighbours.REPLACE_ONE))

    def loss(factor):
        steps, etas = steps_and_etas(quantiles, PureDP(epsilon), relation, factor)
        laws = {column: joint(column, steps, etas, 5) for column in columns_of(5, 3)}
        return worst_loss(laws, pairs)

    assert 0.3 * epsilon < loss(1.0) <= epsilon
    if len(quantiles) == 1:
        assert loss(2.0) > epsilon


@pytest.mark.parametrize("relation", Neighbours)
def test_no_output_of_one_quantile_tells_more_than_its_share(relation):
    mechanism, epsilon = IndependentExp(neighbours=relation), 1.2
    pairs = list(neighbouring(5, 3, relation is Neighbours.REPLACE_ONE))
    quantiles = QuantileSet.of([0.2, 0.5, 0.9])
    units = quantile_units(quantiles.distinct)
    for factor in (1.0, 2.0):
        total = 0.0
        for unit, eta in zip(
            units, factor * mechanism.safe_etas(PureDP(epsilon), quantiles), strict=True
        ):
            laws = {
                column: dict(enumerate(probabilities(column, 0, 5, int(unit), float(eta))))
                for column in columns_of(5, 3)
            }
            total += worst_loss(laws, pairs)
        assert (total <= epsilon) == (factor == 1.0)


@by_rows("rule", RhoRule)
@by_rows("relation", Neighbours)
@by_rows("m", [1, 3, 9, 120])
def test_levels_add_up_to_the_budget_in_fractions(rule, relation, m):
    """Twin: η one part in 10^15 larger."""
    mechanism = ApproximateQuantiles(neighbours=relation, rho_rule=rule)
    steps = plan(QuantileSet.of(uniform_quantiles(m)))
    price = bounded_range_price if rule is RhoRule.BOUNDED_RANGE else lambda e: Fraction(e) ** 2 / 2
    for size in (0.1, 0.3, 1.0, 7.7, 1e-6, 1e9):
        spent = twin = in_rho = Fraction(0)
        for depth, etas in enumerate(mechanism.safe_etas(PureDP(size), steps)):
            spent += _level(steps, depth, etas, relation)
            twin += _level(steps, depth, etas * (1 + 1e-14), relation)
        assert spent <= as_written(size) < twin
        for depth, etas in enumerate(mechanism.safe_etas(ZCDP(size), steps)):
            if relation is Neighbours.ADD_REMOVE:
                in_rho += price(float(_level(steps, depth, etas, relation)))
        assert in_rho <= as_written(size) * (1 + Fraction(1, 2**48))


def _level(steps, depth, etas, relation):
    """The largest 2Δη of a level: of one node alone, or of two nodes together."""
    delta = sensitivity(quantile_units(steps.levels[depth].normalised))
    each = [2 * Fraction(float(d)) * Fraction(float(e)) for d, e in zip(delta, etas, strict=True)]
    if relation is Neighbours.ADD_REMOVE:
        return max(each)
    alone = max(2 * Fraction(float(eta)) for eta in etas)
    return max(alone, sum(sorted(each)[-2:]) if len(each) > 1 else alone)


def test_roots_are_moved_to_the_safe_side_and_no_further():
    for rho in (1e-12, 0.02, 0.5, 10.0, 1e4):
        found = epsilon_for_rho(as_written(rho), 3, RhoRule.BOUNDED_RANGE)
        share = as_written(rho) / 3
        assert bounded_range_price(found) <= share < bounded_range_price(found * (1 + 1e-11))
    for budget in (ApproxDP(1.0, 1e-6), ApproxDP(0.1, 1e-9)):
        again = ApproximateQuantiles().level_epsilon(budget, 4)
        assert float(rho_for(budget)) > 0
        mine = ApproximateQuantiles()._safe_epsilons(budget, 4)[0]
        assert again * (1 - 1e-11) < mine <= again
        part = IndependentExp().each_epsilon(budget, 99)
        assert part * (1 - 1e-11) < bounded_range_part(budget, 99) <= part


def supports(mechanism, records, resolution, runs=100):
    column, rng = Column.from_values(records, UNIT, resolution), np.random.default_rng(5)
    return {
        float(mechanism.release(column, [0.5], PureDP(0.1), rng).values[0]) for _ in range(runs)
    }


@pytest.mark.law
@pytest.mark.parametrize("mechanism", EXACT, ids=lambda one: one.name)
def test_the_last_bits_of_a_release_tell_nothing(mechanism):
    """Every output of {.3} is a multiple of 2^-40, as every output of {}; raw doubles were not."""
    for records in ([0.3], []):
        for value in supports(mechanism, records, 0.0):
            assert Fraction(value).denominator <= 1 << 40
        assert supports(mechanism, records, 0.25) <= {0, 0.25, 0.5, 0.75, 1}
    rng, one, none = np.random.default_rng(5), np.ones(1), np.zeros(1, dtype=np.int64)

    def raw(values):
        found = Problems(none, none + len(values), 0 * one, one, one * len(values) / 2, 0.1 * one)
        return float(sample(Ladder(np.array(values)), found, rng)[0][0])

    fine = [
        sum(Fraction(raw(values)).denominator > 1 << 53 for _ in range(300))
        for values in ([0.3], [])
    ]
    # the raw doubles, which releases once showed, gave the record away
    assert fine[0] > 50
    assert fine[1] == 0


@pytest.mark.few(2)
@pytest.mark.parametrize("mechanism", EXACT, ids=lambda one: one.name)
@pytest.mark.parametrize("resolution", [0.0, 1.0])
@pytest.mark.parametrize("ties", [1_490, 1_491])
def test_a_heap_never_turns_into_the_lower_bound(mechanism, resolution, ties, rng):
    """P(out = low) was 0 with 1,490 ties and 1 with 1,491; now it is next to 0 with both."""
    column = Column.from_values(np.full(ties, 700.0), Bounds(0, 1000), resolution)
    drawn = [mechanism.release(column, [0.5], PureDP(1), rng).values[0] for _ in range(60)]
    assert min(drawn) > 0
    assert np.abs(np.array(drawn) - 700).max() <= (1 if resolution else 1e-6)


@pytest.mark.parametrize("mechanism", EXACT, ids=lambda one: one.name)
@pytest.mark.parametrize("budget", [PureDP(1e9), ZCDP(1e12), ApproxDP(1e8, 1e-6)])
def test_without_noise_the_gap_is_at_most_one(mechanism, budget, rng):
    columns = (
        Column.from_values(rng.normal(size=1000), Bounds(-10, 10)),
        Column.from_values(rng.integers(17, 90, 1000), Bounds(0, 120), resolution=1),
        Column.from_values([], UNIT),
        Column.from_values([0.25], UNIT),
    )
    for column in columns:
        values = mechanism.release(column, uniform_quantiles(19), budget, rng).values
        assert gaps(column, uniform_quantiles(19), values[None]).max() <= 1


@pytest.mark.parametrize("mechanism", EXACT, ids=lambda one: one.name)
def test_secure_and_seeded_bits_take_one_path_and_the_release_says_which(mechanism):
    column = Column.from_values(np.linspace(0, 1, 99), UNIT)
    secure = mechanism.release(column, [0.2, 0.5], PureDP(1), SecureBits(bytes(range(32))))
    again = mechanism.release(column, [0.2, 0.5], PureDP(1), SecureBits(bytes(range(32))))
    seeded = mechanism.release(column, [0.2, 0.5], PureDP(1), np.random.default_rng(1))
    same = mechanism.release(column, [0.2, 0.5], PureDP(1), SeededBits(np.random.default_rng(1)))
    assert secure == again
    assert seeded == same
    assert (secure.randomness, seeded.randomness) == ("secure", "seeded")
    assert type(secure).from_json(secure.to_json()) == secure
    assert mechanism.card.holds == "exact"


def test_what_is_not_exact_refuses_secure_bits():
    column = Column.from_values(np.linspace(0, 1, 99), UNIT)
    for one in EXACT:
        for ties in (Ties.JITTER, Ties.KEEP):
            other = dataclasses.replace(one, ties=ties)
            with pytest.raises(InvalidParameter, match="floating point"):
                other.release(column, [0.5], PureDP(1), SecureBits.fresh())
    with pytest.raises(InvalidParameter, match="floating point"):
        JointExp().release(column, [0.5], PureDP(1), SecureBits.fresh())
    for one in (*EXACT, JointExp()):
        with pytest.raises(InvalidParameter, match="study of several runs"):
            one.release_many(column, [0.5], PureDP(1), SecureBits.fresh(), 2)
        with pytest.raises(InvalidParameter, match="random generator"):
            one.release(column, [0.5], PureDP(1), 7)
    assert JointExp().card.holds == "up to rounding"


@pytest.mark.parametrize("mechanism", EXACT, ids=lambda one: one.name)
@pytest.mark.parametrize("resolution", [0.0, 0.01])
def test_studies_end_on_the_grid_of_releases(mechanism, resolution, rng):
    column = Column.from_values(rng.random(500), UNIT, resolution)
    many = mechanism.release_many(column, uniform_quantiles(9), PureDP(1), rng, 50)
    one = mechanism.release(column, uniform_quantiles(9), PureDP(1), rng).values
    for values in (many, one):
        np.testing.assert_array_equal(values, column.grid.rounded(values + 1e-16))
