"""Record matching: pairs counted by a loop."""

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.metrics.record_matching import match_records
from tests.mechanisms.spatial.planes import cloud, points


def slow_pairs(boxes, sent, second, distance):
    total = 0.0
    for box, records in zip(boxes, sent, strict=True):
        in_x = (second.x >= box[0] - distance[0]) & (second.x <= box[1] + distance[0])
        in_y = (second.y >= box[2] - distance[1]) & (second.y <= box[3] + distance[1])
        total += records * (in_x & in_y).sum()
    return total


@pytest.mark.parametrize("distance", [(0.0, 0.0), (0.3, 0.02), (10.0, 10.0)])
@pytest.mark.parametrize("epsilon", [0.05, 1e9])
def test_compared_pairs(distance, epsilon, rng):
    first, second = cloud(400, rng), cloud(300, rng)
    tree = Quadtree(3, LevelBudget.leaves_only())
    release = tree.release(first, PureDP(epsilon), rng)
    found = match_records(release, first, second, distance)
    sent = np.maximum(np.rint(release.counts[-1]), 0)
    assert found.compared == slow_pairs(release.level_boxes(3), sent, second, distance)
    assert found.all_pairs == 400 * 300
    assert found.reduction_ratio == 1 - found.compared / 120_000
    if epsilon == 1e9:
        assert found.kept == 1
        assert (distance == (10.0, 10.0)) == (abs(found.reduction_ratio) < 1e-9)
    else:
        assert 0 < found.kept < 1


@pytest.mark.law
def test_cells_work_like_trees(rng):
    first, second = cloud(400, rng), cloud(300, rng)
    cells = PrivTree().release(first, PureDP(1e9), rng)
    found = match_records(cells, first, second, (0.1, 0.1))
    sent = np.rint(cells.counts)
    assert found.compared == slow_pairs(cells.boxes, sent, second, (0.1, 0.1))
    assert found.kept == 1


def test_the_very_distance_still_matches(rng):
    """A record on a leaf's border and one just a distance away meet."""
    first, second = points([0.9], [10.5]), points([1.25], [10.5])
    release = Quadtree(1, LevelBudget.leaves_only()).release(first, PureDP(1e9), rng)
    assert match_records(release, first, second, (0.25, 0.0)).compared == 1
    assert match_records(release, first, second, (0.2, 0.0)).compared == 0


def test_what_makes_no_sense_is_refused(rng):
    some = cloud(5, rng)
    release = Quadtree(1).release(some, PureDP(1), rng)
    for first, second in ((points(), some), (some, points())):
        with pytest.raises(InvalidParameter, match="both sides"):
            match_records(release, first, second, (0, 0))
    with pytest.raises(InvalidParameter, match="distances"):
        match_records(release, some, some, (-1, 0))
