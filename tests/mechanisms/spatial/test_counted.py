"""Counts on a grid give the release of their points, with the same seed, or a refusal in words."""

import itertools

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.errors import DpvizError, InvalidData
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.space import Space, SpacePoints
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.space.space_tree import SpaceTree
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_reference import HilbertFromPoints
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from tests.mechanisms.spatial.counted import counted, hard_points, one_cell
from tests.mechanisms.spatial.planes import BOX, cloud
from tests.rows import by_rows

CASES = hard_points(np.random.default_rng(1))
BUDGETS = PureDP(0.8), ZCDP(0.3), ApproxDP(1.0, 1e-6)
REPLACE = Neighbours.REPLACE_ONE
EXACT = [
    *(Quadtree(height) for height in range(6)),
    *(Quadtree(3, noise=noise) for noise in Noise),
    Quadtree(9, LevelBudget.own([1, 0, 2, 1, 0, 3, 0, 0, 0, 0]), neighbours=REPLACE),
    *(UniformGrid(side) for side in (1, 2, 4, 8, 16, 32)),
    UniformGrid(16, noise=Noise.GAUSSIAN, neighbours=REPLACE),
    *(PrivTree(depth=depth, threshold=2.0) for depth in (0, 3, 5)),
    PrivTree(depth=5, neighbours=REPLACE),
    *(KdCell(3, cells, smallest=4.0) for cells in ((32, 32), (32, 4), (1, 16))),
    KdCell(4, (16, 16), tolerance=1.0, clamped=False),
    *(HilbertTree(min(order, 3), order) for order in (1, 3, 4, 5)),
    *(
        HilbertTree(2, 5, median)
        for median in (NoisyMeanMedian(), CellMedian(64), SampledMedian(rate=0.5), SmoothMedian())
    ),
]
NAMES = [f"{one.name} {number}" for number, one in enumerate(EXACT)]


def generators(seed):
    yield np.random.default_rng(seed)
    yield SeededBits(np.random.default_rng(seed))


def outcome(act):
    """The release as plain values, or what is refused: both sides must say the same."""
    try:
        release = act()
        return "taken" if release is None else release.to_json()
    except DpvizError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.few(14)
@pytest.mark.law
@pytest.mark.parametrize("method", EXACT, ids=NAMES)
def test_the_same_seed_gives_the_release_of_the_points(method):
    released = 0
    taken = [one for one in BUDGETS if outcome(lambda: method.check(one)) == "taken"]  # noqa: B023
    for (case, p), budget in zip(CASES.items(), itertools.cycle(taken)):
        grid = counted(p, 32)
        for one, other in zip(generators(len(case)), generators(len(case)), strict=True):
            found = outcome(lambda: method.release(grid, budget, one))  # noqa: B023
            assert found == outcome(lambda: method.release(p, budget, other)), (case, budget)  # noqa: B023
            released += found.startswith("{")
    assert released >= len(CASES)


def test_another_seed_and_another_grid_give_another_release():
    p = CASES["cloud"]
    first, again, moved = (
        Quadtree(4).release(points, PureDP(1), np.random.default_rng(seed)).to_json()
        for points, seed in (
            (counted(p, 32), 1),
            (counted(p, 32), 2),
            (GridCounts(BOX, 32, counted(p, 32).counts[::-1]), 1),
        )
    )
    assert first != again
    assert first != moved


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("height", [5, 10])
def test_finer_grids_give_the_same(height, rng):
    p = cloud(5_000, rng)
    releases = {
        Quadtree(height).release(data, PureDP(1), np.random.default_rng(3)).to_json()
        for data in (p, *(counted(p, 1 << depth) for depth in range(height, 12)))
    }
    assert len(releases) == 1


@pytest.mark.law
@pytest.mark.parametrize("method", [KdTree(2), KdTree.hybrid(3, 1), KdTree(2, SmoothMedian())])
def test_kd_trees_are_those_of_the_points_moved_to_the_middles(method, rng):
    budget = ApproxDP(1, 1e-6) if method.median.takes_delta else PureDP(1)
    for p in CASES.values():
        grid = counted(p, 32)
        moved = grid.points()
        assert counted(moved, 32).fingerprint == grid.fingerprint
        assert (np.abs(np.sort(moved.x) - np.sort(p.x)) <= BOX.x.width / 64 + 1e-12).all()
        seed = int(rng.integers(1000))
        found = method.release(grid, budget, np.random.default_rng(seed))
        assert found == method.release(moved, budget, np.random.default_rng(seed))


@pytest.mark.parametrize("noise", [Noise.LAPLACE, Noise.DISCRETE_LAPLACE])
@pytest.mark.parametrize("count", [0, 10**12, 2**53 - 1])
def test_more_points_than_memory_holds_are_counted_exactly(count, noise, rng):
    grid = one_cell(count)
    tree = Quadtree(3, noise=noise).release(grid, PureDP(1e3), rng)
    assert [level.size for level in tree.counts] == [1, 4, 16, 64]
    for level in tree.counts:
        np.testing.assert_allclose(np.sort(level)[-1], count + (level.size == 1), atol=3)
    cells = UniformGrid(8, noise=noise).release(grid, PureDP(1e3), rng)
    np.testing.assert_allclose(cells.counts[3 * 8 + 5], count, atol=3)
    np.testing.assert_allclose(np.delete(cells.counts, 29).sum(), 1, atol=3)


@pytest.mark.parametrize("count", [10**12, 2**53 - 1])
def test_privtree_and_kd_cell_find_the_one_crowded_cell(count, rng):
    for method in (PrivTree(depth=3), KdCell(3, (8, 8))):
        cells = method.release(one_cell(count), PureDP(1e3), rng)
        at = int(np.argmax(cells.counts))
        np.testing.assert_allclose(cells.counts[at], count, atol=3)
        cell = np.array([0, 1, 11.25, 11.5])
        assert (np.array([1, -1, 1, -1]) * (cell - cells.boxes[at]) >= 0).all()
        assert method.name == "KdCell" or (cells.boxes[at] == cell).all()


@by_rows(
    ("method", "message"),
    [
        (
            Quadtree(4),
            r"height 4 needs 16 × 16 .*grid of 8 × 8\. Choose a height of at most 3",
        ),
        (PrivTree(), r"depth 20 needs 1,048,576 .*grid of 8 × 8\. Choose a depth of at most 3"),
        (HilbertTree(2), r"order 18 needs 262,144.*grid of 8 × 8\. Choose an order of at most 3"),
        (UniformGrid(6), r"6 × 6 cells cannot .* 8 × 8\. Choose a side that divides 8"),
        (UniformGrid(16), "16 × 16 cells cannot .* 8 × 8"),
        (UniformGrid(records=1000), r"× .* cells cannot .* 8 × 8\. Choose a side that divides 8"),
        (UniformGrid(), r"noisy number of records.*8 × 8 cells.*Choose a side that divides 8"),
        (KdCell(2, (8, 3)), r"8 × 3 cells cannot .* 8 × 8\. Choose a side that divides 8"),
        (KdCell(2), "2182 × 1767 cells cannot"),
        (AdaptiveGrid(), r"needs every point apart.*8 × 8 cells.*quadtree"),
        (AdaptiveGrid(10), r"needs every point apart.*8 × 8 cells.*quadtree"),
        (KdPure(2), r"kd-pure.*needs every point apart.*quadtree"),
        (KdTrue(2), r"kd-true.*needs every point apart.*quadtree"),
        (HilbertFromPoints(HilbertTree(2, 3)), r"needs every point apart.*quadtree"),
        (SpaceTree(2), r"SpaceTree takes no counts.*Quadtree"),
    ],
)
def test_what_a_grid_cannot_give_is_refused_before_anything_is_drawn(method, message):
    rng = np.random.default_rng(1)
    before = rng.bit_generator.state
    for grid in (one_cell(3), one_cell(0), one_cell(2**40)):
        with pytest.raises(InvalidData, match=message):
            method.release(grid, PureDP(1.0), rng)
    assert rng.bit_generator.state == before


MEDIANS = [
    *(ExponentialMedian(), NoisyMeanMedian(), CellMedian(64), SampledMedian(rate=0.5)),
    *(SmoothMedian(), SampledMedian(SmoothMedian(), 0.5)),
]


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize("median", MEDIANS, ids=lambda one: one.name)
@pytest.mark.parametrize("count", [0, 2**19, 2**24 - 1, 2**24 + 1, 2**31 + 1, 2**53 - 1])
def test_trees_with_medians_take_as_many_points_as_were_counted(median, count, rng):
    budget = ApproxDP(1e3, 1e-6) if median.takes_delta else PureDP(1e3)
    for method in (
        KdTree(2, median),
        KdTree.hybrid(3, 1, median=median),
        HilbertTree(2, 3, median),
    ):
        found = method.release(one_cell(count), budget, rng)
        assert abs(found.counts[0][0] - count - 1) < 3
        assert abs(found.counts[-1].sum() - count - 1) < 200


@pytest.mark.parametrize("method", [KdTree(3), KdTree(3, NoisyMeanMedian()), HilbertTree(3, 5)])
def test_points_held_together_are_cut_like_points_held_apart(method, monkeypatch):
    """With hardly any noise the same cuts, to a cell, and the same counts."""
    rng = np.random.default_rng(5)
    counts = np.zeros((32, 32), dtype=np.int64)
    counts[rng.integers(0, 32, 25), rng.integers(0, 32, 25)] = 1 + 2 * rng.integers(0, 30, 25)
    grid = GridCounts(BOX, 32, counts)
    apart = method.release(grid, PureDP(1e9), np.random.default_rng(1))
    monkeypatch.setattr("dpviz.core.data.grid_counts.FEW", 0)
    together = method.release(grid, PureDP(1e9), np.random.default_rng(1))
    assert together.counts[0].tolist() == apart.counts[0].tolist()
    assert [level.sum() for level in together.counts] == [level.sum() for level in apart.counts]
    for one, other in zip(together.counts[1], apart.counts[1], strict=True):
        assert abs(one - other) <= counts.max()


def test_a_grid_says_no_number_of_its_points():
    with pytest.raises(InvalidData, match=r"^This needs every point apart, and 16,777,216"):
        one_cell(2**24).points()


def test_secure_bits_take_counts_too():
    grid = counted(CASES["cloud"], 32)
    for method in (Quadtree(3), UniformGrid(8), KdCell(2, (8, 8)), HilbertTree(2, 5), KdTree(2)):
        assert method.release(grid, PureDP(1.0), SecureBits(bytes(32))).randomness == "secure"


def test_a_tree_of_space_still_takes_its_points(rng):
    points = SpacePoints.from_values(rng.random((20, 2)), Space((Bounds(0, 1), Bounds(0, 1))))
    assert SpaceTree(2, 1).release(points, PureDP(1), rng)
