"""Both parties' structures: against a plain loop over leaves, and what noise does to the cost."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.metrics.two_structures import match_structures

BOX = Box(Bounds(0, 1), Bounds(0, 2))
LEAVES = LevelBudget.leaves_only()


def parties(epsilon, seed=1, height=2):
    rng = np.random.default_rng(seed)
    xy = rng.random((120, 2)) * [0.6, 2]
    first = Points.from_xy(xy[:80, 0], xy[:80, 1], BOX)
    second = Points.from_xy(xy[40:, 0] + 0.001, xy[40:, 1], BOX)
    trees = Quadtree(height, LEAVES), KdTree(height, levels=LEAVES)
    releases = tuple(
        tree.release(side, PureDP(epsilon), rng)
        for tree, side in zip(trees, (first, second), strict=True)
    )
    matches = np.stack([np.arange(40, 80), np.arange(40)], axis=1)
    return releases, (first, second), (0.01, 0.01), matches


def test_against_a_plain_loop_over_pairs_of_leaves():
    releases, sides, distance, matches = parties(0.5)
    found = match_structures(releases, sides, distance, matches)
    boxes = [one.level_boxes(2) for one in releases]
    sent = [np.maximum(np.rint(one.counts[-1]), 0) for one in releases]
    held = []
    for cells, side in zip(boxes, sides, strict=True):
        inside = [(cells[:, 0] <= x) & (x < cells[:, 1]) & (cells[:, 2] <= y) & (y < cells[:, 3])
                  for x, y in zip(side.x, side.y, strict=True)]  # fmt: skip
        held.append(np.array(inside))
    compared, kept = 0.0, 0.0
    for i, p in enumerate(boxes[0]):
        for j, r in enumerate(boxes[1]):
            apart_x, apart_y = max(p[0] - r[1], r[0] - p[1]), max(p[2] - r[3], r[2] - p[3])
            if apart_x <= distance[0] and apart_y <= distance[1]:
                compared += sent[0][i] * sent[1][j]
                both = sum(held[0][a, i] and held[1][b, j] for a, b in matches)
                ends = ((sent[0][i], held[0][:, i]), (sent[1][j], held[1][:, j]))
                chances = [min(1, most / max(inside.sum(), 1e-9)) for most, inside in ends]
                kept += both * chances[0] * chances[1]
    assert found.compared == pytest.approx(compared)
    assert found.kept == pytest.approx(kept / len(matches))
    assert found.all_pairs == 80 * 80


def test_without_noise_no_match_is_lost_and_work_is_saved():
    found = match_structures(*parties(1e6))
    assert found.kept == 1
    assert 0 < found.reduction_ratio < 1
    assert found.encrypted <= 160


def test_one_leaf_on_each_side_saves_nothing():
    releases, sides, distance, matches = parties(1e6, height=0)
    found = match_structures(releases, sides, distance, matches)
    assert found.reduction_ratio == pytest.approx(0)
    assert found.encrypted == 160


def test_wrong_arguments_are_refused():
    releases, sides, distance, matches = parties(1.0)
    empty = Points.from_xy([], [], BOX)
    with pytest.raises(InvalidParameter, match="both sides"):
        match_structures(releases, (sides[0], empty), distance, matches)
    with pytest.raises(InvalidParameter, match="distances"):
        match_structures(releases, sides, (-1.0, 0), matches)
    with pytest.raises(InvalidParameter, match="below 80"):
        match_structures(releases, sides, distance, matches + 79)
    with pytest.raises(InvalidParameter, match="two columns"):
        match_structures(releases, sides, distance, matches[:, :1])
