"""Rectangles from the points: equal to a plain loop, the same cuts and counts, marked."""

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.release import SpatialRelease
from dpviz.counts.spatial import locate
from dpviz.mechanisms.spatial.hilbert_reference import HilbertFromPoints
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from tests.mechanisms.spatial.planes import cloud, edge_cases

CASES = edge_cases(np.random.default_rng(1))


@pytest.mark.parametrize("case", CASES)
def test_any_points_give_a_sound_tree_that_says_it_is_not_private(case, rng):
    release = HilbertFromPoints(HilbertTree(2, order=6)).release(CASES[case], PureDP(1.0), rng)
    assert release.non_private == ("structure",)
    assert SpatialRelease.from_json(release.to_json()) == release


def test_rectangles_are_those_of_a_plain_loop_and_the_rest_is_the_private_tree():
    points = cloud(300, np.random.default_rng(2))
    tree = HilbertTree(3, order=8)
    private = tree.release(points, PureDP(1.0), np.random.default_rng(3))
    found = HilbertFromPoints(tree).release(points, PureDP(1.0), np.random.default_rng(3))
    assert all(np.array_equal(a, b) for a, b in zip(found.counts, private.counts, strict=True))
    leaf = locate(private, points)
    assert len(set(leaf)) < 64  # some leaves are empty
    for level in range(1, 4):
        for node, box in enumerate(found.level_boxes(level)):
            inside = leaf // 4 ** (3 - level) == node
            if inside.any():
                x, y = points.x[inside], points.y[inside]
                assert box.tolist() == [x.min(), x.max(), y.min(), y.max()]
            else:
                assert box[0] == box[1]
                assert box[2] == box[3]


def test_what_is_refused():
    with pytest.raises(InvalidParameter, match="tree"):
        HilbertFromPoints(8)
