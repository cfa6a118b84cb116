"""Ranges in leaf units: canonical nodes and the reading of running counts, against brute force."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.ranges import canonical_ranges, leaf_units, range_counts
from dpviz.estimators.trees.readings import with_total
from tests.estimators.trees.test_tree import random_levels
from tests.estimators.trees.twins import range_weights
from tests.rows import by_rows

CASES = [(2, 0), (2, 1), (2, 4), (3, 3), (5, 2)]


def slow_range(levels, start, end, level=0, index=0):
    """Descend from the root: take whole released nodes, recurse, fractions at the leaves."""
    width = levels.fanout ** (levels.height - level)
    low, high = max(start, index * width), min(end, (index + 1) * width)
    if low >= high:
        return 0.0, 0.0
    size = levels.counts[level].shape[-1]
    variance = np.broadcast_to(levels.variances[level], size)[index]
    whole = high - low == width
    if level == levels.height or (whole and np.isfinite(variance)):
        part = (high - low) / width
        return part * levels.counts[level][index], part**2 * variance
    children = range(index * levels.fanout, (index + 1) * levels.fanout)
    parts = [slow_range(levels, start, end, level + 1, child) for child in children]
    return sum(p[0] for p in parts), sum(p[1] for p in parts)


def some_ranges(rng, leaves):
    whole = np.array([(a, b) for a in range(min(leaves, 20) + 1) for b in range(a, leaves + 1)])
    broken = np.sort(rng.uniform(0, leaves, (60, 2)), axis=1)
    within = np.array([[0.25, 0.5], [leaves - 0.5, leaves], [0, leaves], [0.5, leaves - 0.25]])
    return np.concatenate([whole, broken, within]).T.astype(float)


@pytest.mark.law
@by_rows("total", [None, 17.0])
@by_rows("kind", ["level", "node", "left-out"])
@by_rows(("fanout", "height"), CASES)
def test_canonical_ranges_are_those_of_the_descent(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    starts, ends = some_ranges(rng, fanout**height)
    counts, variances = canonical_ranges(levels, starts, ends, total)
    known = with_total(levels, total)
    expected = [slow_range(known, *pair) for pair in zip(starts, ends, strict=True)]
    np.testing.assert_allclose(counts, [c for c, _ in expected], atol=1e-10)
    np.testing.assert_allclose(variances, [v for _, v in expected], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["level", "left-out"])
def test_prefixes_are_running_counts(rng, kind):
    levels = random_levels(rng, 3, 3, kind, batch=(4,))
    ends = np.arange(28.0)
    for total in (None, 30.0):
        counts, _ = canonical_ranges(levels, np.zeros(28), ends, total)
        np.testing.assert_allclose(counts, running_counts(levels, total), atol=1e-10)


@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_consistent_trees_answer_alike_however_they_are_read(rng, fanout, height):
    best = efficient_levels(random_levels(rng, fanout, height, "node"))
    starts, ends = some_ranges(rng, fanout**height)
    weights = range_weights(best.shape, starts, ends)
    direct = weights @ best.counts[-1]
    np.testing.assert_allclose(range_counts(running_counts(best), starts, ends), direct, atol=1e-9)
    np.testing.assert_allclose(canonical_ranges(best, starts, ends)[0], direct, atol=1e-9)


def test_leaf_units_meet_the_edges():
    shape, bounds = TreeShape(10, 3), Bounds(-0.1, 0.2)
    edges = shape.edges(bounds)
    starts, ends = leaf_units(edges[:-1], edges[1:], bounds, shape)
    np.testing.assert_array_equal(starts, np.arange(1000))
    np.testing.assert_array_equal(ends, np.arange(1, 1001))
    starts, ends = leaf_units([-5, 0.05], [5, 0.0500150], bounds, shape)
    assert starts.tolist() == [0, 500]
    assert ends == pytest.approx([1000, 500.05])


def test_impossible_ranges_are_refused():
    levels = Levels(2, (np.zeros(1), np.zeros(2)), (np.ones(()), np.ones(())))
    for starts, ends in (([1], [0]), ([-1], [1]), ([0], [3]), ([0, 1], [1]), ([np.nan], [1])):
        with pytest.raises(InvalidParameter, match="Ranges"):
            canonical_ranges(levels, starts, ends)
    with pytest.raises(InvalidParameter):
        leaf_units([0.5], [0.25], Bounds(0, 1), TreeShape(2, 3))
