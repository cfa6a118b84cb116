"""kd-cell: grid, growth and fresh counts against plain twins."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.fixed_grid import block_sums, cells_of, running_sums
from dpviz.mechanisms.spatial.kd_cell import KdCell, NoisyGrid, grow_leaves, looks_uniform
from tests.rows import by_rows
from tests.statistics import can_tell, fits

BOX = Box(Bounds(-2, 6), Bounds(10, 14))


def test_cells_agree_with_their_edges(rng):
    for bounds, cells in ((Bounds(0.1, 0.7), 7), (Bounds(-1e9, 3), 1000), (Bounds(0, 1), 1)):
        edges = grid_edges(bounds, cells)
        values = np.concatenate((rng.uniform(bounds.low, bounds.high, 500), edges))
        values = np.concatenate((values, np.nextafter(edges[1:], -np.inf)))
        wanted = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, cells - 1)
        assert np.array_equal(cells_of(values, edges), wanted)
    assert cells_of(np.empty(0), np.array([0.0, 1.0])).size == 0


def test_block_sums_add_up(rng):
    grid = rng.normal(size=(9, 5))
    blocks = np.array([[0, 9, 0, 5], [2, 4, 1, 3], [3, 3, 0, 5], [8, 9, 4, 5]])
    wanted = [grid[a:b, c:d].sum() for a, b, c, d in blocks]
    np.testing.assert_allclose(block_sums(running_sums(grid), blocks), wanted, atol=1e-12)


def plain_uniform(grid, block, variance, tolerance):
    a, b, c, d = block
    at = [k / 4 for k in range(5)]
    columns = [a + math.floor((b - a) * t) for t in at]
    rows = [c + math.floor((d - c) * t) for t in at]
    total, size = grid[a:b, c:d].sum(), (b - a) * (d - c)
    statistic, parts = 0.0, 0
    for left, right in itertools.pairwise(columns):
        for low, high in itertools.pairwise(rows):
            cells = (right - left) * (high - low)
            if cells:
                expected = total * cells / size
                spread = cells * variance + max(expected, 0)
                statistic += (grid[left:right, low:high].sum() - expected) ** 2 / spread
                parts += 1
    return statistic <= parts - 1 + tolerance * math.sqrt(2 * (parts - 1))


def plain_growth(grid, variance, steps, tolerance, smallest=-math.inf):
    growing, leaves = [(0, grid.shape[0], 0, grid.shape[1])], []
    for step in range(steps):
        children = []
        for block in growing:
            a, b, c, d = block
            even = tolerance is not None and plain_uniform(grid, block, variance, tolerance)
            few = step % 2 == 0 and grid[a:b, c:d].sum() <= smallest
            if even or few or (b - a) * (d - c) == 1:
                leaves.append(block)
                continue
            axis = step % 2 if (b - a, d - c)[step % 2] > 1 else 1 - step % 2
            half = grid[a:b, c:d].sum() / 2
            if axis == 0:
                cut = min(range(a + 1, b), key=lambda k: abs(grid[a:k, c:d].sum() - half))
                children += [(a, cut, c, d), (cut, b, c, d)]
            else:
                cut = min(range(c + 1, d), key=lambda k: abs(grid[a:b, c:k].sum() - half))
                children += [(a, b, c, cut), (a, b, cut, d)]
        growing = children
    return leaves + growing


@pytest.mark.parametrize("seed", range(8))
def test_growth_equals_a_plain_recursion(seed):
    rng = np.random.default_rng(seed)
    shape = [(16, 16), (1, 20), (20, 1), (3, 7), (5, 5), (1, 1), (2, 2), (31, 9)][seed]
    grid = rng.normal(size=shape) + 30 * rng.random(shape) ** 8 * rng.integers(1, 5)
    found = grow_leaves(NoisyGrid(running_sums(grid), 1.0), 6, 1.0)
    wanted = plain_growth(grid, 1.0, 6, 1.0)
    assert sorted(map(tuple, found.tolist())) == sorted(wanted)
    cover = np.zeros(shape)
    for a, b, c, d in found:
        cover[a:b, c:d] += 1
    assert (cover == 1).all()


def test_noise_looks_uniform_and_a_town_does_not(rng):
    flat = [
        NoisyGrid(running_sums(rng.poisson(3, (32, 32)) + rng.laplace(0, 2, (32, 32))), 8.0)
        for _ in range(100)
    ]
    town = rng.poisson(3, (32, 32)) + rng.laplace(0, 2, (32, 32))
    town[4:8, 20:23] += 40
    assert sum(looks_uniform(grid, grid.whole, 3.0)[0] for grid in flat) >= 95
    grid = NoisyGrid(running_sums(town), 8.0)
    assert not looks_uniform(grid, grid.whole, 3.0)[0]


def points_with_a_town(n=2000):
    rng = np.random.default_rng(1)
    x = np.concatenate((rng.uniform(-2, 6, n // 2), rng.normal(1, 0.1, n // 2)))
    y = np.concatenate((rng.uniform(10, 14, n // 2), rng.normal(13, 0.1, n // 2)))
    return Points.from_xy(x, y, BOX)


HARD = {
    "town": points_with_a_town(),
    "none": Points.from_xy([], [], BOX),
    "one": Points.from_xy([6.0], [14.0], BOX),
    "equal": Points.from_xy([1.0] * 40, [12.0] * 40, BOX),
}


@by_rows("which", HARD)
@by_rows("cells", [(1, 1), (64, 32), (7, 1)])
def test_next_to_no_noise_gives_the_counts_of_the_rectangles(which, cells, rng):
    points = HARD[which]
    release = KdCell(4, cells).release(points, PureDP(1e7), rng)
    for (x_low, x_high, y_low, y_high), count in zip(release.boxes, release.counts, strict=True):
        in_x = (points.x >= x_low) & ((points.x < x_high) | (x_high == 6))
        in_y = (points.y >= y_low) & ((points.y < y_high) | (y_high == 14))
        assert count == pytest.approx((in_x & in_y).sum(), abs=1e-3)
    assert Cells.from_json(release.to_json()) == release
    assert release.structure.steps == (PureDP(0.5e7),)
    if which == "town" and cells == (64, 32):
        assert release.counts.size > 20


@pytest.mark.parametrize("neighbours", [Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE])
@pytest.mark.parametrize(("clamped", "tolerance"), [(False, 2.0), (True, None), (True, 2.0)])
def test_a_release_equals_a_plain_one_of_the_same_draws(neighbours, clamped, tolerance):
    """Grid noise from the grid's share, then leaf noise from the rest, worked out once more."""
    tree = KdCell(
        *(3, (24, 12), 0.3),
        tolerance=tolerance,
        clamped=clamped,
        smallest=5,
        noise=Noise.LAPLACE,
        neighbours=neighbours,
    )
    points, epsilon = HARD["town"], 1.5
    changed = 1 if neighbours is Neighbours.ADD_REMOVE else 2
    grid = np.zeros((24, 12))
    for x, y in zip(points.x, points.y, strict=True):
        grid[min(int((x + 2) * 3), 23), min(int((y - 10) * 3), 11)] += 1
    rng = np.random.default_rng(9)
    scale = changed / (0.3 * epsilon)
    noisy = grid + rng.laplace(0, scale, grid.shape)
    if clamped:
        noisy = np.where(noisy < 0, 0, noisy)
    leaves = plain_growth(noisy, 2 * scale**2, 6, tolerance, 5)
    release = tree.release(points, PureDP(epsilon), np.random.default_rng(9))
    assert release.counts.size == len(leaves) > 5
    noise = rng.laplace(0, changed / (0.7 * epsilon), len(leaves))
    plain = {
        (round(-2 + a / 3, 9), round(10 + c / 3, 9)): grid[a:b, c:d].sum() for a, b, c, d in leaves
    }
    at = [(round(box[0], 9), round(box[2], 9)) for box in release.boxes.tolist()]
    np.testing.assert_allclose(release.counts, [plain[p] for p in at] + noise, atol=1e-9)


@pytest.mark.parametrize("budget", [PureDP(1e-6), PureDP(1e4), ZCDP(1e-9), ZCDP(0.5)])
@pytest.mark.parametrize("height", [0, 3])
def test_extreme_budgets(budget, height, rng):
    for points in HARD.values():
        release = KdCell(height, (20, 10)).release(points, budget, rng)
        assert release.counts.size <= 4**height
        assert release.spent == budget


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize(
    ("noise", "budget", "neighbours"),
    [
        (Noise.LAPLACE, PureDP(2.0), Neighbours.ADD_REMOVE),
        (Noise.LAPLACE, PureDP(2.0), Neighbours.REPLACE_ONE),
        (Noise.GAUSSIAN, ZCDP(0.5), Neighbours.ADD_REMOVE),
        (Noise.GAUSSIAN, ZCDP(0.5), Neighbours.REPLACE_ONE),
    ],
)
def test_the_law_of_the_fresh_counts(noise, budget, neighbours):
    """A fifth went to the grid; a twin that spends the whole budget twice is caught."""
    tree = KdCell(0, (4, 4), grid_share=0.2, noise=noise, neighbours=neighbours)
    points = HARD["equal"]
    rng = np.random.default_rng(1)
    sample = [tree.release(points, budget, rng).counts[0] - 40 for _ in range(3400)]
    changed = 1 if neighbours is Neighbours.ADD_REMOVE else 2
    if noise is Noise.LAPLACE:
        right, wrong = (stats.laplace(scale=changed / (share * 2.0)) for share in (0.8, 1.6))
    else:
        right, wrong = (
            stats.norm(scale=math.sqrt(changed / (2 * share * 0.5))) for share in (0.8, 2.4)
        )
    assert fits(sample, right, comparisons=2)
    assert can_tell(3400, wrong, right, comparisons=2)
    assert not fits(sample, wrong, comparisons=2)


def test_the_two_parts_spend_the_budget():
    for share in (0.2, 0.5, 0.9):
        grid, leaf = KdCell(grid_share=share).scales(PureDP(0.7))
        assert 1 / grid + 1 / leaf == pytest.approx(0.7)
        grid, leaf = KdCell(grid_share=share, noise=Noise.GAUSSIAN).scales(ZCDP(0.7))
        assert 1 / (2 * grid**2) + 1 / (2 * leaf**2) == pytest.approx(0.7)


def test_cells_of_a_length():
    assert KdCell.of_size(Box(Bounds(0, 21.82), Bounds(0, 17.67)), 0.01).cells == (2182, 1767)
    assert KdCell.of_size(BOX, 100).cells == (1, 1)
    for size in (0, -1, math.nan):
        with pytest.raises(InvalidParameter, match="length"):
            KdCell.of_size(BOX, size)


def test_what_is_refused(rng):
    for arguments in (
        {"cells": (0, 5)},
        {"cells": (5000, 5000)},
        {"height": 12},
        {"height": -1},
        {"grid_share": 0},
        {"grid_share": 1},
        {"tolerance": -1},
        {"tolerance": math.nan},
        {"smallest": -1},
        {"clamped": 1},
    ):
        with pytest.raises(InvalidParameter):
            KdCell(**arguments)
    with pytest.raises(UnsupportedBudget, match="no use of δ"):
        KdCell().check(ApproxDP(1, 1e-6))
    with pytest.raises(UnsupportedBudget, match="pure"):
        KdCell(noise=Noise.GAUSSIAN).check(PureDP(1))


def test_a_clamped_grid_of_noise_is_never_negative_and_few_points_are_a_leaf(rng):
    """The growth sees cells of 0 or more: with the whole box under `smallest` it never starts."""
    empty = Points.from_xy([], [], BOX)
    assert KdCell(4, (16, 8), smallest=0.0).release(empty, PureDP(1.0), rng).counts.size > 1
    assert KdCell(4, (16, 8), smallest=1e6).release(empty, PureDP(1.0), rng).counts.size == 1
    assert KdCell().parameters["clamped"]
    assert KdCell().parameters["tolerance"] is None
