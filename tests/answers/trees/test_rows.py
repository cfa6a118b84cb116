"""Which levels, nodes and points of a tree are drawn, and how high its rows are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from dpviz.answers.trees.levels import CdfError
from dpviz.answers.trees.names import Names, level_name, signed, spread_error, ticks, value
from dpviz.answers.trees.rows import (
    MOST_ROWS,
    drawn_levels,
    extremes,
    rows_of,
    spread,
    strongest,
    tallest,
)
from dpviz.core.trees.shape import Levels
from tests.rows import by_rows


@by_rows("height", range(23))
def test_root_middle_and_leaves_are_always_drawn(height):
    levels = drawn_levels(height)
    assert {0, height // 2, height} <= set(levels)
    assert len(levels) == min(height + 1, MOST_ROWS)
    assert levels == sorted(set(levels))


@given(some.integers(1, 3000), some.integers(1, 300))
def test_drawn_nodes_stand_for_equal_stretches(size, most):
    at = spread(size, most)
    assert at.size == min(size, most)
    for one, stretch in enumerate(at):  # the node at the middle of its stretch, in whole numbers
        assert stretch == (2 * one + 1) * size // (2 * at.size)


@given(some.integers(2, 2000), some.integers(1, 64), some.integers(0, 9))
def test_the_strongest_of_each_stretch_is_kept(size, most, seed):
    values = np.random.default_rng(seed).normal(size=size)
    at = strongest(values, most)
    assert np.abs(values).argmax() in at
    if size <= most:
        assert at.size == size
        return
    edges = np.linspace(0, size, most + 1).astype(int)
    for one, (low, high) in zip(at, pairwise(edges), strict=True):
        assert low <= one < max(high, low + 1)
        assert abs(values[one]) == np.abs(values[low : max(high, low + 1)]).max()


def test_a_long_curve_keeps_its_ends_and_its_worst_point():
    values = np.sin(np.arange(4097) / 50)
    values[2777] = -9
    at = extremes(values, 100)
    assert at[0] == 0
    assert at[-1] == 4096
    assert 2777 in at
    assert at.size <= 102


def test_the_worst_error_is_that_of_all_edges():
    counts, truth = np.zeros(4097), np.zeros(4097)
    counts[1234], counts[2000] = 7, -9
    found = CdfError.of((0, 4096), counts, truth)
    assert (found.at, found.worst) == (2000, -9)
    assert found.edges.size < 1100
    assert found.edges[np.abs(found.errors).argmax()] == 2000


def test_a_deep_row_is_drawn_by_few_nodes_with_their_own_counts():
    counts = tuple(np.arange(2.0**level) for level in range(11))
    levels = Levels(2, counts, tuple(np.asarray(4.0) for _ in counts))
    leaves = rows_of(levels, counts)[-1]
    assert (leaves.nodes, leaves.at.size, leaves.error) == (1024, 256, 2)
    np.testing.assert_array_equal(leaves.counts, counts[-1][leaves.at])
    np.testing.assert_array_equal(leaves.true_heights, leaves.truth * 1024)


def rows(leaves, error):
    leaves = np.asarray(leaves, dtype=float)
    height = int(np.log2(leaves.size))
    counts = tuple(leaves.reshape(2**level, -1).sum(axis=1) for level in range(height + 1))
    return rows_of(Levels(2, counts, (np.asarray(error**2),) * (height + 1)))


def test_rows_are_as_high_as_counts_that_stand_out_of_noise():
    flat = tallest(rows(np.full(8, 100.0), 1.0))
    assert flat == pytest.approx(2 * 800)  # at least twice the even spread
    heap = [0, 0, 0, 0, 0, 0, 0, 800.0]
    assert tallest(rows(heap, 1.0)) == pytest.approx(1.02 * 4 * 800)  # leaves are not asked
    assert tallest(rows([*np.zeros(31), 800.0], 1.0)) == pytest.approx(6 * 800)
    noisy = tallest(rows(heap, 1000.0))
    assert noisy == pytest.approx(2 * 1000)
    assert tallest(rows(np.zeros(8), 0.0)) > 0


def test_parts_and_errors_are_named_shortly():
    assert [level_name(size, "students") for size in (1, 2, 3, 4, 1000)] == [
        "all students", "halves", "thirds", "quarters", "1,000 parts",
    ]  # fmt: skip
    assert level_name(64, "students", leaves=True) == "64 leaves"
    errors = [spread_error(one) for one in (99.4, 5.74, 0.25, 0.012, 0, np.inf, 1407)]
    assert errors == ["± 99", "± 5.7", "± 0.2", "± 0.01", "exact", "–", "± 1,407"]
    assert [signed(one) for one in (382.4, -8, 0.2, 1500)] == ["+382", "−8", "0", "+1,500"]
    assert value(-1234.5) == "−1,234.5"
    assert Names("<p>", "a$", "&").safe() == Names("&lt;p&gt;", "a&#36;", "&amp;")


@pytest.mark.parametrize(
    ("ends", "wanted"),
    [
        ((0, 100), [0, 25, 50, 75, 100]),
        ((0, 120), [0, 30, 60, 90, 120]),
        ((0.5, 5), [0.5, 2, 3.5, 5]),
        ((-100, 100), [-100, -50, 0, 50, 100]),
    ],
)
def test_ticks_are_short_numbers_from_bound_to_bound(ends, wanted):
    assert ticks(*ends).tolist() == wanted
