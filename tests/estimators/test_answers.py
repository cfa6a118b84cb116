"""What is asked of any release by one name equals what the function of its kind finds."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators import answers
from dpviz.estimators.spatial import boxes
from dpviz.estimators.spatial.cell_ranges import cell_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.least_squares import efficient, estimated
from dpviz.estimators.trees.quantile_intervals import quantile_interval
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid

BOUNDS = Bounds(0, 64)
COLUMN = Column.from_values(np.random.default_rng(2).gamma(3, 8, 3_000).clip(0, 63), BOUNDS, 0)
TREE = CountTree(2, 5).release(COLUMN, PureDP(0.1), np.random.default_rng(1))
SUMS = PrefixSums(9).release(COLUMN, ZCDP(0.01), np.random.default_rng(1))
RAW = {"estimator": TreeEstimator.RAW}


@pytest.mark.few(2)
@pytest.mark.parametrize("q", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("sampling", [False, True])
def test_a_release_alone_is_enough_for_an_interval(q, sampling):
    """Twin: the noisy counts as they are, whose interval is another one."""
    how = {"beta": 0.1, "sampling": sampling}
    best, raw = cdf(efficient(TREE)), cdf(TREE)
    expected = quantile_interval(best, TREE.tree_noise, q, **how)
    for measured in (TREE, efficient(TREE), best):
        assert answers.quantile_interval(measured, q, **how) == expected
    assert answers.quantile_interval(best, q=q, **how) == expected
    expected = quantile_interval(raw, TREE.tree_noise, q, **how, **RAW)
    assert answers.quantile_interval(raw, q, **how) == expected
    expected = quantile_interval(cdf(SUMS), SUMS.noise, q, **how)
    assert answers.quantile_interval(SUMS, q, **how) == expected


def test_readings_differ():
    curves = cdf(efficient(TREE)), cdf(TREE)
    assert len({answers.quantile_interval(one, 0.5) for one in curves}) == 2


def test_the_step_of_a_curve_is_its_own():
    curve = cdf(efficient(TREE), step=5)
    expected = quantile_interval(curve, TREE.tree_noise, 0.5, step=5)
    assert answers.quantile_interval(curve, 0.5) == expected
    assert answers.quantile_interval(curve, TREE.tree_noise, 0.5) == expected


def test_the_call_with_noise_goes_on():
    best, raw = cdf(efficient(TREE)), cdf(TREE)
    given = TREE.tree_noise, 0.5, 0.2
    assert answers.quantile_interval(best, *given) == quantile_interval(best, *given)
    assert answers.quantile_interval(raw, *given) == quantile_interval(raw, *given, **RAW)
    assert answers.quantile_interval(raw, *given, estimator="raw", step=1) == (
        quantile_interval(raw, *given, **RAW)
    )
    plain = type(best)(best.edges, best.counts)
    assert answers.quantile_interval(plain, *given) == quantile_interval(plain, *given)
    with pytest.raises(InvalidParameter, match="not known"):
        answers.quantile_interval(plain, 0.5)


def test_a_tree_with_many_leaves_is_read_at_some_of_its_edges(monkeypatch):
    monkeypatch.setattr(answers, "MOST_EDGES", 10)
    expected = quantile_interval(cdf(efficient(TREE), step=4), TREE.tree_noise, 0.5, step=4)
    assert answers.quantile_interval(TREE, 0.5) == expected


def dense_counts(low, high, levels):
    """Range counts and their variances from weights on all nodes, by generalised least squares."""
    fanout, height = levels.fanout, levels.height
    leaves = fanout**height
    edges = np.linspace(BOUNDS.low, BOUNDS.high, leaves + 1)
    inside = np.clip(
        (np.minimum(high, edges[1:]) - np.maximum(low, edges[:-1])) / np.diff(edges), 0, 1
    )
    rows, counts, weights = [], [], []
    for level in range(height + 1):
        width = leaves // fanout**level
        rows.append(np.kron(np.eye(fanout**level), np.ones(width)))
        counts.append(levels.counts[level])
        weights.append(1 / levels.node_variances(level))
    known = np.concatenate(weights) > 0
    nodes, noisy = np.concatenate(rows)[known], np.concatenate(counts)[known]
    precise = nodes.T * np.concatenate(weights)[known]
    spread = np.linalg.inv(precise @ nodes)
    return inside @ spread @ (precise @ noisy), inside @ spread @ inside


RANGES = np.array([[3.0, 17.0], [-9.0, 40.3], [10.2, 10.4], [5.0, 5.0], [32.0, np.inf], [0, 64]])
LEVELS = LevelBudget.own([0, 1, 0, 1, 2])
MADE = {
    "released": CountTree(2, 4),
    "sum": CountTree(2, 4, LEVELS, root=Root.SUM),
    "wide": CountTree(3, 2),
}


@pytest.mark.parametrize("name", MADE)
def test_intervals_on_an_estimate_are_those_of_dense_least_squares(name):
    release = MADE[name].release(COLUMN, ZCDP(0.02), np.random.default_rng(4))
    counts, variances = answers.range_counts(answers.estimate(release), RANGES)
    for at, (low, high) in enumerate(RANGES):
        count, variance = dense_counts(low, high, release.levels)
        assert counts[at] == pytest.approx(count, rel=1e-9, abs=1e-6)
        assert variances[at] == pytest.approx(variance, rel=1e-9, abs=1e-9)
    curve = cdf(answers.estimate(release))
    np.testing.assert_allclose(counts, curve.count(*RANGES.T), atol=1e-8)
    np.testing.assert_allclose(np.sqrt(variances), curve.count_error(*RANGES.T), atol=1e-6)


def test_a_public_total_is_exact():
    tree = CountTree(2, 4, root=Root.PUBLIC, neighbours=Neighbours.REPLACE_ONE, records=COLUMN.n)
    release = tree.release(COLUMN, ZCDP(0.02), np.random.default_rng(4))
    for measured in (release, answers.estimate(release)):
        counts, variances = answers.range_counts(measured, [[0, 64], [0, 32], [32, 64]])
        assert counts[0] == COLUMN.n
        assert variances[0] == pytest.approx(0, abs=1e-9)
    assert counts[1] + counts[2] == pytest.approx(COLUMN.n)
    assert variances[1] == pytest.approx(variances[2])


def test_intervals_on_a_release_are_sums_of_the_fewest_nodes():
    """[8, 57) of a binary tree of height 4 over [0, 64): eighths, quarters and part of a leaf."""
    release = MADE["released"].release(COLUMN, ZCDP(0.02), np.random.default_rng(4))
    counts, variances = answers.range_counts(release, [8, 57])
    eighths, quarters, leaves = release.counts[3], release.counts[2], release.counts[4]
    expected = eighths[1] + quarters[1] + quarters[2] + eighths[6] + leaves[14] / 4
    assert counts == pytest.approx([expected])
    assert variances == pytest.approx([(4 + 1 / 16) * float(release.variances[0])])
    raw = answers.range_counts(estimated(release, TreeEstimator.RAW), [8, 57])
    assert raw[0] == counts
    assert raw[1] == variances


def test_intervals_on_running_counts_are_differences():
    running = np.interp(RANGES, SUMS.edges, np.append(0, SUMS.counts))
    counts, _ = answers.range_counts(answers.estimate(SUMS), RANGES)
    np.testing.assert_allclose(counts, running[:, 1] - running[:, 0])
    between = SUMS.edges[2], SUMS.edges[7]
    exact = SUMS.noise.range_variance(2, 7)
    assert answers.range_counts(SUMS, between)[1] == pytest.approx([float(exact)])
    assert answers.range_counts(SUMS, np.empty((0, 2)))[0].shape == (0,)


POINTS = Points.from_xy(
    np.random.default_rng(1).uniform(0, 64, 500),
    np.random.default_rng(2).uniform(0, 64, 500),
    Box(BOUNDS, BOUNDS),
)
RECTANGLES = np.array([[0.0, 10, 0, 10], [3, 50, 20, 64], [0, 64, 0, 64]])


@pytest.mark.parametrize(
    "grid", [UniformGrid(4), AdaptiveGrid(200), KdCell(2, (4, 4)), PrivTree(depth=3)]
)
def test_cells_are_their_own_estimate(grid):
    cells = grid.release(POINTS, PureDP(1), np.random.default_rng(1))
    best = answers.estimate(cells)
    assert best is cells
    for mine, other in zip(
        answers.range_counts(best, RECTANGLES), cell_counts(cells, RECTANGLES), strict=True
    ):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("tree", [Quadtree(3), KdTree(2), HilbertTree(2)])
def test_a_map_is_estimated_as_before(tree):
    release = tree.release(POINTS, PureDP(1), np.random.default_rng(1))
    best, expected = answers.estimate(release), estimate(release)
    for mine, other in zip(best.levels.counts, expected.levels.counts, strict=True):
        np.testing.assert_array_equal(mine, other)
    for measured in (release, best):
        for mine, other in zip(
            answers.range_counts(measured, RECTANGLES),
            boxes.range_counts(measured, RECTANGLES),
            strict=True,
        ):
            np.testing.assert_array_equal(mine, other)


def test_the_estimate_of_a_tree_is_the_efficient_one():
    found, expected = answers.estimate(TREE), efficient(TREE)
    assert found.reading is TreeEstimator.EFFICIENT
    for mine, other in zip(found.counts, expected.counts, strict=True):
        np.testing.assert_array_equal(mine, other)
