"""Errors of spatial answers, and their two causes."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.counts.exact import ExactCells
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import estimated_counts, range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.metrics.spatial import noiseless_counts, relative_errors
from tests.estimators.spatial.rectangles import fraction, queries
from tests.mechanisms.spatial.planes import BOX, cloud

MECHANISMS = [
    Quadtree(3),
    HilbertTree(2, order=7),
    UniformGrid(side=9),
    AdaptiveGrid(records=50),
    PrivTree(depth=6),
]


def readings(mechanism, points, budget, rng):
    release = mechanism.release(points, budget, rng)
    if not hasattr(release, "level_boxes"):
        return [release]
    return [release, estimate(release), prune(estimate(release), 30)]


def counted(tree, index):
    """The exact counts of a release's cells, from it or from what was made of it."""
    return ExactCells.of(getattr(tree, "release", tree), index)


def errors_of(tree, exact, asked):
    """What comes of the noise, and of cells that are not even inside; and the noise's variance."""
    private, variance = range_counts(tree, asked)
    same_cells = noiseless_counts(tree, exact, asked)
    return SimpleNamespace(
        noise=private - same_cells, uniformity=same_cells - exact.inside(asked), variance=variance
    )


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_private_answer_has_noise(mechanism, rng):
    points = cloud(800, rng)
    index, asked = PointIndex.of(points), queries(30, rng)
    for tree in readings(mechanism, points, PureDP(1), rng):
        assert (errors_of(tree, counted(tree, index), asked).noise != 0).any()
        np.testing.assert_array_equal(counted(tree, index).inside(asked), index.count(asked))


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_with_the_noise_off_only_the_uniformity_error_remains(mechanism, rng):
    points = cloud(800, rng)
    index, asked = PointIndex.of(points), queries(30, rng)
    for tree in readings(mechanism, points, PureDP(1e9), rng):
        errors = errors_of(tree, counted(tree, index), asked)
        np.testing.assert_allclose(errors.noise, 0, atol=1e-3)
        assert (errors.variance < 1e-6).all()
        assert np.abs(errors.uniformity).max() > 1


def test_the_uniformity_error_by_hand(rng):
    points, asked = cloud(500, rng), queries(20, rng)
    index, boxes = PointIndex.of(points), midpoint_boxes(BOX, 2)
    exact = index.count(boxes)
    expected = [sum(c * fraction(b, q) for c, b in zip(exact, boxes, strict=True)) for q in asked]
    release = Quadtree(2).release(points, PureDP(1), rng)
    exact = counted(release, index)
    np.testing.assert_allclose(noiseless_counts(release, exact, asked), expected, atol=1e-9)


def test_rectangles_of_whole_leaves_have_no_uniformity_error(rng):
    points = cloud(500, rng)
    release = Quadtree(4).release(points, PureDP(1), rng)
    exact = counted(release, PointIndex.of(points))
    errors = errors_of(estimate(release), exact, midpoint_boxes(BOX, 3))
    np.testing.assert_allclose(errors.uniformity, 0, atol=1e-9)


@pytest.mark.law
def test_noise_error_matches_its_variance(rng):
    """Mean of noise²/variance over many draws is 1; 6 standard errors leave 2e-9 for an alarm."""
    points, asked = cloud(300, rng), queries(4, rng)[:4]
    index = PointIndex.of(points)
    release = Quadtree(3).release(points, PureDP(1), rng)
    exact = noiseless_counts(release, counted(release, index), asked)
    draws = []
    for _ in range(1500):
        tree = estimate(Quadtree(3).release(points, PureDP(1), rng))
        draws.append(estimated_counts(tree, asked) - exact)
    variance = errors_of(tree, counted(tree, index), asked).variance
    ratios = (np.array(draws) ** 2 / variance).mean(axis=0)
    spread = 6 * np.sqrt(3.0 / 1500)  # the kurtosis of sums of Laplace noise is below 6
    assert (np.abs(ratios - 1) < spread).all()
    for wrong in (0.7, 1.4):
        assert (np.abs(ratios * wrong - 1) >= spread).any()


def test_relative_errors_are_the_papers():
    np.testing.assert_allclose(relative_errors([90, 100, 130], [100, 100, 100]), [0.1, 0, 0.3])
    with pytest.raises(InvalidParameter, match="record"):
        relative_errors([1, 2], [1, 0])
