"""Energies of queries and workloads (dpviz/estimators/trees/workload.py, workloads.py)."""

import itertools

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.workloads import (
    all_ranges,
    listed_ranges,
    prefixes,
    random_ranges,
    single_leaves,
)
from dpviz.estimators.trees.workload import (
    eigenvalues,
    energies_variance,
    query_energies,
    query_variance,
    range_energies,
    range_variances,
)
from tests.estimators.trees.test_tree import ancestry, random_levels
from tests.estimators.trees.twins import range_weights
from tests.rows import by_rows

CASES = [(2, 0), (2, 1), (2, 4), (3, 3), (4, 2), (10, 1)]


def projections(fanout, height):
    """P_0, …, P_h as dense matrices."""
    leaves = fanout**height
    means = []
    for level in range(height + 1):
        width = leaves // fanout**level
        means.append(np.kron(np.eye(fanout**level), np.full((width, width), 1 / width)))
    return [means[0], *(b - a for a, b in itertools.pairwise(means))]


@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_energies_are_norms_of_projections(rng, fanout, height):
    queries = rng.normal(size=(5, fanout**height))
    expected = [(queries @ p * queries).sum(axis=1) for p in projections(fanout, height)]
    mine = query_energies(TreeShape(fanout, height), queries)
    np.testing.assert_allclose(mine, np.stack(expected, axis=1), atol=1e-12)


@by_rows("kind", ["level", "left-out"])
@by_rows(("fanout", "height"), CASES)
def test_eigenvalues_are_those_of_the_precision_matrix(rng, fanout, height, kind):
    levels = random_levels(rng, fanout, height, kind)
    design = ancestry(fanout, height)
    sizes = [fanout**level for level in range(height + 1)]
    precision = np.repeat([1 / float(v) for v in levels.variances], sizes)
    dense = design.T @ (precision[:, None] * design)
    for strength, projection in zip(
        eigenvalues(fanout, levels.variances), projections(fanout, height), strict=True
    ):
        np.testing.assert_allclose(dense @ projection, strength * projection, atol=1e-9)


@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_workloads_are_means_over_their_queries(rng, fanout, height):
    shape = TreeShape(fanout, height)
    n = shape.leaves
    starts, ends = np.array([(a, b) for a in range(n) for b in range(a + 1, n + 1)], float).T
    brute = query_energies(shape, range_weights(shape, starts, ends))
    np.testing.assert_allclose(all_ranges(shape), brute.mean(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(range_energies(shape, starts, ends), brute.mean(axis=0), atol=1e-11)
    mass = rng.random(starts.size)
    np.testing.assert_allclose(
        range_energies(shape, starts, ends, mass), mass @ brute / mass.sum(), atol=1e-11
    )
    lower = query_energies(shape, np.tri(n))
    np.testing.assert_allclose(prefixes(shape), lower.mean(axis=0), atol=1e-12)
    for step in {min(3, n), min(4, n)}:
        kept = sorted({*range(step, n, step), n})
        coarse = lower[np.array(kept) - 1].mean(axis=0)
        np.testing.assert_allclose(prefixes(shape, step), coarse, atol=1e-12)
    single = query_energies(shape, np.eye(n)).mean(axis=0)
    np.testing.assert_allclose(single_leaves(shape), single, atol=1e-12)


def test_large_workloads_agree_with_their_samples(rng):
    shape = TreeShape(2, 20)
    starts, ends = random_ranges(shape, 40_000, rng)
    sampled = range_energies(shape, starts, ends)
    # ends drawn one by one favour no range but those of one leaf: 1e-6 of all
    np.testing.assert_allclose(sampled[1:], all_ranges(shape)[1:], rtol=0.03)


@by_rows("known", [False, True])
@by_rows(("fanout", "height"), CASES)
def test_range_variances_need_no_leaves(rng, fanout, height, known):
    levels = random_levels(rng, fanout, height, "level")
    starts, ends = np.sort(rng.uniform(0, fanout**height, (2, 50)), axis=0)
    starts, ends = np.append(starts, [0, 0]), np.append(ends, [0, fanout**height])
    mine = range_variances(levels.shape, levels.variances, starts, ends, public_total=known)
    weights = range_weights(levels.shape, starts, ends)
    expected = query_variance(levels, weights, 5.0 if known else None)
    np.testing.assert_allclose(mine, expected, rtol=1e-9, atol=1e-12)


def test_what_nothing_tells_is_infinite():
    leafless = [1.0, 1.0, np.inf]
    values = energies_variance(
        np.array([[1, 1, 0.0], [0, 0, 1.0]]), 2, leafless, public_total=False
    )
    assert np.isfinite(values[0])
    assert values[1] == np.inf


def test_listed_ranges_are_in_the_columns_units():
    shape, bounds = TreeShape(2, 4), Bounds(0, 160)
    expected = range_energies(shape, [1, 0], [3.5, 16])
    np.testing.assert_allclose(listed_ranges([10, -5], [35, 999], bounds, shape), expected)


def test_random_ranges_stay_inside(rng):
    shape = TreeShape(3, 2)
    starts, ends = random_ranges(shape, 500, rng)
    assert (starts < ends).all()
    assert {*starts} == set(range(9))
    assert {*ends} == set(range(1, 10))
    starts, ends = random_ranges(shape, 500, rng, whole_leaves=False)
    assert ((starts >= 0) & (starts <= ends) & (ends <= 9)).all()


def test_impossible_workloads_are_refused():
    shape = TreeShape(2, 2)
    for starts, ends, weights in (
        ([], [], None),
        ([0], [1], [0.0]),
        ([0], [1], [-1.0]),
        ([0], [1], [1.0, 2.0]),
        ([0], [5], None),
    ):
        with pytest.raises(InvalidParameter):
            range_energies(shape, starts, ends, weights)
    for step in (0, 5):
        with pytest.raises(InvalidParameter, match="step"):
            prefixes(shape, step)
    with pytest.raises(InvalidParameter, match="leaf weights"):
        query_energies(shape, np.ones(3))
