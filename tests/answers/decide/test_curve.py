"""The whole curve in Decide: its width by dense least squares, its numbers by loops, its words."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.answers.decide.exact import curve
from dpviz.answers.decide.exact.curve import (
    BINARY,
    HISTOGRAM,
    ROOT,
    THREE,
    TWO,
    CurveQuestion,
    buys,
    release,
    said,
)
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.price import Need, price
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.trees.release import TreeRelease

BOUNDS = Bounds(0, 20)
VALUES = [float(k * k % 21) for k in range(60)]
COLUMN = Column.from_values(VALUES, BOUNDS, 1)
PURE = CurveQuestion(PureDP(1), BOUNDS, 1, people=60)
RHO = CurveQuestion(ZCDP(1), BOUNDS, 1, people=60)
NAMES = Names("student", "students", "marks", "marks")
RUNS = 20_000


def slow_errors(fanout, height, has_root, draw):
    """Errors of running counts: dense least squares on the noise of every node, level by level."""
    leaves, rows = fanout**height, []
    for level in range(0 if has_root else 1, height + 1):
        width = leaves // fanout**level
        rows += [[j // width == node for j in range(leaves)] for node in range(fanout**level)]
    nodes = np.array(rows, dtype=float)
    best = np.linalg.pinv(nodes) @ draw((len(rows), RUNS))
    return np.array([best[:edge].sum(axis=0) for edge in range(leaves + 1)])


def slow_laplace(levels, epsilon, rng):
    p = math.exp(-epsilon / levels)
    return lambda size: (rng.geometric(1 - p, size) - rng.geometric(1 - p, size)).astype(float)


def slow_gauss(levels, rho, rng):
    return lambda size: np.rint(rng.normal(0, math.sqrt(levels / (2 * rho)), size))


def slow_root(bins, rho, rng):
    c = [1.0]
    for k in range(1, bins):
        c.append(c[-1] * (1 - 1 / (2 * k)))
    matrix = np.array([[c[i - j] if i >= j else 0.0 for j in range(bins)] for i in range(bins)])
    moved = math.sqrt(sum(one * one for one in c))
    z = rng.normal(0, moved / math.sqrt(2 * rho), (bins, RUNS))
    return matrix @ z


def kept(errors, off):
    return float(np.mean(np.abs(errors).max(axis=0) <= off))


SHAPES = {HISTOGRAM: (21, 1), TWO: (5, 2), THREE: (3, 3), BINARY: (2, 5)}


@pytest.mark.parametrize("size", [0.1, 1.0])
@pytest.mark.parametrize("way", SHAPES)
def test_the_width_holds_of_noise_solved_densely_in_epsilon(way, size):
    (fanout, height), rng = SHAPES[way], np.random.default_rng(77)
    errors = slow_errors(fanout, height, False, slow_laplace(height, size, rng))
    off = PURE.off(way, size, Need(1, "people"))
    assert abs(kept(errors, off) - 0.95) < 0.03
    for wrong in (0.8, 1.25):
        assert abs(kept(errors, wrong * off) - 0.95) > 0.03


@pytest.mark.parametrize("size", [0.002, 0.05])
@pytest.mark.parametrize("way", [TWO, BINARY])
def test_the_width_holds_in_rho_where_all_people_are_counted_too(way, size):
    (fanout, height), rng = SHAPES[way], np.random.default_rng(78)
    errors = slow_errors(fanout, height, True, slow_gauss(height + 1, size, rng))
    off = RHO.off(way, size, Need(1, "people"))
    assert abs(kept(errors, off) - 0.95) < 0.03
    assert kept(errors, 0.8 * off) < 0.9


def test_the_width_of_the_square_root():
    errors = slow_root(21, 0.02, np.random.default_rng(79))
    off = RHO.off(ROOT, 0.02, Need(1, "people"))
    assert abs(kept(errors, off) - 0.95) < 0.02
    assert kept(errors, 0.8 * off) < 0.9
    assert RHO.off(ROOT, 0.02, Need(1, "share")) == pytest.approx(100 * off / 60)


@pytest.mark.few(2)
@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1), ApproxDP(1, 1e-6)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_more_budget_never_errs_more(budget, neighbours):
    question = CurveQuestion(budget, BOUNDS, 1, neighbours, 60)
    for way in question.ways:
        sizes = [0.01 * 1.5**k for k in range(17)]
        offs = [question.off(way, size, Need(1, "people")) for size in sizes]
        assert all(later <= 1.02 * first for first, later in pairwise(offs))
        assert offs[-1] < offs[0] / 4


def test_ways_of_each_notion_and_those_that_secure_bits_can_release():
    assert PURE.ways == (HISTOGRAM, TWO, THREE, BINARY)
    assert RHO.ways == (HISTOGRAM, TWO, THREE, BINARY, ROOT)
    secure = replace(RHO, is_secure=True)
    assert ROOT not in secure.ways
    bits = SecureBits(bytes(range(32)))
    for way in secure.ways:
        assert isinstance(release(secure, COLUMN, way, 0.1, bits), TreeRelease)
    assert CurveQuestion(PureDP(1), Bounds(0, 3), 1).ways == (HISTOGRAM, TWO)  # 4 parts: 2 × 2
    assert all(RHO.words(way) for way in RHO.ways)


def test_parts_tell_values_apart_up_to_what_a_screen_shows():
    assert PURE.parts == 21
    assert CurveQuestion(PureDP(1), Bounds(0, 250_000), 100).parts == 512
    assert CurveQuestion(PureDP(1), Bounds(0, 1)).parts == 512
    with pytest.raises(InvalidParameter, match="step"):
        CurveQuestion(PureDP(1), Bounds(0, 1), 2)


def test_a_public_number_of_people_is_used_and_exact():
    question = CurveQuestion(PureDP(1), BOUNDS, 1, Neighbours.REPLACE_ONE, 60)
    made = release(question, COLUMN, TWO, 0.5, np.random.default_rng(1))
    assert made.total == 60
    found = buys(question, price(question, Need(15, "people")), COLUMN, np.random.default_rng(1))
    assert found.counts[-1] == 60 == found.truth[-1]
    secret = replace(question, people=None)
    assert release(secret, COLUMN, TWO, 0.5, np.random.default_rng(1)).total is None


def test_every_number_by_loops():
    asked = price(PURE, Need(12, "people"))
    found = buys(PURE, asked, COLUMN, np.random.default_rng(6))
    way = asked.chosen.key
    fanout, height = SHAPES[way]
    leaves = fanout**height
    truth = [sum(v < 20 * k / leaves for v in VALUES) for k in range(leaves)] + [60]
    assert found.truth.tolist() == truth
    np.testing.assert_allclose(found.edges, [20 * k / leaves for k in range(leaves + 1)])
    errors = [count - true for count, true in zip(found.counts, truth, strict=True)]
    assert found.errors.tolist() == errors
    assert found.off == max(map(abs, errors))
    assert all(later >= first for first, later in pairwise(found.counts))
    assert found.half == math.ceil(PURE.off(way, asked.size, Need(1, "people"))) <= 12
    assert (found.asked, found.sure, found.middle) == (12, 0.95, found.counts[-1] / 2)


@pytest.mark.law
def test_the_middle_and_its_ends_by_loops():
    question = CurveQuestion(PureDP(1), BOUNDS, 0)
    stand_in = Column.from_values(VALUES, BOUNDS)
    asked = price(question, Need(12, "people"))
    found = buys(question, asked, None, stand_in=stand_in)
    edges, counts, half = found.edges.tolist(), found.counts.tolist(), found.half
    place = next(k for k, count in enumerate(counts) if count >= 30)
    part = (30 - counts[place - 1]) / (counts[place] - counts[place - 1])
    median = edges[place - 1] + part * (edges[place] - edges[place - 1])
    assert found.median == pytest.approx(median)
    low = [e for e, count in zip(edges, counts, strict=True) if count < 30 - 1.5 * half]
    high = [e for e, count in zip(edges, counts, strict=True) if count > 30 + 1.5 * half]
    assert found.median_low == (low[-1] if low else 0)
    assert found.median_high == (high[0] if high else 20)
    assert found.median_low < median < found.median_high
    whole = buys(PURE, price(PURE, Need(3, "people")), None, stand_in=COLUMN)
    for one in (whole.median, whole.median_low, whole.median_high):
        assert one == int(one)
    assert whole.median_low <= sorted(VALUES)[29] <= whole.median_high


def test_the_true_middle_lies_between_the_ends():
    asked = price(PURE, Need(6, "people"))
    median = sorted(VALUES)[29]
    for seed in range(60):
        found = buys(PURE, asked, COLUMN, np.random.default_rng(seed), is_true=True)
        if found.off <= found.half:
            assert found.median_low <= median <= found.median_high


def test_before_and_after_a_release_and_with_the_truth_hidden():
    asked = price(PURE, Need(12, "people"))
    flat = buys(PURE, asked, None)
    np.testing.assert_allclose(flat.counts, [3 * edge for edge in flat.edges])
    assert flat.is_made_up
    assert "Made up" in said(flat, NAMES).second()
    made = release(PURE, COLUMN, asked.chosen.key, asked.size, np.random.default_rng(6))
    shown = buys(PURE, asked, None, released=made)
    again = buys(PURE, asked, COLUMN, np.random.default_rng(6), is_true=False)
    assert shown.counts.tolist() == again.counts.tolist()
    assert (shown.is_published, again.is_published) == (True, False)
    assert (again.truth, again.errors, again.off) == (None, None, None)
    assert "true" not in repr(said(again, NAMES))
    rooted = price(replace(RHO, people=None), Need(6, "people"))
    assert rooted.chosen.key == ROOT
    found = buys(RHO, rooted, COLUMN, np.random.default_rng(6))
    assert found.counts.size == 22


def test_every_sentence_says_its_own_number():
    found = buys(PURE, price(PURE, Need(12, "people")), COLUMN, np.random.default_rng(6))
    changed = replace(
        found, half=61.0, asked=72.0, sure=0.9, off=83.0, median=4.5, median_low=3.5,
        median_high=5.5,
    )  # fmt: skip
    told = said(changed, NAMES)
    assert told.headline() == (
        "The curve is nowhere off by more than :blue[61] students, 9 times of 10."
    )
    assert "Half have at most :blue[4\\.5], give or take: 3\\.5 to 5\\.5 marks." in told.second()
    assert told.second().endswith("This curve is off by at most **83**.")


@pytest.mark.parametrize(("sure", "runs"), [(0.9, 1_999), (0.99, 1_999), (0.999, 19_999)])
def test_so_much_noise_is_simulated_that_twenty_of_it_lie_outside(sure, runs):
    assert curve._runs(sure) == pytest.approx(runs, abs=1)
