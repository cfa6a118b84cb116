from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.descent import descended_quantiles
from dpviz.estimators.trees.quantiles import interpolated_quantiles, running_counts


def slow_descent(counts, edges, q):
    """One walk, one child after the other; counts (fanout**l,) a level, root first."""
    fanout = counts[1].size if len(counts) > 1 else 1
    leaves, node, low, high = edges.size - 1, 0, 0, edges.size - 1
    for level in range(1, len(counts)):
        children = counts[level][node * fanout : (node + 1) * fanout]
        if children.sum() <= 0:
            break
        before = 0.0
        for child, count in enumerate(children):
            if before + count >= q * children.sum() or child == fanout - 1:
                q, node = min((q * children.sum() - before) / count, 1.0), node * fanout + child
                break
            before += count
        width = leaves // fanout**level
        low, high = node * width, (node + 1) * width
    return edges[low] + q * (edges[high] - edges[low])


def noisy(rng, fanout, height, runs=1, scale=3.0):
    leaves = rng.poisson(2.0, fanout**height).astype(float)
    counts = [leaves.reshape(fanout**level, -1).sum(axis=1) for level in range(height + 1)]
    drawn = tuple(level + rng.laplace(0, scale, (runs, level.size)) for level in counts)
    return Levels(fanout, drawn, (np.asarray(2 * scale**2),) * (height + 1))


@pytest.mark.parametrize(("fanout", "height"), [(2, 1), (2, 6), (3, 3), (16, 2), (7, 1), (5, 0)])
def test_a_descent_equals_the_slow_walk(rng, fanout, height):
    levels = noisy(rng, fanout, height, runs=30)
    edges, quantiles = np.linspace(-4.0, 9.0, fanout**height + 1), np.sort(rng.random(25))
    found = descended_quantiles(levels, edges, quantiles)
    for run in range(30):
        one = [level[run] for level in levels.counts]
        expected = [slow_descent(one, edges, q) for q in quantiles]
        np.testing.assert_allclose(found[run], expected, atol=1e-9)


def test_values_are_inside_the_edges_and_monotone_however_noisy(rng):
    levels = noisy(rng, 4, 4, runs=200, scale=50.0)
    edges = np.linspace(0.1, 0.7, 4**4 + 1)
    quantiles = np.array([1e-12, *np.linspace(0.001, 0.999, 400), 1 - 1e-16])
    found = descended_quantiles(levels, edges, quantiles)
    assert found.min() >= edges[0]
    assert found.max() <= edges[-1]
    assert (np.diff(found, axis=1) >= -1e-15).all()


def test_exact_counts_give_the_reading_by_running_counts(rng):
    levels = noisy(rng, 3, 4, scale=1e-12)
    edges, quantiles = np.linspace(0, 1, 82), rng.random(50)
    expected = interpolated_quantiles(running_counts(levels), edges, quantiles)
    np.testing.assert_allclose(descended_quantiles(levels, edges, quantiles), expected, atol=1e-9)


def test_on_noisy_counts_the_two_readings_differ(rng):
    levels = noisy(rng, 3, 4)
    edges, quantiles = np.linspace(0, 1, 82), rng.random(50)
    expected = interpolated_quantiles(running_counts(levels), edges, quantiles)
    assert np.abs(descended_quantiles(levels, edges, quantiles) - expected).max() > 0.01


def test_empty_children_end_the_walk():
    """Half of everything, and the half that is reached has children that add up to −1."""
    counts = (np.array([9.0]), np.array([4.0, 4.0]), np.array([-3.0, 2.0, 1.0, 1.0]))
    levels = Levels(2, counts, (np.asarray(1.0),) * 3)
    edges = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(descended_quantiles(levels, edges, np.array([0.25, 0.75])), [1, 3])


def test_a_level_that_is_not_released_is_refused():
    counts = (np.array([2.0]), np.array([np.nan, np.nan]), np.ones(4))
    levels = Levels(2, counts, (np.asarray(1.0), np.asarray(np.inf), np.asarray(1.0)))
    with pytest.raises(InvalidParameter, match="every level below the root"):
        descended_quantiles(levels, np.arange(5.0), np.array([0.5]))
