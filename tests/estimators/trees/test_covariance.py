"""Weights of measurements and variances of queries, against dense least squares."""

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.covariance import (
    node_weights,
    query_covariances,
    query_variance_by_solve,
)
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.workload import query_variance
from tests.estimators.trees.test_tree import CASES, ancestry, flat, random_levels
from tests.rows import by_rows

KINDS = ["level", "node", "mixed", "left-out", "holes"]


def dense_maps(levels, total):
    """Rows: nodes; columns: measurements (and, with N public, N in the root's place)."""
    design = ancestry(levels.fanout, levels.height)
    _, variances = flat(levels)
    nodes, leaves = design.shape
    basis = np.eye(leaves)
    used = np.isfinite(variances)
    if total is not None:
        used &= np.arange(nodes) > 0
        basis = basis[:, 1:] - basis[:, :1]
    root = np.sqrt(variances[used])
    whitened = design[used] @ basis / root[:, None]
    solve = basis @ np.linalg.pinv(whitened) / root  # leaves from measurements
    maps = np.zeros((nodes, nodes))
    maps[:, used] = design @ solve
    covariance = design @ basis @ np.linalg.pinv(whitened.T @ whitened) @ basis.T @ design.T
    if total is not None:
        first = np.eye(leaves)[:, 0]
        maps[:, 0] = design @ (first - solve @ (design[used] @ first))
    return maps, covariance


@pytest.mark.few(2, 4)
@by_rows("total", [None, 17.0])
@by_rows("kind", KINDS)
@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_weights_are_those_of_dense_least_squares(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    maps, _ = dense_maps(levels, total)
    node = 0
    for level in range(height + 1):
        for index in range(fanout**level):
            mine = np.concatenate(node_weights(levels, level, index, total))
            np.testing.assert_allclose(mine, maps[node], rtol=0, atol=1e-9)
            node += 1


@by_rows("total", [None, 17.0])
@by_rows("kind", KINDS)
def test_weights_reproduce_the_estimate(rng, kind, total):
    levels = random_levels(rng, 3, 3, kind)
    best = efficient_levels(levels, total)
    measured = [np.where(np.isinf(v), 0, c) for c, v in zip(*_pairs(levels), strict=True)]
    if total is not None:
        measured[0] = np.array([total])
    for level, index in [(0, 0), (1, 2), (2, 4), (3, 26)]:
        weights = node_weights(levels, level, index, total)
        value = sum(float(w @ m) for w, m in zip(weights, measured, strict=True))
        assert value == pytest.approx(best.counts[level][index], abs=1e-9)


def _pairs(levels):
    return levels.counts, levels.variances


@by_rows("total", [None, 17.0])
@by_rows("kind", KINDS)
@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_variances_of_linear_queries_are_those_of_dense_algebra(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    _, covariance = dense_maps(levels, total)
    leaves = fanout**height
    queries = np.stack([rng.normal(size=leaves), np.ones(leaves), np.eye(leaves)[-1]])
    dense = covariance[-leaves:, -leaves:]
    expected = np.einsum("qi,ij,qj->q", queries, dense, queries)
    for variance in (query_variance_by_solve, query_variance):
        np.testing.assert_allclose(variance(levels, queries, total), expected, rtol=1e-9, atol=1e-9)
    crossed = np.concatenate(query_covariances(levels, queries, total), axis=-1)
    np.testing.assert_allclose(crossed, queries @ dense @ ancestry(fanout, height).T, atol=1e-9)


def test_a_node_has_the_variance_of_its_own_query(rng):
    levels = random_levels(rng, 3, 3, "node")
    best = efficient_levels(levels)
    query = np.repeat(np.eye(9)[4], 3)
    assert query_variance(levels, query) == pytest.approx(best.variances[2][4], rel=1e-12)


def test_queries_that_nothing_answers(rng):
    levels = random_levels(rng, 2, 2, "level")
    blind = Levels(2, levels.counts, (*levels.variances[:2], np.array([np.inf, 1.0, 1.0, 1.0])))
    with pytest.raises(InvalidParameter, match="not released"):
        query_variance(blind, [1.0, 0, 0, 0])
    assert np.isfinite(query_variance(blind, [0, 0, 1.0, 1.0]))
    for wrong in ([1.0, 2.0], 3.0, [np.nan, 0, 0, 0]):
        with pytest.raises(InvalidParameter, match="weight"):
            query_variance_by_solve(levels, wrong)
    for level, index in ((3, 0), (-1, 0), (2, 4), (1, -1)):
        with pytest.raises(InvalidParameter, match="no node"):
            node_weights(levels, level, index)
