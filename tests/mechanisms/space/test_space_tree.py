"""Trees of boxes in d dimensions: exact without noise, exact variances, the quadtree as d = 2."""

import numpy as np
import pytest
from scipy.stats import kstest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidBounds, InvalidData, InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.space import Space, SpacePoints, covered
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.mechanisms.space.space_tree import SpaceTree, box_counts
from dpviz.mechanisms.spatial.quadtree import Quadtree

CUBE = Space((Bounds(0, 1), Bounds(-2, 2), Bounds(10, 30)))
HUGE = PureDP(1e9)


def cloud(n=800, seed=4):
    rng = np.random.default_rng(seed)
    row = CUBE.row
    return SpacePoints.from_values(row[::2] + (row[1::2] - row[::2]) * rng.beta(2, 3, (n, 3)), CUBE)


def some_boxes(count, seed=1):
    rng = np.random.default_rng(seed)
    row = CUBE.row
    ends = np.sort(rng.random((count, 3, 2)), axis=2)
    low = row[::2][:, None]
    return (low + (row[1::2] - row[::2])[:, None] * ends).reshape(count, 6)


def test_an_octree_without_noise_counts_its_own_boxes_exactly():
    points = cloud()
    release = SpaceTree(3, 3).release(points, HUGE, np.random.default_rng(0))
    assert release.leaves.shape == (512, 6)
    counts, _ = box_counts(release, release.leaves)
    np.testing.assert_allclose(counts, points.inside(release.leaves), atol=1e-4)
    assert counts.sum() == pytest.approx(800, abs=1e-3)
    sides = release.leaves[:, 1::2] - release.leaves[:, ::2]
    np.testing.assert_allclose(sides, np.broadcast_to([1 / 8, 4 / 8, 20 / 8], (512, 3)))


def test_private_cuts_share_the_points_evenly_at_a_large_budget():
    points = cloud(4096)
    tree = SpaceTree(3, 2, private_levels=2)
    release = tree.release(points, PureDP(1e6), np.random.default_rng(0))
    counts = points.inside(release.leaves)
    np.testing.assert_allclose(counts, 64, atol=1)
    np.testing.assert_allclose(box_counts(release, release.leaves)[0], counts, atol=0.01)


def test_the_spend_of_a_path_is_the_budget():
    tree = SpaceTree(3, 4, private_levels=2)
    division = tree.division(PureDP(0.8))
    scales = tree.counter(division.counts).level_scales(division.counts)
    assert division.steps == 6
    assert 6 * division.step.epsilon + sum(1 / s for s in scales) == pytest.approx(0.8)
    ratios = np.array(scales[:-1]) / np.array(scales[1:])
    np.testing.assert_allclose(ratios, 2 ** (2 / 3))


@pytest.mark.parametrize(("budget", "noise"), [(PureDP(1), Noise.LAPLACE), (ZCDP(1), "gaussian")])
def test_variances_are_those_of_dense_least_squares(budget, noise):
    tree = SpaceTree(3, 2, noise=noise)
    release = tree.release(cloud(), budget, np.random.default_rng(0))
    boxes = some_boxes(5)
    spread = [float(v) for v in release.tree.variances]
    design = [np.kron(np.eye(8**level), np.ones(8 ** (2 - level))) for level in range(3)]
    normal = sum(rows.T @ rows / v for rows, v in zip(design, spread, strict=True))
    weights = covered(release.leaves, boxes)
    y = sum(d.T @ c / v for d, c, v in zip(design, release.tree.counts, spread, strict=True))
    counts, variances = box_counts(release, boxes)
    inverse = np.linalg.inv(normal)
    np.testing.assert_allclose(variances, ((weights @ inverse) * weights).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(counts, weights @ inverse @ y, rtol=1e-9)


def test_two_dimensions_are_the_quadtree():
    rng = np.random.default_rng(2)
    xy = rng.random((300, 2))
    unit = Bounds(0, 1)
    own = SpaceTree(2, 3).release(
        SpacePoints.from_values(xy, Space((unit, unit))), HUGE, np.random.default_rng(0)
    )
    map_ = Quadtree(3).release(
        Points.from_xy(xy[:, 0], xy[:, 1], Box(unit, unit)), HUGE, np.random.default_rng(0)
    )
    boxes = np.sort(rng.random((20, 2, 2)), axis=2).reshape(20, 4)
    found, spread = box_counts(own, boxes)
    counts, variances = range_counts(estimate(map_), boxes)
    np.testing.assert_allclose(found, counts, atol=1e-4)
    np.testing.assert_allclose(spread, variances, rtol=1e-9)


def test_fractions_of_volume_against_a_plain_loop():
    release = SpaceTree(3, 1).release(cloud(), HUGE, np.random.default_rng(0))
    boxes = some_boxes(4)
    expected = np.ones((4, 8))
    for q, box in enumerate(boxes):
        for c, cell in enumerate(release.leaves):
            for low, high in ((0, 1), (2, 3), (4, 5)):
                cut = min(box[high], cell[high]) - max(box[low], cell[low])
                expected[q, c] *= max(cut, 0) / (cell[high] - cell[low])
    np.testing.assert_allclose(covered(release.leaves, boxes), expected)


def test_empty_and_clipped_points():
    none = SpacePoints.from_values(np.empty((0, 3)), CUBE)
    tree = SpaceTree(3, 1, private_levels=1)
    release = tree.release(none, PureDP(1e6), np.random.default_rng(0))
    assert abs(box_counts(release, CUBE.row)[0][0]) < 0.01
    far = SpacePoints.from_values([[5, 0, 20], [np.nan, 0, 20], [0.5, 0, np.inf]], CUBE)
    assert (far.n, far.clipped, far.dropped) == (2, 2, 1)
    assert far.inside(CUBE.row).tolist() == [2]


def test_wrong_arguments_say_what_to_do():
    flat = SpacePoints.from_values(np.zeros((3, 2)), Space((Bounds(0, 1), Bounds(0, 1))))
    with pytest.raises(InvalidData, match="SpaceTree\\(2"):
        SpaceTree(3, 2).release(flat, PureDP(1), np.random.default_rng(0))
    with pytest.raises(InvalidParameter, match="leaves"):
        SpaceTree(3, 8)
    with pytest.raises(InvalidBounds, match="axes"):
        Space(())
    with pytest.raises(InvalidData, match="numbers a row"):
        SpacePoints.from_values(np.zeros((3, 2)), CUBE)
    release = SpaceTree(3, 1).release(cloud(), PureDP(1), np.random.default_rng(0))
    for wrong in (np.zeros((1, 4)), [[1, 0, 0, 1, 0, 1]], [[0, np.nan, 0, 1, 0, 1]]):
        with pytest.raises(InvalidParameter):
            box_counts(release, wrong)


def test_own_levels_and_left_out_levels():
    tree = SpaceTree(3, 2, levels=LevelBudget.leaves_only(), noise="laplace")
    release = tree.release(cloud(), PureDP(2), np.random.default_rng(0))
    _, variance = box_counts(release, CUBE.row)
    assert variance[0] == pytest.approx(64 * 2 / 2**2)


@pytest.mark.law
def test_answers_follow_the_law_of_their_variance():
    """1,000 releases, standardised; beyond by chance: 1e-9. A spread of 1.6 is told apart."""
    rng, points = np.random.default_rng(12), cloud(60)
    tree = SpaceTree(3, 1, noise=Noise.GAUSSIAN)
    box = tree.release(points, ZCDP(0.1), rng).leaves[3]
    truth = points.inside(box)[0]
    found = [box_counts(tree.release(points, ZCDP(0.1), rng), box) for _ in range(1000)]
    errors = np.array([(count[0] - truth) / variance[0] ** 0.5 for count, variance in found])
    assert kstest(errors, "norm").pvalue > 1e-9
    assert kstest(errors * 1.6, "norm").pvalue < 1e-9


def test_points_are_read_as_columns_are():
    """Masked ones are missing, huge ones are clipped, dates and texts are refused, none is none."""
    space = Space((Bounds(0, 1), Bounds(0, 1)))
    masked = np.ma.masked_array([[0.5, 0.5], [0.2, 0.3]], mask=[[0, 1], [0, 0]])
    assert SpacePoints.from_values(masked, space).at.tolist() == [[0.2, 0.3]]
    huge = SpacePoints.from_values([[10**400, 0], [None, 1]], space)
    assert (huge.at.tolist(), huge.clipped, huge.dropped) == ([[1, 0]], 1, 1)
    assert SpacePoints.from_values([], space).n == 0
    for wrong in ([["1", 2]], np.zeros((2, 2), dtype="M8[D]"), [[1j, 2]]):
        with pytest.raises(InvalidData, match="needs numbers"):
            SpacePoints.from_values(wrong, space)
