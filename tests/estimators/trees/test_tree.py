from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import (
    efficient_levels,
    from_above_levels,
    from_below_levels,
)
from tests.rows import by_rows
from tests.statistics import can_tell, fits

CASES = [(2, 0), (2, 1), (2, 4), (3, 3), pytest.param(10, 2, marks=pytest.mark.law)]
ESTIMATORS = from_below_levels, from_above_levels, efficient_levels
KINDS = ["level", "node", "mixed", "left-out", "holes"]


def random_levels(rng, fanout, height, kind, batch=()):
    """Noise-like counts with variances of the given kind."""
    sizes = [fanout**level for level in range(height + 1)]
    counts = tuple(rng.normal(0, 10, (*batch, size)) for size in sizes)
    if kind == "level":
        variances = [np.asarray(rng.uniform(0.1, 9)) for _ in sizes]
    elif kind == "node":
        variances = [rng.uniform(0.1, 9, size) for size in sizes]
    elif kind == "mixed":
        variances = [rng.uniform(0.1, 9, size if i % 2 else ()) for i, size in enumerate(sizes)]
        variances = [np.asarray(variance) for variance in variances]
    elif kind == "left-out":  # every other level above the leaves, the root among them
        variances = [
            np.asarray(np.inf if (height - i) % 2 or (i == 0 and height) else rng.uniform(0.1, 9))
            for i in range(height + 1)
        ]
    elif kind == "holes":  # single nodes above the leaves carry nothing
        variances = [rng.uniform(0.1, 9, size) for size in sizes]
        for variance in variances[:-1]:
            variance[rng.random(variance.size) < 0.5] = np.inf
    else:
        raise AssertionError(kind)
    return Levels(fanout, counts, tuple(variances))


def ancestry(fanout, height):
    """Rows: every node root first; columns: leaves; 1 where the leaf lies below the node."""
    blocks = [
        np.kron(np.eye(fanout**level), np.ones((1, fanout ** (height - level))))
        for level in range(height + 1)
    ]
    return np.concatenate(blocks)


def flat(levels):
    """Counts (nodes,) and variances (nodes,) of a tree without runs, root first."""
    sizes = [counts.shape[-1] for counts in levels.counts]
    variances = [np.broadcast_to(v, size) for v, size in zip(levels.variances, sizes, strict=True)]
    return np.concatenate(levels.counts, axis=-1), np.concatenate(variances)


def dense_gls(levels, total=None, rows=None):
    """Generalised least squares over the leaves by pseudo-inverse; ∞ where nothing tells a node.

    rows (nodes,) says which noisy counts may be used. N public restricts leaves to N·e_1 + Z y.
    """
    design = ancestry(levels.fanout, levels.height)
    counts, variances = flat(levels)
    rows = np.isfinite(variances) & (True if rows is None else rows)
    leaves = design.shape[1]
    basis, origin = np.eye(leaves), np.zeros(leaves)
    if total is not None:
        rows = rows & (np.arange(rows.size) > 0)
        origin = total * basis[0]
        basis = basis[:, 1:] - basis[:, :1]
    free = design @ basis
    whitened = free[rows] / np.sqrt(variances[rows])[:, None]
    observed = (counts[rows] - design[rows] @ origin) / np.sqrt(variances[rows])
    inverse = np.linalg.pinv(whitened)
    told = np.abs(free @ inverse @ whitened - free).max(axis=1, initial=0) < 1e-9
    estimates = free @ (inverse @ observed) + design @ origin
    spread = ((free @ inverse) ** 2).sum(axis=1)
    return np.where(told, estimates, np.nan), np.where(told, spread, np.inf)


def assert_same(estimate, expected):
    counts, variances = estimate
    np.testing.assert_allclose(counts, expected[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(variances, expected[1], rtol=1e-9, atol=1e-9)


@by_rows("total", [None, 17.0])
@by_rows("kind", KINDS)
@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_efficient_is_dense_generalised_least_squares(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    assert_same(flat(efficient_levels(levels, total)), dense_gls(levels, total))


def subtree(design, node):
    """Which nodes have all their leaves below the node, the node itself included."""
    return design @ design[node] == design.sum(axis=1)


@pytest.mark.few(2)
@by_rows("kind", KINDS)
@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_from_below_is_least_squares_on_the_subtree(rng, fanout, height, kind):
    levels = random_levels(rng, fanout, height, kind)
    counts, variances = flat(from_below_levels(levels))
    design = ancestry(fanout, height)
    for node in range(design.shape[0]):
        expected = dense_gls(levels, rows=subtree(design, node))
        assert_same((counts[node], variances[node]), (expected[0][node], expected[1][node]))


@pytest.mark.few(2)
@by_rows("total", [None, 17.0])
@by_rows("kind", KINDS)
@pytest.mark.parametrize(("fanout", "height"), CASES)
def test_from_above_is_least_squares_without_the_descendants(rng, fanout, height, kind, total):
    levels = random_levels(rng, fanout, height, kind)
    counts, variances = flat(from_above_levels(levels, total))
    design = ancestry(fanout, height)
    for node in range(0, design.shape[0], 1 + design.shape[0] // 20):  # of 111 every sixth
        below = subtree(design, node)
        below[node] = False
        expected = dense_gls(levels, total, rows=~below)
        assert_same((counts[node], variances[node]), (expected[0][node], expected[1][node]))


@pytest.mark.parametrize("kind", KINDS)
def test_efficient_estimates_are_consistent_and_batches_are_single_runs(rng, kind):
    levels = random_levels(rng, 3, 4, kind, batch=(5, 2))
    best = efficient_levels(levels, total=30.0)
    for parent, children in zip(best.counts[:-1], best.counts[1:], strict=True):
        sums = children.reshape(*parent.shape, 3).sum(axis=-1)
        np.testing.assert_allclose(sums, parent, atol=1e-11)
    for estimator in ESTIMATORS:
        together = estimator(levels)
        for run in np.ndindex(5, 2):
            one = Levels(3, tuple(counts[run] for counts in levels.counts), levels.variances)
            for whole, single in zip(together.counts, estimator(one).counts, strict=True):
                np.testing.assert_allclose(whole[run], single, atol=1e-12, equal_nan=True)


def unit_tree(height, fanout=2):
    counts = tuple(np.zeros(fanout**level) for level in range(height + 1))
    return Levels(fanout, counts, (np.ones(()),) * (height + 1))


def test_check_values_of_a_binary_tree_of_height_four():
    levels = unit_tree(4)
    below = [float(v) for v in from_below_levels(levels).variances]
    assert below == pytest.approx([16 / 31, 8 / 15, 4 / 7, 2 / 3, 1])
    private = [float(v) for v in efficient_levels(levels).variances]
    assert private == pytest.approx([0.5161, 0.3957, 0.3846, 0.4295, 0.6074], abs=5e-5)
    public = [float(v) for v in efficient_levels(levels, total=9.0).variances]
    assert public == pytest.approx([0, 0.2667, 0.3524, 0.4214, 0.6054], abs=5e-5)


def test_limits_of_a_tall_binary_tree():
    levels = unit_tree(20)
    private = [float(v) for v in efficient_levels(levels).variances]
    public = [float(v) for v in efficient_levels(levels, total=0.0).variances]
    assert private[1:3] == pytest.approx([3 / 8, 11 / 32], abs=1e-4)
    assert public[1:3] == pytest.approx([1 / 4, 5 / 16], abs=1e-4)
    assert private[7:10] == pytest.approx([1 / 3] * 3, abs=1e-4)
    assert public[7:10] == pytest.approx([1 / 3] * 3, abs=1e-4)


@pytest.mark.law
@pytest.mark.parametrize("kind", ["level", "node", "left-out"])
def test_stated_variances_are_those_of_the_estimates(rng, kind):
    """Errors over their stated deviation are standard normal at every node, by three estimators.

    False alarm 1e-9 over the 39 comparisons of one test; a quarter more or a fifth less is caught.
    """
    runs, comparisons = 20_000, 39
    variances = random_levels(rng, 3, 2, kind).variances
    truth = [np.arange(9.0).reshape(3**level, -1).sum(axis=1) for level in range(3)]
    noisy = tuple(
        exact + np.sqrt(np.where(np.isinf(v), 1, v)) * rng.standard_normal((runs, exact.size))
        for exact, v in zip(truth, variances, strict=True)
    )
    levels = Levels(3, noisy, variances)
    for wrong in (0.8, 1.25):
        assert can_tell(runs, stats.norm(), stats.norm(scale=wrong), comparisons=comparisons)
    for estimate in [estimator(levels) for estimator in ESTIMATORS]:
        for counts, v, exact in zip(estimate.counts, estimate.variances, truth, strict=True):
            spread = np.sqrt(np.broadcast_to(v, exact.shape))
            for node in np.flatnonzero(np.isfinite(spread)):
                errors = (counts[:, node] - exact[node]) / spread[node]
                assert fits(errors, stats.norm(), comparisons=comparisons)
                assert not fits(errors * 0.8, stats.norm(), comparisons=comparisons)
                assert not fits(errors * 1.25, stats.norm(), comparisons=comparisons)


def test_nodes_that_nothing_determines_say_so(rng):
    levels = random_levels(rng, 2, 2, "level")
    no_leaves = Levels(2, levels.counts, (*levels.variances[:2], np.asarray(np.inf)))
    best = efficient_levels(no_leaves)
    shorter = efficient_levels(Levels(2, levels.counts[:2], levels.variances[:2]))
    assert np.isinf(best.variances[2]).all()
    assert np.isnan(best.counts[2]).all()
    for level in range(2):
        np.testing.assert_allclose(best.counts[level], shorter.counts[level])
    one_hole = np.array([np.inf, 1.0, 1.0, 1.0])  # its sibling and their parent still tell it
    whole = efficient_levels(Levels(2, levels.counts, (*levels.variances[:2], one_hole)))
    assert all(np.isfinite(v).all() for v in whole.variances)
    two_holes = np.array([np.inf, np.inf, 1.0, 1.0])
    part = efficient_levels(Levels(2, levels.counts, (*levels.variances[:2], two_holes)))
    assert np.isinf(part.variances[2]).tolist() == [True, True, False, False]
    assert np.isnan(part.counts[2]).tolist() == [True, True, False, False]


def test_counts_of_left_out_levels_are_never_read(rng):
    levels = random_levels(rng, 2, 3, "left-out")
    spoiled = tuple(
        np.full_like(counts, np.nan) if np.isinf(v) else counts
        for counts, v in zip(levels.counts, levels.variances, strict=True)
    )
    for estimator in ESTIMATORS:
        clean = estimator(levels).counts
        for one, other in zip(
            clean, estimator(Levels(2, spoiled, levels.variances)).counts, strict=True
        ):
            np.testing.assert_array_equal(one, other)


def test_very_unequal_variances_do_not_cancel(rng):
    """A sum minus own would lose the small variances beside a large one."""
    counts = tuple(rng.normal(size=2**level) for level in range(3))
    leaves = np.array([1e20, 1.0, 1.0, 1.0])
    levels = Levels(2, counts, (np.asarray(1.0), np.array([1.0, 1.0]), leaves))
    best = efficient_levels(levels)
    hole = np.array([np.inf, 1.0, 1.0, 1.0])
    limit = efficient_levels(Levels(2, counts, (*levels.variances[:2], hole)))
    for one, other in zip(best.variances, limit.variances, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_noisy_counts_of_variance_zero_are_refused(rng):
    levels = random_levels(rng, 2, 2, "level")
    exact_root = Levels(2, levels.counts, (np.asarray(0.0), *levels.variances[1:]))
    exact_leaf = Levels(2, levels.counts, (*levels.variances[:2], np.array([1.0, 1.0, 0.0, 1.0])))
    for estimator in ESTIMATORS:
        for wrong in (exact_root, exact_leaf):
            with pytest.raises(InvalidParameter, match="variance 0"):
                estimator(wrong)
    assert efficient_levels(exact_root, total=4.0).counts[0] == 4.0
