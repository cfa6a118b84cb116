"""Counts of rectangles and their variances against recursion and dense least squares."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.budgets import Neighbours
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.geometry import Rectangles
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.spatial.boxes import (
    answering_nodes,
    box_energies,
    estimated_counts,
    estimated_variances,
    range_counts,
)
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.spatial.prune import keep_only, prune
from dpviz.estimators.spatial.quadtree_ranges import Spans, rectangle_sums, span_energies
from dpviz.estimators.trees.readings import with_total
from dpviz.estimators.trees.workload import query_energies
from tests.estimators.spatial.rectangles import (
    BOX,
    fraction,
    least_squares,
    queries,
    slow_answer,
    split_boxes,
    tree,
)
from tests.rows import by_rows

INF = np.inf
SCALES = ([2, 1, 3, 1.5], [INF, 2, 1, 3], [3, INF, INF, 1], [INF, INF, INF, 1], [1, INF, 2, 4])


@pytest.fixture(params=["midpoints", "splits"])
def shape(request):
    def boxes(height, rng):
        return None if request.param == "midpoints" else split_boxes(height, rng)

    return boxes


def leaf_weights(release, query):
    """By the recursion: a node without width that it never reaches has no weight."""
    height = release.shape.height
    weights = np.zeros(4**height)
    _, _, nodes = slow_answer(release, release.counts, np.ones(height + 1), query)
    for level, node, part in nodes:
        width = 4 ** (height - level)
        weights[node * width : (node + 1) * width] = part
    return weights


@pytest.mark.few(2, 5)
@pytest.mark.parametrize("scales", SCALES)
def test_canonical_answers_are_those_of_the_recursion(scales, shape, rng):
    release = tree(3, rng, scales, shape(3, rng), Root.SUM if scales[0] == INF else Root.RELEASED)
    asked = queries(40, rng)
    counts, variances = range_counts(release, asked)
    for k, query in enumerate(asked):
        count, variance, nodes = slow_answer(release, release.counts, release.variances, query)
        assert counts[k] == pytest.approx(count, abs=1e-9)
        assert variances[k] == pytest.approx(variance, abs=1e-9)
        found = [
            (level, node, pytest.approx(part, abs=1e-12))
            for level, (numbers, parts) in enumerate(answering_nodes(release, query))
            for node, part in zip(numbers.tolist(), parts.tolist(), strict=True)
        ]
        assert sorted(nodes) == found


@pytest.mark.few(4, 8)
@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("public", [False, True])
def test_estimated_answers_are_least_squares(scales, public, shape, rng):
    root, total = (Root.PUBLIC, 77.0) if public else (Root.RELEASED, None)
    scales = [INF, *scales[1:]] if public else scales
    if scales[0] == INF and not public:
        root = Root.SUM
    release = tree(3, rng, scales, shape(3, rng), root, total)
    asked = queries(40, rng)
    leaves, covariance = least_squares(release)
    counts, variances = range_counts(estimate(release), asked)
    for k, query in enumerate(asked):
        weights = leaf_weights(release, query)
        assert counts[k] == pytest.approx(weights @ leaves, abs=1e-8)
        assert variances[k] == pytest.approx(weights @ covariance @ weights, abs=1e-8)


def test_estimation_never_loses(shape, rng):
    release = tree(3, rng, None, shape(3, rng))
    asked = queries(60, rng)
    raw, best = (range_counts(read, asked)[1] for read in (release, estimate(release)))
    assert (best <= raw * (1 + 1e-9)).all()
    assert (best[:40] < raw[:40]).any()


@pytest.mark.parametrize("height", [0, 1, 2, 3, 4, 5, 7])
def test_closed_forms_of_a_quadtree_are_those_of_the_descent(height, rng):
    release = tree(height, rng)
    drawn = replace(
        release,
        geometry=Rectangles(BOX, tuple(midpoint_boxes(BOX, level) for level in range(height + 1))),
    )
    asked = queries(60, rng)
    for first, second in ((release, drawn), (estimate(release), estimate(drawn))):
        for found, expected in zip(
            range_counts(first, asked), range_counts(second, asked), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-7)
    closed = span_energies(Spans.of(BOX, height, asked))
    np.testing.assert_allclose(closed, box_energies(drawn, asked), rtol=1e-9, atol=1e-7)


def test_energies_are_those_of_the_leaf_weights(rng):
    release = tree(3, rng, None, split_boxes(3, rng))
    asked = queries(20, rng)
    weights = np.array([leaf_weights(release, query) for query in asked])
    expected = query_energies(release.shape, weights)
    np.testing.assert_allclose(box_energies(release, asked), expected, atol=1e-9)


@pytest.mark.parametrize("height", range(6))
def test_rectangle_sums(height, rng):
    leaves, side = rng.normal(size=4**height), 1 << height
    x, y = (np.sort(rng.uniform(0, side, (2, 50)), axis=0) for _ in range(2))
    x[:, :20], y[:, 10:30] = np.round(x[:, :20]), np.round(y[:, 10:30])
    found = rectangle_sums(leaves, height, (x[0], x[1]), (y[0], y[1]))
    boxes = midpoint_boxes(BOX, height)
    column = np.round((boxes[:, 0] - BOX.x.low) / BOX.x.width * side)
    row = np.round((boxes[:, 2] - BOX.y.low) / BOX.y.width * side)
    in_x = np.clip(np.minimum(x[1][:, None], column + 1) - np.maximum(x[0][:, None], column), 0, 1)
    in_y = np.clip(np.minimum(y[1][:, None], row + 1) - np.maximum(y[0][:, None], row), 0, 1)
    np.testing.assert_allclose(found, (in_x * in_y) @ leaves, atol=1e-9)


@pytest.mark.law
@by_rows("threshold", [-INF, 0.0, 25.0, 60.0, INF])
def test_pruning(threshold, shape, rng):
    """Against the definition, node by node, and the recursion that stops at pruned nodes."""
    release = tree(3, rng, [2, 2, 2, 2], shape(3, rng))
    full = estimate(release)
    pruned = prune(full, threshold)
    for level in range(1, 4):
        for node in range(4**level):
            ancestors = [(k, node >> 2 * (level - k)) for k in range(level)]
            stays = all(full.levels.counts[k][i] >= threshold for k, i in ancestors)
            assert pruned.kept[level][node] == stays
            if stays:
                assert pruned.levels.counts[level][node] == full.levels.counts[level][node]
    for counts, below in zip(pruned.levels.counts[:-1], pruned.levels.counts[1:], strict=True):
        np.testing.assert_allclose(counts, below.reshape(-1, 4).sum(axis=1), atol=1e-9)

    def leaf(level, node):
        return level < 3 and pruned.kept[level][node] and not pruned.kept[level + 1][4 * node]

    asked = queries(30, rng)
    counts, variances = range_counts(pruned, asked)
    _, covariance = least_squares(release)
    for k, query in enumerate(asked):
        count, _, nodes = slow_answer(release, pruned.levels.counts, np.ones(4), query, leaf)
        assert counts[k] == pytest.approx(count, abs=1e-8)
        weights = np.zeros(64)
        for level, node, part in nodes:  # a pruned node spreads evenly over its leaves
            width = 4 ** (3 - level)
            weights[node * width : (node + 1) * width] = part
        assert variances[k] == pytest.approx(weights @ covariance @ weights, abs=1e-8)


def test_variances_of_pruned_nodes_are_shares(rng):
    pruned = prune(estimate(tree(2, rng)), INF)
    root = float(pruned.levels.variances[0])
    np.testing.assert_allclose(pruned.levels.variances[1], root / 16)
    np.testing.assert_allclose(pruned.levels.variances[2], root / 256)


def test_keeping_everything_changes_nothing(rng):
    full = estimate(tree(2, rng))
    kept = tuple(np.ones(4**level, dtype=bool) for level in range(3))
    same = keep_only(full, kept)
    for found, expected in zip(same.levels.counts, full.levels.counts, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_pruning_at_nothing_is_refused(rng):
    with pytest.raises(InvalidParameter, match="threshold"):
        prune(estimate(tree(1, rng)), float("nan"))


def test_exact_counts_have_no_variance(rng):
    noisy = tree(2, rng, [1, 1, 1])
    noiseless = replace(noisy.tree, scales=(0, 0, 0))
    release = replace(noisy, tree=noiseless, spent=None, non_private=("counts",))
    assert (range_counts(release, queries(9, rng))[1] == 0).all()
    assert (estimated_variances(estimate(release), queries(9, rng)) == 0).all()


@pytest.mark.parametrize("lattice", [True, False])
def test_cells(lattice, rng):
    boxes = midpoint_boxes(BOX, 2) if lattice else split_boxes(2, rng)[-1]
    cells = Cells(
        mechanism="test",
        parameters={},
        box=BOX,
        boxes=boxes,
        counts=rng.normal(size=16),
        variances=rng.uniform(1, 2, 16),
        neighbours=Neighbours.ADD_REMOVE,
        spent=tree(0, rng).spent,
    )
    asked = queries(50, rng)
    counts, variances = range_counts(cells, asked)
    for k, query in enumerate(asked):
        parts = np.array([fraction(box, query) for box in boxes])
        assert counts[k] == pytest.approx(parts @ cells.counts, abs=1e-12)
        assert variances[k] == pytest.approx(parts**2 @ cells.variances, abs=1e-12)


def test_no_queries_and_one(rng, shape):
    release = tree(2, rng, None, shape(2, rng))
    for read in (release, estimate(release), prune(estimate(release), 40)):
        counts, variances = range_counts(read, np.empty((0, 4)))
        assert counts.shape == variances.shape == (0,)
        assert range_counts(read, [0, 1, 10, 11])[0].shape == (1,)
    with pytest.raises(InvalidParameter):
        range_counts(release, [[1, 0, 10, 11]])


def test_answers_and_variances_by_themselves(rng):
    read = estimate(tree(2, rng))
    asked = queries(5, rng)
    counts, variances = range_counts(read, asked)
    np.testing.assert_array_equal(estimated_counts(read, asked), counts)
    np.testing.assert_array_equal(estimated_variances(read, asked), variances)


def test_a_public_number_answers_the_whole_box(rng):
    release = tree(2, rng, [INF, 1, 1], None, Root.PUBLIC, 500.0)
    count, variance = range_counts(release, [-3, 5, 10, 12])
    assert (count[0], variance[0]) == (500, 0)
    assert with_total(release.levels, release.total).counts[0][0] == 500
