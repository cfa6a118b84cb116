"""Least squares on ragged trees against dense matrices; wrong twins are rejected."""

import math

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.estimators.trees.ragged_tree import RaggedTree, least_squares


def random_tree(seed, height=3):
    rng = np.random.default_rng(seed)
    children, nodes = [], 1
    for _ in range(height):
        children.append(rng.integers(1, 5, nodes))
        nodes = int(children[-1].sum())
    return RaggedTree(tuple(children))


def design(tree):
    """Which leaves lie below each node, (all nodes, leaves), root first, node by node."""
    rows = [[row] for row in np.eye(tree.nodes[-1]).tolist()]
    levels = [np.eye(tree.nodes[-1])]
    for children in reversed(tree.children):
        at, rows = 0, []
        for one in children.tolist():
            rows.append(sum(levels[0][at + step] for step in range(one)))
            at += one
        levels.insert(0, np.array(rows))
    return np.concatenate(levels)


def dense(tree, counts, variances):
    """Estimates and variances of all nodes by the normal equations."""
    matrix = design(tree)
    weights = np.repeat([0 if math.isinf(one) else 1 / one for one in variances], tree.nodes)
    cover = np.linalg.inv(matrix.T @ (weights[:, None] * matrix))
    measured = np.where(weights > 0, np.concatenate(counts, axis=-1), 0.0)
    leaves = (weights * measured) @ matrix @ cover
    return leaves @ matrix.T, np.diag(matrix @ cover @ matrix.T)


def drawn(tree, seed, runs=()):
    rng = np.random.default_rng(seed)
    return [rng.normal(20, 9, (*runs, nodes)) for nodes in tree.nodes]


VARIANCES = (3.0, 0.5, 2.0, 7.0)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("left_out", [None, 0, 1, 2])
def test_two_passes_are_dense_least_squares(seed, left_out):
    tree = random_tree(seed)
    variances = [math.inf if level == left_out else one for level, one in enumerate(VARIANCES)]
    counts = drawn(tree, seed + 100, (3,))
    if left_out is not None:
        counts[left_out][:] = math.nan  # nobody looks at what was not measured
    found, spread = least_squares(tree, counts, variances)
    estimates, exact = dense(tree, counts, variances)
    np.testing.assert_allclose(np.concatenate(found, axis=-1), estimates)
    np.testing.assert_allclose(np.concatenate(spread), exact)


@pytest.mark.parametrize("seed", range(3))
def test_wrong_twins_are_rejected(seed):
    """Weights of another level, equal shares for children, and no pass down."""
    tree = random_tree(seed)
    counts = drawn(tree, seed)
    estimates, exact = dense(tree, counts, VARIANCES)
    swapped, spread = least_squares(tree, counts, VARIANCES[::-1])
    assert not np.allclose(np.concatenate(swapped), estimates)
    assert not np.allclose(np.concatenate(spread), exact)
    best, _ = least_squares(tree, counts, VARIANCES)
    assert not np.allclose(best[-1], counts[-1])
    gap = best[0] - counts[-1].sum()
    assert not np.allclose(best[-1], counts[-1] + gap / tree.nodes[-1])


@pytest.mark.parametrize("seed", range(3))
def test_estimates_add_up_and_never_err_more(seed):
    tree = random_tree(seed)
    best, spread = least_squares(tree, drawn(tree, seed), VARIANCES)
    for level, own in enumerate(VARIANCES):
        assert (spread[level] <= own * (1 + 1e-12)).all()
        np.testing.assert_allclose(tree.totals(best[-1])[level], best[level])
    exact = tree.totals(np.arange(1.0, tree.nodes[-1] + 1))
    kept, _ = least_squares(tree, exact, VARIANCES)
    for one, other in zip(kept, exact, strict=True):
        np.testing.assert_allclose(one, other)


def test_a_lone_node_and_only_children():
    best, spread = least_squares(RaggedTree(()), [np.array([4.0])], [9.0])
    assert (best[0].tolist(), spread[0].tolist()) == ([4.0], [9.0])
    chain = RaggedTree((np.array([1]), np.array([1])))
    best, spread = least_squares(chain, [np.array([one]) for one in (1.0, 2.0, 6.0)], [1.0] * 3)
    assert [float(one[0]) for one in best] == pytest.approx([3.0] * 3)
    assert [float(one[0]) for one in spread] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("children", [([0],), ([2], [1]), ([2], [1, 0]), ([1, 1],)], ids=str)
def test_what_is_no_tree_is_refused(children):
    with pytest.raises(InvalidParameter, match="children needs"):
        RaggedTree(tuple(np.array(one) for one in children))


@pytest.mark.parametrize(
    "variances", [(1.0,), (1.0, math.inf), (0.0, 1.0), (math.nan, 1.0), (1.0, math.nan)]
)
def test_wrong_variances_are_refused(variances):
    tree = RaggedTree((np.array([2]),))
    with pytest.raises(InvalidParameter, match="variances must be above 0"):
        least_squares(tree, [np.zeros(1), np.zeros(2)], variances)
