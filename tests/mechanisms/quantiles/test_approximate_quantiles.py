"""Distribution, η's and behaviour of ApproximateQuantiles; its privacy is audited next door."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import approx_to_zcdp, bounded_range_epsilon
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.bits import SeededBits
from dpviz.mechanisms.exponential.point_columns import spread_points
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.quantiles import gaps
from tests.mechanisms.quantiles.exact_quantiles import cells
from tests.statistics import can_tell_probabilities, fits, fits_probabilities

UNIT = Bounds(0, 1)
CONTINUOUS = [0.1, 0.15, 0.4, 0.45, 0.8]
TIED = [0.2, 0.2, 0.2, 0.7, 0.7, 0.9]
ON_BOUNDS = [0.0, 0.0, 0.3, 1.0]


def counted(column, values):
    """How often each tuple of records below was drawn."""
    below = column.count_below(values)
    tuples, counts = np.unique(below, axis=0, return_counts=True)
    return dict(zip(map(tuple, tuples.tolist()), counts.tolist(), strict=True))


def compared(column, values, law):
    """Counts and probabilities over the law's cells; a draw outside them fails."""
    seen = counted(column, values)
    assert set(seen) <= set(law)
    keys = sorted(law)
    probabilities = np.array([law[key] for key in keys])
    return [seen.get(key, 0) for key in keys], probabilities / probabilities.sum()


def eta_rule(epsilon, levels, factor=1.0):
    return lambda depth, p: factor * epsilon / levels / (2 * max(p, 1 - p))


@pytest.mark.few(7)
@pytest.mark.law
@pytest.mark.parametrize("records", [CONTINUOUS, TIED, ON_BOUNDS, [], [0.6]])
@pytest.mark.parametrize("quantiles", [[0.3], [0.3, 0.6], [0.25, 0.5, 0.75]])
def test_release_many_follows_the_exact_joint_law(rng, records, quantiles):
    column = Column.from_values(records, UNIT)
    mechanism, epsilon = ApproximateQuantiles(ties=Ties.KEEP), 2.5
    levels = QuantileSet.of(quantiles).levels
    values = mechanism.release_many(column, quantiles, PureDP(epsilon), rng, 30_000)
    law = cells(records, 0, 1, quantiles, eta_rule(epsilon, levels))
    assert sum(law.values()) == pytest.approx(1, abs=1e-6)
    counts, right = compared(column, values, law)
    assert fits_probabilities(counts, right, comparisons=15)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("factor", [0.8, 1.25])
@pytest.mark.parametrize("records", [CONTINUOUS, TIED])
def test_another_epsilon_is_rejected(rng, records, factor):
    column, quantiles, runs = Column.from_values(records, UNIT), [0.25, 0.5, 0.75], 16_000
    values = ApproximateQuantiles(ties=Ties.KEEP).release_many(
        column, quantiles, PureDP(4.0), rng, runs
    )
    truth = cells(records, 0, 1, quantiles, eta_rule(4.0, 2))
    wrong = cells(records, 0, 1, quantiles, eta_rule(4.0, 2, factor))
    counts, probabilities = compared(column, values, wrong)
    assert can_tell_probabilities(runs, probabilities, compared(column, values, truth)[1])
    assert not fits_probabilities(counts, probabilities)


@pytest.mark.law
def test_a_recursion_without_normalised_quantiles_is_rejected(rng):
    column, runs = Column.from_values(CONTINUOUS, UNIT), 20_000
    values = ApproximateQuantiles().release_many(column, [0.3, 0.6], PureDP(8.0), rng, runs)
    # (0.6 − 0.3)/0.7 is right; 0.6 is what a recursion that forgets to normalise would ask for
    wrong = cells(CONTINUOUS, 0, 1, [0.3, 0.3 + 0.6 * 0.7], eta_rule(8.0, 2))
    counts, probabilities = compared(column, values, wrong)
    assert not fits_probabilities(counts, probabilities)


@pytest.mark.law
def test_single_releases_follow_the_same_law(rng):
    column, quantiles = Column.from_values(CONTINUOUS, UNIT), [0.3, 0.6]
    mechanism = ApproximateQuantiles()
    values = [mechanism.release(column, quantiles, PureDP(3.0), rng).values for _ in range(1000)]
    counts, law = compared(
        column, np.array(values), cells(CONTINUOUS, 0, 1, quantiles, eta_rule(3.0, 2))
    )
    assert fits_probabilities(counts, law)


@pytest.mark.law
@pytest.mark.usefixtures("fine_outputs")
def test_spreading_is_averaged_over_the_treatment(rng):
    column = Column.from_values([1, 3], Bounds(0, 4), resolution=1.0)
    values = ApproximateQuantiles().release_many(column, [0.5], PureDP(2.0), rng, 60_000)[:, 0]
    assert ((values >= 0) & (values <= 4)).all()
    cuts, law = np.array([-0.5, 0.7, 1.1, 2.0, 3.2, 4.5]), np.zeros(5)
    offsets = (np.arange(80) + 0.5) / 80 - 0.5
    for a, b in itertools.product(offsets, offsets):
        edges = np.array([-0.5, 1 + a, 3 + b, 4.5])
        masses = np.diff(edges) * np.exp(-2.0 * np.abs(np.arange(3) - 1))
        running = np.concatenate(([0], np.cumsum(masses / masses.sum())))
        law += np.diff(np.interp(cuts, edges, running))
    counts = np.histogram(values, [0, *cuts[1:-1], 4])[0]
    assert fits_probabilities(counts, law / law.sum())
    kept = cells([1, 3], 0, 4, [0.5], lambda depth, p: 2.0)  # no treatment is another law
    unspread = ApproximateQuantiles(ties=Ties.KEEP)
    values = unspread.release_many(column, [0.5], PureDP(2.0), rng, 60_000)
    assert fits_probabilities(*compared(column, values, kept))
    assert not fits_probabilities(np.histogram(values, [0, *cuts[1:-1], 4])[0], law / law.sum())


LEVELS = 3
STEPS = plan(QuantileSet.of([0.1, 0.2, 0.5, 0.7]))  # m̂ is the second


def test_the_steps_of_the_eta_tests():
    flat = [level.normalised.round(12).tolist() for level in STEPS.levels]
    assert flat == [[0.2], [0.5, 0.375], [0.4]]


def expected_etas(rule):
    return [
        [rule(depth, max(q, 1 - q)) for q in level]
        for depth, level in enumerate([[0.2], [0.5, 0.375], [0.4]])
    ]


@pytest.mark.parametrize("rule", RhoRule)
@pytest.mark.parametrize("relation", Neighbours)
def test_etas_of_every_notion_relation_and_rule(rule, relation):
    mechanism = ApproximateQuantiles(neighbours=relation, rho_rule=rule)
    replace = relation is Neighbours.REPLACE_ONE

    def pure(depth, delta):
        if not replace:
            return 1.2 / (2 * LEVELS * delta)
        return 1.2 / (2 * LEVELS) if depth == 0 else 1.2 / (4 * LEVELS * delta)

    def concentrated(rho, epsilon):
        """epsilon(ρ) is what one exponential mechanism may have; two nodes share ρ by halves."""

        def rule(depth, delta):
            alone, paired = epsilon(rho / LEVELS), epsilon(rho / (2 * LEVELS))
            if not replace:
                return alone / (2 * delta)
            return alone / 2 if depth == 0 else min(alone / 2, paired / (2 * delta))

        return rule

    def printed(rho):
        return math.sqrt(2 * rho)

    def check(budget, rule):
        found = [level.tolist() for level in mechanism.etas(budget, STEPS)]
        assert found == [pytest.approx(level, rel=1e-12) for level in expected_etas(rule)]

    check(PureDP(1.2), pure)
    bounded = rule is RhoRule.BOUNDED_RANGE
    check(ZCDP(0.3), concentrated(0.3, bounded_range_epsilon if bounded else printed))
    converted = approx_to_zcdp(ApproxDP(1.2, 1e-6)).rho
    assert bounded_range_epsilon(converted / LEVELS) < 1.2 / LEVELS
    check(ApproxDP(1.2, 1e-6), pure)  # three levels are too few for concentration to pay
    generous = approx_to_zcdp(ApproxDP(1.2, 0.1)).rho
    assert bounded_range_epsilon(generous / LEVELS) > 1.2 / LEVELS
    check(ApproxDP(1.2, 0.1), concentrated(generous, bounded_range_epsilon))


def test_one_quantile_spends_everything():
    steps = plan(QuantileSet.of(0.3))
    assert ApproximateQuantiles().etas(PureDP(1.0), steps)[0] == pytest.approx([1 / 1.4])
    replace = ApproximateQuantiles(neighbours=Neighbours.REPLACE_ONE)
    assert replace.etas(PureDP(1.0), steps)[0] == pytest.approx([0.5])


def test_repeats_do_not_cost_levels():
    mechanism = ApproximateQuantiles()
    once = mechanism.etas(PureDP(1.0), plan(QuantileSet.of([0.2, 0.5])))
    often = mechanism.etas(PureDP(1.0), plan(QuantileSet.of([0.5, 0.2, 0.2, 0.5, 0.2])))
    for a, b in zip(once, often, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("budget", [PureDP(1e6), ZCDP(1e10), ApproxDP(1e6, 1e-6)])
@pytest.mark.parametrize("relation", Neighbours)
def test_with_a_huge_budget_nothing_is_missed(rng, budget, relation):
    mechanism = ApproximateQuantiles(neighbours=relation)
    quantiles = uniform_quantiles(19)
    exact = Column.from_values(rng.normal(size=1000), Bounds(-10, 10))  # every q·n is whole
    ages = Column.from_values(rng.integers(17, 90, 1000), Bounds(0, 120), resolution=1)
    for column in (exact, ages):
        values = mechanism.release_many(column, quantiles, budget, rng, 20)
        assert gaps(column, quantiles, values).max() == 0


def test_kept_ties_with_a_huge_budget_miss_by_the_ties_and_no_more(rng):
    column = Column.from_values(np.repeat([1.0, 2.0, 5.0], [300, 500, 200]), Bounds(0, 9))
    mechanism = ApproximateQuantiles(ties=Ties.KEEP)
    values = mechanism.release_many(column, [0.5], PureDP(1e5), rng, 50)
    # ranks on offer are 0, 300, 800 and 1000: 300 is the nearest to 500
    assert (column.count_below(values) == 300).all()


def test_trace_and_release_are_one_draw_and_the_public_part_agrees():
    column = Column.from_values(np.random.default_rng(5).normal(size=300), Bounds(-5, 5))
    mechanism, quantiles = ApproximateQuantiles(), [0.9, 0.1, 0.5, 0.7, 0.1]
    run = mechanism.trace(column, quantiles, PureDP(1.0), np.random.default_rng(9))
    release = mechanism.release(column, quantiles, PureDP(1.0), np.random.default_rng(9))
    public = release.recursion
    rounded = column.grid.rounded(run.values[0])
    rounded[-1] = 5
    assert np.abs(rounded - run.values[0]).max() <= 10 * 2.0**-40
    assert release.values.tolist() == rounded[[4, 1, 2, 3, 1]].tolist()
    assert public.value.tolist() == rounded[1:-1].tolist()
    assert public.level.tolist() == [2, 1, 2, 3]
    a, b, c = public.value[:3]
    assert public.low.tolist() == [-5, -5, b, c]
    assert public.high.tolist() == [b, 5, 5, 5]
    assert a < b < c < public.value[3]
    sizes = [run.sizes(level).tolist() for level in range(3)]
    under = int(column.count_below(b))
    assert sizes[0] == [300]
    assert sizes[1] == [under, 300 - under]
    assert sizes[2] == [300 - int(column.count_below(c))]
    node = run.density(1, 0)
    assert (node.edges[0], node.edges[-1]) == (-5, run.values[0, 2])
    assert float(np.exp(node.log_density) @ np.diff(node.edges)) == pytest.approx(1)


def test_a_record_that_equals_a_drawn_value_goes_to_neither_side(rng, monkeypatch):
    column = Column.from_values([0.2, 0.5, 0.8], UNIT)
    module = "dpviz.mechanisms.quantiles.descent.sample"
    kept = ApproximateQuantiles(ties=Ties.KEEP)
    # 0.5 reached from below (its interval ends there) and from above (it starts there)
    for interval in (1, 2):
        monkeypatch.setattr(module, lambda *_, i=interval: (np.array([0.5]), np.array([i])))
        run = kept.trace(column, [0.5], PureDP(1.0), rng)
        assert run.below[0, 1] == 1  # records 0.2 only
        assert run.above[0, 1] == 2  # records 0.8 only


def test_a_record_at_a_drawn_point_goes_to_neither_side(monkeypatch):
    column = Column.from_values([0.2, 0.5, 0.8], UNIT)
    points = spread_points(column, SeededBits(np.random.default_rng(7)))
    module = "dpviz.mechanisms.quantiles.approximate_quantiles.draw_points"
    monkeypatch.setattr(module, lambda *_: points[1:2])
    run = ApproximateQuantiles().trace(column, [0.5], PureDP(1.0), np.random.default_rng(7))
    assert (run.below[0, 1], run.above[0, 1]) == (1, 2)


@pytest.mark.law
def test_outputs_of_an_empty_column_are_uniform_and_ordered(rng):
    column = Column.from_values([], Bounds(2, 4))
    values = ApproximateQuantiles().release_many(
        column, [0.25, 0.5, 0.75], PureDP(1.0), rng, 20_000
    )
    assert (np.diff(values, axis=1) >= 0).all()
    assert fits(values[:, 1], stats.uniform(2, 2), comparisons=2)
    assert fits((values[:, 0] - 2) / (values[:, 1] - 2), stats.uniform(), comparisons=2)
