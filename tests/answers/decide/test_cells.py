"""A map in Decide: its width by dense least squares at every place, its numbers by loops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.exact.cells import (
    GEOMETRIC,
    GRID,
    SPLIT,
    CellsQuestion,
    buys,
    release,
    said,
)
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.price import Need, bought, price
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.answers import estimate, range_counts
from dpviz.experiments.planning.spatial_queries import workload_levels

BOX = Box(Bounds(0, 80), Bounds(0, 40))
LARGE = CellsQuestion(PureDP(1), Box(Bounds(0, 64), Bounds(0, 64)), 64, 16, people=30_000)
SMALL = CellsQuestion(PureDP(1), BOX, 8, 3, people=400)
X = [float(k * 7 % 80) for k in range(400)]
Y = [float(k * k % 40) for k in range(400)]
POINTS = Points.from_xy(X, Y, BOX)
NAMES = Names("home", "homes", unit="km")
PEOPLE = Need(1, "people")


def slow_variances(question, way, size):
    """Of the block at every place, by dense least squares on the cells of every released level."""
    side, block = question.side, question.block
    mechanism = question.mechanism(way, size)
    if way == GRID:
        scales = {side: 1 / size}
    else:
        noise = mechanism.tree_noise(PureDP(size))
        scales = {2**level: scale for level, scale in enumerate(noise.scales)}
    rows, weights = [], []
    for across, scale in scales.items():
        if math.isinf(scale):
            continue
        p = math.exp(-1 / scale)
        width = side // across
        for i in range(across):
            for j in range(across):
                cell = np.zeros((side, side))
                cell[i * width : (i + 1) * width, j * width : (j + 1) * width] = 1
                rows.append(cell.ravel())
                weights.append((1 - p) ** 2 / (2 * p))
    nodes = np.array(rows)
    covariance = np.linalg.inv(nodes.T @ (np.array(weights)[:, None] * nodes))
    found = {}
    for i in range(side - block + 1):
        for j in range(side - block + 1):
            cell = np.zeros((side, side))
            cell[i : i + block, j : j + block] = 1
            found[i, j] = float(cell.ravel() @ covariance @ cell.ravel())
    return found


def slow_share(variances, off):
    within = [math.erf(off / math.sqrt(2 * one)) for one in variances.values()]
    return sum(within) / len(within)


@pytest.mark.parametrize("way", SMALL.ways)
@pytest.mark.parametrize("size", [0.2, 2.0])
def test_a_block_at_random_by_dense_least_squares(way, size):
    variances = slow_variances(SMALL, way, size)
    off = SMALL.off(way, size, PEOPLE)
    assert slow_share(variances, off) == pytest.approx(0.95, abs=1e-6)
    assert SMALL.off(way, size, Need(1, "share")) == pytest.approx(off / 4)
    found, shares = SMALL.variances(way, size)
    assert shares.sum() == pytest.approx(1)
    assert shares @ found == pytest.approx(np.mean(list(variances.values())))


def test_numbers_of_the_design():
    for way, size in ((SPLIT, 0.2435), (GRID, 0.294), (GEOMETRIC, 0.394)):
        assert LARGE.off(way, size, PEOPLE) == pytest.approx(150, rel=0.005)
    found = price(LARGE, Need(150, "people"))
    assert {one.key: one.size for one in found.ways} == {SPLIT: 0.25, GRID: 0.3, GEOMETRIC: 0.4}
    assert found.chosen.key == SPLIT
    assert LARGE.counted(SPLIT, 0.25) == (1, 8)
    bought_ = bought(replace(LARGE, people=5000), 0.5, PEOPLE)
    assert 73 < bought_.off <= 74


def test_noise_is_that_of_the_size_itself():
    """Scaled from ε = 1 a plain grid would come out too cheap: whole numbers spread less there."""
    scaled = LARGE.off(GRID, 1.0, PEOPLE) / 0.294
    assert scaled < 0.97 * LARGE.off(GRID, 0.294, PEOPLE)


def test_the_split_is_that_of_the_workload():
    low = np.arange(6.0)
    boxes = np.array([(10 * x, 10 * x + 30, 5 * y, 5 * y + 15) for x in low for y in low])
    levels = workload_levels(BOX, 3, boxes, PureDP(0.5))
    found = SMALL.mechanism(SPLIT, 0.5).levels
    assert found.weights == pytest.approx(levels.weights)
    assert SMALL.off(SPLIT, 0.5, PEOPLE) <= SMALL.off(GEOMETRIC, 0.5, PEOPLE)


@pytest.mark.few(1)
@pytest.mark.parametrize("way", SMALL.ways)
def test_fresh_releases_keep_the_promise(way):
    off, within, wrong = SMALL.off(way, 0.5, PEOPLE), [], []
    corners = [(x, y) for x in range(6) for y in range(6)]
    frames = np.array([(10 * x, 10 * x + 30, 5 * y, 5 * y + 15) for x, y in corners], float)
    truth = np.array([sum(a <= x < b and c <= y < d for x, y in zip(X, Y, strict=True))
                      for a, b, c, d in frames])  # fmt: skip
    for seed in range(150):
        made = release(SMALL, POINTS, way, 0.5, np.random.default_rng(seed))
        errors = np.abs(range_counts(estimate(made), frames)[0] - truth)
        within.append(np.mean(errors <= off))
        wrong.append(np.mean(errors <= 0.8 * off))
    assert abs(np.mean(within) - 0.95) < 0.025
    assert np.mean(wrong) < 0.92


def test_kinds_of_releases_and_public_numbers():
    assert isinstance(release(SMALL, POINTS, GRID, 1, np.random.default_rng(1)), Cells)
    made = release(SMALL, POINTS, SPLIT, 1, np.random.default_rng(1))
    assert isinstance(made, SpatialRelease)
    assert made.spent == PureDP(1)
    known = replace(SMALL, neighbours=Neighbours.REPLACE_ONE)
    assert release(known, POINTS, SPLIT, 1, np.random.default_rng(1)).total == 400
    assert known.off(GRID, 1.0, PEOPLE) == pytest.approx(SMALL.off(GRID, 0.5, PEOPLE))
    assert CellsQuestion(ZCDP(1), BOX, 10, 3).ways == (GRID,)


@pytest.mark.parametrize("way", SMALL.ways)
def test_every_number_by_loops(way):
    priced = price(SMALL, Need(60, "people"))
    chosen = next(one for one in priced.ways if one.key == way)
    asked = replace(priced, ways=(chosen,), size=0.5)
    found = buys(SMALL, asked, POINTS, np.random.default_rng(4), at=(4, 1))
    assert found.frame.tolist() == [40, 70, 5, 20]
    assert (found.width, found.height, found.side, found.block) == (30, 15, 8, 3)
    truth = sum(40 <= x < 70 and 5 <= y < 20 for x, y in zip(X, Y, strict=True))
    count = 0.0
    for box, one in zip(found.boxes, found.counts, strict=True):
        if box[0] >= 40 and box[1] <= 70 and box[2] >= 5 and box[3] <= 20:
            count += one
    assert found.truth == truth
    assert found.count == pytest.approx(count)
    assert found.off == pytest.approx(abs(count - truth))
    variances = slow_variances(SMALL, way, 0.5)
    assert found.give == math.ceil(1.959964 * math.sqrt(variances[4, 1]))
    assert found.half == math.ceil(SMALL.off(way, 0.5, PEOPLE))
    cell = slow_variances(replace(SMALL, block=1), way, 0.5)[2, 5] if way != SPLIT else None
    if cell is not None:
        certain = [one > 3 * math.sqrt(cell) for one in found.counts]
        assert found.is_certain.tolist() == certain
    assert (found.asked, found.sure) == (60, 0.95)
    assert not found.is_published


def test_the_cells_of_a_split_are_told_by_their_own_noise():
    asked = replace(price(SMALL, Need(60, "people")), size=0.5)
    assert asked.chosen.key in SMALL.ways
    found = buys(SMALL, asked, POINTS, np.random.default_rng(4))
    made = release(SMALL, POINTS, asked.chosen.key, 0.5, np.random.default_rng(4))
    read = estimate(made)
    variance = range_counts(read, found.boxes)[1]
    assert found.is_certain.tolist() == [
        one > 3 * math.sqrt(v) for one, v in zip(found.counts, variance, strict=True)
    ]


def test_before_and_after_a_release_and_with_the_truth_hidden():
    asked = price(SMALL, Need(60, "people"))
    flat = buys(SMALL, asked, None)
    assert flat.counts.tolist() == [400 / 64] * 64
    assert flat.count == pytest.approx(400 * 9 / 64)
    assert flat.frame.tolist() == [20, 50, 10, 25]  # in the middle
    assert flat.is_made_up
    made = release(SMALL, POINTS, asked.chosen.key, asked.size, np.random.default_rng(4))
    shown = buys(SMALL, asked, None, released=made)
    hidden = buys(SMALL, asked, POINTS, np.random.default_rng(4), is_true=False)
    assert shown.counts.tolist() == hidden.counts.tolist()
    assert (shown.is_published, hidden.is_published) == (True, False)
    assert (hidden.truth, hidden.off) == (None, None)
    assert "true" not in repr(said(hidden, NAMES))


def test_every_sentence_says_its_own_number():
    found = buys(SMALL, price(SMALL, Need(60, "people")), POINTS, np.random.default_rng(4))
    changed = replace(
        found, block=7, count=4951.0, give=61.0, half=72.0, asked=83.0, sure=0.9, off=94.0,
        width=25.0, height=20.0,
    )  # fmt: skip
    told = said(changed, NAMES)
    assert told.headline() == "This block holds about :blue[4,951] homes, give or take :blue[61]."
    assert told.headline(brief=True) == "This block: :blue[4,951], give or take :blue[61]."
    assert "A block is 25 × 20 km; taken at random, it is off by at most :blue[72]" in told.second()
    assert told.second().endswith("and this one by **94**.")
    made = said(replace(changed, is_made_up=True, off=None, truth=None), NAMES)
    assert made.headline() == (
        "A block of 7 × 7 cells is off by at most :blue[72] homes, 9 times of 10."
    )
    assert "25 × 20 km" in made.second()


def test_a_whole_map_of_a_public_number_of_people_is_off_by_nothing():
    whole = CellsQuestion(PureDP(1), BOX, 8, 8, people=400, neighbours=Neighbours.REPLACE_ONE)
    for way in whole.ways:
        known = way != GRID
        assert (whole.off(way, 1.0, PEOPLE) == 0) is known
        assert replace(whole, neighbours=Neighbours.ADD_REMOVE).off(way, 1.0, PEOPLE) > 0


def test_nonsense_is_refused_in_words():
    with pytest.raises(InvalidParameter, match="cells a side"):
        CellsQuestion(PureDP(1), BOX, 1)
    with pytest.raises(InvalidParameter, match="A block has"):
        CellsQuestion(PureDP(1), BOX, 8, 9)
    with pytest.raises(InvalidParameter, match="quadtree"):
        CellsQuestion(PureDP(1), BOX, 10, 3).off(SPLIT, 1.0, PEOPLE)
    with pytest.raises(InvalidParameter, match="frame"):
        buys(SMALL, price(SMALL, Need(60, "people")), None, at=(6, 0))
