"""The shape of a tree and the numbers on it (dpviz/core/trees/shape.py)."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import MAX_LEAVES, Levels, TreeShape
from tests.rows import by_rows


@pytest.mark.parametrize(
    ("fanout", "height"),
    [(1, 3), (0, 3), (-2, 2), (2, -1), (2, 23), (10, 7), (2, 10**9), (2**22 + 1, 1), (2.5, 3)],
)
def test_impossible_shapes_are_refused(fanout, height):
    with pytest.raises(InvalidParameter):
        TreeShape(fanout, height)


@pytest.mark.parametrize("pair", [(True, 3), (2, True), (float("nan"), 1), ("2", 1)])
def test_shapes_need_whole_numbers(pair):
    with pytest.raises(InvalidParameter, match="whole number"):
        TreeShape(*pair)


def test_the_largest_shapes_are_accepted():
    assert TreeShape(2, 22).leaves == TreeShape(MAX_LEAVES, 1).leaves == MAX_LEAVES
    assert TreeShape(np.int64(3), np.int64(2)).leaves == 9


@by_rows(
    "bounds",
    [
        Bounds(0, 1),
        Bounds(-0.1, 0.2),
        Bounds(1e-300, 3e-300),
        Bounds(-8e307, 8e307),
        Bounds(1, 1.1),
    ],
)
@by_rows("shape", [TreeShape(2, 0), TreeShape(3, 4), TreeShape(10, 4)])
def test_edges_start_and_end_on_the_bounds_and_never_fall(bounds, shape):
    edges = shape.edges(bounds)
    assert edges.size == shape.leaves + 1
    assert edges[0] == bounds.low
    assert edges[-1] == bounds.high
    assert (np.diff(edges) >= 0).all()


def test_levels_are_checked_at_birth():
    good = (np.zeros(1), np.zeros(2))
    one = (np.ones(()), np.ones(()))
    Levels(2, good, one)
    bad = [
        ((), ()),
        (good, one[:1]),
        ((np.zeros(1), np.zeros(3)), one),
        ((np.zeros((2, 1)), np.zeros((3, 2))), one),
        (good, (np.ones(()), np.ones(3))),
        (good, (np.ones(()), np.array(-1.0))),
        (good, (np.ones(()), np.array(np.nan))),
        ((np.zeros(1), np.array([1.0, np.nan])), one),
    ]
    for counts, variances in bad:
        with pytest.raises(InvalidParameter):
            Levels(2, counts, variances)


def test_counts_without_information_may_be_anything_and_arrays_are_frozen():
    mine = np.zeros(1)
    levels = Levels(2, (mine, np.array([np.nan, 1.0])), (np.array(0.0), np.array([np.inf, 2.0])))
    with pytest.raises(ValueError, match="read-only"):
        levels.counts[0][0] = 1
    mine[0] = 5.0  # the caller's own array stays writable
