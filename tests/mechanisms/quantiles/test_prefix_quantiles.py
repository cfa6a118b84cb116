"""Quantiles of running counts: what is read is what PrefixSums releases, in ρ better than trees."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.quantiles import uniform_quantiles
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.curve import cdf_quantiles
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.quantiles import prefix_quantiles
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles
from dpviz.metrics.quantiles import gaps
from tests.estimators.trees.twins import with_public_total

COLUMN = Column.from_values(np.random.default_rng(3).beta(2, 5, 900), Bounds(0, 1))
ASKED = [0.9, 0.1, 0.5, 0.1]
REPLACED = Neighbours.REPLACE_ONE


def quantiles_of(release, quantiles):
    """Those of the smoothed CDF."""
    return cdf_quantiles(monotone(cdf(release)), quantiles)


@pytest.mark.parametrize("budget", [ZCDP(0.1), ApproxDP(1, 1e-6)])
@pytest.mark.parametrize("relation", Neighbours)
def test_it_reads_what_prefix_sums_releases(budget, relation):
    one = PrefixQuantiles(37, relation).release(COLUMN, ASKED, budget, np.random.default_rng(5))
    sums = PrefixSums(37, relation).release(COLUMN, budget, np.random.default_rng(5))
    np.testing.assert_allclose(one.values, quantiles_of(sums, ASKED), rtol=1e-10)
    assert one.spent == sums.spent == budget
    assert one.parameters["noise"] == "gaussian"


def test_a_public_total_is_read_as_running_counts_read_it():
    budget, n = ZCDP(0.01), COLUMN.n
    mechanism = PrefixQuantiles(64, REPLACED, records=n)
    one = mechanism.release(COLUMN, ASKED, budget, np.random.default_rng(6))
    sums = PrefixSums(64, REPLACED).release(COLUMN, budget, np.random.default_rng(6))
    read = quantiles_of(with_public_total(sums, n), ASKED)
    np.testing.assert_allclose(one.values, read, rtol=1e-10)  # up to the public grid
    assert np.abs(one.values - quantiles_of(sums, ASKED)).max() > 1e-3
    assert one.parameters["records"] == n


def test_runs_are_those_of_one_batch_however_many_are_worked_on_at_once(monkeypatch):
    mechanism, budget = PrefixQuantiles(16), ZCDP(0.1)
    whole = mechanism.release_many(COLUMN, ASKED, budget, np.random.default_rng(7), 9)
    monkeypatch.setattr(prefix_quantiles, "CHUNK", 40)  # two runs
    parts = mechanism.release_many(COLUMN, ASKED, budget, np.random.default_rng(7), 9)
    np.testing.assert_array_equal(whole, parts)


def test_pure_budgets_and_a_public_total_under_add_remove_are_refused():
    with pytest.raises(UnsupportedBudget, match="ρ or"):
        PrefixQuantiles().check(PureDP(1), [0.5])
    with pytest.raises(InvalidParameter, match="replace-one"):
        PrefixQuantiles(records=5)


@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
def test_the_median_misses_by_what_the_exact_noise_says(relation, rng):
    """On even values the count at the released median is off by the noise of U = S_t − S_K/2."""
    n, bins, budget = 200_000, 256, ZCDP(0.002)
    column = Column.from_values((np.arange(n) + 0.5) / n, Bounds(0, 1))
    mechanism = PrefixQuantiles(bins, relation)
    drawn = mechanism.release_many(column, [0.5], budget, rng, 4_000)[:, 0]
    noise = mechanism.sums.noise(budget)
    edges = np.array([bins // 2, bins])
    joint = noise.covariance(edges[:, None], edges)
    weights = np.array([1.0, -0.5])
    expected = float(np.sqrt(weights @ joint @ weights))
    found = float((drawn * n - n / 2).std())
    # interpolation averages two edges, and smoothing takes a little off
    assert 0.8 * expected < found < 1.03 * expected
    twin = PrefixQuantiles(bins).sums.noise(ZCDP(budget.rho * 2))  # half the variance
    other = twin.covariance(edges[:, None], edges)
    assert not 0.8 < found / float(np.sqrt(weights @ other @ weights)) < 1.03


@pytest.mark.parametrize(
    ("width", "resolution", "bins"),
    [(100, 1, 200), (0.5, 1, 1), (2047, 1, 4094), (2048, 1, 4096), (5000, 1, 4096),
     (100, 0, 4096), (100, 0.3, 667), (1e-300, 1e300, 1), (1.7e308, 5e-324, 4096)],
)  # fmt: skip
def test_bins_that_were_left_open_are_two_a_value(width, resolution, bins):
    open_, bounds = PrefixQuantiles(round_to_grid=True), Bounds(0, width)
    assert open_.fitted(bounds, resolution) == PrefixQuantiles(bins, round_to_grid=True)
    assert PrefixQuantiles(9).fitted(bounds, resolution) == PrefixQuantiles(9)
    with pytest.raises(InvalidParameter, match="left open"):
        _ = open_.sums
    with pytest.raises(InvalidParameter, match="resolution"):
        open_.fitted(bounds, -1)


def test_two_bins_a_value_read_better_than_4096_and_than_one(rng):
    ages = Column.from_values(rng.binomial(90, 0.45, 30_000), Bounds(0, 90), resolution=1)
    quantiles, budget = uniform_quantiles(60), ZCDP(0.0002)
    one, two, many = (
        gaps(ages, quantiles, found.release_many(ages, quantiles, budget, rng, 200)).mean()
        for found in (
            PrefixQuantiles(91, round_to_grid=True),
            PrefixQuantiles(round_to_grid=True),
            PrefixQuantiles(4096, round_to_grid=True),
        )
    )
    assert two < 0.9 * many
    assert two < 0.9 * one
    release = PrefixQuantiles().release(ages, quantiles, budget, rng)
    assert release.parameters["bins"] == 180


@pytest.mark.law
def test_in_rho_no_tree_of_as_many_leaves_is_better(rng):
    """Once both are smoothed the best tree is nearly level; the usual ones are behind."""
    column = Column.from_values(rng.random(50_000), Bounds(0, 1))
    quantiles, budget = uniform_quantiles(200), ZCDP(0.01)
    ours = PrefixQuantiles(4096)
    trees = [AggTree(2, 12), AggTree(4, 6), AggTree(8, 4), AggTree(16, 3)]
    missed = [
        gaps(column, quantiles, one.release_many(column, quantiles, budget, rng, 200)).mean()
        for one in (ours, *trees)
    ]
    assert missed[0] < 1.02 * min(missed[1:])
    assert missed[0] < 0.9 * missed[3]
