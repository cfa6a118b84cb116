from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.metrics.bounds import (
    approximate_quantiles_bounds,
    carried_error,
    independent_exp_bound,
    made_up_column_bound,
    single_error,
    spread_ratio,
)
from dpviz.metrics.quantiles import gaps
from tests.rows import by_rows


def ranks_when_every_node_errs(quantiles, n, errors, low=0.0, high=None):
    """Literal Algorithm 1 on ranks: each node lands on its target plus the next error."""
    high = n if high is None else high
    if not quantiles:
        return []
    middle = math.ceil(len(quantiles) / 2) - 1
    p = quantiles[middle]
    v = low + p * (high - low) + next(errors)
    lower = [q / p for q in quantiles[:middle]]
    upper = [(q - p) / (1 - p) for q in quantiles[middle + 1 :]]
    return [
        *ranks_when_every_node_errs(lower, n, errors, low, v),
        v,
        *ranks_when_every_node_errs(upper, n, errors, v, high),
    ]


def carried(quantiles):
    return carried_error(plan(QuantileSet.of(quantiles)))


@by_rows("depth", range(1, 11))
def test_uniform_full_trees_have_a_closed_form(depth):
    closed = 2 * depth / 3 + 2 / 9 * (1 - (-0.5) ** depth)
    assert carried(uniform_quantiles(2**depth - 1)) == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize(("m", "times"), [(1, 1.0), (3, 1.5), (7, 2.25), (127, 4.89)])
def test_an_adversary_reaches_the_carried_error_and_breaks_lemma_3_4(m, times):
    quantiles, n, gamma = uniform_quantiles(m).tolist(), 1e9, 1000.0
    ranks = ranks_when_every_node_errs(quantiles, n, itertools.repeat(gamma))
    missed = max(abs(r - q * n) for r, q in zip(ranks, quantiles, strict=True)) / gamma
    assert missed == pytest.approx(times, abs=0.005)
    assert missed == pytest.approx(carried(quantiles), rel=1e-6)


def test_no_errors_within_gamma_exceed_the_carried_error(rng):
    for _ in range(50):
        quantiles = np.unique(rng.uniform(0.01, 0.99, rng.integers(1, 40))).tolist()
        most = carried(quantiles)
        assert 1 <= most <= QuantileSet.of(quantiles).levels + 1e-12
        for _ in range(10):
            errors = iter(rng.choice([-1.0, 1.0, 0.3], 40))
            ranks = ranks_when_every_node_errs(quantiles, 1e6, errors)
            assert (
                max(abs(r - q * 1e6) for r, q in zip(ranks, quantiles, strict=True)) <= most + 1e-6
            )
        ranks = ranks_when_every_node_errs(quantiles, 1e6, itertools.repeat(1.0))
        reached = max(abs(r - q * 1e6) for r, q in zip(ranks, quantiles, strict=True))
        assert reached == pytest.approx(most, rel=1e-6)


def test_the_spread_ratio_counts_both_ends_and_knows_ties():
    bounds = Bounds(0, 10)
    assert spread_ratio(np.array([2.0, 4.0, 9.5]), bounds) == pytest.approx(20)
    assert spread_ratio(np.array([0.1, 5.0]), bounds) == pytest.approx(100)
    assert spread_ratio(np.array([3.0, 3.0]), bounds) is None
    assert spread_ratio(np.array([0.0, 3.0]), bounds) is None
    assert spread_ratio(np.empty(0), bounds) == 1


def test_a_single_error_is_lemma_a1():
    eta = 0.5 / (2 * 0.8)
    expected = 2 * 0.8 * (math.log(1e4) + math.log(7) - math.log(0.05)) / 0.5
    assert single_error(eta, 1e4, 7, 0.05) == pytest.approx(expected)


def test_lemma_a1_holds_exactly_on_a_root(rng):
    """P(|k − t| > γ + ½) by enumeration, never above β/m."""
    for _ in range(200):
        n = int(rng.integers(1, 60))
        values = np.sort(rng.random(n) ** rng.integers(1, 5))
        eta, m, beta, q = rng.uniform(0.1, 5), int(rng.integers(1, 9)), 0.1, rng.random()
        edges = np.concatenate(([0.0], values, [1.0]))
        masses = np.diff(edges) * np.exp(-eta * np.abs(np.arange(n + 1) - q * n))
        gamma = single_error(eta, spread_ratio(values, Bounds(0, 1)), m, beta)
        far = np.abs(np.arange(n + 1) - q * n) > gamma + 0.5
        assert masses[far].sum() / masses.sum() <= beta / m


COLUMN = Column.from_values(np.linspace(-8, 8, 1001)[1:-1], Bounds(-10, 10))
PSI = spread_ratio(COLUMN.values, COLUMN.bounds)
SETTINGS = [
    (budget, relation)
    for budget in (PureDP(1.0), ZCDP(0.1), ApproxDP(1.0, 1e-6))
    for relation in Neighbours
]


@pytest.mark.law
@by_rows(("budget", "relation"), SETTINGS)
@by_rows(
    ("quantiles", "too_small"),  # one Δ for all nodes makes the bound of an uneven set loose
    [([0.5], 8), (uniform_quantiles(7), 8), ([0.02, 0.3, 0.31, 0.9], 16)],
)
def test_the_corrected_bound_holds_and_a_fraction_does_not(
    rng, budget, relation, quantiles, too_small
):
    runs, beta = 500, 0.05
    mechanism = ApproximateQuantiles(neighbours=relation)
    bound, *_ = approximate_quantiles_bounds(mechanism, budget, quantiles, PSI, beta)
    assert bound.holds
    values = mechanism.release_many(COLUMN, quantiles, budget, rng, runs)
    worst = gaps(COLUMN, quantiles, values).max(axis=1)
    most = stats.binom(runs, beta).isf(1e-9)
    assert (worst > bound.records).sum() <= most
    assert (worst > bound.records / too_small).sum() > most


@pytest.mark.parametrize(("budget", "relation"), SETTINGS)
def test_the_bound_of_independent_mechanisms_holds_too(rng, budget, relation):
    runs, beta, quantiles = 500, 0.05, uniform_quantiles(5)
    mechanism = IndependentExp(neighbours=relation)
    bound = independent_exp_bound(mechanism, budget, quantiles, PSI, beta)
    worst = gaps(
        COLUMN, quantiles, mechanism.release_many(COLUMN, quantiles, budget, rng, runs)
    ).max(axis=1)
    most = stats.binom(runs, beta).isf(1e-9)
    assert (worst > bound.records).sum() <= most
    assert (worst > bound.records / 8).sum() > most


def test_printed_bounds_carry_the_papers_numbers():
    logs = math.log(PSI) + math.log(7) - math.log(0.05)
    mechanism, quantiles = ApproximateQuantiles(rho_rule=RhoRule.PAPER), uniform_quantiles(7)
    _, general, uniform = approximate_quantiles_bounds(mechanism, PureDP(2.0), quantiles, PSI)
    assert (general.source, uniform.source) == ("Theorem 3.3", "Theorem 3.5")
    assert general.records == pytest.approx(2 * 3 * logs / 2)
    assert uniform.records == pytest.approx(4 * logs / 2)
    assert not general.holds
    assert not uniform.holds
    _, general, uniform = approximate_quantiles_bounds(mechanism, ZCDP(0.5), quantiles, PSI)
    assert (general.source, uniform.source) == ("Theorem 3.10", "Theorem 3.11")
    assert general.records == pytest.approx(2 * 3 * math.sqrt(3) * logs)
    assert uniform.records == pytest.approx(4 * math.sqrt(3) * logs)
    assert general.holds
    assert not uniform.holds


def test_printed_bounds_appear_only_where_they_apply():
    mechanism = ApproximateQuantiles()
    uneven = approximate_quantiles_bounds(mechanism, PureDP(1.0), [0.1, 0.5], PSI)
    assert [bound.source for bound in uneven[1:]] == ["Theorem 3.3"]
    converted = approximate_quantiles_bounds(mechanism, ApproxDP(1.0, 1e-6), [0.5], PSI)
    assert len(converted) == 1


def test_a_printed_bound_that_claims_to_hold_is_implied_by_the_corrected_one():
    for rho in (1e-4, 0.5, 1e6, 1e12):
        for rule, relation in itertools.product(RhoRule, Neighbours):
            mechanism = ApproximateQuantiles(neighbours=relation, rho_rule=rule)
            for quantiles in ([0.5], [0.001, 0.002, 0.003, 0.004], uniform_quantiles(120)):
                first, *rest = approximate_quantiles_bounds(mechanism, ZCDP(rho), quantiles, PSI)
                assert all(b.records >= first.records for b in rest if b.holds)


@pytest.mark.law
@pytest.mark.parametrize(("budget", "relation"), [(PureDP(50), r) for r in Neighbours])
def test_a_made_up_column_is_as_near_as_corollary_3_6_says_and_no_nearer(rng, budget, relation):
    """Point i against the rank i; false alarm 1e-9 by the binomial law of the runs that fail."""
    runs, beta, n = 40, 0.05, COLUMN.n
    mechanism = SanitizedColumn(size=n, quantiles=ApproximateQuantiles(neighbours=relation))
    bound = made_up_column_bound(mechanism, budget, n, PSI, beta)
    assert bound.records < n
    drawn = mechanism.quantiles.release_many(COLUMN, uniform_quantiles(n), budget, rng, runs)
    ranks = np.arange(1, n + 1)
    worst = np.abs(COLUMN.count_below(drawn) - ranks).max(axis=1)
    most = stats.binom(runs, beta).isf(1e-9)
    assert (worst > bound.records).sum() <= most
    assert (worst > bound.records / 30).sum() > most
    one = mechanism.release(COLUMN, budget, np.random.default_rng(1)).values
    assert np.abs(COLUMN.count_below(one) - ranks).max() <= bound.records


@pytest.mark.parametrize("size", [None, 7])
def test_corollary_3_6_speaks_of_as_many_points_as_people(size):
    with pytest.raises(InvalidParameter, match="Declare size=999"):
        made_up_column_bound(SanitizedColumn(size=size), PureDP(1), 999, PSI)
