"""Intervals for a quantile from the release alone: errors against dense algebra, and coverage."""

from decimal import Decimal

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.band import simulated_errors, simulated_prefix_errors
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.least_squares import estimated
from dpviz.estimators.trees.quantile_intervals import (
    quantile_interval,
    sure_factors,
    target_errors,
)
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from tests.rows import by_rows

BOUNDS = Bounds(0, 64)
VALUES = np.sort(np.random.default_rng(2).gamma(3, 8, 3_000).clip(0, 63.9))
COLUMN = Column.from_values(VALUES, BOUNDS, 0)
TREES = [
    CountTree(2, 6, noise=Noise.DISCRETE_LAPLACE),
    CountTree(4, 3, noise=Noise.LAPLACE, root=Root.SUM),
    CountTree(
        2, 6, noise=Noise.LAPLACE, neighbours=Neighbours.REPLACE_ONE, root=Root.PUBLIC, records=3000
    ),
    CountTree(2, 6, noise=Noise.GAUSSIAN),
]


def budget_of(tree):
    return ZCDP(0.02) if tree.noise is Noise.GAUSSIAN else PureDP(0.3)


@by_rows("reading", [TreeEstimator.EFFICIENT, TreeEstimator.RAW])
@by_rows("tree", TREES)
@by_rows(("q", "step"), [(0.5, 1), (0.1, 3), (0.93, 7)])
def test_errors_are_those_of_the_linear_reading(tree, reading, q, step):
    """Against the general formula, edge by edge; twin: Ĉ_t and N̂ taken as independent."""
    noise = tree.tree_noise(budget_of(tree))
    found = target_errors(noise, q, estimator=reading, step=step)
    exact = CdfErrors(noise, reading, step)
    weights = np.eye(found.size)
    weights[:, -1] -= q
    np.testing.assert_allclose(found, exact.linear_error(weights), rtol=1e-8, atol=1e-9)
    own = exact.running_errors()
    apart = np.sqrt(own**2 + (q * own[-1]) ** 2)
    assert tree.root is Root.PUBLIC or not np.allclose(found, apart, rtol=0.02)


@pytest.mark.parametrize("public", [False, True])
def test_errors_of_prefix_sums_are_those_of_their_noise(public):
    relation = Neighbours.REPLACE_ONE if public else Neighbours.ADD_REMOVE
    noise = PrefixSums(64, relation).noise(ZCDP(0.5))
    drawn = simulated_prefix_errors(noise, np.random.default_rng(1), runs=20_000)
    spread = (drawn - 0.3 * drawn[:, -1:]).std(axis=0)
    np.testing.assert_allclose(target_errors(noise, 0.3), spread, rtol=0.03)


def releases(tree, runs):
    for seed in range(runs):
        release = tree.release(COLUMN, budget_of(tree), np.random.default_rng(seed))
        yield cdf(estimated(release, TreeEstimator.EFFICIENT)), release.tree_noise


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("q", [0.02, 0.5, 0.9])
def test_the_value_is_covered_at_least_as_often_as_is_said(tree, q):
    """300 releases at β = .2; twin: the curve's own interval of one standard error's half."""
    true, runs, missed, naive = VALUES[int(np.ceil(q * VALUES.size)) - 1], 300, 0, 0
    (sure,) = sure_factors(tree.tree_noise(budget_of(tree)), [q], 0.2)  # of every release
    for curve, noise in releases(tree, runs):
        low, high = quantile_interval(curve, noise, q, 0.2, sure=sure)
        missed += not low <= true <= high
        at = int(np.abs(monotone(curve).counts - q * curve.total).argmin())
        naive += not curve.edges[at] <= true <= curve.edges[min(at + 1, 64)]
    assert missed <= 0.2 * runs + 3 * np.sqrt(runs * 0.16)
    assert naive > missed


def test_prefix_sums_cover_too():
    mechanism, missed = PrefixSums(64), 0
    for seed in range(400):
        release = mechanism.release(COLUMN, ZCDP(0.02), np.random.default_rng(seed))
        low, high = quantile_interval(cdf(release), release.noise, 0.5, 0.2)
        missed += not low <= VALUES[1499] <= high
    assert missed <= 80 + 3 * 8


@pytest.mark.law
def test_with_sampling_the_population_is_covered_and_the_interval_is_wider():
    """A fresh column each time; twin: noise alone misses the population far too often."""
    rng, tree = np.random.default_rng(9), CountTree(2, 12, noise=Noise.GAUSSIAN)
    median, missed, alone = 20.0, 0, 0  # of the uniform law on 0 … 40
    for _ in range(300):
        column = Column.from_values(rng.uniform(0, 40, 8_000), BOUNDS, 0)
        release = tree.release(column, ZCDP(100), rng)
        curve = cdf(estimated(release, TreeEstimator.EFFICIENT))
        low, high = quantile_interval(curve, release.tree_noise, 0.5, sampling=True)
        missed += not low <= median <= high
        near = quantile_interval(curve, release.tree_noise, 0.5)
        alone += not near[0] <= median <= near[1]
        assert low <= near[0] <= near[1] <= high
    assert missed <= 15 + 3 * 4
    assert alone > 60


def test_laplace_noise_has_another_quantile_than_the_normal_law():
    tree = CountTree(2, 1, noise=Noise.LAPLACE)
    noise = tree.tree_noise(PureDP(0.1))
    drawn = simulated_errors(noise, TreeEstimator.EFFICIENT, np.random.default_rng(3), runs=50_000)
    drawn -= 0.5 * drawn[:, -1:]
    spread = target_errors(noise, 0.5)
    tails = np.quantile(np.abs(drawn / spread), 0.999, axis=0)
    assert (tails > 3.6).all()  # the normal law has 3.29


@pytest.mark.parametrize("extreme", [-1e9, 1e9])
def test_an_interval_is_never_empty(extreme):
    release = CountTree(2, 6).release(COLUMN, PureDP(0.3), np.random.default_rng(0))
    curve = cdf(release)
    counts = curve.counts.copy()
    counts[1:-1] = extreme
    low, high = quantile_interval(type(curve)(curve.edges, counts), release.tree_noise, 0.5)
    assert 0 <= low < high <= 64


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"q": 0.0}, "q"),
        ({"q": 1.5}, "q"),
        ({"beta": 1.0}, "β"),
        ({"step": 2}, "step"),
        ({"estimator": TreeEstimator.FROM_BELOW}, "raw and efficient"),
    ],
)
def test_what_cannot_be_asked_is_refused(others, said):
    release = CountTree(2, 6).release(COLUMN, PureDP(0.3), np.random.default_rng(0))
    asked = {"q": 0.5} | others
    with pytest.raises(InvalidParameter, match=said):
        quantile_interval(cdf(release), release.tree_noise, **asked)


def test_a_smoothed_curve_is_refused():
    release = CountTree(2, 6).release(COLUMN, PureDP(0.3), np.random.default_rng(0))
    with pytest.raises(InvalidParameter, match="smoothed"):
        quantile_interval(monotone(cdf(release)), release.tree_noise, 0.5)


def test_a_decimal_is_as_good_as_a_number():
    release = TREES[0].release(COLUMN, PureDP(1), np.random.default_rng(1))
    given = cdf(release), release.tree_noise
    assert quantile_interval(*given, Decimal("0.5"), Decimal("0.1")) == quantile_interval(
        *given, 0.5, 0.1
    )


def test_more_simulated_noise_than_a_machine_holds_is_refused_before_any_is_drawn():
    noise = TREES[0].tree_noise(PureDP(1))
    for runs, step in ((10**9, 1), (10**8, 64), (2**29, 1)):
        with pytest.raises(TooMuchWork, match=f"{runs:,} simulated runs of 64 parts"):
            simulated_errors(
                noise, TreeEstimator.RAW, np.random.default_rng(1), step=step, runs=runs
            )
        with pytest.raises(TooMuchWork, match="fewer runs"):
            simulated_prefix_errors(
                PrefixSums(64).noise(ZCDP(1)), np.random.default_rng(1), step=step, runs=runs
            )
