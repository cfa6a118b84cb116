"""Exact counts of spatial nodes, rectangles and leaves against loops over points."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.core.spatial.geometry import Rectangles
from dpviz.counts.point_index import PointIndex
from dpviz.counts.spatial import (
    count_leaves,
    interleaved,
    locate,
    quadtree_leaves,
)
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.mechanisms.spatial.planes import BOX, cloud, edge_cases, points
from tests.rows import by_rows

CASES = edge_cases(np.random.default_rng(1))


def slow_leaf(x, y, height):
    """One point's way down: below a midpoint left, at or above it right."""
    box, node = [BOX.x.low, BOX.x.high, BOX.y.low, BOX.y.high], 0
    for _ in range(height):
        middle_x, middle_y = (box[0] + box[1]) / 2, (box[2] + box[3]) / 2
        right, upper = int(x >= middle_x), int(y >= middle_y)
        node = 4 * node + 2 * right + upper
        box[1 - right], box[3 - upper] = middle_x, middle_y
    return node


@by_rows("height", [0, 1, 3, 6])
@by_rows("case", CASES)
def test_leaves_and_their_counts(case, height):
    p = CASES[case]
    leaf = quadtree_leaves(p, height)
    assert leaf.tolist() == [slow_leaf(x, y, height) for x, y in zip(p.x, p.y, strict=True)]
    counts = count_leaves(leaf, height)
    for level, found in enumerate(counts):
        expected = np.zeros(4**level)
        for node in leaf >> 2 * (height - level):
            expected[node] += 1
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("case", CASES)
def test_points_are_found_again_by_midpoints_and_by_splits(case):
    p = CASES[case]
    release = Quadtree(4).release(p, PureDP(1), np.random.default_rng(0))
    drawn = replace(
        release, geometry=Rectangles(BOX, tuple(midpoint_boxes(BOX, level) for level in range(5)))
    )
    np.testing.assert_array_equal(locate(release, p), quadtree_leaves(p, 4))
    np.testing.assert_array_equal(locate(drawn, p), quadtree_leaves(p, 4))


@pytest.mark.parametrize("height", [1, 11, 12, 13, 20, 24])
def test_bits_are_interleaved(height, rng):
    column, row = rng.integers(0, 2**height, (2, 50))
    for found, a, b in zip(interleaved(column, row, height), column, row, strict=True):
        pairs = zip(f"{a:0{height}b}", f"{b:0{height}b}", strict=True)
        assert int("".join(x + y for x, y in pairs), 2) == found


def slow_count(p, box):
    in_x = (p.x >= box[0]) & ((p.x < box[1]) | (box[1] >= BOX.x.high))
    in_y = (p.y >= box[2]) & ((p.y < box[3]) | (box[3] >= BOX.y.high))
    return int((in_x & in_y).sum())


@pytest.mark.parametrize("case", CASES)
def test_true_counts(case, rng):
    p = CASES[case]
    boxes = np.sort(rng.uniform(size=(200, 2, 2)) ** 2, axis=2) * [[[10.0], [4.0]]] + [
        [[-4.0], [9.0]]
    ]
    special = [[-3, 5, 10, 12], [-3, 1, 10, 11], [0, 0, 10, 12], [7, 9, 0, 1], [-9, 9, 9, 99]]
    boxes = np.concatenate([boxes.reshape(-1, 4), special])
    found = PointIndex.of(p).count(boxes)
    assert found.tolist() == [slow_count(p, box) for box in boxes]


def test_true_counts_of_many_points_in_pieces(rng, monkeypatch):
    p = cloud(20_000, rng)
    low = np.stack([rng.uniform(-3, 4, 100), rng.uniform(10, 11.9, 100)], axis=1)
    size = rng.uniform(0, 1, (100, 2)) * [1, 0.1]
    boxes = np.stack([low[:, 0], low[:, 0] + size[:, 0], low[:, 1], low[:, 1] + size[:, 1]], axis=1)
    whole = PointIndex.of(p).count(boxes)
    monkeypatch.setattr("dpviz.counts.point_index.BOXES", 30)
    monkeypatch.setattr("dpviz.counts.point_index.AT_ONCE", 700)
    np.testing.assert_array_equal(PointIndex.of(p).count(boxes), whole)
    assert whole.tolist() == [slow_count(p, box) for box in boxes]


def test_rectangles_that_are_none_are_refused():
    with pytest.raises(InvalidParameter):
        PointIndex.of(points()).count([[1, 0, 10, 11]])


@pytest.mark.parametrize("records", [0, 1, 2])
def test_bounds_at_the_largest_double_warn_of_nothing(records):
    """NumPy's spacing overflows there: it warned where there was a point, and only there."""
    low, high = -np.finfo(float).max, -1.797e308
    box = Box(Bounds(low, high), Bounds(0, 1e-6))
    places = np.array([low, high])[:records]
    leaves = quadtree_leaves(Points.from_xy(places, np.zeros(records), box), 1)
    assert leaves.tolist() == [0, 2][:records]
