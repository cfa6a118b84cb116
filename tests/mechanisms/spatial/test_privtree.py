"""PrivTree: its exact privacy loss along a path, its splits, its edges."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.spatial.cells import Cells
from dpviz.counts.point_index import PointIndex
from dpviz.mechanisms.spatial import privtree, quadtree
from dpviz.mechanisms.spatial.privtree import PrivTree
from tests.mechanisms.spatial.planes import cloud, edge_cases, points
from tests.rows import by_rows
from tests.statistics import clopper_pearson

CASES = edge_cases(np.random.default_rng(1))


@pytest.mark.law
@by_rows("case", CASES)
@by_rows("epsilon", [1e-6, 1.0, 1e9])
def test_any_points_give_a_sound_partition(case, epsilon, rng):
    p = CASES[case]
    cells = PrivTree(depth=8).release(p, PureDP(epsilon), rng)
    assert Cells.from_json(cells.to_json()) == cells
    exact = PointIndex.of(p).count(cells.boxes)
    assert exact.sum() == p.n
    if epsilon == 1e9:
        np.testing.assert_allclose(cells.counts, exact, atol=1e-5)


def path_loss(counts, scale, bias, threshold=0.0):
    """The largest |log ratio| of a path's splits, when each node holds one record more."""
    both = np.stack((counts, counts + 1)) - np.arange(len(counts)) * bias
    at, tail = np.maximum(both, threshold - bias) - threshold, stats.laplace(scale=scale)
    split, stays = np.diff(tail.logcdf(at), axis=0)[0], np.diff(tail.logsf(at), axis=0)[0]
    return np.abs(np.cumsum(split) - split + stays).max()  # by the depth at which the path ends


@pytest.mark.law
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_a_long_path_costs_what_is_declared(epsilon, rng):
    """Exact: the probability of every path with and without one record, over many counts."""
    scale, _ = PrivTree().scales(PureDP(2 * epsilon))  # half of it for the structure
    bias = scale * math.log(4)
    assert scale == pytest.approx(7 / 3 / epsilon)
    for _ in range(8):
        top = float(rng.integers(0, 60) * (1 + 3 / epsilon))
        counts = np.sort(rng.uniform(0, top, 25))[::-1]
        assert path_loss(counts, scale, bias) <= epsilon
    flat = np.full(25, 20 * bias)  # every node of the path hesitates
    assert path_loss(flat - 0.0, scale, bias) <= epsilon
    assert path_loss(np.zeros(25), scale, bias=0.0) > epsilon  # without the bias each level pays


class Silence(np.random.Generator):
    """A generator whose Laplace noise is off."""

    def laplace(self, loc, scale, size):
        return np.full(size, loc)


def test_the_structure_follows_the_rule_when_the_noise_is_off(rng):
    """Splits exactly while more than depth · δ records are there, one node at a time."""
    p = cloud(300, rng)
    tree = PrivTree(depth=5, threshold=20.0)
    cells = tree.release(p, PureDP(5), Silence(rng.bit_generator))
    bias = tree.scales(PureDP(5))[0] * math.log(4)

    def leaves(low_x, low_y, size_x, size_y, depth):
        inside = (p.x >= low_x) & ((p.x < low_x + size_x) | (low_x + size_x >= 5))
        inside &= (p.y >= low_y) & ((p.y < low_y + size_y) | (low_y + size_y >= 12))
        if depth == 5 or inside.sum() - depth * bias <= 20:
            return 1
        half = size_x / 2, size_y / 2
        corners = [(low_x + i * half[0], low_y + j * half[1]) for i in (0, 1) for j in (0, 1)]
        return sum(leaves(*corner, *half, depth + 1) for corner in corners)

    assert cells.counts.size == leaves(-3, 10, 8, 2, 0)


@pytest.mark.law
def test_an_empty_plane_hardly_grows():
    """A node without records splits with probability e^{−ln 4}/2 = 1/8; the root with ½."""
    rng, trials, nobody = np.random.default_rng(5), 2600, points()
    sizes = np.array(
        [PrivTree().release(nobody, PureDP(1), rng).counts.size for _ in range(trials)]
    )
    low, high = clopper_pearson(int((sizes == 1).sum()), trials)
    assert low < 0.5 < high
    alone = sizes > 1
    low, high = clopper_pearson(int((sizes == 4).sum()), int(alone.sum()))
    assert low < (7 / 8) ** 4 < high
    assert not low < (5 / 6) ** 4 < high  # the twin: ln 3, as if there were three children


def test_scales_in_every_notion():
    leaf = PrivTree(structure_share=0.25).scales(PureDP(1))
    assert leaf == pytest.approx((7 / 3 / 0.25, 1 / 0.75))
    structure, leaves = PrivTree().scales(ZCDP(1))  # each half: an ε-DP step, and Laplace counts
    epsilon = 7 / 3 / structure
    assert epsilon * math.tanh(epsilon / 2) == pytest.approx(0.5, rel=1e-11)
    assert 1 / leaves + math.expm1(-1 / leaves) == pytest.approx(0.5, rel=1e-11)
    doubled = PrivTree(neighbours=Neighbours.REPLACE_ONE).scales(PureDP(1))
    assert doubled == pytest.approx((28 / 3, 4.0))
    with pytest.raises(UnsupportedBudget):
        PrivTree().check(ApproxDP(1, 1e-6))


@pytest.mark.parametrize(
    "wrong",
    [
        {"structure_share": 0},
        {"structure_share": 1},
        {"depth": -1},
        {"depth": 25},
        {"threshold": math.inf},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(InvalidParameter):
        PrivTree(**wrong)


def leaves_by_depth(points, mechanism, most, monkeypatch):
    """How many leaves a tree has at each depth, under a limit of cells; one seed for all."""
    monkeypatch.setattr(privtree, "MOST_CELLS", most)
    depths, *_ = mechanism._grow(points, 2.0, np.random.default_rng(5))
    return np.bincount(depths, minlength=mechanism.depth + 1)


@pytest.mark.parametrize("most", [1, 3, 4, 60, 200, 1000])
@pytest.mark.parametrize("threshold", [0.0, -6.0, 5.0])
def test_the_limit_cuts_off_the_tree_without_it_at_a_depth_that_its_shape_shows(
    most, threshold, monkeypatch
):
    p, mechanism = cloud(3_000, np.random.default_rng(3)), PrivTree(0.5, threshold, 9)
    whole = leaves_by_depth(p, mechanism, 10**9, monkeypatch)
    # the nodes of the unlimited tree at each depth, from its leaves alone
    nodes = [1]
    for leaves in whole[:-1]:
        nodes.append(4 * (nodes[-1] - int(leaves)))
    cells = [int(whole[:depth].sum()) + nodes[depth] for depth in range(len(nodes))]
    last = next((at for at in range(9) if cells[at + 1] > most), 9)
    expected = [*whole[:last].tolist(), nodes[last], *[0] * (9 - last)]
    assert leaves_by_depth(p, mechanism, most, monkeypatch).tolist() == expected
    assert sum(expected) <= max(most, 1)


def test_a_threshold_below_every_count_ends_at_the_limit_whatever_the_points(monkeypatch):
    monkeypatch.setattr(privtree, "MOST_CELLS", 4**5)
    for p in (points(), points([0.5], [0.5]), cloud(3_000, np.random.default_rng(3))):
        cells = PrivTree(threshold=-1e6).release(p, PureDP(1), np.random.default_rng(1))
        assert len(cells.boxes) == 4**5
        assert PointIndex.of(p).count(cells.boxes).sum() == p.n


def test_the_limit_is_that_of_the_highest_quadtree():
    assert privtree.MOST_CELLS == 4**quadtree.MAX_HEIGHT
