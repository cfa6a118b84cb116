"""The best split of a budget by levels, against gradients, many starts and every set of levels."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits import optimal_split as split_search
from dpviz.estimators.splits.optimal_split import best_found, objective, optimal_split
from dpviz.estimators.splits.workloads import all_ranges, prefixes, single_leaves
from dpviz.estimators.trees.workload import energies_variance
from tests.rows import by_rows


def value(shares, energies, fanout, root, power):
    """Σ a_k/Λ_k with precision share**power."""
    with np.errstate(divide="ignore"):
        variances = 1 / np.asarray(shares) ** power
    return float(energies_variance(energies, fanout, variances, public_total=root is Root.PUBLIC))


def some_energies(rng, size):
    energies = rng.lognormal(0, 3, size)
    return np.where(rng.random(size) < 0.2, 0.0, energies) + np.eye(size)[-1] * energies


@by_rows("root", Root)
@by_rows("seed", range(20))
def test_the_convex_split_meets_the_conditions_of_an_optimum(root, seed):
    """Karush, Kuhn, Tucker: the gain of one more unit is the same on all levels that have a share,
    and no larger on the others. For a convex problem that is a certificate.
    """
    rng = np.random.default_rng(seed)
    fanout, size = int(rng.integers(2, 6)), int(rng.integers(2, 12))
    energies = some_energies(rng, size)
    split = optimal_split(energies, fanout, root, quadratic=False)
    shares = np.array(split.shares)
    assert split.certified
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    levels = np.arange(size)
    weight = float(fanout) ** (size - 1 - levels)
    strengths = np.cumsum((shares * weight)[::-1])[::-1]
    start = 1 if root is Root.PUBLIC else 0
    slopes = np.where(energies > 0, energies / strengths**2, 0.0)
    slopes[:start] = 0
    gains = weight * np.cumsum(slopes)
    payable = levels >= (0 if root is Root.RELEASED else 1)
    best = gains[payable].max()
    np.testing.assert_allclose(gains[payable & (shares > 0)], best, rtol=1e-9)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(5))
def test_no_start_leads_to_a_better_convex_split(seed):
    rng = np.random.default_rng(seed)
    fanout, energies = 2 + seed % 3, some_energies(rng, 5)
    best = optimal_split(energies, fanout, Root.RELEASED, quadratic=False).shares
    least = value(best, energies, fanout, Root.RELEASED, 1)

    def log_value(x):
        shares = np.exp(x - x.max())
        return np.log(value(shares / shares.sum(), energies, fanout, Root.RELEASED, 1))

    found = [minimize(log_value, rng.normal(size=5)).fun for _ in range(5)]
    assert np.exp(min(found)) >= least * (1 - 1e-9)
    assert np.exp(min(found)) == pytest.approx(least, rel=1e-3)


def every_set(energies, fanout):
    """The best local optimum over all sets of levels that hold the last one."""
    size = energies.size
    sets = np.array([[*bits, 1.0] for bits in itertools.product((0.0, 1.0), repeat=size - 1)])
    starts = sets / sets.sum(axis=1, keepdims=True)
    found = split_search._descended(starts, energies, fanout)
    return objective(found, energies, fanout).min()


@pytest.mark.law
@by_rows("seed", range(20))
def test_the_search_finds_the_best_set_of_levels(seed):
    rng = np.random.default_rng(seed)
    fanout, size = int(rng.integers(2, 6)), int(rng.integers(1, 9))
    energies = some_energies(rng, size)
    mine = objective(best_found(energies, fanout), energies, fanout)
    assert mine <= every_set(energies, fanout) * (1 + 1e-7)


@pytest.mark.law
@by_rows("seed", range(20))
def test_the_grid_alone_chooses_a_set_nearly_as_good(seed):
    """Within a hundredth of the best of all sets, from the grid's answer and descent alone."""
    rng = np.random.default_rng(seed)
    fanout, size = int(rng.integers(2, 6)), int(rng.integers(2, 9))
    energies = some_energies(rng, size)
    start = split_search._grid_optimum(energies, fanout, np.full((1, size), 1 / size))
    found = split_search._descended(start[None], energies, fanout)
    assert objective(found, energies, fanout)[0] <= every_set(energies, fanout) * 1.01


@pytest.mark.few(4)
@pytest.mark.parametrize("workload", [all_ranges, prefixes, single_leaves])
@pytest.mark.parametrize(("fanout", "height"), [(2, 8), (4, 5), (10, 3)])
def test_the_search_finds_the_best_set_for_real_workloads(workload, fanout, height):
    energies = workload(TreeShape(fanout, height))
    mine = objective(best_found(energies, fanout), energies, fanout)
    assert mine <= every_set(energies, fanout) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_descent_never_climbs(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    energies, shares = some_energies(rng, 6), rng.dirichlet(np.ones(6), 10)
    monkeypatch.setattr(split_search, "STEPS", 1)
    before = objective(shares, energies, 3)
    for _ in range(30):
        shares = split_search._descended(shares, energies, 3)
        after = objective(shares, energies, 3)
        assert (after <= before * (1 + 1e-12)).all()
        before = after


@pytest.mark.parametrize("quadratic", [False, True])
def test_edges(quadratic):
    def split(energies, root):
        return optimal_split(energies, 2, root, quadratic=quadratic).shares

    assert split([2.0], Root.RELEASED) == (1.0,)
    assert split([3.0, 0, 0], Root.RELEASED) == (1, 0, 0)  # only N is asked for
    assert split([3.0, 0, 0], Root.SUM) == pytest.approx((0, 1, 0))
    assert sum(split([3.0, 0, 0], Root.PUBLIC)) == pytest.approx(1)
    assert split([0, 0, 1.0], Root.RELEASED)[-1] > 0.5
    with pytest.raises(InvalidParameter, match="no budget"):
        split([1.0], Root.PUBLIC)
    for wrong in ([], [0, 0], [-1, 1], [np.nan, 1], [[1.0]]):
        with pytest.raises(InvalidParameter, match="Energies"):
            split(wrong, Root.RELEASED)


def test_a_tall_tree_takes_milliseconds_and_skips_levels():
    shares = optimal_split(all_ranges(TreeShape(2, 20)), 2, Root.RELEASED, quadratic=True).shares
    assert [level for level, share in enumerate(shares) if share > 0] == [4, 8, 12, 16, 20]
