"""Quadtree: its noise, its budget, its settings, and the truth when the noise is off."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.geometry import Midpoints
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.spatial import count_leaves, quadtree_leaves
from dpviz.mechanisms.spatial.quadtree import Quadtree, geometric_levels
from tests.estimators.spatial.spending import path_spending
from tests.mechanisms.spatial.planes import BOX, cloud, edge_cases, points
from tests.rows import by_rows
from tests.statistics import can_tell, epsilon_lower_bound, fits

CASES = edge_cases(np.random.default_rng(1))
BUDGETS = (PureDP(0.7), ZCDP(0.2))


@by_rows("height", [0, 1, 4])
@by_rows("case", CASES)
def test_with_hardly_any_noise_the_counts_are_true(case, height, rng):
    p = CASES[case]
    for epsilon, tolerance in ((1e4, 0.1), (1e9, 1e-6)):
        release = Quadtree(height).release(p, PureDP(epsilon), rng)
        for found, exact in zip(
            release.counts, count_leaves(quadtree_leaves(p, height), height), strict=True
        ):
            np.testing.assert_allclose(found, exact, atol=tolerance)
    assert release.geometry == Midpoints(release.box)
    assert release.box == BOX
    assert SpatialRelease.from_json(release.to_json()) == release


@pytest.mark.law
@pytest.mark.parametrize("epsilon", [1e-6, 1.0])
def test_noise_of_each_level_has_its_declared_law(epsilon, rng):
    """12 verdicts at 1e-9 in all."""
    p, height = cloud(300, rng), 6
    tree = Quadtree(height, noise=Noise.LAPLACE)
    release = tree.release(p, PureDP(epsilon), rng)
    exact = count_leaves(quadtree_leaves(p, height), height)
    for level in (4, 5, 6):
        scale = release.scales[level]
        law = stats.laplace(scale=scale)
        sample = release.counts[level] - exact[level]
        assert fits(sample, law, comparisons=12)
        if level == 6:
            for wrong in (0.5 * scale, 2 * scale):
                assert can_tell(4**6, stats.laplace(scale=wrong), law, comparisons=12)
                assert not fits(sample, stats.laplace(scale=wrong), comparisons=12)


@by_rows(
    ("budget", "noise", "root", "neighbours", "levels"),
    [
        (budget, noise, root, neighbours, levels)
        for budget, noise, root, neighbours, levels in itertools.product(
            BUDGETS,
            Noise,
            Root,
            Neighbours,
            (None, LevelBudget.uniform(), LevelBudget.leaves_only(), LevelBudget.own([1, 0, 2, 0])),
        )
        if not (noise.gaussian and isinstance(budget, PureDP))
        and not (root is Root.PUBLIC and neighbours is Neighbours.ADD_REMOVE)
    ],
)
def test_every_path_spends_exactly_the_budget(budget, noise, root, neighbours, levels, rng):
    records = 50 if root is Root.PUBLIC else None
    tree = Quadtree(3, levels, noise, root, neighbours, records)
    spent = path_spending(tree.release(cloud(50, rng), budget, rng))
    symbol = "epsilon" if isinstance(budget, PureDP) else "rho"
    assert getattr(spent, symbol) == pytest.approx(getattr(budget, symbol), rel=1e-11)


def test_the_audit_catches_a_level_that_overspends(rng):
    release = Quadtree(2).release(cloud(50, rng), PureDP(1), rng)
    scales = (*release.scales[:2], release.scales[2] / 2)
    object.__setattr__(release.tree, "scales", scales)
    assert path_spending(release).epsilon > 1.3


@pytest.mark.parametrize("height", [1, 5, 10])
def test_the_geometric_split_is_the_papers(height):
    """ε_i = 2^{(h−i)/3} ε (2^{1/3} − 1)/(2^{(h+1)/3} − 1), i = h at the root."""
    scales = Quadtree(height).counter(PureDP(0.5)).level_scales(PureDP(0.5))
    for level, scale in enumerate(scales):
        i = height - level
        expected = (
            2 ** ((height - i) / 3) * 0.5 * (2 ** (1 / 3) - 1) / (2 ** ((height + 1) / 3) - 1)
        )
        assert 1 / scale == pytest.approx(expected)


def test_the_ratio_is_larger_in_rho():
    assert geometric_levels(PureDP(1)).ratio == pytest.approx(2 ** (1 / 3))
    for budget in (ZCDP(1), ApproxDP(1, 1e-6)):
        assert geometric_levels(budget).ratio == pytest.approx(math.sqrt(2))


def test_a_public_number_is_released_exactly_and_costs_nothing(rng):
    tree = Quadtree(2, root=Root.PUBLIC, neighbours=Neighbours.REPLACE_ONE, records=77)
    release = tree.release(cloud(77, rng), PureDP(1), rng)
    assert release.total == 77
    assert np.isnan(release.counts[0]).all()
    with pytest.raises(InvalidParameter, match="public N"):
        Quadtree(2, root=Root.PUBLIC)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InvalidParameter, match="leaves"):
        Quadtree(12)
    with pytest.raises(InvalidParameter):
        Quadtree(-1)
    with pytest.raises(UnsupportedBudget):
        Quadtree(2, noise=Noise.LAPLACE).check(ApproxDP(1, 1e-6))
    with pytest.raises(UnsupportedBudget):
        Quadtree(2, noise=Noise.GAUSSIAN).check(PureDP(1))
    for noise in (None, Noise.GAUSSIAN, Noise.DISCRETE_GAUSSIAN):
        Quadtree(2, noise=noise).check(ApproxDP(1, 1e-6))


def test_discrete_noise_gives_whole_numbers(rng):
    release = Quadtree(3, noise=Noise.DISCRETE_LAPLACE).release(cloud(90, rng), PureDP(1), rng)
    assert all((level == np.round(level)).all() for level in release.counts)


@pytest.mark.parametrize(("claimed", "caught"), [(1.0, False), (0.4, True)])
def test_neighbours_cannot_be_told_apart_better_than_declared(claimed, caught, rng):
    """Counts of one leaf with and without its record; a claim of .4 for noise of ε = 1 is false."""
    trials, level_share = 60_000, Quadtree(0)
    one, none = points([0.0], [11.0]), points()
    exact = [count_leaves(quadtree_leaves(p, 0), 0) for p in (one, none)]
    counter = level_share.counter(PureDP(1))
    hits = [int((counter.noisy(e, PureDP(1), rng, trials).counts[0] > 0.5).sum()) for e in exact]
    assert (epsilon_lower_bound(*hits, trials) > claimed) == caught
