from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import interpolated_quantiles, running_counts
from tests.estimators.trees.test_tree import random_levels
from tests.rows import by_rows


def slow_quantile(running, edges, q):
    """The paper's reading, one leaf after the other."""
    total = running[-1]
    if total <= 0:
        return edges[0] + q * (edges[-1] - edges[0])
    for z in range(1, len(running)):
        if running[z] >= q * total:
            p = (q * total - running[z - 1]) / (running[z] - running[z - 1])
            return edges[z - 1] + p * (edges[z] - edges[z - 1])
    raise AssertionError("the last running count is n̂, so there is a crossing")


def slow_running(levels, total):
    """Every running count by walking down from the root: whole nodes left of the edge."""
    fanout, height = levels.fanout, levels.height
    released = [level for level, v in enumerate(levels.variances) if np.isfinite(v)]
    running = [0.0]
    for edge in range(1, fanout**height):
        position, count = 0, 0.0
        for level in released:
            width = fanout ** (height - level)
            while position + width <= edge:
                count += levels.counts[level][position // width]
                position += width
        assert position == edge
        running.append(count)
    return np.array([*running, levels.counts[released[0]].sum() if total is None else total])


@by_rows("total", [None, 12.5])
@by_rows("kind", ["level", "left-out"])
@by_rows(("fanout", "height"), [(2, 0), (2, 1), (2, 5), (3, 3), (10, 2)])
def test_running_counts_use_the_canonical_nodes(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    expected = slow_running(levels, total)
    np.testing.assert_allclose(running_counts(levels, total), expected, atol=1e-10)


def test_running_counts_of_batches_and_of_consistent_trees(rng):
    levels = random_levels(rng, 3, 3, "level", batch=(4,))
    together = running_counts(levels)
    for run in range(4):
        one = Levels(3, tuple(counts[run] for counts in levels.counts), levels.variances)
        np.testing.assert_array_equal(together[run], running_counts(one))
    best = efficient_levels(levels, total=20.0)
    leaf_sums = np.cumsum(best.counts[-1], axis=-1)
    np.testing.assert_allclose(running_counts(best)[:, 1:], leaf_sums, atol=1e-10)


def test_running_counts_refuse_what_they_cannot_read(rng):
    levels = random_levels(rng, 2, 2, "level")
    holes = np.array([np.inf, 1.0, 1.0, 1.0])
    unknown = np.asarray(np.inf)
    for variances, message in (
        ((*levels.variances[:2], holes), "efficient"),
        ((*levels.variances[:2], unknown), "leaves"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            running_counts(Levels(2, levels.counts, variances))
    nothing = Levels(2, (np.zeros(1),), (unknown,))
    assert running_counts(nothing, total=3.0).tolist() == [0.0, 3.0]
    with pytest.raises(InvalidParameter, match="nothing can be read"):
        running_counts(nothing)


@pytest.mark.parametrize("leaves", [1, 2, 3, 4, 5, 7, 8, 9, 100])
def test_interpolation_is_its_slow_twin(rng, leaves):
    edges = np.linspace(-3, 7, leaves + 1)
    quantiles = np.unique(rng.random(25))
    running = np.cumsum(rng.normal(1 / leaves, 1, (200, leaves)), axis=1)  # far from monotone
    running[:100] = np.round(running[:100])  # ties, flat stretches, exact crossings, n̂ = 0
    running = np.concatenate([np.zeros((200, 1)), running], axis=1)
    assert (running[:, -1] <= 0).any()
    assert (running[:, -1] > 0).any()
    values = interpolated_quantiles(running, edges, quantiles)
    expected = [[slow_quantile(row, edges, q) for q in quantiles] for row in running]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    assert (np.diff(values, axis=1) >= 0).all()
    assert (values >= edges[0]).all()
    assert (values <= edges[-1]).all()
    for row, one in zip(running[:5], values[:5], strict=True):
        np.testing.assert_array_equal(interpolated_quantiles(row, edges, quantiles), one)


def test_a_crossing_on_a_leaf_edge_takes_the_leftmost_leaf():
    running = np.array([0.0, 2.0, 2.0, 4.0])  # an empty leaf in the middle
    edges = np.array([0.0, 1.0, 2.0, 3.0])
    assert interpolated_quantiles(running, edges, np.array([0.25, 0.5, 0.75])).tolist() == [
        0.5,
        1.0,
        2.5,
    ]


def test_a_count_that_falls_again_does_not_move_the_crossing():
    running = np.array([0.0, 6.0, 1.0, -3.0, 10.0])
    edges = np.arange(5.0)
    values = interpolated_quantiles(running, edges, np.array([0.3, 0.6, 0.61]))
    assert values == pytest.approx([0.5, 1.0, 3 + (6.1 + 3) / 13])


def test_rounding_never_leaves_the_leaf(rng):
    """left + (right − left) may round past right in a leaf around zero: by an ulp, out of order."""
    overshoots = 0
    for left, right in zip(-rng.random(200), 0.1 * rng.random(200), strict=True):
        edges = np.array([left, right, 1.0])
        overshoots += left + (right - left) > right
        values = interpolated_quantiles(np.array([0.0, 1.0, 2.0]), edges, np.array([0.5]))
        assert values[0] <= right
        assert values[0] == pytest.approx(right, abs=1e-15)
    assert overshoots > 10
