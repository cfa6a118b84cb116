"""Hilbert R-tree: what it cuts, what it shows, and what it spends."""

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.hilbert_boxes import curve_boxes
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.spatial import hilbert_places, locate
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from tests.core.spatial.curve import hilbert_cell
from tests.estimators.spatial.spending import path_spending
from tests.mechanisms.spatial.planes import BOX, cloud, edge_cases, points
from tests.rows import by_rows

CASES = edge_cases(np.random.default_rng(1))


@by_rows("case", CASES)
@by_rows("epsilon", [1e-6, 1.0, 1e9])
def test_any_points_give_a_sound_tree(case, epsilon, rng):
    p = CASES[case]
    release = HilbertTree(3, order=8).release(p, PureDP(epsilon), rng)
    assert release.geometry.edges[0] == 0
    assert release.geometry.edges[-1] == 4**8
    assert SpatialRelease.from_json(release.to_json()) == release
    if epsilon == 1e9:  # without noise the counts are those of the cuts that were drawn
        exact = np.bincount(locate(release, p), minlength=64)
        np.testing.assert_allclose(release.counts[-1], exact, atol=1e-6)


def test_every_path_spends_exactly_the_budget(rng):
    p = cloud(200, rng)
    for budget, symbol in ((PureDP(0.8), "epsilon"), (ZCDP(0.3), "rho")):
        for neighbours in Neighbours:
            release = HilbertTree(3, neighbours=neighbours).release(p, budget, rng)
            assert len(release.structure.steps) == 6
            spent = getattr(path_spending(release), symbol)
            assert spent == pytest.approx(getattr(budget, symbol), rel=1e-12)
            steps = sum(getattr(step, symbol) for step in release.structure.steps)
            assert steps == pytest.approx(0.3 * getattr(budget, symbol))


def test_cuts_are_medians_when_the_budget_is_large(rng):
    p = cloud(4096, rng)
    release = HilbertTree(3, order=18).release(p, PureDP(1e6), rng)
    places = np.sort(hilbert_places(p, 18))
    edges = release.geometry.edges[1:-1]
    below = np.searchsorted(places, edges)
    np.testing.assert_allclose(below, 64 * np.arange(1, 64), atol=3)


def test_rectangles_show_the_ranges_and_never_the_points(rng):
    """The same cuts give the same rectangles, whatever the points were."""
    release = HilbertTree(2, order=6).release(cloud(300, rng), PureDP(1), rng)
    edges = release.geometry.edges.astype(np.int64)
    for found, expected in zip(release.geometry.boxes, curve_boxes(edges, 6, BOX), strict=True):
        np.testing.assert_array_equal(found, expected)
    for level in range(3):
        step = 4 ** (2 - level)
        ends = edges[::step]
        for node, box in enumerate(release.geometry.boxes[level]):
            if ends[node] == ends[node + 1]:
                continue
            column, row = hilbert_cell(np.arange(ends[node], ends[node + 1]), 6)
            in_cells = (box - [-3, -3, 10, 10]) / [8, 8, 2, 2] * 64
            expected = [column.min(), column.max() + 1, row.min(), row.max() + 1]
            np.testing.assert_allclose(in_cells, expected, atol=1e-9)


def test_ranges_without_cells_have_a_place_in_their_parent():
    edges = np.array([0, 0, 0, 5, 5, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16])
    boxes = curve_boxes(edges, 2, BOX)
    area = (boxes[2][:, 1] - boxes[2][:, 0]) * (boxes[2][:, 3] - boxes[2][:, 2])
    assert (area[np.diff(edges) == 0] == 0).all()
    assert (area[np.diff(edges) > 0] > 0).all()


@pytest.mark.law
def test_one_record_more_moves_no_cut_far(rng):
    """With the same draws the first cut is drawn from densities within e^ε of each other."""
    p = cloud(64, rng)
    more = points(np.append(p.x, 4.9), np.append(p.y, 10.1))
    trials, epsilon = 200, 1.0
    tree = HilbertTree(1, order=4)
    cuts = [
        [tree.release(q, PureDP(epsilon), rng).geometry.edges[2] <= 60 for _ in range(trials)]
        for q in (p, more)
    ]
    odds = np.log(np.mean(cuts[0]) / np.mean(cuts[1]))
    assert abs(odds) < epsilon


def test_medians_and_levels_are_the_users_to_choose(rng):
    tree = HilbertTree(2, median_share=0.5, levels=LevelBudget.leaves_only())
    release = tree.release(cloud(80, rng), PureDP(1), rng)
    assert release.structure.share == 0.5
    assert np.isnan(release.counts[0]).all()
    assert release.scales[2] == pytest.approx(2.0)


def test_what_makes_no_sense_is_refused():
    for wrong in ({"height": 12}, {"order": 0}, {"order": 25}, {"height": 5, "order": 4}):
        with pytest.raises(InvalidParameter):
            HilbertTree(**wrong)
    for share in (0, 1, -1, float("nan")):
        with pytest.raises(InvalidParameter, match="median_share"):
            HilbertTree(median_share=share)
    with pytest.raises(UnsupportedBudget):
        HilbertTree(noise="laplace").check(ApproxDP(1, 1e-6))
    with pytest.raises(UnsupportedBudget):
        HilbertTree(noise=Noise.GAUSSIAN).check(PureDP(1))
