"""Counts of rectangles from a grid: exact on its edges, shares of cells elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.counts.exact import ExactCells
from dpviz.counts.grid_index import GridIndex, count_once, index_of
from dpviz.counts.point_index import PointIndex
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.metrics.spatial import noiseless_counts
from tests.mechanisms.spatial.counted import counted, hard_points, one_cell
from tests.mechanisms.spatial.planes import BOX, cloud
from tests.rows import by_rows

CASES = hard_points(np.random.default_rng(2))
METHODS = [
    *(Quadtree(0), Quadtree(5), HilbertTree(2, 4), KdTree(3), KdCell(3, (16, 32))),
    *(PrivTree(depth=5), UniformGrid(16)),
]


def rectangles_on_edges(side, rng, count=300):
    """Between edges of the grid, or beyond the box."""
    ends = []
    for axis in (BOX.x, BOX.y):
        edges = np.concatenate([[axis.low - 7], grid_edges(axis, side), [axis.high + 7]])
        at = np.sort(rng.integers(0, edges.size, (count, 2)), axis=1)
        ends.append(edges[at])
    return np.concatenate(ends, axis=1)


@pytest.mark.law
@by_rows("case", CASES)
@by_rows("side", [1, 4, 32])
def test_rectangles_on_the_edges_are_counted_exactly(case, side, rng):
    p = CASES[case]
    index, boxes = index_of(counted(p, side)), rectangles_on_edges(side, rng)
    known = index.exact(boxes)
    assert known.mean() > 0.5
    assert (~known == ((boxes[:, 0] == 5) | (boxes[:, 2] == 12))).all()  # the far sides alone
    assert index.count(boxes)[known].tolist() == PointIndex.of(p).count(boxes)[known].tolist()


@by_rows("case", CASES)
def test_one_rectangle_is_counted_as_an_index_counts_it(case, rng):
    p, boxes = CASES[case], rectangles_on_edges(32, rng, 40)
    boxes[:20, 1] += 0.01  # between two edges, too
    for plane in (p, counted(p, 8)):
        found = [count_once(plane, box) for box in boxes]
        assert found == index_of(plane).count(boxes).tolist()


def test_other_rectangles_are_shares_of_cells_and_said_to_be(rng):
    grid = counted(CASES["cloud"], 8)
    index = GridIndex.of(grid)
    low, high = rng.uniform([-4, 9], [5, 12], (200, 2)), rng.uniform([-3, 10], [6, 13], (200, 2))
    low, high = np.minimum(low, high), np.maximum(low, high)
    boxes = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)
    x, y = grid_edges(BOX.x, 8), grid_edges(BOX.y, 8)
    for box, found in zip(boxes, index.count(boxes), strict=True):
        across = np.clip(np.minimum(box[1], x[1:]) - np.maximum(box[0], x[:-1]), 0, None)
        up = np.clip(np.minimum(box[3], y[1:]) - np.maximum(box[2], y[:-1]), 0, None)
        shares = np.outer(across, up) / (8 * 2 / 64)
        assert found == pytest.approx((shares * grid.counts).sum(), abs=1e-9)
    assert not index.exact(boxes[(low > [-3, 10]).all(axis=1)]).any()
    assert index.exact([-3, 5, 10, 12]).all()
    assert PointIndex.of(CASES["cloud"]).exact(boxes).all()


@pytest.mark.parametrize("count", [10**12, 2**53 - 1])
def test_whole_numbers_stay_whole_up_to_the_largest(count, rng):
    index = GridIndex.of(one_cell(count))
    assert index.count([[-3, 5, 10, 12], [0, 1, 11.25, 11.5], [1, 5, 10, 12]]).tolist() == [
        *(count + 1, count, 0),
    ]
    release = Quadtree(3).release(one_cell(count), PureDP(1), rng)
    exact = ExactCells.of(release, index)
    assert [int(level.max()) for level in exact.levels] == [count + 1, count, count, count]


@pytest.mark.law
@by_rows("case", CASES)
@by_rows("method", METHODS, ids=lambda one: one.name)
def test_cells_of_a_release_hold_what_they_hold_of_the_points(case, method, rng):
    p = CASES[case]
    grid = counted(p, 32)
    release = method.release(grid, PureDP(1), rng)
    seen = grid.points() if method.name == "KdTree" else p
    found = ExactCells.of(release, index_of(grid))
    expected = ExactCells.of(release, index_of(seen))
    for one, other in zip(found.levels, expected.levels, strict=True):
        assert one.tolist() == other.tolist()
    if isinstance(release, Cells):
        assert found.index.exact(release.boxes).all()


def test_errors_of_a_release_are_those_of_the_points_on_the_edges(rng):
    p = cloud(2_000, rng)
    tree = Quadtree(4).release(p, PureDP(1), rng)
    boxes = rectangles_on_edges(16, rng)
    boxes = boxes[boxes[:, 0] < 5]
    one, other = (ExactCells.of(tree, index_of(data)) for data in (p, counted(p, 32)))
    np.testing.assert_allclose(*(noiseless_counts(tree, each, boxes) for each in (one, other)))
    within = boxes[boxes[:, 2] < 12]
    np.testing.assert_allclose(one.inside(within), other.inside(within))
    assert noiseless_counts(tree, ExactCells.of(tree, index_of(counted(p, 32))), [-3, 5, 10, 12])


def test_rectangles_that_are_none_are_refused():
    index = GridIndex.of(one_cell(3))
    for asked in (index.count, index.exact):
        with pytest.raises(InvalidParameter):
            asked([[1, 0, 10, 11]])
